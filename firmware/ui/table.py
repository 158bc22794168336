"""What the screens read: the table's match, how its board stands, and what is being entered.

What a screen asks is a fact, which holds or not, or seats as bits (1 ▲, 2 ●); what a text names in
``{braces}`` is a property, too. All are computed when they are asked for. A screen reads ``match``
and ``pod`` themselves where one of their fields is the whole answer.
"""

from firmware.core import acts, first_player, luck, phases, play, result, team
from firmware.core.events import DestroyedCounted, PrizesCounted, StateTold, TurnTold
from firmware.core.match import JUDGE_IS_HERE, seconds
from firmware.ui.hand import VISIT
from firmware.ui.screen import DRAFT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.core.types import Draft, Match, Piles
    from firmware.ui.types import Item, Texts

# what time alone changes, as the bits of ``passing``: the clock's, then the board's own
WARN = 1  # less than five minutes are left
LAST = 2  # less than one minute is left
UNSYNCED = 4  # records have waited for a long time
LOW = 8  # the battery is low
WAITING = 16  # the desk does not have all records
UNCERTAIN = 32  # the clock may be wrong after a reset
LIT = 64  # the desk is asking this board to blink
OLD = 128  # the desk speaks another version of the protocol

CODE_DIGITS = 6
SHAPES = ("▲", "●")
MOST_CARDS = 255  # of a draft
_MARKS_S = 3  # the last seconds of a pick, one mark each
WARN_MS = 300000
LAST_MS = 60000
# why players call a judge, by number; 0: no reason
CALLS = ("", "call_rules", "call_deck", "call_result", "call_absent", "call_help")
# a score that one seat tells: the text while its game is on, and that before it begins
_TOLD = {
    (0, 0): ("tell_1", "tell_10"),
    (1, 0): ("tell_2a", "tell_20a"),
    (0, 1): ("tell_2b", "tell_20b"),
    (1, 1): ("tell_3", "tell_30"),
}


class Entry:
    """What is entered, and the acts of the keys that change it."""

    def __init__(self):
        self.numbers = [0, 0]  # what each seat has, as it is entered
        self.most = 0  # the largest of either
        self.code = "0"  # a judge's one-time code, as far as it is typed
        self.marked = 0  # the marked line of a menu
        self.asked: "Item | None" = None  # an act that is to be confirmed

    def begin(self, numbers: "tuple[int, int]", most: int) -> None:
        """Begin with two numbers, neither more than ``most``."""
        self.numbers, self.most = list(numbers), most

    def begin_screen(self) -> None:
        """Forget what belongs to one screen alone: the marked line, the typed code."""
        self.marked, self.code = 0, "0"

    def mark_next(self, count: int) -> None:
        """Mark the next line of a menu of ``count``; after the last comes the first."""
        self.marked = (self.marked + 1) % max(1, count)

    def reduce(self, side: int) -> None:
        """Take one off a number; below 0 comes the most."""
        number = self.numbers[side]
        self.numbers[side] = number - 1 if number else self.most

    def add_ten(self, side: int) -> None:
        """Add ten to a number; above the most its tens begin anew."""
        number = self.numbers[side]
        self.numbers[side] = number + 10 if number + 10 <= self.most else number % 10

    def add_one(self, side: int) -> None:
        """Add one to a number's units; after 9, or the most, they begin anew at 0."""
        number = self.numbers[side]
        units = number % 10
        is_last = units == 9 or number == self.most
        self.numbers[side] = number - units if is_last else number + 1

    def next_digit(self) -> None:
        """Go on to the code's next digit."""
        if len(self.code) < CODE_DIGITS:
            self.code += "0"

    def raise_digit(self) -> None:
        """Raise the code's last digit; after 9 comes 0."""
        digit = (int(self.code[-1]) + 1) % 10
        self.code = self.code[:-1] + str(digit)


def _fact(holds: "Callable[[Table], object]") -> property:
    def fact(table: "Table") -> bool:
        return bool(holds(table))

    return property(fact)


def _of_match(holds: "Callable[[Match], object]") -> property:
    return _fact(lambda table: holds(table.match))


def _passing(bit):
    return _fact(lambda table: table.passing & bit)


def _pile(seat):
    """Return a property: a player of a team match, and how many prizes the pile has left."""
    return property(lambda self: "%s: %d" % (seat_name(self.match, seat), self.piles[seat]))


