"""People who play under an organiser's own rules, which here nobody knows but the board.

They take what it proposes: the venue then checks that what both confirmed is what was archived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from host.sim.card_play import MatchPlay
from host.sim.people import People
from host.sim.players import PLAYERS, Duelists, Fight, Pilots, Rounds
from host.sim.story import Truth
from host.systems.match_facts import best_of

if TYPE_CHECKING:
    from host.archive.roster import Format
    from host.sim.types import PlayTable, Score, Story
    from host.systems.rules import Rules


class Confirmed(Truth):
    """A match whose result is what both have ``confirmed``."""

    confirmed: Score | None = None

    @property
    def result(self) -> Score:
        """What they confirmed, before that the score as they know it."""
        return self.confirmed or super().result


class Games(Confirmed):
    """A match of so many games at most."""

    def __init__(self, most: int):
        super().__init__()
        self._most = most

    @property
    def decided(self) -> bool:
        """Whether somebody has won it, or all games are played."""
        return max(self.games) > self._most // 2 or sum(self.games) >= self._most


class Battle(Confirmed, Fight):
    """A match of squads."""


class Trusting(People):
    """Two who confirm what the board shows."""

    truth: Confirmed

    async def _answer(self):
        proposal = self.table.face.proposal
        if await self._press_either("yes_key", "yes_key_b", gesture="hold"):
            if self.table.face.screen != "refuse":
                self.truth.confirmed = proposal
                self.said.append(f"confirmed {proposal}")


class Guests(Trusting):
    """Two players of cards."""

    def __init__(self, table: PlayTable, story: Story, games: int, prizes: int):
        super().__init__(table, story)
        self._prizes = [story.luck.randrange(1, prizes + 1) for _ in range(2)]
        self.truth = Games(games)
        self.course = MatchPlay(story, self.truth)
        self._reactions.update(
            prizes=self._count_prizes, prizes_check=self._agree, play_on=self._decide,
            tiebreaker=self._decide, tiebreaker_clock=self._decide,
        )  # fmt: skip

    async def _count_prizes(self):
        await self._react()
        for seat, label in enumerate(("less_key", "less_key_b")):
            await self._step(label, seat, self._prizes)
        await self._press("less_key", "hold")

    async def _decide(self):
        await self._react()
        await self._enter(self._line)

    async def _choose(self, screen, item):
        """Choose an item, or what this system has in its place: the match for a game."""
        has = self.table.face.items
        if screen == "result" and item not in has:
            ahead = self.truth.games[1] > self.truth.games[0] or item == "game_b"
            instead = "tie", f"game_{'ab'[ahead]}", f"won_{'ab'[ahead]}"
            level = self.truth.games[0] == self.truth.games[1] and not item.startswith("game")
            item = next(one for one in instead[not level :] if one in has)
        await super()._choose(screen, item)

    _step = Duelists._step


class GuestPilots(Trusting, Pilots):
    """Two players of squads."""

    def __init__(self, table: PlayTable, story: Story):
        super().__init__(table, story)
        self.truth = fight = Battle(story.luck)
        self.course = Rounds(story, fight)


def who_play(table: PlayTable, story: Story, form: Format, rules: Rules) -> People:
    """Return the two who play a round's format at a table."""
    known = PLAYERS.get(form.system)
    if known is not None:
        return known(table, story)
    if rules.CAPS:
        return GuestPilots(table, story)
    return Guests(table, story, best_of(form.bits, rules), min(rules.CARDS, default=1))
