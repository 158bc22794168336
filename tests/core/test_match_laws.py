"""From any reachable state every intent keeps the match's laws, and a freeze is given back exactly."""

from hypothesis import given, settings
from hypothesis import strategies as some
from lucky import Chance
from solo import Solo

from firmware.core import events, intents, outcome, payload, phases
from firmware.core.match import _APPLIED, FIELDS, Match, seconds
from firmware.core.systems import d03, p18, xw15

START_MS = 600000
INTENTS = [one for one in intents.CLASSES if one is not intents.SetNonce]
SMALL = some.sampled_from((0, 0, 1, 1, 2, 3, 4, 5, 6, 16, 33, 60, 128, 300, 900))
NUMBERS = some.lists(SMALL, min_size=7, max_size=7)  # no intent has more fields beside its time
STEP = some.tuples(
    some.sampled_from(INTENTS),
    NUMBERS,
    some.sampled_from((0, 0, 1, 900, 30000, 61000, 240000, 900000)),
)
FORMATS = some.builds(
    lambda stage, games, limited, option, team, cap: (
        stage | games << 1 | limited << 3 | option << 4 | team << 7 | cap << 8
    ),
    some.integers(0, 1),
    some.sampled_from((1, 3)),
    some.integers(0, 1),
    some.integers(0, 2),
    some.sampled_from((0, 0, 0, 1)),
    some.integers(0, 3),
)
PLAY = [one for one in INTENTS if intents.SET_STARTER <= one.kind <= intents.REFUSE_RESULT]


def state(match):
    return [getattr(match, name) for name in FIELDS]


def through_a_frame(event):
    return events.unpack(event.kind, payload.pack(event))


def made(intent, at_ms, numbers):
    """Return an intent with these numbers as its fields; a few bits have only what fits there."""
    places = zip(numbers, payload.layout(intent.LAYOUT).fields[1:])
    return intent(
        at_ms, *[number & most if most < 16 else number for number, (_, _, most) in places]
    )


class Watched:
    """A match that is watched at every step."""

    def __init__(self, rules, bits):
        self.match, self.written, self.now_ms = Match(rules), [], 1000
        self.do(intents.SetRound(1000, 1, 1, 1))
        self.do(intents.SetFormat(1000, rules.NUMBER, bits, 30))
        self.do(intents.SetStart(START_MS))
        self.now_ms = START_MS
        self.do(intents.Tick(START_MS))

    def do(self, intent):
        match = self.match
        before, was = state(match), (match.zero_ms, match.turn, match.extension_s, self.left_ms())
        happened = self.match.decide(intent, self.now_ms, Chance())
        assert state(self.match) == before
        for event in happened:
            assert through_a_frame(event) == event
            self.match.apply(event)
        self.written += happened
        self.check_time([event.kind for event in happened], was)
        self.check_result()

    def left_ms(self):
        begun = self.match.phase > phases.PREGAME and self.match.held not in (1, 2)
        return self.match.remaining_ms(self.now_ms) if begun else None

    def check_time(self, kinds, was):
        """Turns 0...n only rise but for a recorded return; nobody but a judge gives time."""
        match = self.match
        zero_ms, turn, extension_s, left_ms = was
        assert 0 <= match.turn <= match.overtime_turns
        assert match.turn >= turn or set(kinds) & RETURNS
        assert match.zero_ms == zero_ms or set(kinds) & MOVES
        if left_ms is not None and self.left_ms() is not None and events.FROZEN not in kinds:
            assert self.left_ms() == left_ms + (match.extension_s - extension_s) * 1000

    def check_result(self):
        """Games stay below the best-of, and there is one outcome or a named question."""
        match = self.match
        need = match.best_of // 2 + 1
        assert max(match.games) <= need and sum(match.games) <= match.best_of
        if match.phase == phases.RESOLVING:
            assert match.outcome == outcome.ASK
        if match.phase == phases.TIME:
            assert match.missing
        if match.phase in (phases.PROPOSED, phases.AGREED):
            assert match.outcome in (1, 2, outcome.TIE) and not match.missing
        if match.phase in (phases.PLAYING, phases.OVERTIME, phases.FINISHING):
            assert match.outcome == outcome.NONE and not match.situation
        assert match.decide(intents.Tick(0), self.now_ms, None) == ()

    def replays(self):
        again = Match(self.match.rules)
        for event in self.written:
            again.apply(event)
        return state(again) == state(self.match)


# the events that may move a table's zero, and those that take turns back
MOVES = {
    events.RESUMED, events.EXTENDED, events.ROUND_SET, events.FORMAT_SET, events.START_SET,
    events.ROUND_CLEARED,
}  # fmt: skip
RETURNS = {events.PLAY_RESUMED, events.ROUND_SET, events.ROUND_CLEARED}


def walked(rules, bits, steps):
    """Return a match after steps ``(intent, its fields, ms passed before)``."""
    table = Watched(rules, bits)
    for intent, numbers, later_ms in steps:
        table.now_ms += later_ms
        table.do(intents.Tick(table.now_ms))
        table.do(made(intent, table.now_ms, numbers))
    return table


