"""What the screens read: the table's match, how its board stands, and what is being entered.

Every property is plainly true or false, a number, or what a text names in ``{braces}``; it is
computed when a screen asks. Seats are a (▲) and b (●).
"""

from firmware.core import acts, first_player, intents, luck, phases, play, team
from firmware.core.events import DestroyedCounted, PrizesCounted, StateTold, TurnTold
from firmware.core.match import JUDGE_IS_HERE, seconds
from firmware.ui.hand import VISIT
from firmware.ui.screen import DRAFT, PICKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.core.types import Draft, Match
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
_MARKS_S = 3  # so many marks show the last seconds of a pick
_WARN_MS = 300000
_LAST_MS = 60000
_TOLD = ("tell_1", "tell_10", "tell_2a", "tell_20a", "tell_2b", "tell_20b", "tell_3", "tell_30")
_CALLS = ("", "call_rules", "call_deck", "call_result", "call_absent", "call_help")


class Entry:
    """What is entered, and the acts of the keys that change it."""

    def __init__(self):
        self.numbers = [0, 0]  # what each seat has, as it is entered
        self.most = 0  # the largest of either
        self.code = "0"  # a judge's one-time code, as far as it is typed
        self.marked = 0  # the marked line of a menu
        self.asked: "Item | None" = None  # an act, while it is asked whether it is meant

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
        """Add one to a number's units, without a carry."""
        number = self.numbers[side]
        if number % 10 == 9 or number == self.most:
            self.numbers[side] = number - number % 10
        else:
            self.numbers[side] = number + 1

    def next_digit(self) -> None:
        """Go on to the code's next digit."""
        if len(self.code) < CODE_DIGITS:
            self.code += "0"

    def raise_digit(self) -> None:
        """Raise the code's last digit."""
        self.code = self.code[:-1] + str((int(self.code[-1]) + 1) % 10)


def _passing(bit):
    """Return a property: whether time alone has brought this about."""

    def of(table: "Table") -> bool:
        return bool(table.passing & bit)

    return property(of)


def _pile(seat):
    """Return a property: a player of a team match, and how many prizes the pile has left."""

    def of(table: "Table") -> str:
        return "%s: %d" % (seat_name(table.match, seat), table.pile(seat))

    return property(of)


