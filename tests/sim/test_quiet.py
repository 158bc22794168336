"""A quiet second at a table, priced: when garbage is collected, what presses come to, what is lost.

The laws over thousands of presses are in ``tests/prove/test_quiet.py``; ``make bench`` prints them.
"""

import pytest

from firmware.core import upkeep
from host.sim import bench_figures
from host.sim.costs import Session


class Heap:
    low, collected = False, 0

    def collect(self):
        self.collected += 1


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A table two minutes after its start, in which some presses were made."""
    made = Session(tmp_path_factory.mktemp("drive"), "feathers3", 1)
    made.rest(63)
    made.press(8)
    return made


def test_garbage_is_collected_once_a_minute_and_after_a_picture_alone():
    heap = Heap()
    decides = upkeep.Garbage(heap, 1000)
    assert not decides.due(True, 60_999)
    assert decides.due(True, 61_000) and not decides.due(False, 61_000)
    assert decides.due(False, 121_000), "nothing changes any more: the last picture is finished"
    decides.collect(121_000)
    assert heap.collected == 1 and not decides.due(True, 180_999)


def test_where_little_is_free_garbage_is_collected_after_the_next_picture():
    heap = Heap()
    decides = upkeep.Garbage(heap, 0)
    heap.low = True
    for _ in range(63):
        decides.acted()
    assert not decides.due(True, 1000)
    decides.acted()
    assert decides.due(True, 1000) and decides.due(False, 1000)
    decides.collect(1000)
    assert not decides.due(True, 1100), "until so much was done again"


def test_the_program_collects_right_after_a_finished_picture(session):
    chip = session.chip
    begun_us = chip.pictures[0].at_us
    found_ms = [at for at in chip.times("collection") if 1000 * at > begun_us]
    assert found_ms
    for at_ms in found_ms:
        passed = [at_ms - one.at_us // 1000 for one in chip.pictures if one.at_us // 1000 <= at_ms]
        assert min(passed) <= 20, "one step draws, advertises and collects"
    gaps_ms = [b - a for a, b in zip(found_ms, found_ms[1:], strict=False)]
    assert all(gap >= upkeep.EACH_MS for gap in gaps_ms)


def test_every_press_is_seen_and_has_its_turn(session):
    found = session.presses
    assert len(found) == session.asked == session.turns
    assert max(bench_figures.echoes_ms(session)) <= 2 * bench_figures.MOST_ECHO_MS
    assert bench_figures.results_ms(session)
    assert max(bench_figures.results_ms(session)) <= bench_figures.MOST_RESULT_MS


def test_a_running_minute_is_stalled_for_less_than_half_a_percent(session, printed):
    share = bench_figures.stalled(session, 1)
    printed("a running minute in collections and erases", [f"{100 * share:.2f} % (goal 0.5 %)"])
    assert 0 < share <= bench_figures.MOST_STALLED


@pytest.mark.parametrize("model", ("feathers3-35", "lilygo"))
def test_echo_and_result_come_in_time_on_the_other_boards(tmp_path, model):
    """A LilyGO's picture turns to whoever pressed, and with it the keys' boxes on the glass."""
    made = Session(tmp_path, model, 1)
    made.press(6)
    assert len(bench_figures.echoes_ms(made)) == made.asked == made.turns
    assert max(bench_figures.echoes_ms(made)) <= bench_figures.MOST_ECHO_MS
    assert len(bench_figures.results_ms(made)) > made.asked // 2
    assert max(bench_figures.results_ms(made)) <= bench_figures.MOST_RESULT_MS
