"""A match at a table: seats, the 2:00, freezes, extensions, clock records, calls; rulings before the
round; places that change and players of a team who are out; results, confirmations, rulings, and
the answers of both seats when time is called.
"""

from firmware.core import events, intents, legal, outcome, phases
from firmware.core.match import FIELDS, Match
from firmware.core.systems import d03, p18, xw15

START_MS = 600000
MINUTE_MS = 60000
BO1 = 1 << 1
BO3 = 3 << 1
TEAM = 1 << 7 | BO1


class Die:
    begin = lambda self, number, a: self  # noqa: E731
    face = lambda self, sides: sides  # noqa: E731


class Table:
    """A match whose every decision is checked for mutation and kept for a replay."""

    def __init__(self, rules=p18, bits=BO3, minutes=50, start_ms=START_MS, seated=True):
        self.match = Match(rules)
        self.written = []
        self.now_ms = 1000
        if seated:
            self.ask(intents.SET_ROUND, 1, 4, 9)
            self.ask(intents.SET_FORMAT, rules.NUMBER, bits, minutes)
        if seated and start_ms is not None:
            self.do(intents.SetStart(start_ms))

    def do(self, intent):
        before = state(self.match)
        happened = self.match.decide(intent, self.now_ms, Die())
        assert state(self.match) == before, "decide changed the match"
        for event in happened:
            self.match.apply(event)
        self.written += list(happened)
        return [event.kind for event in happened]

    def ask(self, kind, a=0, b=0, c=0):
        return self.do(intents.of_numbers(kind, self.now_ms, a, b, c))

    def at(self, now_ms):
        self.now_ms = now_ms
        self.ask(intents.TICK)
        return self

    def room(self, minutes, seconds=0):
        return self.at(START_MS + (minutes * 60 + seconds) * 1000)

    def replays(self):
        again = Match(self.match.rules)
        for event in self.written:
            again.apply(event)
        return state(again) == state(self.match)


def state(match):
    return [getattr(match, name) for name in FIELDS]


def played(rules=p18, bits=BO3, minutes=50):
    table = Table(rules, bits, minutes)
    table.ask(intents.CONFIRM_SEAT, 0)
    table.ask(intents.CONFIRM_SEAT, 1)
    return table.room(0)


def test_idle_until_a_round_is_set():
    match = Match(p18)
    assert match.phase == phases.IDLE
    assert match.decide(intents.StartTurn(5, 0), 5) == ()
    assert match.decide(intents.SetStart(5), 5) == ()
    assert match.due_ms(5) is None and match.remaining_ms(5) is None and match.zero_ms is None


def test_seated_pregame_playing():
    table = Table()
    match = table.match
    assert (match.phase, match.round, match.table, match.pairing) == (phases.SEATED, 1, 4, 9)
    assert match.due_ms(1000) == START_MS - 2 * MINUTE_MS
    table.at(START_MS - 2 * MINUTE_MS - 1)
    assert match.phase == phases.SEATED
    table.at(START_MS - 2 * MINUTE_MS)
    assert match.phase == phases.PREGAME
    assert table.written[-1] == events.PregameBegun(START_MS - 2 * MINUTE_MS, 0)
    table.at(START_MS - 1)
    assert match.phase == phases.PREGAME
    assert match.remaining_ms(START_MS - 1) == 50 * MINUTE_MS + 1
    table.at(START_MS)
    assert match.phase == phases.PLAYING
    assert match.remaining_ms(START_MS) == 50 * MINUTE_MS


def test_empty_seats_never_hold_a_clock():
    table = Table().room(1)
    assert table.match.phase == phases.PLAYING and table.match.present == 0
    assert table.ask(intents.CONFIRM_SEAT, 1) == [events.SEAT_CONFIRMED]
    assert table.ask(intents.CONFIRM_SEAT, 1) == []
    assert table.match.present == 2


def test_time_that_passed_unseen_is_caught_up_with():
    table = Table().room(51)
    assert [(event.kind, event.at_ms) for event in table.written[3:]] == [
        (events.PREGAME_BEGUN, START_MS - 2 * MINUTE_MS),
        (events.ROUND_BEGUN, START_MS),
        (events.TIME_CALLED, START_MS + 50 * MINUTE_MS),
    ]
    assert table.match.phase == phases.TIME and table.replays()