class Table:
    """The table as the screens see it; ``texts`` are the texts of its language."""

    def __init__(self, texts: "Texts"):
        self._texts = texts
        self.match: "Match" = None  # pyright: ignore[reportAttributeAccessIssue]  (the screens without one ask for none)
        self.draft: "Draft | None" = None  # one that this board conducts
        self.now_ms = 0
        self.passing = 0  # bits of the facts above
        self.pending = 0  # bits: the seat that alone has asked for an act of both, and VISIT
        self.three = True  # the board has three keys
        self.keyless = False
        self.error = ""  # the type of what ended the program
        self.generator_failed = False  # that of random numbers, its tests
        self.entry = Entry()
        self.names = ["", ""]
        self.lines = [""] * 4  # about earlier events
        self.device = self.battery = 0
        self.roll_name = ""
        self.result_code = ""  # of a result that cannot be sent
        self.called_ms: int | None = None  # when a judge was called

    def say(self, key: str) -> str:
        """Return a text with its words filled in."""
        return fill(self._texts[key], lambda name: getattr(self, name))

    def say_of(self, key: str, words: "dict[str, object]") -> str:
        """Return a text with these ``words`` filled in."""
        return fill(self._texts[key], words.__getitem__)

    @property
    def phase(self) -> int:
        """The match's phase (without a match IDLE), or from ``DRAFT`` on that of a draft."""
        if self.draft is not None:
            return DRAFT + self.draft.phase
        return phases.IDLE if self.match is None else self.match.phase

    @property
    def pod(self) -> "Draft":
        """The draft that this board conducts."""
        assert self.draft is not None
        return self.draft

    # the board

    warn = _passing(WARN)
    last = _passing(LAST)
    unsynced = _passing(UNSYNCED)
    low = _passing(LOW)
    waiting = _passing(WAITING)
    uncertain = _passing(UNCERTAIN)
    lit = _passing(LIT)
    old = _passing(OLD)
    seated = _fact(lambda table: table.draft is not None or table.match.table)  # has a number

    # the round

    # no round is set
    idle = _fact(lambda table: table.draft is not None or table.match.phase == phases.IDLE)
    ended = _fact(lambda table: table.phase == phases.AGREED)
    open = _fact(lambda table: not table.idle and not table.ended)  # a match is not over yet
    matched = _fact(lambda table: not table.idle)  # there is a match, over or not
    both_here = _of_match(lambda match: match.present == 3)
    hidden = _of_match(lambda match: match.hides_clock)  # the players see no clock
    stopped = _fact(lambda table: table.phase == phases.FROZEN)  # by a judge
    setting = _fact(lambda table: table.set_up_s is not None)  # the 2:00 run beside the clock
    timed = _of_match(lambda match: match.notice and match.notice.next_round_s)  # the next start
    said_any = _of_match(lambda match: match.notice)

    @property
    def ticking(self) -> bool:
        """A clock is running that the players see."""
        if self.draft is not None:
            return False
        return self.match.phase == phases.PREGAME or (runs(self.match) and not self.hidden)

    @property
    def unseen(self) -> int:
        """The seats, as bits, that have not said yet that they have seen extra time."""
        if self.idle or not self.match.extension_s:
            return 0
        return 3 & ~self.match.seen

    # the rules

    several_games = _fact(lambda table: table.draft is None and table.match.best_of > 1)
    two_games = _of_match(lambda match: match.best_of == 2)  # two games, and both are played
    over_three_games = _of_match(lambda match: match.best_of > 3)
    joint_turns = _of_match(lambda match: not match.rules.SEATS)  # game rounds of both
    team = _of_match(lambda match: match.team)  # two players a side

    @property
    def tested(self) -> bool:
        """Whether dice must pass tests, as a text's die needs both players' consent (P18 4.5.2)."""
        for randomizers, _, needs, *_ in self.match.rules.POLICY[0]:
            if randomizers >> luck.D6 & 1 and needs & luck.CONSENT:
                return True
        return False

    # calling a judge

    called = _of_match(lambda match: match.call is not None)
    here = _of_match(lambda match: match.call == JUDGE_IS_HERE)
    visit = _fact(lambda table: table.pending & VISIT)  # a judge's code has opened the board
    # the only seat, as a bit, that has asked for what both must ask for
    requested_by = property(lambda self: self.pending & 3)

    # the game

    # it is known who plays this game first
    begun = _of_match(lambda match: match.progress == phases.IN_PROGRESS)
    finishing = _of_match(lambda match: match.turn == 0)  # the turn in progress at time goes on

    # who decides who plays first (``first_player``)
    decides = property(lambda self: first_player.of(self.match))

    @property
    def again(self) -> bool:
        """After a draw the same player chooses again, and the board was not told who."""
        asks = self.match.drawn and self.decides == first_player.ASK
        return bool(asks) and self.match.rules.FIRST[2:] == "d"

    @property
    def counted(self) -> bool:
        """Turns are counted in the game in progress, before time (``intents.COUNT_TURNS``)."""
        if self.match.phase != phases.PLAYING or not self.begun or self.team or self.joint_turns:
            return False
        return bool(self.match.policy & play.COUNTED)

    # turns are not counted, and can be
    countable = _fact(
        lambda it: it.begun and it.ticking and not (it.counted or it.joint_turns or it.team)
    )

    @property
    def on_turn(self) -> int:
        """The seat whose turn is in progress, as a bit; after time the next one begins at once."""
        match = self.match
        if match.turning or match.phase == phases.OVERTIME or self.counted:
            return _seat_bit(side(match))
        return 0

    # the players of a team match who are not out, in the order of play
    in_play = property(lambda self: [seat for seat in range(4) if not self.match.wiped >> seat & 1])

    @property
    def piles(self) -> "Piles":
        """The prizes of a team match, by player in the order of play."""
        return team.piles(self.match) if self.match.team and self.match.cards else (0,) * 4

    # before the round

    # ships are set up, and no obstacle was asked for
    unplaced = _fact(lambda table: table._sets_up and not table.match.obstacle)
    _sets_up = _of_match(lambda match: match.cap and phases.IDLE < match.phase <= phases.PREGAME)
    # it is known who decides which player has the initiative
    decided = _of_match(lambda match: match.squads and luck.initiative(match) < luck.TOSS)
    # squads of equal totals: a toss decides that
    level = _of_match(lambda match: match.squads and luck.initiative(match) == luck.TOSS)
    weighed = _fact(lambda table: table.both_here and table.match.squads)  # totals are known
    # both sides have the same faction, and no toss has decided on colours
    mirror = _of_match(lambda match: match.squads and match.mirror and not match.tossed >> 2)

    @property
    def placing(self) -> int:
        """The seat that puts the next obstacle on the table, as a bit."""
        match = self.match
        places = self._sets_up and 0 < match.obstacle <= play.OBSTACLES
        return _seat_bit(match.placing if places else None)

    @property
    def picking(self) -> int:
        """The seat that won the toss for colours, as a bit."""
        winner = self.match.tossed >> 2  # 1, 2, as they were paired
        if not self.match.squads or not winner:
            return 0
        return _seat_bit((winner - 1) ^ self.match.swapped)

    # what is asked after time

    unknown = _of_match(lambda match: match.missing & (phases.SCORE | phases.STARTER))
    prizes = _of_match(lambda match: match.missing & phases.PRIZES)  # must be counted
    destroyed = _of_match(lambda match: match.missing & phases.DESTROYED)

    @property
    def checking(self) -> int:
        """The seat, as a bit, that has not answered yet while the other has; 0 for none."""
        answer = self.match.pending_answer
        return 3 - answer.teller if answer else 0

    # the result

    ruled = _of_match(lambda match: match.claimed == result.RULED)
    refused = _of_match(lambda match: match.claimed == result.DISPUTED)
    # after it was agreed
    reopened = _fact(lambda it: it.match.claimed == result.REOPENED and not it.joint_turns)
    # a judge must approve it
    wanted = _of_match(lambda match: match.confirmed == 3 and match.phase == phases.PROPOSED)

    @property
    def confirming(self) -> int:
        """The seats, as bits, that may confirm it now; the loser first (docs/architecture.md)."""
        match = self.match
        if match.phase != phases.PROPOSED:
            return 0
        missing = 3 & ~match.confirmed
        loser = 3 - match.outcome if match.outcome in (1, 2) else 0  # as a bit, too
        return loser if missing & loser else missing

    # coins and dice

    # a roll may decide something
    can_roll = _fact(lambda table: not table.generator_failed and luck.any_offered(table.match))
    # one might, but the generator of random numbers failed its tests
    cannot_roll = _fact(lambda table: table.generator_failed and luck.any_offered(table.match))
    # a roll is shown: both must agree to it, or a judge rules
    agreeing = _of_match(lambda match: match.rolled == luck.SHOWN)
    disputed = _of_match(lambda match: match.rolled == luck.DISPUTED)
    rolled = _fact(lambda table: table.agreeing or table.disputed)

    def offers(self, randomizer: int, purpose: int = 0) -> bool:
        """Return whether it may be rolled for this (``luck``)."""
        return luck.offered(self.match, randomizer, purpose)

    @property
    def calls(self) -> bool:
        """Whether a flip beside a clock says which team starts: one B flips, the other calls."""
        roll = self.match.roll
        if roll is None or not self.rolled or not self.team:
            return False
        return roll.purpose == luck.FIRST_PLAYER and self.match.phase != phases.SEATED

    @property
    def consents(self) -> int:
        """The seats, as bits, that consent to the board's coin or die; both where none has to."""
        needs = luck.needs(self.match, luck.COIN) or 0
        return self.match.consent if needs & luck.CONSENT else 3

    @property
    def roll_text(self) -> str:
        """The text of what the roll shows, empty without one; in X-Wing with whose side it is."""
        roll = self.match.roll
        if roll is None or not self.rolled:
            return ""
        if roll.flips:
            return "streak_heads" if roll.flips == luck.UNTIL else "flips_heads"
        if roll.randomizer:
            return "die_face"
        coin = ("heads_a", "tails_b") if self.joint_turns else ("heads", "tails")
        return coin[roll.face - 1]

    # a draft that this board conducts

    booster = _fact(lambda table: table.pod.kind)
    halted = _fact(lambda table: table.pod.halted_ms is not None)
    taken = _fact(lambda table: table.pod.can_undo)  # a pick can be taken back

    # the numbers of the big clock

    @property
    def left_s(self) -> int:
        """What is left of the round."""
        match = self.match
        whole_s = match.minutes * 60 + match.extension_s
        if match.start_ms is None:
            return whole_s
        left_ms = match.remaining_ms(self.now_ms)
        assert left_ms is not None
        return max(0, min(seconds(left_ms), whole_s))

    @property
    def start_s(self) -> int:
        """What is left until the round starts, or of what a draft waits for."""
        match = self.match
        if self.draft is not None:
            return draft_left_s(self.draft, self.now_ms)
        if match.phase == phases.IDLE and match.notice:
            passed_s = (self.now_ms - match.notice.at_ms) // 1000
            return max(0, match.notice.next_round_s - passed_s)
        if match.start_ms is None:
            return 0
        return max(0, seconds(match.start_ms + match.lost_ms - self.now_ms))

    @property
    def set_up_s(self) -> int | None:
        """What is left of the 2:00 between two games, None at other times."""
        left_ms = acts.pregame_left_ms(self.match, self.now_ms)
        return None if left_ms is None else max(0, seconds(left_ms))

    @property
    def late_s(self) -> int:
        """How long after the room's zero a stopped table will end (rules F1)."""
        return self.match.extension_s + acts.lost_ms(self.match, self.now_ms) // 1000

    @property
    def shown_times(self) -> "tuple[int | None, int]":
        """The times in texts: seconds of a pick, a stop or the 2:00, and minutes of a call."""
        if self.draft is not None:
            now_s = draft_left_s(self.draft, self.now_ms)
        else:
            now_s = self.set_up_s if self.match.frozen_ms is None else self.late_s
        return now_s, self.call_minutes

    @property
    def waited_s(self) -> int:
        """For how long a judge has been called."""
        return 0 if self.called_ms is None else (self.now_ms - self.called_ms) // 1000

    # the turn after time, or the seat that picks in a draft
    turn = property(lambda self: self.match.turn if self.draft is None else self.draft.seat)

    @property
    def marks(self) -> "tuple[int, int]":
        """The filled marks and all marks: turns after time, or a pick's last seconds in a draft."""
        if self.draft is None:
            return self.match.turn, self.turns
        left_s = draft_left_s(self.draft, self.now_ms)
        return min(_MARKS_S, left_s), min(_MARKS_S, seconds(self.draft.pick_ms))

    @property
    def first_numbers(self) -> "tuple[int, int]":
        """What an entry of two numbers begins with: one seat's entry, or all the cards."""
        if self.draft is not None:
            return self.draft.cards, 0
        given = self.match.pending_answer
        if isinstance(given, (PrizesCounted, DestroyedCounted)):
            return given.first, given.second
        return self.match.cards, self.match.cards

    @property
    def most(self) -> int:
        """The largest number that can be entered."""
        if self.draft is not None:
            return MOST_CARDS
        return self.match.cards or self.match.cap or self.match.best_of

    # what the texts name: people

    def player(self, seat: int) -> str:
        """Return a player's name, with the shape of their key."""
        name = self.names[seat ^ self.match.swapped]
        return SHAPES[seat] + " " + name if name else SHAPES[seat]

    player_a = property(lambda self: self.player(0))
    player_b = property(lambda self: self.player(1))
    # who is to confirm the result
    answering = property(lambda self: self.player(0 if self.confirming & 1 else 1))

    @property
    def to_play(self) -> str:
        """Whose turn it is or comes next."""
        match, whose = self.match, side(self.match)
        if whose is None:
            return ""
        if match.team:
            assert match.seat is not None
            return seat_name(match, match.seat)
        return self.player(whose)

    @property
    def who(self) -> str:
        """The seat of a team match whose turn somebody has told, "" if nobody has."""
        waits = self.match.pending_answer
        if self.team and not self.joint_turns and isinstance(waits, TurnTold):
            return team_seat(self.match, waits.seat & 3)
        return ""

    @property
    def decider(self) -> str:
        """Who decides the initiative; in one line below a clock by the key's shape."""
        as_paired = luck.initiative(self.match) - 1
        seat = as_paired ^ self.match.swapped
        return SHAPES[seat] if self.match.phase == phases.PREGAME else self.player(seat)

    # what the texts name: numbers

    table = property(lambda self: self.match.table)
    round = property(lambda self: self.match.round)
    # the game in progress, or the next one
    game = property(lambda self: self.match.game + int(self.match.progress == phases.GAME_OVER))
    games_a = property(lambda self: self.match.games[0])
    games_b = property(lambda self: self.match.games[1])
    turns = property(lambda self: self.match.overtime_turns)
    obstacle = property(lambda self: self.match.obstacle)
    pile_1, pile_2, pile_3, pile_4 = _pile(0), _pile(1), _pile(2), _pile(3)
    extension = property(lambda self: self.match.extension_s // 60)  # minutes
    # since a judge was called, begun ones too: so much more is proposed
    call_minutes = property(lambda self: self.waited_s // 60 + 1)
    entered_a = property(lambda self: self.entry.numbers[0])
    entered_b = property(lambda self: self.entry.numbers[1])
    typed = property(lambda self: self.entry.code)
    # how long after the room's zero a stopped table will end, what is left of the 2:00
    late = property(lambda self: _minutes(self.late_s))
    set_up_left = property(lambda self: _minutes(self.set_up_s or 0))
    group = property(lambda self: self.pod.group)
    pack = property(lambda self: self.pod.pack)
    cards = property(lambda self: self.pod.cards)
    active = property(lambda self: self.pod.active)
    pick = property(lambda self: self.pod.index + 1)

    @property
    def squads(self) -> str:
        """The squads' totals, the lower first."""
        assert self.match.squads is not None
        first, second = self.match.squads
        sign = "=" if first == second else "<"
        return "%d %s %d" % (min(first, second), sign, max(first, second))

    # what the texts name: other texts

    # the result that is proposed or agreed
    outcome = property(lambda self: self.say("outcome_%d" % self.match.outcome))
    # the organiser's message
    said = property(lambda self: self.say("said_%d" % (self.match.notice.message & 7)))

    @property
    def section(self) -> str:
        """The section of the rules that the result cites."""
        match = self.match
        return match.rules.SECTIONS[match.section - 1] if match.section else ""

    @property
    def told(self) -> str:
        """What one seat has answered."""
        given, match = self.match.pending_answer, self.match
        if isinstance(given, StateTold) and match.rules.SEATS:
            return self.say(score_text(given.started, (given.first, given.second), self.two_games))
        if not isinstance(given, TurnTold):
            return ""
        turning = given.turning & 1
        if not match.rules.SEATS:
            return self.say("told_round" if turning else "told_between")
        if match.team:
            return self.say("told_team" if turning else "told_team_next")
        return self.say(("told_turn_" if turning else "told_next_") + "ab"[given.seat & 1])

    @property
    def reason(self) -> str:
        """Why the players call a judge."""
        call = self.match.call or 0
        return self.say(CALLS[call]) if 0 < call < len(CALLS) else ""

    @property
    def asked(self) -> str:
        """The act that is to be confirmed."""
        asked = self.entry.asked
        return self.say(asked.label) if asked is not None and asked.label else ""

    # what the texts name: a roll, earlier events

    face = property(lambda self: self.match.roll.face)
    flips = property(lambda self: self.match.roll.flips)
    line_1 = property(lambda self: self.lines[0])
    line_2 = property(lambda self: self.lines[1])
    line_3 = property(lambda self: self.lines[2])
    line_4 = property(lambda self: self.lines[3])

    # how many coins show heads
    heads = property(lambda self: heads(self.face) if 0 < self.flips < luck.UNTIL else self.face)

    @property
    def flipped(self) -> str:
        """What each coin shows."""
        return " ".join(["✔" if self.face >> i & 1 else "–" for i in range(self.flips)])


def score_text(started: int, games: "tuple[int, int]", pair: bool) -> str:
    """Return the text of ``games`` won, and whether the next one has ``started``, as a seat tells
    it; of a match that is a ``pair`` of games, both played, its result.
    """
    texts = _TOLD.get(games)
    if texts is None or (pair and sum(games) == 2):
        return "s%d%d" % games
    return texts[not started]


def clock_warnings(match: "Match", now_ms: int) -> int:
    """Return WARN and LAST as bits."""
    if match.phase == phases.PREGAME:  # the last minute before the start
        assert match.start_ms is not None
        return LAST if now_ms >= match.start_ms + match.lost_ms - LAST_MS else 0
    if match.phase != phases.PLAYING or match.hides_clock:
        return 0
    left_ms = match.remaining_ms(now_ms)
    assert left_ms is not None
    return (WARN if left_ms <= WARN_MS else 0) | (LAST if left_ms <= LAST_MS else 0)


def draft_left_s(draft: "Draft", now_ms: int) -> int:
    """Return the remaining time of a draft's running clock, 0 without one."""
    left_ms = draft.remaining_ms(now_ms)
    return 0 if left_ms is None else max(0, seconds(left_ms))


def runs(match: "Match") -> bool:
    """Return whether the round's clock runs, in a Tiebreaker Game too, if time was not called."""
    if match.tiebreaker:
        return not match.called and match.start_ms is not None
    return match.phase == phases.PLAYING


def side(match: "Match") -> int | None:
    """Return the side (0, 1) whose turn it is or comes next, None if unknown."""
    sides = match.rules.SEATS
    if match.seat is None or not sides:
        return None
    if match.team:  # there they are those of the team that starts, and of the other
        return sides[match.seat] ^ match.first
    return sides[match.seat]


def seat_name(match: "Match", seat: int) -> str:
    """Return a team's seat with the shape of the team's key."""
    return SHAPES[match.rules.SEATS[seat] ^ match.first] + " " + team_seat(match, seat)


def team_seat(match: "Match", seat: int) -> str:
    """Return the name of a team's seat: 1A, 2B, 2A, 1B; 1 is the team that starts (rules D13)."""
    return "%d%s" % (1 + match.rules.SEATS[seat], "AB"[seat & 1])


def fill(template: str, word: "Callable[[str], object]") -> str:
    """Return a text with its ``{words}`` filled in, each as ``word`` of its name."""
    parts = template.split("{")
    text = parts[0]
    for part in parts[1:]:
        name, rest = part.split("}", 1)
        text += str(word(name)) + rest
    return text


def heads(flips: int) -> int:
    """Return how many bits of ``flips`` are set."""
    return sum([flips >> coin & 1 for coin in range(luck.FLIPS)])


def _seat_bit(seat):
    return 0 if seat is None else 1 << seat


def _minutes(seconds):
    return "%d:%02d" % (seconds // 60, seconds % 60)