@settings(max_examples=300, deadline=None)
@given(some.sampled_from((p18, d03, xw15)), FORMATS, some.lists(STEP, max_size=40))
def test_every_intent_keeps_the_laws(rules, bits, steps):
    assert walked(rules, bits, steps).replays()


@settings(max_examples=300, deadline=None)
@given(
    some.sampled_from((p18, d03, xw15)),
    FORMATS,
    some.lists(some.tuples(some.sampled_from(PLAY), NUMBERS, SMALL), max_size=60),
)
def test_play_alone_keeps_the_laws(rules, bits, steps):
    small = [(one, [n & 7 for n in told], ms % 7 * 60000) for one, told, ms in steps]
    assert walked(rules, bits, small).replays()


@settings(max_examples=150, deadline=None)
@given(some.sampled_from((p18, d03, xw15)), FORMATS, some.lists(STEP, max_size=25))
def test_a_judge_ends_it_from_anywhere(rules, bits, steps):
    table = walked(rules, bits, steps)
    if table.match.phase != phases.IDLE:
        table.do(intents.RuleResult(table.now_ms, 1, 0, 1, 1, 0))
        assert table.match.phase == phases.AGREED and table.match.outcome == 1


def test_a_round_begins_the_same_whatever_came_before_it():
    used = Match(p18)
    for event in (
        events.FormatSet(5, 1, 6, 50), events.PolicySet(5, 1), events.Extended(5, 1, 6),
        events.OrganiserSaid(5, 1, 6),
    ):  # fmt: skip
        used.apply(event)
    fresh = Match(p18)
    for one in (used, fresh):  # a board that is reset now reads its journal from here on
        one.apply(events.RoundSet(9, 2, 3, 4))
    assert state(used) == state(fresh)


def test_nothing_is_a_fields_name_that_no_event_begins():
    for one in events.CLASSES:
        match = Match(p18)
        match.apply(events.of_numbers(one.kind, 5, 1, 2, 3))
        assert sorted(vars(match)) == sorted((*FIELDS, "rules"))


def test_what_is_no_part_of_a_match_changes_nothing():
    names = {number: name for name, number in vars(events).items() if isinstance(number, int)}
    assert {name for number, name in names.items() if number not in _APPLIED} == {
        "BOOTED", "SEALED", "EVENT_JOINED", "ANSWERED", "TIME_SET", "TAKEN_BACK",
        "EPOCH_CLOSED", "DRAFTED", "CODE_ENTERED", "SEED_STORED",
    }  # fmt: skip
    quiet = Match(p18)
    before = state(quiet)
    quiet.apply(events.Booted(5, 1, 2, 3))
    assert state(quiet) == before


FREEZES = some.lists(
    some.tuples(some.integers(0, 600_000), some.integers(0, 3_600_000)), max_size=6
)


@given(FREEZES, some.integers(0, 90), some.integers(0, 3600))
def test_running_time_alone_is_used_up(freezes, minutes, extension_s):
    match = Match(p18)
    match.start_ms = now_ms = 1_000_000
    match.minutes, match.extension_s = minutes, extension_s
    run_ms = 0
    for running, standing in freezes:
        now_ms += running
        run_ms += running
        left_ms = match.remaining_ms(now_ms)
        match.frozen_ms = now_ms
        assert match.remaining_ms(now_ms + standing) == left_ms
        match.frozen_ms = None
        match.lost_ms += standing
        now_ms += standing
        assert match.remaining_ms(now_ms) == left_ms
        assert left_ms == minutes * 60_000 + extension_s * 1000 - run_ms


@given(some.integers(-(10**7), 10**7))
def test_a_shown_second_is_never_short(left_ms):
    assert 0 <= seconds(left_ms) * 1000 - left_ms < 1000


def test_a_second_start_does_not_give_a_frozen_spare_its_round_again():
    spare = Solo()
    spare.tell_time(7_200_000)
    now_ms = spare.now_ms
    for kind, numbers, at_ms in (
        (intents.SET_ROUND, (1, 1, 1), 0), (intents.SET_FORMAT, (0, 6, 50), 0),
        (intents.FREEZE, (), now_ms - 60_000), (intents.SET_START, (), now_ms - 1_200_000),
    ):  # fmt: skip
        assert spare.desk(kind, *numbers, at_ms=at_ms)
    left_ms = spare.app.match.remaining_ms(now_ms)
    assert not spare.desk(intents.SET_START, at_ms=spare.now_ms + 140_000)
    assert spare.app.match.remaining_ms(now_ms) == left_ms


def test_a_table_that_was_stopped_before_its_round_may_get_another_start():
    table = Solo()
    table.tell_time(7_200_000)
    table.pair(wait_s=300)
    assert table.desk(intents.FREEZE)
    assert table.desk(intents.SET_START, at_ms=table.now_ms + 600_000)
