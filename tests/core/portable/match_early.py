"""A judge may rule before a round begins: that starts no clock, and the round can still
be played.
"""

from firmware.core import events, intents, phases
from firmware.core.match import Match
from firmware.core.systems import p18

START_MS = 600000


def seated():
    match = Match(p18)
    ask(match, intents.SET_ROUND, 1, 4, 9)
    ask(match, intents.SET_FORMAT, p18.NUMBER, 3 << 1, 50)
    return match


def ask(match, kind, a=0, b=0, c=0, now_ms=1000, at_ms=0):
    happened = match.decide(intents.of_numbers(kind, at_ms, a, b, c), now_ms)
    for event in happened:
        match.apply(event)
    return [event.kind for event in happened]


def test_a_ruling_taken_back_leaves_the_table_seated():
    match = seated()
    ask(match, intents.RULE_RESULT, 1, 2, 0)
    assert match.phase == phases.PROPOSED
    ask(match, intents.REOPEN_RESULT)
    assert match.phase == phases.SEATED and match.remaining_ms(1000) is None
    ask(match, intents.SET_START, at_ms=START_MS)
    ask(match, intents.TICK, now_ms=START_MS)
    assert match.phase == phases.PLAYING and match.remaining_ms(START_MS) == 50 * 60000


def test_with_a_start_set_it_is_as_well_frozen():
    match = seated()
    ask(match, intents.SET_START, at_ms=START_MS)
    ask(match, intents.RULE_RESULT, 1, 2, 0)
    ask(match, intents.REOPEN_RESULT)
    assert ask(match, intents.FREEZE)[0] == events.FROZEN
    assert match.due_ms(2000) is None
    assert ask(match, intents.RESUME, now_ms=3000)[0] == events.RESUMED
    assert match.phase in (phases.SEATED, phases.PREGAME)


def test_a_dispute_before_the_start_may_end_in_a_tiebreaker_without_a_clock():
    match = seated()
    ask(match, intents.SET_START, at_ms=START_MS)
    ask(match, intents.RULE_RESULT, 1, 2, 0)
    ask(match, intents.REFUSE_RESULT, 1)
    ask(match, intents.RULE_RESULT, 4)
    assert match.phase == phases.TIEBREAKER
    assert match.due_ms(2000) is None and ask(match, intents.TICK, now_ms=2000) == []
    assert ask(match, intents.FREEZE, now_ms=3000) == [events.FROZEN]
