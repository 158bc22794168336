"""A reset inside any write of a whole evening's journal: the match goes on, on the right screen."""

import itertools

import pytest
from evening_of_one import ROLLS, Evening
from solo import Solo

from firmware.core import events, phases

RESUMED_S = 5
BEAT_MS = 1500  # the heartbeat's second, and the step in which it beats
CLOCK_MS = 61_000  # from CLOCK to CLOCK: what a power loss may hide until the host has spoken
STEPS = 5  # `make test` takes every fifth write


@pytest.fixture(scope="module")
def whole():
    """The evening without a reset, and its states after each act."""
    evening = Evening()
    return evening, evening.play()


def resumed(evening, act, before):
    """Check the board just after its reset, before any host has spoken."""
    began_s, solo = evening.loop.time(), evening.solo
    solo.run(0.1)
    match, late_ms = solo.app.match, evening.true_ms - solo.now_ms
    if not evening.power:
        assert -100 <= late_ms <= BEAT_MS, "time given back, or taken"
    elif match.phase == phases.PLAYING:
        assert -100 <= late_ms <= CLOCK_MS + match.lost_ms, (
            "more than clock and freezes account for"
        )
    assert solo.app.timebase.guessed
    if match.phase == phases.PLAYING and match.rolled not in (1, 3) and match.extension_s == 0:
        assert solo.screen == "uncertain"
    elif match.rolled in (1, 3):
        assert solo.screen == "roll"
    assert evening.loop.time() - began_s <= RESUMED_S


@pytest.mark.parametrize("power", (False, True), ids=("reset", "power"))
@pytest.mark.parametrize("done", (False, True), ids=("before", "after"))
def test_a_reset_at_any_journal_write_loses_no_act_and_no_time(whole, done, power, proving):
    reference, states = whole
    for number in range(0, reference.writes, 1 if proving else STEPS):
        evening = Evening((number, done), power)
        assert evening.play(resumed) == states, f"write {number}"
        assert evening.resets == 1
        names = evening.names()
        assert len(set(names)) == len(names)


def rolls(evening):
    return [e for e in map(events.of_record, evening.journal()) if e.kind == events.ROLLED]


def test_a_journalled_roll_is_shown_again_and_an_unjournalled_one_is_void(whole):
    reference, _ = whole
    assert len(rolls(reference)) == 2
    seen = set()
    rolling = [range(reference.marks[i], reference.marks[i + 2]) for i in ROLLS]
    for number in itertools.chain(*rolling):
        evening = Evening((number, True))

        def shown(evening, act, before):
            held = rolls(evening)
            if held and evening.solo.app.match.rolled == 1:
                assert evening.solo.app.match.roll == held[-1]
                assert evening.solo.screen == "roll"
                seen.add(held[-1])

        evening.play(shown)
        assert len(rolls(evening)) == 2
    assert len(seen) == 2


def test_at_most_stands_by_a_clock_of_before_a_power_loss():
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.pair()
    solo.run(160 + 605)
    left_ms = solo.app.match.remaining_ms(solo.now_ms)
    solo.heartbeat = None
    solo.boot(reason=1)
    solo.run(1)
    assert solo.screen == "uncertain"
    assert 0 <= solo.app.match.remaining_ms(solo.now_ms) - left_ms <= CLOCK_MS


def test_sleep_memory_keeps_a_time_that_is_but_a_lower_bound():
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.pair()
    solo.run(160)
    solo.heartbeat = None
    solo.boot(reason=1)
    solo.run(50)
    before_ms = solo.now_ms
    solo.boot(reason=2)
    assert solo.app.timebase.guessed and 0 <= before_ms - solo.now_ms <= BEAT_MS


def test_a_reset_just_after_the_hosts_first_word_gives_no_time_back():
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.pair()
    solo.run(160 + 30)
    solo.heartbeat = None
    solo.boot(reason=1)
    true_ms = solo.now_ms + 75_000  # what the power loss hid
    # the CLOCK record that was due meanwhile comes after it, with its own time
    solo.tell_time(true_ms)
    assert solo.now_ms - true_ms < 1000
    solo.boot(reason=2)
    assert solo.now_ms >= true_ms


class Hung(Exception):
    """A part of the board that stands still raises it where a chip would never return."""


def test_the_watchdog_is_fed_while_all_is_well():
    solo = Solo()
    solo.run(30)
    assert solo.board.clock.now_ms() - solo.board.alive_ms < 11_000


@pytest.mark.parametrize("part", ("face", "journal", "radio"))
def test_the_watchdog_starves_when_one_part_stands_still(part):
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.run(5)
    fed_ms = solo.board.alive_ms

    def hang(*args):
        raise Hung

    if part == "face":
        solo.app.view.show = hang
    elif part == "journal":
        solo.store.write = hang
    else:
        solo.app.link.audible = False
    for _ in range(50):
        try:
            solo.pair()
            solo.run(1)
        except (Hung, AssertionError):
            pass
    assert solo.board.alive_ms == fed_ms


def test_a_write_that_is_swallowed_starves_the_watchdog():
    solo = Solo()
    solo.tell_time(7_200_000)
    solo.run(5)
    assert solo.board.clock.now_ms() - solo.board.alive_ms < 11_000
    solo.app.journal.ring.flush = lambda: None  # comes back, and nothing lies in the flash
    solo.pair()
    fed_ms = solo.board.alive_ms
    solo.run(40)
    assert solo.app.journal.ring.dirty and solo.board.alive_ms == fed_ms


def test_a_link_that_cannot_be_dropped_starves_the_watchdog():
    solo = Solo()
    solo.app.link.connected = True
    solo.run(40)
    assert solo.board.clock.now_ms() - solo.board.alive_ms >= 30_000