class Table:
    """The table as the screens see it; ``said`` are the texts of its language."""

    def __init__(self, said: "Texts"):
        self._said = said
        self.match: "Match" = None  # pyright: ignore[reportAttributeAccessIssue]  (the screens without one ask for none)
        self.draft: "Draft | None" = None  # one that this board conducts
        self.now_ms = 0
        self.passing = 0
        self.pending = (
            0  # what somebody has begun: the only seat that asked for an act of both, VISIT
        )
        self.three = True  # the board has three keys
        self.keyed = True  # the board has its key
        self.error = ""  # the type of what ended the program
        self.sick = False  # the generator of random numbers failed its tests
        self.entry = Entry()
        self.names = ["", ""]
        self.lines = [""] * 4  # about earlier events
        self.device = self.battery = 0
        self.roll_name = ""
        self.result_code = ""  # of a result that cannot be sent
        self.late_s = self.set_up_s = 0
        self.called_ms: int | None = None  # when a judge was called

    def say(self, key: str) -> str:
        """Return a text with its words filled in."""
        return filled(self._said[key], self.word)

    def say_of(self, key: str, words: "dict[str, object]") -> str:
        """Return a text with these ``words`` filled in."""
        return filled(self._said[key], words.__getitem__)

    def word(self, name: str) -> object:
        """Return what a text names."""
        return getattr(self, name)

    # the board

    @property
    def crashed(self) -> bool:
        """The program failed."""
        return bool(self.error)

    warn = _passing(WARN)
    last = _passing(LAST)
    unsynced = _passing(UNSYNCED)
    low = _passing(LOW)
    waiting = _passing(WAITING)
    uncertain = _passing(UNCERTAIN)
    lit = _passing(LIT)
    old = _passing(OLD)

    # the round

    @property
    def phase(self) -> int:
        """The match's phase (without a match IDLE), or from ``DRAFT`` on that of a draft."""
        if self.draft is not None:
            return DRAFT + self.draft.phase
        return phases.IDLE if self.match is None else self.match.phase

    @property
    def seated(self) -> bool:
        """The board has a table number."""
        return self.draft is not None or bool(self.match.table)

    @property
    def idle(self) -> bool:
        """No round is set."""
        return self.draft is not None or self.match.phase == phases.IDLE

    @property
    def present_a(self) -> bool:
        """This seat has confirmed that it is taken."""
        return bool(self.match.present & 1)

    @property
    def present_b(self) -> bool:
        """The same of the other seat."""
        return bool(self.match.present & 2)

    @property
    def unplaced(self) -> bool:
        """Ships are set up, and no obstacle was asked for."""
        return self._sets_up and not self.match.obstacle

    @property
    def places_a(self) -> bool:
        """This seat puts the next obstacle on the table."""
        return self._places(0)

    @property
    def places_b(self) -> bool:
        """The same of the other seat."""
        return self._places(1)

    def _places(self, seat):
        match = self.match
        return self._sets_up and 0 < match.obstacle <= play.OBSTACLES and match.placing == seat

    @property
    def _sets_up(self):
        return bool(self.match.cap) and phases.IDLE < self.match.phase <= phases.PREGAME

    @property
    def startless(self) -> bool:
        """The round has no start time yet."""
        return self.match.start_ms is None

    @property
    def ticking(self) -> bool:
        """A clock is running that the players see."""
        match = self.match
        if self.draft is not None:
            return False
        return match.phase == phases.PREGAME or runs(match) and not self.hidden

    @property
    def setting(self) -> bool:
        """The 2:00 before the next game run beside the round's clock."""
        return acts.pregame_left_ms(self.match, 0) is not None

    @property
    def hidden(self) -> bool:
        """The players do not see the clock."""
        return bool(self.match.format >> 14 & 1)

    @property
    def stopped(self) -> bool:
        """A judge has stopped the clock."""
        return self.draft is None and self.match.phase == phases.FROZEN

    @property
    def ended(self) -> bool:
        """The match is over."""
        return self.draft is None and self.match.phase == phases.AGREED

    @property
    def given(self) -> bool:
        """The table has extra time."""
        return bool(self.match.extension_s)

    @property
    def unseen_a(self) -> bool:
        """This seat has not acknowledged extra time yet."""
        return self._unseen(1)

    @property
    def unseen_b(self) -> bool:
        """The same of the other seat."""
        return self._unseen(2)

    @property
    def unseen(self) -> bool:
        """A seat has not acknowledged it yet."""
        return self._unseen(3)

    def _unseen(self, seats):
        return not self.idle and self.given and bool(seats & ~self.match.seen)

    @property
    def said_any(self) -> bool:
        """There is a message from the organiser."""
        return bool(self.match.said)

    @property
    def timed(self) -> bool:
        """The organiser has announced the next round's start."""
        return bool(self.match.said and self.match.said.next_round_s)

    # the rules

    @property
    def many(self) -> bool:
        """A match is several games."""
        return self.draft is None and self.match.best_of > 1

    @property
    def pair(self) -> bool:
        """A match is two games, and both are played."""
        return self.match.best_of == 2

    @property
    def long(self) -> bool:
        """A match is more than three games."""
        return self.match.best_of > 3

    @property
    def tie(self) -> bool:
        """The round may end in a tie."""
        return not self.match.elimination

    @property
    def levels(self) -> bool:
        """Both players can win a game at the same time."""
        return intents.LEVEL_GAME in self.match.rules.PLAYS

    @property
    def shared(self) -> bool:
        """Both players share a turn (a game round)."""
        return not self.match.rules.SEATS

    @property
    def scored(self) -> bool:
        """Each side's destroyed points are counted."""
        return bool(self.match.cap)

    @property
    def more(self) -> bool:
        """There are turns after time."""
        return bool(self.match.overtime[0])

    @property
    def team(self) -> bool:
        """Two players a side."""
        return bool(self.match.team)

    @property
    def tested(self) -> bool:
        """Dice must pass tests, which one on a screen cannot: a text whose die needs both players'
        consent tests dice (P18 4.5.2).
        """
        for row in self.match.rules.POLICY[0]:
            if row[0] & row[2] & 2:
                return True
        return False

    # calling a judge

    @property
    def called(self) -> bool:
        """A judge has been called."""
        return self.match.call is not None

    @property
    def here(self) -> bool:
        """A judge is at the table."""
        return self.match.call == JUDGE_IS_HERE

    @property
    def reasoned(self) -> bool:
        """The players gave a reason for calling a judge."""
        return bool(self.match.call) and self.match.call < JUDGE_IS_HERE

    @property
    def visit(self) -> bool:
        """A judge's code has opened the board, until the judge leaves."""
        return bool(self.pending & VISIT)

    @property
    def half_a(self) -> bool:
        """Only this seat has asked for what both must ask for."""
        return bool(self.pending & 1)

    @property
    def half_b(self) -> bool:
        """The same of the other seat."""
        return bool(self.pending & 2)

    # the game

    @property
    def begun(self) -> bool:
        """It is known who plays the current game first."""
        return self.match.progress == 1

    @property
    def won_a(self) -> bool:
        """This seat won the last game that was won, and its loser chooses who plays first."""
        return first_player.of(self.match) == 2

    @property
    def won_b(self) -> bool:
        """The same of the other seat."""
        return first_player.of(self.match) == 1

    @property
    def toss(self) -> bool:
        """The winner of a toss chooses who plays first."""
        return first_player.of(self.match) == first_player.TOSS

    @property
    def flip(self) -> bool:
        """A flip decides who plays first."""
        return first_player.of(self.match) == first_player.FLIP

    @property
    def again(self) -> bool:
        """After a draw the same player chooses again, and the board was not told who."""
        asks = self.match.drawn and first_player.of(self.match) == first_player.ASK
        return bool(asks) and self.match.rules.FIRST[2:] == "d"

    @property
    def turning(self) -> bool:
        """A turn is in progress."""
        return bool(self.match.turning)

    @property
    def turn_a(self) -> bool:
        """It is this seat's turn."""
        return self._takes_turns and side(self.match) == 0

    @property
    def turn_b(self) -> bool:
        """The same of the other seat."""
        return self._takes_turns and side(self.match) == 1

    @property
    def _takes_turns(self):
        """Whether somebody's turn is in progress; the next one begins at once."""
        return self.turning or self.match.phase == phases.OVERTIME or self.counted

    @property
    def counted(self) -> bool:
        """Turns are counted in the game in progress, before time (``intents.COUNT_TURNS``)."""
        match = self.match
        on = match.phase == phases.PLAYING and match.progress == 1 and match.policy & play.COUNTED
        return bool(on and match.rules.SEATS and not match.team)

    @property
    def finishing(self) -> bool:
        """The turn in progress when time was called goes on."""
        return self.match.turn == 0

    def out(self, seat: int) -> bool:
        """Return whether a player of a team match, 0 to 3 in the order of play, is out."""
        return self.team and bool(self.match.wiped >> seat & 1)

    def pile(self, seat: int) -> int:
        """Return how many prizes a player of a team match has left."""
        return team.piles(self.match)[seat] if self.team and self.match.cards else 0

    pile_1, pile_2, pile_3, pile_4 = _pile(0), _pile(1), _pile(2), _pile(3)

    # what is asked after time

    @property
    def unknown(self) -> bool:
        """Time is called, and the score is not known."""
        return bool(self.match.missing & (phases.SCORE | phases.STARTER))

    @property
    def prizes(self) -> bool:
        """Prizes must be counted."""
        return bool(self.match.missing & phases.PRIZES)

    @property
    def destroyed(self) -> bool:
        """Destroyed points must be counted."""
        return bool(self.match.missing & phases.DESTROYED)

    @property
    def told_a(self) -> bool:
        """Only this seat has answered."""
        return self._teller == 1

    @property
    def told_b(self) -> bool:
        """The same of the other seat."""
        return self._teller == 2

    @property
    def _teller(self):
        answer = self.match.pending_answer
        return answer.teller if answer else 0

    # the result

    @property
    def asked_a(self) -> bool:
        """This seat must confirm the result now."""
        return bool(asked(self.match) & 1)

    @property
    def asked_b(self) -> bool:
        """The same of the other seat."""
        return bool(asked(self.match) & 2)

    @property
    def sectioned(self) -> bool:
        """The proposed result cites a section of the rules."""
        return bool(self.match.section)

    @property
    def refused(self) -> bool:
        """A seat refused the result."""
        return self.match.claimed == 3

    @property
    def ruled(self) -> bool:
        """A judge decided the result."""
        return self.match.claimed == 2

    @property
    def reopened(self) -> bool:
        """An agreed result was reopened."""
        return self.match.claimed == 4 and not self.shared

    @property
    def wanted(self) -> bool:
        """A judge must approve the result."""
        return self.match.confirmed == 3 and self.match.phase == phases.PROPOSED

    # coins and dice

    @property
    def lucky(self) -> bool:
        """A roll may decide something."""
        return not self.sick and luck.lucky(self.match)

    @property
    def ill(self) -> bool:
        """A roll might, but the generator of random numbers failed its tests."""
        return self.sick and luck.lucky(self.match)

    @property
    def die(self) -> bool:
        """The head judge allows the board's die for something."""
        return bool(luck.offered(self.match, luck.D6))

    @property
    def first(self) -> bool:
        """A roll may decide who plays first."""
        return bool(luck.offered(self.match, luck.COIN, luck.FIRST_PLAYER))

    @property
    def card(self) -> bool:
        """A roll may decide a card's effect."""
        return bool(luck.offered(self.match, luck.COIN, luck.CARD))

    @property
    def starts(self) -> bool:
        """A roll may decide who has the initiative."""
        return bool(luck.offered(self.match, luck.COIN, luck.INITIATIVE))

    @property
    def colours(self) -> bool:
        """A roll may decide the colours."""
        return bool(luck.offered(self.match, luck.COIN, luck.COLOURS))

    @property
    def combat(self) -> bool:
        """Combat dice are allowed."""
        return bool(luck.offered(self.match, luck.ATTACK, luck.COMBAT))

    @property
    def consent_a(self) -> bool:
        """This seat consents to the board's coin or die, or none needs to."""
        return self._consents(1)

    @property
    def consent_b(self) -> bool:
        """The same of the other seat."""
        return self._consents(2)

    def _consents(self, seat):
        needed = (luck.needs(self.match, 0) or 0) & 2
        return not needed or bool(self.match.consent & seat)

    @property
    def _roll(self):
        """The roll that is shown, None without one."""
        match = self.match
        return match.roll if match.rolled in (luck.SHOWN, luck.DISPUTED) else None

    @property
    def rolled(self) -> bool:
        """A roll is shown, and both seats must agree."""
        return self._roll is not None

    @property
    def calls(self) -> bool:
        """Beside a clock a flip says which team starts: one B flips, the other team's B calls."""
        roll = self._roll
        first = roll is not None and roll.purpose == luck.FIRST_PLAYER
        return self.team and first and self.match.phase != phases.SEATED

    @property
    def disputed(self) -> bool:
        """A roll is disputed."""
        return self.rolled and self.match.rolled == luck.DISPUTED

    @property
    def heads_up(self) -> bool:
        """The roll shows heads."""
        return self._coin(1)

    @property
    def tails_up(self) -> bool:
        """The roll shows tails."""
        return self._coin(2)

    def _coin(self, face):
        roll = self._roll
        return roll is not None and not roll.randomizer and not roll.flips and roll.face == face

    @property
    def rolled_die(self) -> bool:
        """The roll is a die's."""
        roll = self._roll
        return roll is not None and bool(roll.randomizer)

    @property
    def many_flips(self) -> bool:
        """A number of coin flips is shown."""
        roll = self._roll
        return roll is not None and 0 < roll.flips < luck.UNTIL

    @property
    def streak(self) -> bool:
        """Flips until tails are shown."""
        roll = self._roll
        return roll is not None and roll.flips == luck.UNTIL

    # squads

    @property
    def decided(self) -> bool:
        """It is known who decides which player has the initiative."""
        return bool(self.match.squads) and luck.initiative(self.match) < luck.TOSS

    @property
    def level(self) -> bool:
        """Squads of equal totals: a toss decides that."""
        return bool(self.match.squads) and luck.initiative(self.match) == luck.TOSS

    @property
    def mirror(self) -> bool:
        """Both sides have the same faction, and no toss has decided on colours."""
        return bool(self.match.squads and self.match.mirror and not self.match.tossed >> 2)

    @property
    def picks_a(self) -> bool:
        """This seat won the toss for colours."""
        return self._picks(0)

    @property
    def picks_b(self) -> bool:
        """The same of the other seat."""
        return self._picks(1)

    def _picks(self, seat):
        won = self.match.tossed >> 2
        return bool(self.match.squads and won) and won - 1 == self.match.swapped ^ seat

    # a draft that this board conducts

    @property
    def passes_left(self) -> bool:
        """The draft's packs go clockwise."""
        return bool(self._pod.clockwise)

    @property
    def missed(self) -> bool:
        """The last pick was missed."""
        return bool(self._pod.missed)

    @property
    def halted(self) -> bool:
        """The draft is halted."""
        return self._pod.halted_ms is not None

    @property
    def booster(self) -> bool:
        """It is a Booster Draft."""
        return bool(self._pod.kind)

    @property
    def taken(self) -> bool:
        """A pick can be taken back."""
        return self._pod.last is not None

    @property
    def built(self) -> bool:
        """Deck building is over."""
        return self._pod.built

    @property
    def all_pass(self) -> bool:
        """All players pick and pass at once."""
        return self.phase == PICKS and self.booster

    @property
    def _pod(self):
        assert self.draft is not None
        return self.draft

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
        if not match.phase and match.said:
            return max(0, match.said.next_round_s - (self.now_ms - match.said.at_ms) // 1000)
        if match.start_ms is None:
            return 0
        return max(0, seconds(match.start_ms + match.lost_ms - self.now_ms))

    @property
    def waited_s(self) -> int:
        """For how long a judge has been called."""
        return 0 if self.called_ms is None else (self.now_ms - self.called_ms) // 1000

    @property
    def turn(self) -> int:
        """The turn after time, or the seat that picks in a draft."""
        return self.match.turn if self.draft is None else self.draft.seat

    @property
    def marks(self) -> "tuple[int, int]":
        """How many turns of how many, or of a draft's pick the last seconds."""
        if self.draft is None:
            return self.match.turn, self.turns
        most = min(_MARKS_S, (self.draft.pick_ms + 999) // 1000)
        return min(draft_left_s(self.draft, self.now_ms), _MARKS_S), most

    @property
    def first_numbers(self) -> "tuple[int, int]":
        """What an entry of two numbers begins with: one seat's entry, or all the cards."""
        if self.draft is not None:
            return self.draft.cards, 0
        told = self.match.pending_answer
        if isinstance(told, (PrizesCounted, DestroyedCounted)):
            return told.first, told.second
        return self.match.cards, self.match.cards

    @property
    def most(self) -> int:
        """The largest number that can be entered."""
        match = self.match
        return MOST_CARDS if self.draft is not None else match.cards or match.cap or match.best_of

    # what the texts name: people

    def player(self, seat: int) -> str:
        """Return a player's name, with the shape of their key."""
        name = self.names[seat ^ self.match.swapped]
        return SHAPES[seat] + " " + name if name else SHAPES[seat]

    player_a = property(lambda self: self.player(0))
    player_b = property(lambda self: self.player(1))

    @property
    def to_play(self) -> str:
        """Whose turn it is or comes next."""
        match, whose = self.match, side(self.match)
        if whose is None:
            return ""
        if match.team and match.rules.SEATS:
            assert match.seat is not None
            return seat_name(match, match.seat)
        return self.player(whose)

    @property
    def who(self) -> str:
        """The seat of a team that somebody has named."""
        waits = self.match.pending_answer
        if self.team and not self.shared and isinstance(waits, TurnTold):
            return team_seat(self.match, waits.seat & 3)
        return ""

    @property
    def answering(self) -> str:
        """Who is to confirm the result; the loser does first (docs/architecture.md)."""
        return self.player(0 if self.asked_a else 1)

    @property
    def decider(self) -> str:
        """Who decides the initiative; in one line below a clock by the key's shape."""
        seat = luck.initiative(self.match) - 1 ^ self.match.swapped
        return SHAPES[seat] if self.match.phase == phases.PREGAME else self.player(seat)

    # what the texts name: numbers

    table = property(lambda self: self.match.table)
    round = property(lambda self: self.match.round)
    game = property(lambda self: self.match.game + (self.match.progress == 2))
    games_a = property(lambda self: self.match.games[0])
    games_b = property(lambda self: self.match.games[1])
    turns = property(lambda self: self.match.overtime[0])
    obstacle = property(lambda self: self.match.obstacle)

    @property
    def extension(self) -> int:
        """The table's extra time in minutes."""
        return self.match.extension_s // 60

    @property
    def call_minutes(self) -> int:
        """The minutes since a judge was called, begun ones too: so much more is proposed."""
        return self.waited_s // 60 + 1

    entered_a = property(lambda self: self.entry.numbers[0])
    entered_b = property(lambda self: self.entry.numbers[1])
    typed = property(lambda self: self.entry.code)

    @property
    def late(self) -> str:
        """How long after the room's zero a stopped table will end."""
        return _minutes(self.late_s)

    @property
    def set_up_left(self) -> str:
        """What is left of the 2:00 between two games."""
        return _minutes(self.set_up_s)

    @property
    def squads(self) -> str:
        """The squads' totals, the lower first."""
        assert self.match.squads is not None
        first, second = self.match.squads
        sign = "=" if first == second else "<"
        return "%d %s %d" % (min(first, second), sign, max(first, second))

    group = property(lambda self: self._pod.group)
    pack = property(lambda self: self._pod.pack)
    cards = property(lambda self: self._pod.cards)
    active = property(lambda self: self._pod.active)
    pick = property(lambda self: self._pod.index + 1)

    # what the texts name: other texts

    @property
    def outcome(self) -> str:
        """The result that is proposed or agreed."""
        return self.say("outcome_%d" % self.match.outcome)

    @property
    def section(self) -> str:
        """The section of the rules that the result cites."""
        match = self.match
        return match.rules.SECTIONS[match.section - 1] if match.section else ""

    @property
    def told(self) -> str:
        """What one seat has answered."""
        key = self._told_key()
        return self.say(key) if key else ""

    def _told_key(self):
        told, match = self.match.pending_answer, self.match
        if isinstance(told, StateTold) and match.rules.SEATS:
            return _TOLD[2 * (told.first + 2 * told.second) + (not told.started)]
        if not isinstance(told, TurnTold):
            return None
        turning = told.turning & 1
        if not match.rules.SEATS:
            return "told_round" if turning else "told_between"
        if match.team:
            return "told_team" if turning else "told_team_next"
        return ("told_turn_" if turning else "told_next_") + "ab"[told.seat & 1]

    @property
    def said(self) -> str:
        """The organiser's message."""
        assert self.match.said is not None
        return self.say("said_%d" % (self.match.said.message & 7))

    @property
    def reason(self) -> str:
        """Why the players call a judge."""
        call = self.match.call or 0
        return self.say(_CALLS[call]) if 0 < call < len(_CALLS) else ""

    @property
    def asked(self) -> str:
        """The act of which it is asked whether it is meant."""
        asked = self.entry.asked
        return self.say(asked.label) if asked is not None and asked.label else ""

    # what the texts name: a roll

    @property
    def _fallen(self):
        assert self.match.roll is not None
        return self.match.roll

    face = property(lambda self: self._fallen.face)
    flips = property(lambda self: self._fallen.flips)

    @property
    def heads(self) -> int:
        """How many coins show heads."""
        roll = self._fallen
        return heads(roll.face) if 0 < roll.flips < luck.UNTIL else roll.face

    @property
    def flipped(self) -> str:
        """What each coin shows."""
        roll = self._fallen
        return " ".join(["✔" if roll.face >> i & 1 else "–" for i in range(roll.flips)])

    # what the texts name: earlier events

    line_1 = property(lambda self: self.lines[0])
    line_2 = property(lambda self: self.lines[1])
    line_3 = property(lambda self: self.lines[2])
    line_4 = property(lambda self: self.lines[3])


def clock(match: "Match", now_ms: int) -> int:
    """Return WARN and LAST as bits."""
    if match.phase == phases.PREGAME:  # the last minute before the start
        assert match.start_ms is not None
        return LAST if now_ms >= match.start_ms + match.lost_ms - _LAST_MS else 0
    if match.phase != phases.PLAYING or match.format >> 14 & 1:
        return 0
    left_ms = match.remaining_ms(now_ms)
    assert left_ms is not None
    return (WARN if left_ms <= _WARN_MS else 0) | (LAST if left_ms <= _LAST_MS else 0)


def draft_left_s(draft: "Draft", now_ms: int) -> int:
    """Return the remaining time of a draft's running clock, 0 without one."""
    left_ms = draft.remaining_ms(now_ms)
    return 0 if left_ms is None else max(0, (left_ms + 999) // 1000)


def runs(match: "Match") -> bool:
    """Return whether the round's clock runs, in a Tiebreaker Game too, if time was not called."""
    if match.tiebreaker:
        return not match.called and match.start_ms is not None
    return match.phase == phases.PLAYING


def asked(match: "Match") -> int:
    """Return the seats, as bits, that may confirm the result now; the loser confirms first
    (docs/architecture.md, At the table).
    """
    if match.phase != phases.PROPOSED:
        return 0
    left = 3 & ~match.confirmed
    loser = 3 - match.outcome if 0 < match.outcome < 3 else 0
    return loser if loser & left else left


def side(match: "Match") -> int | None:
    """Return the side (0, 1) whose turn it is or comes next, None if unknown."""
    seats = match.rules.SEATS
    if match.seat is None or not seats:
        return None
    return seats[match.seat] ^ match.first if match.team else seats[match.seat]


def seat_name(match: "Match", seat: int) -> str:
    """Return a team's seat with the shape of the team's key."""
    return SHAPES[match.rules.SEATS[seat] ^ match.first] + " " + team_seat(match, seat)


def team_seat(match: "Match", seat: int) -> str:
    """Return the name of a team's seat: 1A, 2B, 2A, 1B; 1 is the team that starts (rules D13)."""
    return "%d%s" % (1 + match.rules.SEATS[seat], "AB"[seat & 1])


def filled(template: str, word: "Callable[[str], object]") -> str:
    """Return a text with its ``{words}`` filled in, each as ``word`` of its name."""
    parts = template.split("{")
    said = parts[0]
    for part in parts[1:]:
        name, rest = part.split("}", 1)
        said += str(word(name)) + rest
    return said


def heads(flips: int) -> int:
    """Return how many bits of ``flips`` are set."""
    count = 0
    while flips:
        count += flips & 1
        flips >>= 1
    return count


def _minutes(seconds):
    return "%d:%02d" % (seconds // 60, seconds % 60)