def test_a_new_round_forgets_the_last():
    table = played()
    table.ask(intents.SET_STARTER, 0)
    table.room(5).ask(intents.CLAIM_RESULT, 1, 2, 0)
    table.ask(intents.CONFIRM_RESULT, 1)
    table.ask(intents.CONFIRM_RESULT, 0)
    assert table.match.phase == phases.AGREED
    assert table.ask(intents.SET_ROUND, 2, 5, 1) == [events.ROUND_SET]
    match = table.match
    assert (match.phase, match.round, match.games, match.confirmed) == (phases.SEATED, 2, (0, 0), 0)
    assert match.start_ms is None


def test_a_round_is_not_set_over_a_running_one():
    table = played()
    assert table.ask(intents.SET_ROUND, 2, 5, 1) == []
    assert table.ask(intents.SET_FORMAT, 0, BO1, 30) == []
    assert table.do(intents.SetStart(9000000)) == []
    assert table.ask(intents.CLEAR_ROUND) == [events.ROUND_CLEARED]
    assert table.match.phase == phases.IDLE


def test_another_systems_format_is_refused():
    table = Table(seated=False)
    table.ask(intents.SET_ROUND, 1, 4, 9)
    assert table.ask(intents.SET_FORMAT, 1, BO1, 30) == []
    assert table.ask(intents.SET_FORMAT, 0, 2 << 1, 30) == []


def test_a_freeze_from_seated_gives_the_two_minutes_back():
    table = Table().at(START_MS - 5 * MINUTE_MS)
    assert table.ask(intents.FREEZE) == [events.FROZEN]
    table.at(START_MS + MINUTE_MS)
    assert table.match.phase == phases.FROZEN
    assert table.ask(intents.RESUME)[0] == events.RESUMED
    assert table.match.phase == phases.PREGAME
    table.at(START_MS + 3 * MINUTE_MS - 1)
    assert table.match.phase == phases.PREGAME
    table.at(START_MS + 3 * MINUTE_MS)
    assert table.match.phase == phases.PLAYING
    assert table.match.remaining_ms(table.now_ms) == 50 * MINUTE_MS and table.replays()


def test_a_freeze_in_the_pregame_gives_the_whole_two_minutes_back():
    table = Table().at(START_MS - 30000)
    table.ask(intents.FREEZE)
    table.at(START_MS + 10 * MINUTE_MS).ask(intents.RESUME)
    table.at(START_MS + 12 * MINUTE_MS - 1)
    assert table.match.phase == phases.PREGAME
    table.at(START_MS + 12 * MINUTE_MS)
    assert table.match.phase == phases.PLAYING
    assert table.match.remaining_ms(table.now_ms) == 50 * MINUTE_MS


def test_a_freeze_over_before_the_pregame_costs_nothing():
    table = Table().at(100000)
    table.ask(intents.FREEZE)
    table.at(200000).ask(intents.RESUME)
    assert table.match.lost_ms == 0 and table.match.phase == phases.SEATED


def test_a_freeze_decided_before_zero_and_heard_after_it_counts():
    table = played()
    table.ask(intents.SET_STARTER, 0)
    table.room(10).ask(intents.START_TURN, 0)
    table.room(50, 5)
    assert table.match.phase == phases.OVERTIME
    at_ms = START_MS + 49 * MINUTE_MS
    assert table.do(intents.Freeze(at_ms)) == [events.PLAY_RESUMED, events.FROZEN]
    assert table.match.remaining_ms(table.now_ms) == MINUTE_MS
    table.room(55).ask(intents.RESUME)
    assert table.match.phase == phases.PLAYING and table.match.seat == 0
    assert table.match.remaining_ms(table.now_ms) == MINUTE_MS and table.replays()


def test_a_clock_record_each_minute_while_it_runs():
    table = played()
    table.room(0, 59)
    assert table.match.due_ms(table.now_ms) == START_MS + MINUTE_MS
    table.room(1)
    assert table.written[-1] == events.Clock(START_MS + MINUTE_MS, 49 * 60)
    table.room(3, 30)
    assert table.written[-1] == events.Clock(START_MS + 3 * MINUTE_MS, 47 * 60)
    table.ask(intents.FREEZE)
    count = len(table.written)
    table.room(9)
    assert len(table.written) == count and table.match.due_ms(table.now_ms) is None


