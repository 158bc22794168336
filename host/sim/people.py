"""Two people at a board: they play their cards, read the screen and press keys.

All they know of the board is a ``ScreenReading``: the screen's name, the marked line of a menu,
what the keys do and the shown result. They do not look into the match. Under an organiser's own
rules, which here nobody knows but the board, they take what it proposes: the venue then checks that
what both confirmed is what was archived. Times are seconds of the loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from firmware.core.systems import d03, p18, xw15
from host.sim.story import MatchPlay, Truth, outcome_of
from host.systems.match_facts import best_of

if TYPE_CHECKING:
    from host.archive.roster import Format
    from host.sim.types import Play, PlayAct, PlayTable, Score, ScreenReading, Story
    from host.systems.rules import Rules

RUNNING = (
    "clock", "warning", "last", "uncertain", "between", "rounds", "rounds_warn", "rounds_last",
)  # fmt: skip
AFTER_TIME = (
    "tell", "tell_check", "turn", "turn_check", "finish", "overtime", "round_asked", "finish_round",
)  # fmt: skip
SEATING = ("seated", "pregame", "setup", "pregame_ships")
HERE = ("here_key", "here_key_b")
OVER = ("proposed", "refuse", "resolving", "ruled", "agreed", "not_sent")
REACT_S = (0.8, 3.0)
GLANCE_S = (0.5, 1.2)
JUDGES_WALK_S = 600
PRESS_MS = (80, 250)
HOLD_MS = (1150, 1600)
CARDS = 6
SQUADS = 60  # points a side, in the first round
SHIPS = 4
ROUND_S = (240, 720)
BETWEEN_S = (3, 20)


class People:
    """The players of one match at ``table`` (see ``host.sim.table``), who behave as ``story``
    says.
    """

    def __init__(self, table: PlayTable, story: Story):
        self.table, self.story = table, story
        self.truth = Truth()
        self.course: Play = MatchPlay(story, self.truth)
        self.refused = False
        self._seen: ScreenReading | None = None  # the last screen they reacted to
        self.said: list[str] = []  # what they did, to explain a difference
        self._reactions = {"extension": self._see_extension, "frozen": self._stop,
                           "tell": self._tell, "tell_check": self._agree,
                           "turn": self._tell_turn, "turn_check": self._agree,
                           "finish": self._hear_time, "overtime": self._hear_time}  # fmt: skip

    async def play_round(self, number: int) -> None:
        """Play round ``number`` from the pairing to the agreed result."""
        await self.table.begins(number)
        await self._sit_down()
        await self._see(RUNNING + AFTER_TIME + OVER)
        for delay_s, act, seat in self.course.acts():
            if await self._let_pass(delay_s):
                break
            await self._do(act, seat)
        await self._settle()

    # the seats

    async def _sit_down(self):
        await self._see(SEATING + RUNNING)
        first = self.story.luck.randrange(2)
        for seat in (first, 1 - first):
            await self.table.rest(self.story.span((3, 45)))
            await self._take(seat)
        await self._put_right()

    async def _put_right(self):
        """If the names are the wrong way round, turn them while a key still does so.

        Otherwise the two change chairs. Each plays on as the seat where they now sit: Truth counts
        by seat, and ``Truth.paired`` knows who sat there.
        """
        while self.table.face.swapped and self.table.face.screen in SEATING:
            if not await self._press_either(*HERE, gesture="press"):
                await self._react()
            for seat in (0, 1):
                await self._take(seat)
        if self.table.face.swapped:
            self.said.append("changed chairs")

    async def _take(self, seat):
        await self._press(HERE[seat], "hold")

    # time and the screen

    async def _see(self, screens):
        """Wait for one of ``screens``; a notice of more time may come first."""
        await self.table.see(screens + ("extension",))
        while self.table.face.screen == "extension":
            await self._see_extension()
            await self.table.see(screens + ("extension",))

    async def _let_pass(self, delay_s):
        """Let ``delay_s`` seconds of play pass; return True if the match ended meanwhile."""
        while self.table.face.screen not in OVER:
            began_s = self.table.now_s
            reaction = self._new_on_screen()
            if reaction:
                await reaction()
            elif not await self.table.watch(delay_s):
                return False  # the time has passed
            else:
                delay_s -= self.table.now_s - began_s
        return True

    def _new_on_screen(self):
        """Return the reaction to a screen that was not handled yet, or None."""
        face = self.table.face
        if face is self._seen:
            return None
        self._seen = face
        return self._reactions.get(face.screen)

    async def _react(self):
        await self.table.rest(self.story.span(REACT_S))

    async def _see_extension(self):
        for label in ("seen_key", "seen_key_b"):
            await self._react()
            await self._press(label)

    async def _stop(self):
        while self.table.face.screen == "frozen":
            if not await self._here_again():
                await self.table.watch(JUDGES_WALK_S)

    async def _here_again(self):
        """Take the seats at a replacement board; return False if it does not ask for that."""
        asked = [seat for seat in (0, 1) if self.table.face.key(HERE[seat], "hold")]
        for seat in asked:
            await self._react()
            await self._take(seat)
        return bool(asked)

    async def _hear_time(self):
        self.course.time_called = True

    async def _tell(self):
        self.course.time_called = True
        await self._react()
        await self._choose("tell", self._state())

    async def _agree(self):
        """The other seat says the same; both are honest."""
        await self._react()
        await self._press_either("right_key", "right_key_b", gesture="press")

    def _state(self):
        """Return the menu's line for the game being played: its number and who leads, with a 0
        between them while it has not started.
        """
        # in a decided match: the score before its last game
        a, b = (min(1, games) for games in self.truth.games)
        leader = "" if a == b else "a" if a > b else "b"
        not_started = "" if self.course.started else "0"
        return f"tell_{a + b + 1}{not_started}{leader}"

    async def _tell_turn(self):
        self.course.time_called = True
        await self._react()
        label = ("mine_key", "mine_key_b")[self.course.seat]
        await self._press(label, "press" if self.course.in_turn else "hold")

    # what the cards say

    async def _do(self, act, seat):
        if act == "starter" and self.story.diligent:
            await self._press(("starter_key", "starter_key_b")[seat])
        elif act == "end" and self.course.time_called:
            await self._press(("end_key", "end_key_b")[seat])
        elif act == "won" and (self.story.diligent or self.course.time_called):
            await self._enter(("game_a", "game_b")[seat])

    async def _enter(self, item):
        """Open the result menu with whichever key does, and choose ``item``."""
        await self._press_either("result_key", "result_key_b")
        await self._choose("result", item)

    async def _choose(self, screen, item):
        """Step through a menu to ``item`` and choose it; a mistake chooses the line before."""
        is_score = screen == "result" and item.startswith("s")
        fumbles = is_score and self.story.luck.random() < self.story.fumbles
        for _ in range(40):
            face = self.table.face
            if face.screen != screen:
                return
            if face.item == item or (fumbles and face.next_item == item):
                break
            await self._press("next_key")
        self.said.append(f"chose {self.table.face.item}")
        await self._press("choose_key")

    # the end

    @property
    def _line(self):
        """The line of the result menu that says how the match ended."""
        return "s{}{}".format(*self.truth.games)

    async def _settle(self):
        """Finish the result: confirm a right one, refuse a wrong one."""
        while self.table.face.screen not in ("agreed", "not_sent"):
            screen = self.table.face.screen
            await self._react()
            if screen in ("proposed", "ruled"):
                await self._answer()
            elif screen == "refuse":  # the key was released too early
                await self._press("press_back")
            elif screen in ("finish", "overtime", "finish_round"):  # the board lags behind the play
                await self._press_either("end_key", "end_key_b", "round_end")
            elif screen in RUNNING:
                await self._enter(self._line)
            elif screen in self._reactions:
                await self._reactions[screen]()
            elif screen == self.table.face.screen:
                await self.table.watch(JUDGES_WALK_S)

    async def _answer(self):
        proposal = self.table.face.proposal
        wrong = proposal != self.truth.result
        if wrong or (self.story.refuses and not self.refused):
            self.refused = True
            await self._press_either("yes_key", "yes_key_b", gesture="press")
            await self._press_either("refuse_key", "refuse_key_b")
            self.said.append(f"refused {proposal}")
        elif await self._press_either("yes_key", "yes_key_b", gesture="hold"):
            if self.table.face.screen != "refuse":
                self.said.append(f"confirmed {proposal}")

    # fingers

    async def _set_numbers(self, label, wanted, unit=1):
        """Press each seat's key until its number is as ``wanted``, in whole ``unit``s; then hold
        the first one.
        """
        screen = self.table.face.screen
        for seat, key in enumerate((label, label + "_b")):
            while (
                self.table.face.screen == screen
                and self.table.face.entry[seat] // unit != wanted[seat] // unit
            ):
                await self._press(key, "press")
        await self._press(label, "hold")

    async def _press_either(self, *labels, gesture=None):
        """Press the first key with one of these labels; return False if no key has any."""
        for label in labels:
            if await self._press(label, gesture):
                return True
        return False

    async def _press(self, label, gesture=None):
        """Press the key with this label, with the gesture it asks for; return False if no key has
        it.

        Without an answer on the screen they try again.
        """
        for _ in range(4):
            key = self.table.face.key(label, gesture)
            if key is None:
                return False
            before = self.table.face
            slips = self.story.luck.random() < self.story.fumbles
            bounds = HOLD_MS if key.gesture == "hold" and not slips else PRESS_MS
            self.table.press(key.number, round(self.story.span(bounds)))
            await self.table.rest(max(bounds) / 1000)
            await self.table.rest(self.story.span(GLANCE_S))
            if self.table.face != before:
                break
        return True


class Count(Truth):
    """A single game under D03: at time the prizes decide it, and equal prizes leave it drawn
    (216).
    """

    def __init__(self, luck: Random):
        super().__init__()
        self.prizes = [luck.randrange(1, CARDS + 1) for _ in range(2)]

    @property
    def decided(self) -> bool:
        """Whether somebody has won."""
        return max(self.games) == 1

    def count(self) -> None:
        """After time, whoever has fewer prizes left wins the game."""
        a, b = self.prizes
        if not self.decided and a != b:
            self.games[0 if a < b else 1] = 1


class LastTurn(MatchPlay):
    """A single game: the turn in progress at time may still win it, no later one."""

    def _wins(self, left_s):
        return not self.late_turns and super()._wins(left_s)


class Duelists(People):
    """Two players of a single game under D03: no turns after time, then prizes are compared."""

    def __init__(self, table: PlayTable, story: Story):
        super().__init__(table, story)
        self.truth = Count(story.luck)
        self.course = LastTurn(story, self.truth)
        self._reactions.update(prizes=self._count, prizes_check=self._agree)

    @property
    def _line(self):
        return ("won_a", "won_b", "tie")[self.truth.outcome - 1]

    async def _do(self, act, seat):
        if act == "won":
            await self._enter(self._line)
        else:
            await super()._do(act, seat)

    async def _count(self):
        self.truth.count()
        await self._react()
        await self._set_numbers("less_key", self.truth.prizes)


class Fight(Truth):
    """An X-Wing match: points destroyed, and who has no ships left (rules X7-X13)."""

    def __init__(self, luck: Random):
        super().__init__()
        self.destroyed, self.wiped = [0, 0], 0  # points by side; a bit for each side without ships
        self._ship_points = [[SQUADS // SHIPS] * SHIPS for _ in range(2)]
        self._luck = luck

    def exchange(self) -> None:
        """Play one game round; each side may destroy a ship of the other."""
        for side in (0, 1):
            if self._luck.random() < 0.3 and self._ship_points[1 - side]:
                self.destroyed[side] += self._ship_points[1 - side].pop()
        self.wiped = sum(1 << side for side in (0, 1) if not self._ship_points[side])

    @property
    def decided(self) -> bool:
        """Whether one side has no ship left."""
        return self.wiped != 0

    @property
    def outcome(self) -> int:
        """The outcome as a number: the higher score wins, and a side without ships has lost."""
        return outcome_of(*self.destroyed)


class Pilots(People):
    """Two X-Wing players; game rounds belong to both."""

    def __init__(self, table: PlayTable, story: Story):
        super().__init__(table, story)
        self.truth = Fight(story.luck)
        self.course = Rounds(story, self.truth)
        self._reactions.update(
            round_asked=self._tell_turn, finish_round=self._hear_time,
            destroyed=self._count, destroyed_ones=self._count_ones, destroyed_check=self._agree,
        )  # fmt: skip

    async def _do(self, act, seat):
        if act == "round" and self.story.diligent:
            await self._press("round_key")
        elif act == "over" and (self.story.diligent or self.course.time_called):
            await self._press("round_end")
        elif act == "wiped":
            await self._enter(self._line)

    @property
    def _line(self):
        return ("back", "wiped_a", "wiped_b", "wiped_both")[self.truth.wiped]

    async def _tell_turn(self):
        self.course.time_called = True
        await self._react()
        await self._press("xw_round_key", "press" if self.course.in_turn else "hold")

    async def _count(self):
        await self._react()
        await self._set_numbers("tens_key", self.truth.destroyed, 10)

    async def _count_ones(self):
        await self._set_numbers("ones_key", self.truth.destroyed)


class Rounds:
    """Game rounds one after the other, until one side has no ships or time is called."""

    started, seat = True, 0  # a game round belongs to both players

    def __init__(self, story: Story, truth: Fight):
        self.story, self.truth = story, truth
        self.time_called = self.in_turn = False

    def acts(self) -> Iterator[PlayAct]:
        """Yield ``(delay_s, act, seat)`` as ``card_play.MatchPlay`` does: ``round``, ``over``,
        ``wiped``.
        """
        while not self.truth.decided:
            yield self.story.span(BETWEEN_S), "round", 0
            self.in_turn = True
            yield self.story.span(ROUND_S), "", 0
            self.in_turn = False
            self.truth.exchange()
            yield 0, "over", 0
            if self.time_called:
                return
        yield 0, "wiped", 0


PLAYERS = {p18.NUMBER: People, d03.NUMBER: Duelists, xw15.NUMBER: Pilots}


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
        await self._set_numbers("less_key", self._prizes)

    async def _decide(self):
        await self._react()
        await self._enter(self._line)

    async def _choose(self, screen, item):
        """Choose an item, or what this system has in its place: the match for a game."""
        items = self.table.face.items
        if screen == "result" and item not in items:
            games_a, games_b = self.truth.games
            winner = "b" if games_b > games_a or item == "game_b" else "a"
            instead = [f"game_{winner}", f"won_{winner}"]
            if games_a == games_b and not item.startswith("game"):
                instead.insert(0, "tie")
            item = next(choice for choice in instead if choice in items)
        await super()._choose(screen, item)


class GuestPilots(Trusting, Pilots):
    """Two players of squads."""

    def __init__(self, table: PlayTable, story: Story):
        super().__init__(table, story)
        self.truth = battle = Battle(story.luck)
        self.course = Rounds(story, battle)


def who_play(table: PlayTable, story: Story, form: Format, rules: Rules) -> People:
    """Return the two who play a round's format at a table."""
    players = PLAYERS.get(form.system)
    if players is not None:
        return players(table, story)
    if rules.CAPS:
        return GuestPilots(table, story)
    return Guests(table, story, best_of(form.bits, rules), min(rules.CARDS, default=1))
