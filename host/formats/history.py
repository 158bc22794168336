"""What another program's file tells of an event so far, beside the round that is taken from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from host.archive.roster import Format, Pairing
from host.base.sentences import Sentence

A, B, TIE, NEITHER = "A", "B", "tie", "neither"  # outcomes; of NEITHER both players lose


@dataclass(frozen=True)
class ToldResult:
    """A pairing's result as a file tells it; ``destroyed`` the points by a and by b, where it has
    them.
    """

    pairing: int
    outcome: str
    destroyed: tuple[int, int] | None = None


@dataclass(frozen=True)
class PlayedRound:
    """A round of the file: its pairings, its results so far, and who missed it with a loss."""

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
    """How a file ranks after round ``after``, counted from 1 and only over Swiss rounds.

    ``groups``: the players' numbers by place, each list ranked for itself (TOM ranks each age).
    ``values``: what the file gives a player, by number and column (``points``, ``margin``,
    ``sos``).
    """

    after: int
    groups: tuple[tuple[str, ...], ...] = ()
    values: Mapping[str, Mapping[str, int]] | None = None


@dataclass(frozen=True)
class History:
    """Rounds with what they came to, the round taken last; who left; how the file ranks; what was
    not read.

    ``source`` is the file's name. ``dropped``: numbers of players who left before the round taken.
    ``minutes``: of a Swiss round and of an elimination round (``UNTIMED_MIN`` for no limit), None
    where the
    file does not say.
    """

    source: str
    rounds: tuple[PlayedRound, ...]
    dropped: tuple[str, ...] = ()
    minutes: tuple[int, int] | None = None
    standings: ToldStandings | None = None
    remarks: tuple[Sentence, ...] = ()
