"""Earlier rounds and standings of an event, read from another program's file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from host.archive.roster import Format, Pairing, Player
from host.base.sentences import Sentence

A, B, TIE, NEITHER = "A", "B", "tie", "neither"  # outcomes; with NEITHER both players lose


@dataclass(frozen=True)
class FileResult:
    """A pairing's result in a file; ``destroyed``: points by a and by b, or None."""

    pairing: int
    outcome: str
    destroyed: tuple[int, int] | None = None

    @property
    def turned(self) -> "FileResult":
        """The same result with a and b exchanged."""
        outcome = {A: B, B: A}.get(self.outcome, self.outcome)
        return replace(self, outcome=outcome, destroyed=self.destroyed and self.destroyed[::-1])


@dataclass(frozen=True)
class PlayedRound:
    """A round of the file: pairings, results so far, and players who missed it (a loss)."""

    number: int
    format: Format
    pairings: Sequence[Pairing]
    results: tuple[FileResult, ...]
    missed: tuple[str, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether every match has its result."""
        return len(self.results) == sum(pairing.b is not None for pairing in self.pairings)

    def with_numbers(self, new_numbers: Mapping[str, str]) -> "PlayedRound":
        """Return the round with other player numbers: ``new_numbers`` maps those that change."""
        missed = tuple(new_numbers.get(number, number) for number in self.missed)
        return replace(self, pairings=with_numbers(self.pairings, new_numbers), missed=missed)


def with_numbers(pairings: Sequence[Pairing], new_numbers: Mapping[str, str]) -> list[Pairing]:
    """Return Pairings with other player numbers: ``new_numbers`` maps those that change."""
    if not new_numbers:
        return [*pairings]

    def renumber(player: Player) -> Player:
        return replace(player, number=new_numbers.get(player.number, player.number))

    return [
        replace(pairing, a=renumber(pairing.a), b=renumber(pairing.b) if pairing.b else None)
        for pairing in pairings
    ]


@dataclass(frozen=True)
class FileStandings:
    """The file's standings after Swiss round ``after`` (from 1).

    ``groups``: player numbers in order of rank; TOM ranks each age division on its own.
    ``values``: player number → column (``points``, ``margin``, ``sos``) → the file's number.
    ``final``: the groups count the elimination rounds, too; otherwise they omit its players.
    """

    after: int
    groups: tuple[tuple[str, ...], ...] = ()
    values: Mapping[str, Mapping[str, int]] | None = None
    final: bool = False

    def with_numbers(self, new_numbers: Mapping[str, str]) -> "FileStandings":
        """Return the standings with other player numbers; ``new_numbers``: those that change."""
        groups = tuple(
            tuple(new_numbers.get(number, number) for number in group) for group in self.groups
        )
        values = self.values and {new_numbers.get(n, n): row for n, row in self.values.items()}
        return replace(self, groups=groups, values=values)


@dataclass(frozen=True)
class History:
    """An event's history in a file: its rounds up to the imported one, drops and standings.

    ``source``: the file's name. ``dropped``: numbers of players who left before the imported round.
    ``minutes``: of a Swiss and of an elimination round (``UNTIMED_MIN``: no limit), or None.
    ``remarks``: sentences on what could not be read.
    """

    source: str
    rounds: tuple[PlayedRound, ...]
    dropped: tuple[str, ...] = ()
    minutes: tuple[int, int] | None = None
    standings: FileStandings | None = None
    remarks: tuple[Sentence, ...] = ()

    def with_numbers(self, new_numbers: Mapping[str, str]) -> "History":
        """Return the history with other player numbers: ``new_numbers`` maps those that change."""
        return replace(
            self,
            rounds=tuple(each.with_numbers(new_numbers) for each in self.rounds),
            dropped=tuple(new_numbers.get(number, number) for number in self.dropped),
            standings=self.standings.with_numbers(new_numbers) if self.standings else None,
        )
