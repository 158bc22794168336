"""The program on a board: keys in, screens and journal out, and what a reset leaves."""

import pytest
from solo import A, B, J, Solo

from firmware import launch
from firmware.app import POLL_MS
from firmware.core import code, draft, events, frames, intents, phases, sync
from firmware.ui import table
from host.sim import stored_records


@pytest.fixture
def solo():
    board = Solo()
    board.tell_time(7_200_000)
    return board


@pytest.fixture
def running(solo):
    solo.pair()
    solo.run(160)
    return solo


def kinds(solo):
    return [events.of_record(record).kind for record in stored_records.replay(solo.app.journal)]


def test_a_stranger_is_shown_out_in_a_step_that_does_something_else(running):
    """An act is not the link's turn; the link may not stand longer for it."""
    app, dropped = running.app, []
    app.link.connected, app.link.drop = True, lambda: dropped.append(True)
    running.run(1)
    app.sync.opened_ms = running.board.clock.now_ms() - sync.UNHEARD_MS
    app.view.changed, app._check_code = True, lambda uptime_ms, now_ms: True
    app.step()
    assert dropped


def test_a_step_that_hears_a_frame_sends_none(running):
    """Joining an event and deriving the link's keys in one step allocated more than 4 KB."""
    app, heard, sent = running.app, [bytes(frames.SIZE)], []
    app.link.connected, app.link.send = True, lambda frame: not sent.append(frame)
    app.link.receive = lambda: heard.pop() if heard else None
    for _ in range(2):  # the link opens, and a frame is heard
        heard[:] = [bytes(frames.SIZE)]
        app._serve(running.board.clock.now_ms())
        assert not heard and not sent
    app._serve(running.board.clock.now_ms())
    assert sent


def test_a_picture_that_nothing_moves_is_not_read_for_a_status(running):
    app, read, said = running.app, [], set()
    before = app.view.read
    app.view.read = lambda *arguments: read.append(arguments) or before(*arguments)
    for _ in range(10):
        running.run(10)
        said.add(app.sync.advertising.status)
    assert len(said) >= 9
    assert len(read) == 1, "when records that nobody fetched are called unsent"


def test_a_battery_that_runs_low_moves_a_picture_that_no_clock_does(running):
    app = running.app
    running.run(30)
    assert not app.face.table.passing & table.LOW
    running.board.battery.percent = 5
    running.run(21)  # the gauge is read every ten seconds
    assert app.face.table.passing & table.LOW and app.face.table.low


@pytest.mark.parametrize(("percent", "low"), ((15, False), (14, True)))
def test_a_battery_is_low_below_fifteen_percent(running, percent, low):
    running.board.battery.percent = percent
    running.run(21)
    assert bool(running.app.face.table.passing & table.LOW) is low


def test_a_screen_changes_by_the_clock_though_its_picture_was_still(running):
    app = running.app
    left_s = app.match.remaining_ms(running.now_ms) // 1000
    for limit_s, bits in ((300, 1), (60, 3)):
        running.run(left_s - limit_s - 1)
        assert app.face.table.passing & 3 == bits >> 1
        running.run(2)
        left_s = limit_s - 1
        assert app.face.table.passing & 3 == bits


def test_a_key_that_is_down_is_looked_at_more_often_than_keys_that_are_not(running):
    """Whoever holds one lets it go, and waits for what that does."""
    app = running.app
    assert app.poll_ms == POLL_MS
    running.board.keys.turn(A, True)
    running.run(0.05)
    assert app.poll_ms < POLL_MS / 2
    running.board.keys.turn(A, False)
    running.run(0.05)
    assert app.poll_ms == POLL_MS


def test_a_board_without_a_table_says_so():
    assert Solo().screen == "no_table"


def test_nothing_starts_before_its_time(solo):
    solo.pair(wait_s=300)
    assert solo.screen == "seated"
    solo.run(179)
    assert solo.screen == "seated"
    solo.run(2)
    assert solo.screen == "pregame"
    solo.run(120)
    assert solo.screen == "clock"


def test_both_seats_confirm_with_their_own_keys(solo):
    solo.pair()
    solo.hold(A)
    assert solo.app.match.present == 1
    solo.hold(A)
    assert solo.app.match.present == 1
    solo.hold(B)
    assert solo.app.match.present == 3


def test_a_refusal_is_held_and_goes_to_the_judge(running):
    running.press(A)
    running.press(A, A, A, B)
    assert running.screen == "proposed"
    running.press(B)
    assert running.screen == "refuse"
    running.press(A)
    assert running.screen == "proposed"
    running.press(B)
    running.hold(B)
    assert running.screen == "resolving"


