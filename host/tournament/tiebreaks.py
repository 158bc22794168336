"""Records of players and all tie-breaks, in exact fractions; which count, and in what order, is a
line of the rule pack (``rulepacks/``).

``TIEBREAKS``: word → function of ``(book, player)``; ``book`` is the Book of all players.
``HEAD_TO_HEAD`` is no number. The pack defines shares (draws, byes, minimum and maximum).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from host.tournament.rule_packs import Pack

Share: TypeAlias = int | Fraction
"""Points, or a share from 0 to 1."""


@dataclass
class Record:
    """A player's record; ``met`` has each opponent once per match, ``beaten`` those it beat."""

    player: str
    points: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    byes: int = 0
    games: list[int] = field(default_factory=lambda: [0, 0])  # won, lost
    met: list[str] = field(default_factory=list)
    beaten: set[str] = field(default_factory=set)
    left: bool = False


class Book:
    """Every Record under a pack, and their shares, each computed once."""

    def __init__(self, pack: "Pack", records: Iterable[Record]):
        self._pack, self.records = pack, {record.player: record for record in records}
        self._shares: dict[tuple[str, str], Share] = {}

    def share(self, word: str, player: str) -> Share:
        """Return a player's value of the tie-break ``word``."""
        key = word, player
        if key not in self._shares:
            self._shares[key] = TIEBREAKS[word](self, player)
        return self._shares[key]

    def wins(self, player: str) -> Share:
        """Return a player's share of wins, between the pack's bounds."""
        record, pack = self.records[player], self._pack
        won = record.wins + pack.draw * record.draws
        played = record.wins + record.losses + record.draws
        if pack.byes_count:
            won, played = won + record.byes, played + record.byes
        return self._bound(record, Fraction(won) / played if played else Fraction(0))

    def games(self, player: str) -> Share:
        """Return a player's share of games won, between the pack's bounds."""
        record = self.records[player]
        won, lost = record.games
        share = Fraction(won, won + lost) if won + lost else Fraction(0)
        return self._bound(record, share)

    def _bound(self, record, share):
        if record.left:
            share = min(share, self._pack.most_left)
        return max(self._pack.least, share)

    def mean(self, share: Callable[[str], Share], player: str) -> Fraction:
        """Return the mean over a player's opponents; 0 without opponents."""
        met = self.records[player].met
        return Fraction(sum(map(share, met)), len(met)) if met else Fraction(0)


TIEBREAKS: dict[str, Callable[[Book, str], Share]] = {
    "points": lambda book, player: book.records[player].points,
    "opponents_wins": lambda book, player: book.mean(book.wins, player),
    "opponents_opponents_wins": lambda book, player: book.mean(
        lambda other: book.share("opponents_wins", other), player
    ),
    "game_wins": lambda book, player: book.games(player),
    "opponents_game_wins": lambda book, player: book.mean(book.games, player),
}
HEAD_TO_HEAD = "head_to_head"  # not a number: see ``rank``
NAMES = (*TIEBREAKS, HEAD_TO_HEAD)


def rank(book: Book, order: Iterable[str]) -> list[list[str]]:
    """Return the players as groups in rank order; players in one group are equal in everything.

    Head-to-head separates exactly two players who have met, if one of them won.
    """
    groups = [list(book.records)]
    for word in order:
        groups = [part for group in groups for part in _split(book, word, group)]
    return groups


def _split(book, word, group):
    if len(group) == 1:
        return [group]
    if word == HEAD_TO_HEAD:
        return _head_to_head(book, group) if len(group) == 2 else [group]
    parts = {}
    for player in sorted(group, key=lambda member: book.share(word, member), reverse=True):
        parts.setdefault(book.share(word, player), []).append(player)
    return list(parts.values())


def _head_to_head(book, pair):
    first, second = pair
    first_won = second in book.records[first].beaten
    second_won = first in book.records[second].beaten
    if first_won == second_won:
        return [pair]
    return [[first], [second]] if first_won else [[second], [first]]