def test_an_extension_is_seen_by_both_seats():
    table = played()
    assert table.ask(intents.SEE_EXTENSION, 0) == []
    assert table.ask(intents.EXTEND, 2, 300) == [events.EXTENDED]
    assert table.ask(intents.EXTEND, 2, 300) == []
    assert table.ask(intents.SEE_EXTENSION, 0) == [events.EXTENSION_SEEN]
    assert table.ask(intents.SEE_EXTENSION, 0) == []
    assert table.ask(intents.SEE_EXTENSION, 1) == [events.EXTENSION_SEEN]
    assert table.match.seen == 3
    for total_s in (420, 240, 0):  # minutes that a judge takes back, too
        assert table.ask(intents.EXTEND, 2, total_s) == [events.EXTENDED]
        assert table.match.seen == 0 and table.match.extension_s == total_s


def test_calls():
    table = played()
    assert table.match.call is None
    assert table.ask(intents.CALL_JUDGE, 2) == [events.JUDGE_CALLED]
    assert table.match.call == 2
    assert table.ask(intents.ARRIVE) == [events.JUDGE_ARRIVED]
    assert table.ask(intents.END_CALL) == [events.CALL_ENDED]
    assert table.match.call is None


def test_the_set_up_of_another_system():
    table = Table(xw15, BO1, 50)
    table.at(2000)
    assert table.match.phase == phases.PREGAME and table.match.cap == 60
    table = Table(d03, BO1, 30).at(START_MS - 1)
    assert table.match.phase == phases.SEATED
    assert table.at(START_MS).match.phase == phases.PLAYING


def test_all_ships_of_both_may_be_destroyed_and_no_more_than_the_cap():
    table = Table(xw15, BO1, 50).room(0)
    for first, second in ((61, 0), (0, 61)):
        assert table.ask(intents.COUNT_DESTROYED, 0, first, second) == []
    for counted in ((60, 0), (0, 60), (60, 60)):
        assert table.ask(intents.COUNT_DESTROYED, 0, *counted) == [events.DESTROYED_COUNTED]
        assert table.match.destroyed == counted


def test_a_starter_may_be_set_in_the_pregame():
    table = Table().at(START_MS - 1000)
    assert table.ask(intents.SET_STARTER, 1) == [events.STARTER_SET]
    assert table.match.phase == phases.PREGAME
    table.room(1)
    assert table.match.phase == phases.PLAYING and table.match.progress == 1


def test_legal_says_what_has_a_place():
    table = played()
    match = table.match
    assert legal.possible(match, intents.START_TURN) and not legal.possible(match, intents.RESUME)
    assert not legal.possible(match, intents.COUNT_DESTROYED) and not legal.possible(match, 99)
    table.ask(intents.FREEZE)
    assert legal.possible(match, intents.RESUME) and not legal.possible(match, intents.START_TURN)
    assert legal.possible(match, intents.CONCEDE) and not legal.possible(
        match, intents.CLAIM_RESULT
    )


def test_a_quiet_tick_decides_nothing():
    table = played()
    assert table.match.decide(intents.Tick(0), START_MS + 59999) == ()


def test_what_a_power_cut_left_half_written_is_finished():
    table = played()
    table.ask(intents.SET_STARTER, 0)
    table.room(20).ask(intents.WIN_GAME, 0)
    table.room(50)
    cut = [event for event in table.written if event.kind != events.OUTCOME_PROPOSED]
    match = Match(p18)
    for event in cut:
        match.apply(event)
    assert match.outcome == 0
    again = match.decide(intents.Tick(0), table.now_ms)
    assert [event.kind for event in again] == [events.OUTCOME_PROPOSED]


def quiet(match, now_ms):
    """Tick with the heap locked, where there is one; return what a screen asks each second."""
    tick = intents.Tick(0)
    try:
        from micropython import heap_lock, heap_unlock
    except ImportError:
        return match.decide(tick, now_ms), match.remaining_ms(now_ms), match.due_ms(now_ms)
    heap_lock()
    try:
        happened = match.decide(tick, now_ms)
        left_ms = match.remaining_ms(now_ms)
        due_ms = match.due_ms(now_ms)
    finally:
        heap_unlock()
    return happened, left_ms, due_ms


