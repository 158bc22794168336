"""A draft that one board conducts for one pod: whose pick it is, how long, in which direction.

Sources: Rochester D03 appendix A 3-7, Booster P18 11.2.2, deck building P18 11.2 and D03 A 3. Seats
are numbered from 1, clockwise; cards from 1, the oldest (first laid out) first; 0 = not told.
The conductor's intent is CONDUCT, its event DRAFTED, with the same steps; what their ``first`` and
``second`` are is beside each step. After a reset the replayed ``BOOTED`` halts a review or a pick;
its clock then starts from the full time, because nobody saw it run.
"""

from firmware.core import events, intents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event, Events, Intent

ROCHESTER = 0
BOOSTER = 1

# steps
SET = 0  # kind, seats and groups (Rochester) or packs (Booster) as ``pack``; pick clock in ms
OPENED = 1  # cards laid out, or in each pack
BEGUN = 2  # the review is over (automatic)
TAKEN = 3  # seat, card
MISSED = 4  # seat, the oldest card, which it gets (automatic)
HALTED = 5
RESUMED = 6
UNTAKEN = 7  # the conductor pressed in error; a touched card is never given back (D03 A 4)
BUILT = 8  # deck building begins, at the organiser's word; of a Sealed event, without a draft
ENDED = 9

# phases
IDLE = 0
LAYING = 1  # the next packs are being opened
REVIEW = 2
PICKING = 3
DRAWN = 4  # every card is taken
BUILDING = 5
OVER = 6

REVIEW_MS = 30000
BUILDING_MS = 1800000
TOO_SOON_MS = 500  # ours: a press this soon after a miss was meant for the seat before
MOST_SEATS = (15, 8)  # Rochester: the judge's discretion, 7-8 preferred; Booster: at most 8
MOST_PACKS = (3, 15)  # Rochester: the text knows three groups

# the phases in which a conductor may ask for each step, SET to ENDED
_LEGAL = (
    (IDLE, OVER), (LAYING,), (), (PICKING,), (), (REVIEW, PICKING), (REVIEW, PICKING), (PICKING,),
    (IDLE, DRAWN, OVER), (LAYING, REVIEW, PICKING, DRAWN, BUILDING),
)  # fmt: skip
_NEXT = {REVIEW: BEGUN, PICKING: MISSED, BUILDING: ENDED}


def is_clockwise(group: int) -> bool:
    """Return whether Active player and picks move clockwise in a booster group 1-3 (D03 A 6)."""
    return group & 1 == 1


def active_seat(seats: int, group: int, pack: int) -> int:
    """Return the Active player's seat for pack 1... within a group: 1-8, then 8-1, then 1-8."""
    return pack if is_clockwise(group) else seats + 1 - pack


def picking_seat(seats: int, active: int, clockwise: bool, index: int) -> int:
    """Return who takes card ``index`` (from 0): a horseshoe whose two ends pick twice (D03 A 7)."""
    place = index % (2 * seats)
    if place >= seats:
        place = 2 * seats - 1 - place
    return (active - 1 + (place if clockwise else -place)) % seats + 1


def pack(kind: int, seats: int, packs: int) -> int:
    """Return the first number of a SET step."""
    return kind | seats << 1 | packs << 5


