"""What a board announces is what its records give: over played matches of every system."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from rounds import a_round, score
from situations import like, under

from firmware.core import announced, events, intents, outcome, phases
from firmware.core.match import Match
from firmware.core.systems import d03, p18, xw15
from host.archive.decoded_frames import announced_result
from host.archive.roster import Format
from host.base.errors import UserError
from host.event import announced_results, match_results
from host.event.scores import Round, Score
from host.tournament import ranking

START_MS, FINAL = 600_000, 0x80
ENDED = 12  # of rounds that are told modulo 32
SYSTEMS = {"p18": p18, "d03": d03, "xw15": xw15}
FORMATS = some.builds(
    lambda stage, games, option, cap: stage | games << 1 | option << 4 | cap << 8,
    some.integers(0, 1), some.sampled_from((1, 3)), some.integers(0, 2), some.integers(0, 3),
)  # fmt: skip
SEAT, LATER = some.integers(0, 1), some.sampled_from((0, 0, 30_000, 900_000, 3_600_000))
POINTS = some.sampled_from((0, 5, 11, 12, 30, 48, 49, 59, 60, 90, 120, 150))
PLAYED = some.one_of(
    some.tuples(some.sampled_from((intents.SET_STARTER, intents.WIN_GAME)), SEAT),
    some.tuples(some.just(intents.WIN_GAME), SEAT),
    some.tuples(some.just(intents.LEVEL_GAME)),
    some.tuples(some.just(intents.COUNT_PRIZES), some.just(0), SEAT, some.integers(1, 4)),
    some.tuples(some.just(intents.COUNT_DESTROYED), some.just(0), POINTS, POINTS),
    some.tuples(some.just(intents.WIPE_OUT), some.integers(1, 3)),
    some.tuples(some.just(intents.TELL_STATE), some.integers(0, 9), SEAT, SEAT),
    some.tuples(some.just(intents.TELL_TURN), SEAT, some.just(1)),
    some.tuples(some.sampled_from((intents.START_TURN, intents.END_TURN)), SEAT),
    some.tuples(some.just(intents.CONFIRM_SEAT), some.integers(0, 2)),
    some.tuples(some.just(intents.CLAIM_RESULT), some.integers(1, 3), SEAT, SEAT),
)
RARE = some.one_of(
    some.tuples(some.just(intents.CONCEDE), SEAT),
    some.tuples(some.just(intents.RULE_RESULT), some.integers(1, 3), SEAT, SEAT),
    some.tuples(some.just(intents.RULE_RESULT), some.integers(65, 67), POINTS, POINTS),
    some.tuples(some.just(intents.REOPEN_RESULT)),
)
STEPS = some.lists(some.tuples(some.one_of(PLAYED, PLAYED, PLAYED, RARE), LATER), max_size=14)


class Played:
    """A match under way: ``ask`` for anything, ``end`` it as its state allows."""

    def __init__(self, rules, bits, swapped):
        self.match, self.now_ms = Match(rules), 1000
        self.ask(intents.SET_ROUND, ENDED, 1, 1)
        self.ask(intents.SET_FORMAT, rules.NUMBER, bits, 30)
        self.match.apply(events.StartSet(START_MS))
        if swapped:
            self.match.apply(events.SeatConfirmed(2000, 2, 1))
        self.now_ms = START_MS

    def ask(self, kind, a=0, b=0, c=0):
        for one in (intents.TICK, kind):
            for event in self.match.decide(
                intents.of_numbers(one, self.now_ms, a, b, c), self.now_ms
            ):
                self.match.apply(event)

    def end(self, late_ms, points):
        """Answer what is missing, confirm; a judge rules what then stands open."""
        self.now_ms += late_ms
        if late_ms:
            for _ in range(4):
                self.ask(intents.TELL_STATE if self.match.rules is not xw15 else intents.TICK, 1)
                self.ask(intents.TELL_TURN, 0, 1)
                self.ask(intents.END_TURN)
                self.ask(intents.END_TURN, 1)
        self.ask(intents.COUNT_DESTROYED, 0, *points)
        self.ask(intents.COUNT_PRIZES, 0, 2, 1)
        for _ in range(2):
            for seat in (0, 1):
                self.ask(intents.CONFIRM_RESULT, seat)
        self.ask(intents.APPROVE_RESULT)
        if self.match.phase != phases.AGREED:
            self.ask(intents.RULE_RESULT, 1 | FINAL, 1, 0)


def announcement(match, number=ENDED):
    """Return what the host makes of a match's word."""
    won, a, b, told, milestone = announced_result(announced.word(match, 2))
    assert (told, milestone) == (number, 2)
    return announced_results.Announcement(ENDED, 1, 1, won, (a, b), 2, (7, 1), 1, 1, b"", 9)