def test_a_quiet_second_allocates_nothing():
    table = played()
    table.ask(intents.SET_STARTER, 0)
    left_ms = 50 * MINUTE_MS - 5000
    assert quiet(table.match, START_MS + 5000) == ((), left_ms, START_MS + MINUTE_MS)


def test_a_quiet_second_of_overtime_allocates_nothing():
    table = played()
    table.ask(intents.START_TURN, 0)
    table.room(50)
    assert table.match.phase == phases.OVERTIME
    assert quiet(table.match, table.now_ms + 7000) == ((), -7000, None)


def test_a_ruling_taken_back_leaves_the_table_seated():
    table = Table(start_ms=None)
    match = table.match
    table.ask(intents.RULE_RESULT, 1, 2, 0)
    assert match.phase == phases.PROPOSED
    table.ask(intents.REOPEN_RESULT)
    assert match.phase == phases.SEATED and match.remaining_ms(1000) is None
    table.do(intents.SetStart(START_MS))
    table.at(START_MS)
    assert match.phase == phases.PLAYING and match.remaining_ms(START_MS) == 50 * 60000


def test_with_a_start_set_it_is_as_well_frozen():
    table = Table(start_ms=None)
    match = table.match
    table.do(intents.SetStart(START_MS))
    table.ask(intents.RULE_RESULT, 1, 2, 0)
    table.ask(intents.REOPEN_RESULT)
    assert table.ask(intents.FREEZE)[0] == events.FROZEN
    assert match.due_ms(2000) is None
    assert table.at(3000).ask(intents.RESUME)[0] == events.RESUMED
    assert match.phase in (phases.SEATED, phases.PREGAME)


def test_a_dispute_before_the_start_may_end_in_a_tiebreaker_without_a_clock():
    table = Table(start_ms=None)
    match = table.match
    table.do(intents.SetStart(START_MS))
    table.ask(intents.RULE_RESULT, 1, 2, 0)
    table.ask(intents.REFUSE_RESULT, 1)
    table.ask(intents.RULE_RESULT, 4)
    assert match.phase == phases.TIEBREAKER
    table.now_ms = 2000
    assert match.due_ms(2000) is None and table.ask(intents.TICK) == []
    assert table.at(3000).ask(intents.FREEZE) == [events.FROZEN]


def teams():
    table = Table(d03, TEAM)
    table.at(START_MS)
    assert table.ask(intents.SET_STARTER, 1) == [events.STARTER_SET]
    return table


def test_players_change_places_and_both_confirm_anew():
    table = Table(p18, BO1)
    table.ask(intents.CONFIRM_SEAT, 1)
    assert table.ask(intents.CONFIRM_SEAT, 2) == [events.SEAT_CONFIRMED]
    assert table.match.swapped == 1 and table.match.present == 0
    table.ask(intents.CONFIRM_SEAT, 0)
    table.ask(intents.CONFIRM_SEAT, 1)
    assert table.match.swapped == 1 and table.match.present == 3
    table.ask(intents.CONFIRM_SEAT, 2)
    assert table.match.swapped == 0 and table.match.present == 0


def test_a_board_that_takes_over_is_told_of_changed_places():
    table = Table(p18, BO3)
    assert table.ask(intents.SET_SCORE, 2, 0, 0) == [events.STATE_TOLD, events.SEAT_CONFIRMED]
    assert table.match.swapped == 1 and table.match.phase == phases.SEATED
    assert table.ask(intents.SET_SCORE, 2, 0, 0) == [events.STATE_TOLD]
    assert table.ask(intents.SET_SCORE, 4, 0, 0) == []


def test_a_board_that_takes_over_is_told_of_an_agreed_flip():
    table = Table(p18, BO1)
    assert table.ask(intents.SET_SCORE, 0, 256, 0) == [events.STATE_TOLD]
    assert table.match.flipped == 1 and table.match.progress == 0
    assert table.ask(intents.SET_SCORE, 1, 0, 0)[-1:] == [events.STARTER_SET]
    assert table.match.flipped == 0


def test_nobody_changes_places_once_the_round_has_begun():
    table = Table(p18, BO1)
    table.at(START_MS)
    assert table.ask(intents.CONFIRM_SEAT, 2) == [] and table.ask(intents.CONFIRM_SEAT, 3) == []


