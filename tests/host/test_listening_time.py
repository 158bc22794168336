"""Boards grow old only while somebody could have heard them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tabletop import Venue

from host.collector.listening_time import Listening
from host.collector.scheduler import ABSENT_MS


@given(st.lists(st.integers(0, 5000), max_size=12), st.integers(1, 30000))
def test_the_span_listened_is_as_long_as_asked(steps, span_ms):
    listening, now_ms, deaf, spans = Listening(), 100_000, False, []
    for step_ms in steps:
        if deaf:
            spans.append((now_ms, now_ms + step_ms))
        now_ms += step_ms
        deaf = not deaf
        listening.set_down(deaf, now_ms)
    since_ms = listening.since(span_ms, now_ms)
    deaf_ms = sum(max(0, until - max(begun, since_ms)) for begun, until in spans)
    assert now_ms - since_ms - deaf_ms == span_ms


def test_told_twice_is_told_once():
    listening = Listening()
    for whether, now_ms in ((True, 1000), (True, 2000), (False, 3000), (False, 4000)):
        listening.set_down(whether, now_ms)
    assert listening.since(1500, 4000) == 500


@pytest.fixture
def heard(tmp_path):
    venue = Venue(tmp_path / "a.db", tables=1)
    venue.begin()
    yield venue.station.collector
    venue.station.close()


def chosen(collector, now_ms):
    """Whether the one board would be connected to, had it anything to tell."""
    (status,) = collector.statuses.values()
    collector._scheduler._ranks[status.device] = 0
    status.not_before_ms = 0
    return bool(collector._scheduler.reachable(collector.statuses, set(), now_ms))


def test_a_board_that_was_not_heard_for_a_while_is_not_connected_to(heard):
    (status,) = heard.statuses.values()
    assert chosen(heard, status.heard_ms + ABSENT_MS)
    assert not chosen(heard, status.heard_ms + ABSENT_MS + 1)


def test_no_board_grows_older_while_the_radio_is_deaf(heard):
    (status,) = heard.statuses.values()
    heard.set_radio_down(True, status.heard_ms + 1000)
    assert chosen(heard, status.heard_ms + 1000 + ABSENT_MS * 4)
    heard.set_radio_down(False, status.heard_ms + 61_000)
    assert chosen(heard, status.heard_ms + 60_000 + ABSENT_MS)
    assert not chosen(heard, status.heard_ms + 60_001 + ABSENT_MS)