def test_an_untouched_table_is_asked_on_both_seats(running):
    running.run(50 * 60)
    assert running.screen == "tell"
    running.press(A)
    running.hold(A)  # seat 0: game 2 is on, 1-0
    assert running.screen == "tell_check"
    running.press(A)
    assert running.screen == "tell_check"
    running.press(B)
    assert running.screen == "turn"
    running.press(B)
    assert running.screen == "turn_check"
    running.press(A)
    assert running.screen == "finish"
    running.press(A)
    assert running.screen == "result", "the key of whoever is not to play leads to the result"


def test_three_turns_and_the_text_decides(running):
    running.press(A)
    running.run(50 * 60)
    assert running.screen == "turn"
    running.press(A)
    running.press(B)
    assert running.screen == "finish"
    running.press(A)
    for key, turn in ((B, 1), (A, 2), (B, 3)):
        assert running.screen == "overtime" and running.app.match.turn == turn
        running.press(1 - key)
        running.press(J)
        assert running.screen == "result"
        running.press(*[A] * (len(running.reading.items) - 1), B)  # back
        running.press(key)
    assert running.screen == "proposed"
    assert running.app.match.outcome == 3


def test_judge_by_one_gesture_on_both_boards(running):
    running.hold(J)
    assert running.screen == "judge" and running.app.match.call == 0
    running.press(B)
    assert running.screen == "clock"
    assert running.app.link.shown is not None
    assert frames.status_of(running.app.link.shown)[3] & frames.JUDGE_WANTED
    small = Solo("lilygo")
    small.tell_time(7_200_000)
    small.pair()
    small.hold(A, B)
    assert small.screen == "judge_still" and small.app.match.present == 0


def test_a_reset_resumes_on_the_right_screen_and_gives_no_time_back(running):
    running.run(600)
    left_ms = running.app.match.remaining_ms(running.now_ms)
    running.boot(reason=1)
    assert running.screen == "uncertain"
    assert running.app.match.phase == phases.PLAYING
    assert left_ms - 2000 <= running.app.match.remaining_ms(running.now_ms) <= left_ms + 1000
    running.tell_time(running.now_ms + 5000)
    running.run(1)
    assert running.screen == "clock"


def test_a_venue_that_switched_sound_on_hears_what_is_refused(running):
    running.desk(intents.FREEZE)
    assert running.screen == "frozen"
    tones = running.board.sound.tones
    running.app._gesture(4 * 1, running.board.clock.now_ms(), running.now_ms)
    assert tones == [], "boards start muted"
    assert running.desk(intents.SET_POLICY, 8)
    running.desk(intents.RESUME)
    running.run(1)
    assert tones == [690, 0]
    running.app.view.play_tone(running.app.match, 0)
    running.app.view.changed = True  # a press is told within a step, which goes on then
    running.run(1)
    assert tones == [690, 0, 220, 0]


def test_the_end_of_deck_building_sounds_as_time_does(solo):
    assert solo.desk(intents.SET_POLICY, 8) and solo.desk(intents.SET_DRAFT, draft.BUILT)
    solo.run(draft.BUILDING_MS / 1000 - 60)
    tones = solo.board.sound.tones
    assert solo.screen == "draft_build" and tones == []
    solo.run(70)
    assert solo.screen == "draft_over" and tones == [880, 0, 880, 0, 880, 0]


def test_nothing_is_due_while_nothing_happens(solo):
    solo.run(1)
    assert solo.app.step() - solo.board.clock.now_ms() > 5000


def test_a_reason_may_follow_a_call_and_a_judge_is_seen_to_come(running):
    running.hold(J)
    running.press(A)
    assert running.screen == "reason"
    running.press(A, A, B)
    assert running.screen == "clock" and running.app.match.call == 3
    assert running.desk(intents.ARRIVE)
    assert not frames.status_of(running.app.link.shown)[3] & frames.JUDGE_WANTED
    running.hold(J)
    assert running.screen == "judge" and running.app.match.call == 128, "no second call"


def test_only_a_right_code_opens_the_judges_menu(running):
    running.hold(J)
    running.press(A, *[A] * 5, B)
    assert running.screen == "code"
    running.press(A, A, B, A)
    assert running.app.face.table.entry.code == "21"
    running.hold(B)
    assert running.screen == "clock"
    key = code.judges_key(running.app.journal.key, running.app.journal.event)
    running.hold(J)
    running.press(A, *[A] * 5, B)
    running.run(5)
    for digit in code.hotp(key, 0):
        running.press(*[A] * int(digit), B)
    running.hold(B)
    assert running.screen == "judge_menu"
    running.press(B)
    assert running.app.match.call == 128
    for _ in range(10):  # the judge looks through the menu: it closes after 15 s without a press
        running.run(10)
        running.press(*[A] * len(running.reading.items))
    assert running.screen == "judge_menu"
    running.press(B)
    assert running.screen == "extension" and running.app.match.extension_s % 60 == 0


