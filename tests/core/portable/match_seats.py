"""Seats that change places, players of a team who are out, and a set-up that no clock measures."""

from firmware.core import events, intents, outcome, phases
from firmware.core.match import Match
from firmware.core.systems import d03, p18, xw15

START_MS = 600000
TEAM = 1 << 7 | 1 << 1


def table(rules, bits=1 << 1):
    match = Match(rules)
    ask(match, intents.SET_ROUND, 1, 4, 9)
    ask(match, intents.SET_FORMAT, rules.NUMBER, bits, 50)
    ask(match, intents.SET_START, now_ms=1000, at_ms=START_MS)
    return match


def teams():
    match = table(d03, TEAM)
    ask(match, intents.TICK, now_ms=START_MS)
    assert ask(match, intents.SET_STARTER, 1) == [events.STARTER_SET]
    return match


def ask(match, kind, a=0, b=0, c=0, now_ms=START_MS, at_ms=0):
    happened = match.decide(intents.of_numbers(kind, at_ms, a, b, c), now_ms)
    for event in happened:
        match.apply(event)
    return [event.kind for event in happened]


def test_players_change_places_and_both_confirm_anew():
    match = table(p18)
    ask(match, intents.CONFIRM_SEAT, 1, now_ms=1000)
    assert ask(match, intents.CONFIRM_SEAT, 2, now_ms=1000) == [events.SEAT_CONFIRMED]
    assert match.swapped == 1 and match.present == 0
    ask(match, intents.CONFIRM_SEAT, 0, now_ms=1000)
    ask(match, intents.CONFIRM_SEAT, 1, now_ms=1000)
    assert match.swapped == 1 and match.present == 3
    ask(match, intents.CONFIRM_SEAT, 2, now_ms=1000)
    assert match.swapped == 0 and match.present == 0


def test_a_board_that_takes_over_is_told_of_changed_places():
    match = table(p18, 3 << 1)
    assert ask(match, intents.SET_SCORE, 2, 0, 0, now_ms=1000) == [
        events.STATE_TOLD,
        events.SEAT_CONFIRMED,
    ]
    assert match.swapped == 1 and match.phase == phases.SEATED
    assert ask(match, intents.SET_SCORE, 2, 0, 0, now_ms=1000) == [events.STATE_TOLD]
    assert ask(match, intents.SET_SCORE, 4, 0, 0, now_ms=1000) == []


def test_a_board_that_takes_over_is_told_of_an_agreed_flip():
    match = table(p18)
    assert ask(match, intents.SET_SCORE, 0, 256, 0, now_ms=1000) == [events.STATE_TOLD]
    assert match.flipped == 1 and match.progress == 0
    assert ask(match, intents.SET_SCORE, 1, 0, 0, now_ms=1000)[-1:] == [events.STARTER_SET]
    assert match.flipped == 0


def test_nobody_changes_places_once_the_round_has_begun():
    match = table(p18)
    ask(match, intents.TICK, now_ms=START_MS)
    assert ask(match, intents.CONFIRM_SEAT, 2) == [] and ask(match, intents.CONFIRM_SEAT, 3) == []


def test_a_players_seat_that_is_out_is_passed_over():
    match = teams()
    assert ask(match, intents.WIPE_OUT, 2) == [events.WIPED_OUT]
    assert ask(match, intents.START_TURN, 1) == [], "out"
    for seat in (0, 2, 3, 0):
        assert ask(match, intents.START_TURN, seat) == [events.TURN_STARTED]
        ask(match, intents.END_TURN)
    assert match.seat == 2
    assert ask(match, intents.WIPE_OUT, 2) == [] and ask(match, intents.WIPE_OUT, 3) == []


def test_whoever_is_out_before_the_turn_begins_does_not_play_it():
    match = teams()
    ask(match, intents.START_TURN, 0)
    ask(match, intents.END_TURN)
    ask(match, intents.WIPE_OUT, 2)
    assert match.seat == 2


def test_with_both_out_the_other_team_has_won():
    match = teams()
    ask(match, intents.WIPE_OUT, 2)
    happened = ask(match, intents.WIPE_OUT, 4)
    assert happened == [events.WIPED_OUT, events.GAME_WON, events.OUTCOME_PROPOSED]
    assert match.outcome == 2, "the team that began, which is that of the second key"


def test_the_next_game_has_four_players_again():
    match = table(d03, 1 << 7 | 3 << 1)
    ask(match, intents.TICK, now_ms=START_MS)
    ask(match, intents.SET_STARTER, 0)
    ask(match, intents.WIPE_OUT, 1)
    ask(match, intents.WIPE_OUT, 8)
    assert match.score == (0, 1) and match.wiped == 9
    ask(match, intents.SET_STARTER, 0)
    assert match.wiped == 0


def test_nobody_who_is_out_plays_at_zero():
    match = table(d03, TEAM)
    zero_ms = START_MS + 50 * 60000
    ask(match, intents.TICK, now_ms=START_MS)
    ask(match, intents.SET_STARTER, 0)
    ask(match, intents.WIPE_OUT, 4)
    ask(match, intents.TICK, now_ms=zero_ms)
    assert match.missing == phases.TURN
    assert ask(match, intents.TELL_TURN, 2, 1, now_ms=zero_ms) == []
    assert ask(match, intents.TELL_TURN, 1, 1, now_ms=zero_ms) == [events.TURN_TOLD]
    ask(match, intents.END_TURN, now_ms=zero_ms)
    assert match.seat == 3 and match.outcome == outcome.ASK


def test_two_players_are_never_wiped_out():
    match = table(d03)
    ask(match, intents.TICK, now_ms=START_MS)
    assert ask(match, intents.WIPE_OUT, 1) == []


def test_a_set_up_without_a_clock_gets_what_it_stood_still():
    match = table(xw15, 1 << 1)
    ask(match, intents.TICK, now_ms=2000)
    assert match.phase == phases.PREGAME
    ask(match, intents.FREEZE, now_ms=100000)
    ask(match, intents.RESUME, now_ms=160000)
    assert match.lost_ms == 60000