def told_of(match):
    """Return what the records give, and what the announcement does."""
    form = Format(match.rules.NUMBER, match.format, 30)
    record = match_results.result_of(match, 9, False)
    return record, announced_results.result(announcement(match), form, match.rules)


def half_known(match):
    """Whether one side lost everything, and nobody told what the other did: staff is asked then."""
    return bool(match.cap) and outcome.tally(match).count(None) == 1


@pytest.mark.parametrize("system", SYSTEMS)
@settings(max_examples=200)
@given(FORMATS, some.booleans(), STEPS, LATER, some.tuples(POINTS, POINTS))
def test_an_announced_result_is_worth_what_the_records_give(
    system, bits, swapped, steps, late_ms, points
):
    played = Played(SYSTEMS[system], bits, swapped)
    for asked, later_ms in steps:
        played.now_ms += later_ms
        if asked[0] != intents.TELL_STATE or played.match.rules is not xw15:  # no screen asks there
            played.ask(*asked)
    played.end(late_ms, points)
    match = played.match
    if match.phase != phases.AGREED:
        return
    record, said = told_of(match)
    if half_known(match):
        assert said is None
        return
    assert said is not None and said.by == match_results.ANNOUNCED
    assert (said.outcome, said.points) == (record.outcome, record.points)
    assert (said.margin, said.narrow) == (record.margin, record.narrow)
    if match.cap:
        assert worth(said, match.cap) == worth(record, match.cap)
    else:
        assert said.games == record.games


@pytest.mark.parametrize(
    "before", [[(intents.WIPE_OUT, 3)], [(intents.CONCEDE, 0), (intents.COUNT_DESTROYED,)]]
)
def test_a_winner_is_ruled_whose_squad_is_gone(before):
    played = Played(xw15, 1 << 1, False)
    for asked in before:
        played.ask(*asked)
    played.ask(intents.RULE_RESULT, 1 | FINAL)
    for result in told_of(played.match):
        assert worth(result, played.match.cap) == {"1": (5, 60, 0), "2": (0, 60, 5)}


def worth(result, cap):
    """Return each player's line of the standings after this match alone, None without the points."""
    number = 1 + xw15.CAPS.index(cap)
    before = [a_round(n, ("1", None), ("2", None), system="xw15") for n in range(1, number)]
    pairing = score(number, 1, "1", "2").pairing
    form = Format(xw15.NUMBER, 1 << 1, 60)
    last = Round(number, "xw15", form, (Score(pairing, replace(result, round=number)),))
    try:
        return {one.number: one.values for one in ranking.ranking([*before, last]).lines}
    except UserError:
        return None


def test_points_that_a_word_cannot_tell_are_left_to_the_records():
    bits = Format(xw15.NUMBER, 1 << 1, 60)
    match = under(xw15, bits.bits, outcome=1, destroyed=(60, 12))
    one = announcement(match, 0)
    assert announced_results.result(one, bits, xw15).margin == (108, 12)
    assert announced_results.result(one, bits, like(xw15, CAPS=(255,))) is None