def test_a_players_seat_that_is_out_is_passed_over():
    table = teams()
    assert table.ask(intents.WIPE_OUT, 2) == [events.WIPED_OUT]
    assert table.ask(intents.START_TURN, 1) == [], "out"
    for seat in (0, 2, 3, 0):
        assert table.ask(intents.START_TURN, seat) == [events.TURN_STARTED]
        table.ask(intents.END_TURN)
    assert table.match.seat == 2
    assert table.ask(intents.WIPE_OUT, 2) == [] and table.ask(intents.WIPE_OUT, 3) == []


def test_whoever_is_out_before_the_turn_begins_does_not_play_it():
    table = teams()
    table.ask(intents.START_TURN, 0)
    table.ask(intents.END_TURN)
    table.ask(intents.WIPE_OUT, 2)
    assert table.match.seat == 2


def test_with_both_out_the_other_team_has_won():
    table = teams()
    table.ask(intents.WIPE_OUT, 2)
    happened = table.ask(intents.WIPE_OUT, 4)
    assert happened == [events.WIPED_OUT, events.GAME_WON, events.OUTCOME_PROPOSED]
    assert table.match.outcome == 2, "the team that began, which is that of the second key"


def test_the_next_game_has_four_players_again():
    table = Table(d03, 1 << 7 | BO3)
    table.at(START_MS)
    table.ask(intents.SET_STARTER, 0)
    table.ask(intents.WIPE_OUT, 1)
    table.ask(intents.WIPE_OUT, 8)
    assert table.match.score == (0, 1) and table.match.wiped == 9
    table.ask(intents.SET_STARTER, 0)
    assert table.match.wiped == 0


def test_nobody_who_is_out_plays_at_zero():
    table = Table(d03, TEAM)
    zero_ms = START_MS + 50 * 60000
    table.at(START_MS)
    table.ask(intents.SET_STARTER, 0)
    table.ask(intents.WIPE_OUT, 4)
    table.at(zero_ms)
    assert table.match.missing == phases.TURN
    assert table.ask(intents.TELL_TURN, 2, 1) == []
    assert table.ask(intents.TELL_TURN, 1, 1) == [events.TURN_TOLD]
    table.ask(intents.END_TURN)
    assert table.match.seat == 3 and table.match.outcome == outcome.ASK


def test_two_players_are_never_wiped_out():
    table = Table(d03, BO1)
    table.at(START_MS)
    assert table.ask(intents.WIPE_OUT, 1) == []


def test_a_set_up_without_a_clock_gets_what_it_stood_still():
    table = Table(xw15, BO1)
    table.at(2000)
    assert table.match.phase == phases.PREGAME
    table.at(100000).ask(intents.FREEZE)
    table.at(160000).ask(intents.RESUME)
    assert table.match.lost_ms == 60000


def test_the_loser_confirms_first():
    table = Table(bits=BO1).room(0)
    table.ask(intents.SET_STARTER, 0)
    table.room(5).ask(intents.WIN_GAME, 0)
    assert table.match.phase == phases.PROPOSED and table.match.outcome == 1
    assert table.ask(intents.CONFIRM_RESULT, 0) == []
    assert table.ask(intents.CONFIRM_RESULT, 1) == [events.RESULT_CONFIRMED]
    assert table.ask(intents.CONFIRM_RESULT, 1) == []
    assert table.ask(intents.CONFIRM_RESULT, 0) == [events.RESULT_CONFIRMED, events.MATCH_ENDED]
    assert table.match.phase == phases.AGREED and table.replays()


def test_of_a_tie_either_confirms_first():
    for first in (0, 1):
        table = Table().room(0)
        table.ask(intents.CLAIM_RESULT, outcome.TIE, 1, 1)
        assert table.ask(intents.CONFIRM_RESULT, first) == [events.RESULT_CONFIRMED]