def test_a_wrong_code_is_answered_without_waiting_for_the_clock(solo):
    solo.run(1)
    app = solo.app
    app._verify("0" * code.DIGITS)
    app._due_ms = 0  # as after the press that entered it
    begun_ms = solo.board.clock.now_ms()
    while app._typed_code is not None:
        due_ms = app.step()
        assert due_ms <= solo.board.clock.now_ms() + 1, "it is compared at once"
        solo.board.clock.now_ms = lambda ms=due_ms: ms
    assert solo.board.clock.now_ms() < begun_ms + 50


def test_the_judges_screen_goes_when_the_call_is_over(running):
    running.hold(J)
    assert running.screen == "judge"
    assert running.desk(intents.END_CALL)
    assert running.screen == "clock"


def test_both_seats_reopen_a_result_within_a_minute(running):
    running.press(A)
    running.press(A, A, A, B)
    running.hold(B)
    running.hold(A)
    assert running.screen == "not_sent", "there is no desk"
    running.hold(A, B)
    assert running.screen == "resolving"
    running.press(A)
    assert running.screen == "result"


def test_a_results_code_is_made_once_it_cannot_be_sent(running):
    running.press(A)
    running.press(A, A, A, B)
    running.hold(B)
    running.hold(A)
    seen, match = running.app.view, running.app.match
    shown = seen.table
    assert running.screen == "not_sent" and len(shown.result_code) == 7
    shown.result_code, shown.passing = "", shown.passing & ~table.UNSYNCED
    assert not seen.make_result_code(match) and not shown.result_code  # while it may yet be sent
    shown.passing |= table.UNSYNCED
    seen.face.drawn = True
    assert (
        seen.make_result_code(match)
        and len(shown.result_code) == 7
        and not seen.make_result_code(match)
    )
    assert not seen.face.drawn, "the next picture shows it"


@pytest.mark.parametrize("kept", (
    None,
    b"\x09\x00\xff\xff\xff\x7f\x00",
    b"\xff" * 7,
    b"\x00\x00\xff\xff\xff\x7f",
    b"\x00\x00\xff\xff\xff\x7f\x00\x00",
))  # fmt: skip
def test_what_lies_in_sleep_memory_of_another_event_or_of_none_tells_no_time(running, kept):
    if kept is None:
        running.heartbeat = None  # what was there is gone
    else:
        running.heartbeat.write(kept)
    before_ms = running.app.timebase.latest_ms
    running.boot(reason=1)
    assert before_ms - 61_000 <= running.now_ms <= before_ms


class Over(Exception):
    """The steps of a test are over."""


class Program:
    """Takes so many ms a step, and says each time that nothing is due for ``due_ms``."""

    poll_ms = 20

    def __init__(self, steps_ms, due_ms):
        self.board = self.clock = self  # the board, and its clock
        self.at_ms, self.rests_ms = 1000, []
        self._steps, self._due_ms = iter(steps_ms), due_ms

    def now_ms(self):
        return self.at_ms

    def rest(self, pause_ms):
        self.rests_ms.append(pause_ms)
        self.at_ms += pause_ms

    def step(self):
        for took_ms in self._steps:
            self.at_ms += took_ms
            return self.at_ms + self._due_ms
        raise Over


@pytest.mark.parametrize("due_ms, rests_ms", [
    (500, [20, 17, 1]),  # and none after the pictures of 20 and 36 ms
    (5, [5, 5, 1]),
    (0, []),
])  # fmt: skip
def test_keys_are_looked_at_as_often_whatever_a_step_takes(due_ms, rests_ms):
    program = Program([0, 3, 36, 20, 19], due_ms)
    with pytest.raises(Over):
        launch.run(program)
    assert program.rests_ms == rests_ms


def lit(board, seconds):
    """Return how often the bar lights up or changes colour in so many seconds."""
    leds, seen = board.board.leds, []
    leds.show = lambda colours: seen.append(bytes(colours))
    board.run(seconds)
    return sum(any(colours) for colours in seen)


def test_an_idle_board_strobes_while_the_desk_looks_for_it():
    board = Solo()
    board.tell_time(7_200_000)
    board.app.view.lit_ms, board.app.view.changed = board.board.clock.now_ms() + 10_000, True
    assert 18 <= lit(board, 10) <= 21
    assert lit(board, 10) == 0


@pytest.mark.parametrize("pixels, wanted", [(8, 0), (1, 3)])
def test_the_overtime_turns_flash_on_one_pixel_and_stand_still_on_a_bar(pixels, wanted):
    board = Solo()
    board.tell_time(7_200_000)
    board.pair()
    match = board.app.match
    board.board.leds.size, board.app.view._lit = pixels, bytearray(3 * pixels)
    board.run(1)
    match.phase, match.turn, board.app.view.changed = phases.OVERTIME, 3, True
    board.run(0.5)
    flashes = [lit(board, 3) for _ in range(4)]
    assert all(wanted - 1 <= each <= wanted + 1 for each in flashes) and sum(flashes) == 4 * wanted
