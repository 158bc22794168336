"""Ten thousand presses at random moments, and what six hundred of them come to."""

import pytest

from host.boards.models import MODELS
from host.sim import bench_figures
from host.sim.costs import Session
from host.sim.evening import percentile

PRESSES, SESSIONS = 10_000, 4
PACE_MS = 100, 900  # so that many fall into what the last one writes
COUNTED = 600


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(SESSIONS))
def test_no_press_is_lost(tmp_path, seed):
    """Without the bytecodes' time, which is a hundredth of a second's: the writes lose presses."""
    session = Session(tmp_path, "feathers3", seed, counting=False, pace_ms=PACE_MS)
    session.press(PRESSES // SESSIONS)
    assert len(session.presses) == session.asked == session.turns


@pytest.mark.prove
@pytest.mark.parametrize("model", MODELS)
def test_echo_and_result_come_in_time(tmp_path, printed, model):
    session = Session(tmp_path, model, 7)
    share = bench_figures.stalled(session, 5)
    session.press(COUNTED)
    echo_ms, result_ms = (
        percentile(found, 99)
        for found in (bench_figures.echoes_ms(session), bench_figures.results_ms(session))
    )
    printed(f"{COUNTED} presses at a {model}", [
        f"echo {echo_ms:.0f} ms (p99, goal {bench_figures.MOST_ECHO_MS}), result behind two erases"
        f" {result_ms:.0f} ms (p99, goal {bench_figures.MOST_RESULT_MS}); {100 * share:.2f} % of a minute"
        " in collections and erases",
    ])  # fmt: skip
    assert session.asked == session.turns
    assert echo_ms <= bench_figures.MOST_ECHO_MS and result_ms <= bench_figures.MOST_RESULT_MS
    assert share <= bench_figures.MOST_STALLED