def test_claims_agree_with_their_games():
    wrong = (
        (1, 0, 0),
        (1, 1, 1),
        (1, 0, 2),
        (1, 3, 0),
        (3, 1, 0),
        (3, 2, 2),
        (4, 1, 1),
        (0, 0, 0),
        (6, 0, 0),
    )
    for claimed in wrong:
        assert Table().room(0).ask(intents.CLAIM_RESULT, *claimed) == [], claimed
    for claimed in ((1, 2, 0), (1, 2, 1), (1, 1, 0), (2, 0, 1), (2, 1, 2), (3, 0, 0), (3, 1, 1)):
        table = Table().room(0)
        assert table.ask(intents.CLAIM_RESULT, *claimed) == [events.RESULT_CLAIMED], claimed
        assert (table.match.outcome, table.match.games) == (claimed[0], claimed[1:])
        assert table.match.phase == phases.PROPOSED and table.match.claimed == 1
    assert Table(bits=BO3 | 1).room(0).ask(intents.CLAIM_RESULT, 3, 1, 1) == []
    assert Table(bits=BO1).room(0).ask(intents.CLAIM_RESULT, 1, 2, 0) == []
    assert Table(xw15, BO1).room(0).ask(intents.CLAIM_RESULT, 1, 1, 0) == []


def test_a_refused_result_goes_to_a_judge_who_rules():
    table = Table().room(0)
    table.ask(intents.CLAIM_RESULT, 1, 2, 0)
    table.ask(intents.CONFIRM_RESULT, 1)
    assert table.ask(intents.REFUSE_RESULT, 0) == [events.RESULT_REFUSED]
    match = table.match
    assert (match.phase, match.outcome, match.claimed) == (phases.RESOLVING, outcome.ASK, 3)
    assert match.confirmed == 0
    assert table.ask(intents.CONFIRM_RESULT, 1) == []
    assert table.ask(intents.RULE_RESULT, 2, 1, 2) == [events.RESULT_RULED]
    ruled = match.phase, match.outcome, match.games, match.claimed
    assert ruled == (phases.PROPOSED, 2, (1, 2), 2)
    table.ask(intents.CONFIRM_RESULT, 0)
    table.ask(intents.CONFIRM_RESULT, 1)
    assert match.phase == phases.AGREED and table.replays()


def test_a_refused_result_may_be_claimed_anew():
    table = Table().room(0)
    table.ask(intents.CLAIM_RESULT, 1, 2, 0)
    table.ask(intents.REFUSE_RESULT, 1)
    assert table.ask(intents.CLAIM_RESULT, 2, 0, 2) == [events.RESULT_CLAIMED]
    assert table.match.games == (0, 2)


def test_what_the_text_leaves_open_is_not_claimed_past_the_judge():
    table = Table().room(0)
    table.room(50).ask(intents.TELL_STATE, 0, 0, 0)
    assert table.match.phase == phases.RESOLVING and table.match.outcome == outcome.ASK
    assert table.ask(intents.CLAIM_RESULT, 1, 1, 0) == []
    assert table.ask(intents.RULE_RESULT, 3, 0, 0) == [events.RESULT_RULED]


def test_a_claim_taken_back_lets_play_go_on():
    table = Table().room(0)
    table.ask(intents.SET_STARTER, 0)
    table.room(20).ask(intents.WIN_GAME, 1)
    table.ask(intents.CLAIM_RESULT, 2, 0, 2)
    table.ask(intents.REFUSE_RESULT, 0)
    assert table.ask(intents.REOPEN_RESULT, 3) == []
    assert table.ask(intents.REOPEN_RESULT, 0) == [events.RESULT_REOPENED]
    match = table.match
    assert (match.phase, match.games, match.outcome) == (phases.PLAYING, (0, 1), 0)
    assert table.ask(intents.SET_STARTER, 0) == [events.STARTER_SET] and match.game == 2


def test_time_passes_while_a_claim_waits():
    table = Table().room(0)
    table.ask(intents.SET_STARTER, 0)
    table.room(49).ask(intents.CLAIM_RESULT, 1, 1, 0)
    table.room(53)
    assert table.match.phase == phases.PROPOSED
    assert events.TIME_CALLED in table.ask(intents.REOPEN_RESULT, 0)
    assert table.match.phase == phases.TIME