class Draft:
    """The pod's state. ``decide`` only reads, only ``apply`` changes it; time is an argument."""

    def __init__(self):
        self._set(0, 0)
        self.phase = IDLE

    def _set(self, packed, pick_ms):
        """Start over as a SET step packs it."""
        self.kind = packed & 1
        self.seats = packed >> 1 & 15
        self.packs = packed >> 5
        self.pick_ms = pick_ms
        self.phase = LAYING
        self.opened = self.cards = self.index = 0
        self.gone: int | None = 0  # the cards taken, as bits; None if a pick was not recorded
        self.can_undo = False
        self._gone_before: int | None = 0  # ``gone`` before the pick that can be undone
        self.halted_ms: int | None = None
        self.since_ms = 0
        self.missed = self.built = False

    @property
    def group(self) -> int:
        """The booster group 1... that is drafted (Booster: the pack)."""
        return self.opened // self._group_size + 1

    @property
    def pack(self) -> int:
        """Which opening within the group, 1... (Booster: always 1)."""
        return self.opened % self._group_size + 1

    @property
    def _group_size(self) -> int:
        """How often packs are opened in a group: once a seat, once in a Booster Draft."""
        return 1 if self.kind == BOOSTER else max(1, self.seats)

    @property
    def clockwise(self) -> bool:
        """Which way the picks go, or a Booster's packs are passed (left)."""
        return is_clockwise(self.group)

    @property
    def active(self) -> int:
        """The Active player's seat; 0 in a Booster Draft, where all pick at once."""
        return 0 if self.kind == BOOSTER else active_seat(self.seats, self.group, self.pack)

    @property
    def seat(self) -> int:
        """The seat that picks now, 0 when nobody does (or, in a Booster Draft, everybody)."""
        if self.phase != PICKING or self.kind == BOOSTER:
            return 0
        return picking_seat(self.seats, self.active, self.clockwise, self.index)

    @property
    def oldest(self) -> int:
        """The oldest card left, that of the lowest number; 0 if a pick was not recorded."""
        if self.gone is None:
            return 0
        card = 1
        while self.gone & 1 << card:
            card += 1
        return card

    @property
    def due_ms(self) -> int | None:
        """When ``decide`` of a TICK will return an event; None while no clock runs."""
        return self._zero_ms() if self.halted_ms is None else None

    def _zero_ms(self) -> int | None:
        """Return when the phase's clock is at zero, None without one."""
        if self.phase == PICKING and self.pick_ms:
            return self.since_ms + self.pick_ms
        if self.phase == REVIEW:
            return self.since_ms + REVIEW_MS
        return self.since_ms + BUILDING_MS if self.phase == BUILDING else None

    def remaining_ms(self, now_ms: int) -> int | None:
        """Return the time left on the clock (halted: at the halt), None without one."""
        zero_ms = self._zero_ms()
        if zero_ms is None:
            return None
        return zero_ms - (now_ms if self.halted_ms is None else self.halted_ms)

    def decide(self, intent: "Intent", now_ms: int) -> "Events":
        """Return an intent's events, none or one; repeat a TICK until there is none."""
        if intent.kind == intents.TICK:
            due = self.due_ms
            if due is None or now_ms < due:
                return ()
            seat, card = (self.seat, self.oldest) if self.phase == PICKING else (0, 0)
            return (events.Drafted(due, _NEXT[self.phase], seat, card),)
        if not isinstance(intent, intents.Conduct):
            return ()
        step, first, second = intent.step, intent.first, intent.second
        if not self._legal(step, first, second, now_ms):
            return ()
        if step == BUILT:  # 1: no draft came before, and a journal is read from here (``begins``)
            first = 0 if self.phase == DRAWN else 1
        elif step == TAKEN:
            first = self.seat
        return (events.Drafted(now_ms, step, first, second),)

    def _legal(self, step, first, second, now_ms):
        """Return whether a conductor may request a step now, with these numbers."""
        if step >= len(_LEGAL) or self.phase not in _LEGAL[step]:
            return False
        if step == UNTAKEN:
            return self.can_undo
        if self.halted_ms is not None:
            return step in (RESUMED, ENDED)
        if step == SET:
            kind, seats, packs = first & 1, first >> 1 & 15, first >> 5
            # a pick clock in Rochester alone: in a Booster Draft a missed pick has no consequence
            clock_fits = (second > 0) == (kind == ROCHESTER)
            return clock_fits and 2 <= seats <= MOST_SEATS[kind] and 1 <= packs <= MOST_PACKS[kind]
        if step == OPENED:
            return 0 < first < 256
        if step == TAKEN:
            return self._may_take(first, second, now_ms)
        return step != RESUMED

    def _may_take(self, seat, card, now_ms):
        """Return whether ``seat`` (0: the next one) may take ``card`` (0: not recorded)."""
        too_soon = self.missed and now_ms - self.since_ms < TOO_SOON_MS
        if too_soon or seat not in (0, self.seat):
            return False
        if self.kind == BOOSTER:
            return card == 0
        is_gone = self.gone is not None and self.gone >> card & 1
        return card <= self.cards and not is_gone

    def apply(self, event: "Event") -> None:
        """Apply an event; events of other kinds change nothing."""
        at_ms = event.at_ms
        if event.kind == events.BOOTED and self.phase in (REVIEW, PICKING):
            self.halted_ms = self.since_ms = at_ms
        if not isinstance(event, events.Drafted):
            return
        step = event.step
        if step == SET:
            self._set(event.first, event.second)
        elif step in (TAKEN, MISSED):
            self._take(at_ms, step == MISSED, event.second)
        elif step == HALTED:
            self.halted_ms = at_ms
        elif step == RESUMED:
            assert self.halted_ms is not None
            self.since_ms += at_ms - self.halted_ms
            self.halted_ms = None
        elif step == UNTAKEN:
            self._undo(at_ms)
        else:
            self._enter(step, at_ms, event.first)

    def _enter(self, step, at_ms, cards):
        """Enter the phase after OPENED, BEGUN, BUILT or ENDED."""
        self.since_ms = at_ms
        self.halted_ms = None
        if step == OPENED:
            self.cards, self.index, self.gone = cards, 0, 0
            self.can_undo = self.missed = False
            self.phase = PICKING if self.kind == BOOSTER else REVIEW
        else:
            self.built = self.phase == BUILDING  # only ENDED follows then
            self.phase = {BEGUN: PICKING, BUILT: BUILDING}.get(step, OVER)

    def _take(self, at_ms, missed, card):
        """Count a pick; the last one leads to the next packs, or to the draft's end."""
        self.can_undo, self._gone_before = True, self.gone
        if card and self.gone is not None:
            self.gone |= 1 << card
        else:
            self.gone = None
        self.index += 1
        self.since_ms = at_ms
        self.missed = missed
        if self.index == self.cards:
            self.opened += 1
            is_last = self.opened == self.packs * self._group_size
            self.phase = DRAWN if is_last else LAYING

    def _undo(self, at_ms):
        """Undo the last pick, with a full pick clock."""
        self.gone, self.can_undo = self._gone_before, False
        self.index -= 1
        self.since_ms = at_ms
        self.missed = False
        if self.halted_ms is not None:
            self.halted_ms = at_ms
