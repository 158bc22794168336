"""Earlier rounds and standings of an event, read from another program's file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from host.archive.roster import Format, Pairing
from host.base.sentences import Sentence

A, B, TIE, NEITHER = "A", "B", "tie", "neither"  # outcomes; with NEITHER both players lose


@dataclass(frozen=True)
class ToldResult:
    """A pairing's result in a file; ``destroyed``: points by a and by b, or None."""

    pairing: int
    outcome: str
    destroyed: tuple[int, int] | None = None


@dataclass(frozen=True)
class PlayedRound:
    """A round of the file: pairings, results so far, and players who missed it (a loss)."""

    number: int
    format: Format
    pairings: Sequence[Pairing]
    results: tuple[ToldResult, ...]
    missed: tuple[str, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether every match has its result."""
        return len(self.results) == sum(one.b is not None for one in self.pairings)


@dataclass(frozen=True)
class ToldStandings:
    """The file's standings after Swiss round ``after`` (from 1).

    ``groups``: player numbers in order of rank; TOM ranks each age division on its own.
    ``values``: player number → column (``points``, ``margin``, ``sos``) → the file's number.
    ``final``: the groups count the elimination rounds too; otherwise they leave out its players.
    """

    after: int
    groups: tuple[tuple[str, ...], ...] = ()
    values: Mapping[str, Mapping[str, int]] | None = None
    final: bool = False


@dataclass(frozen=True)
class History:
    """What a file says about an event: its rounds up to the imported one, drops and standings.

    ``source``: the file's name. ``dropped``: numbers of players who left before the imported round.
    ``minutes``: of a Swiss and of an elimination round (``UNTIMED_MIN``: no limit), or None.
    ``remarks``: sentences on what was not read.
    """

    source: str
    rounds: tuple[PlayedRound, ...]
    dropped: tuple[str, ...] = ()
    minutes: tuple[int, int] | None = None
    standings: ToldStandings | None = None
    remarks: tuple[Sentence, ...] = ()