def test_both_seats_reopen_within_a_minute():
    table = Table(bits=BO1).room(0)
    table.ask(intents.SET_STARTER, 0)
    table.room(5).ask(intents.WIN_GAME, 0)
    table.ask(intents.CONFIRM_RESULT, 1)
    table.ask(intents.CONFIRM_RESULT, 0)
    table.room(6)
    assert table.ask(intents.REOPEN_RESULT, 1) == []
    assert table.ask(intents.REOPEN_RESULT, 3) == [events.RESULT_REOPENED]
    assert table.match.phase == phases.RESOLVING and table.match.claimed == 4
    table.ask(intents.CLAIM_RESULT, 2, 0, 1)
    table.ask(intents.CONFIRM_RESULT, 0)
    table.ask(intents.CONFIRM_RESULT, 1)
    table.room(7, 1)
    assert table.ask(intents.REOPEN_RESULT, 3) == []
    assert table.ask(intents.REOPEN_RESULT, 0) == [events.RESULT_REOPENED]


def test_a_judge_supersedes_and_may_end_without_the_players():
    table = Table().room(0)
    happened = table.ask(intents.RULE_RESULT, 1 | 128, 2, 0)
    assert happened == [events.RESULT_RULED, events.MATCH_ENDED]
    assert table.match.phase == phases.AGREED and table.match.outcome == 1
    assert table.ask(intents.RULE_RESULT, 2, 0, 2) == [events.RESULT_RULED]
    assert table.match.phase == phases.PROPOSED and table.match.confirmed == 0
    assert table.ask(intents.RULE_RESULT, 4, 0, 0) == [] and table.replays()


def test_a_judge_orders_a_tiebreaker_game_where_the_text_is_silent():
    table = Table(bits=BO3 | 1).room(0)
    table.ask(intents.SET_STARTER, 0)
    table.room(40).ask(intents.LEVEL_GAME)
    table.room(50)
    assert (table.match.phase, table.match.outcome) == (phases.RESOLVING, outcome.ASK)
    assert table.ask(intents.RULE_RESULT, outcome.TIEBREAKER) == [events.RESULT_RULED]
    assert table.match.phase == phases.TIEBREAKER
    table.ask(intents.SET_STARTER, 1)
    table.ask(intents.COUNT_PRIZES, 0, 6, 5)
    ended = table.match.phase, table.match.outcome, table.match.games
    assert ended == (phases.PROPOSED, 2, (0, 1))
    assert table.replays()


def test_answers_at_zero_of_both_seats():
    table = Table().room(50)
    assert table.ask(intents.TELL_STATE, 1 | 1 << 4, 1, 0) == [events.STATE_TOLD]
    assert table.match.missing & phases.SCORE
    assert table.ask(intents.TELL_STATE, 1 | 1 << 4, 1, 0) == [events.STATE_TOLD]
    assert table.ask(intents.TELL_STATE, 1 | 2 << 4, 1, 0) == [events.STATE_TOLD]
    assert table.match.missing == phases.TURN and table.match.games == (1, 0)
    assert table.ask(intents.TELL_TURN, 1 | 2 << 4, 1) == [events.TURN_TOLD]
    assert table.match.phase == phases.TIME
    assert table.ask(intents.TELL_TURN, 1 | 1 << 4, 1) == [events.TURN_TOLD]
    assert (table.match.phase, table.match.turn, table.match.seat) == (phases.OVERTIME, 0, 1)
    assert table.replays()


def test_different_answers_go_to_a_judge():
    table = Table().room(50)
    table.ask(intents.TELL_STATE, 1 << 4, 1, 0)
    assert table.ask(intents.TELL_STATE, 2 << 4, 0, 1) == [events.STATE_TOLD, events.JUDGE_CALLED]
    assert table.match.phase == phases.TIME and table.match.call == 255
    table.ask(intents.END_CALL)
    assert table.match.pending_answer is None
    table.ask(intents.TELL_STATE, 3 << 4, 1, 0)
    assert table.match.phase == phases.PROPOSED and table.match.outcome == 1
    assert table.replays()


def test_points_of_a_result_by_hand_are_not_guessed():
    table = Table(xw15, BO1, 50).room(0)
    table.ask(intents.RULE_RESULT, 1, 1, 0)
    assert outcome.points(table.match) == (None, 0)
    table = Table(d03, BO1, 30).room(0)
    table.ask(intents.CLAIM_RESULT, 1, 1, 0)
    assert outcome.points(table.match) == (3, None)
    table = Table(d03, BO1, 30).room(30)
    table.ask(intents.CLAIM_RESULT, 1, 1, 0)
    assert outcome.points(table.match) == (None, None)
