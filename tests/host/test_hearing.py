"""The host is deaf only while nobody hears; boards grow old only while somebody could hear them."""

import argparse
import asyncio

import pytest
from hall import Told
from hypothesis import given
from hypothesis import strategies as st
from tabletop import Venue

from host.cli import serve
from host.collector.carriers import failure_words
from host.collector.carriers.gateway_carrier import GatewayCarrier
from host.collector.carriers.pump import Pump
from host.collector.carriers.radio_process import ProcessCarrier
from host.collector.listening_time import Listening
from host.collector.scheduler import ABSENT_MS
from host.sim import clock


def test_the_host_is_deaf_while_nobody_hears():
    async def main():
        told = Told()
        pump = Pump(told, lambda: 7, told.todo.append, {})
        for who, whether in (
            ("bluetooth", False), ("gateways", True), ("gateways", True), ("bluetooth", True),
            ("gateways", False), ("bluetooth", False), ("bluetooth", False),
        ):  # fmt: skip
            pump.listens(who, whether)
        pump.stop()
        assert [note[1] for note in told.of("deaf")] == [True, False, True]

    clock.run(main())


class Gateway:
    """What hears beside a radio, as a script."""

    def __init__(self, ears, report):
        self._ears = ears

    async def run(self):
        self._ears.listens("gateways", True)
        self._ears.take("heard", None, bytes(24))
        await asyncio.sleep(20)
        self._ears.listens("gateways", False)
        await asyncio.Event().wait()


def test_gateways_go_on_where_the_radio_does_not_even_start():
    async def no_process():
        raise OSError("no such program")

    async def main():
        told, said = Told(), []
        carrier = ProcessCarrier(told, lambda: 0, said.append, no_process, gateways=Gateway)
        task = asyncio.ensure_future(carrier.run())
        await asyncio.sleep(15)
        assert told.of("heard") and [note[1] for note in told.of("deaf")][-1] is False
        assert said == [failure_words.DIED]
        await asyncio.sleep(10)
        assert [note[1] for note in told.of("deaf")][-1] is True
        task.cancel()
        await asyncio.wait({task})

    clock.run(main())


def test_serve_hears_by_gateways_alone_if_it_is_told_so():
    async def main():
        for only, kind in ((True, GatewayCarrier), (False, ProcessCarrier)):
            args = argparse.Namespace(gateways_only=only, adapter=None, broker=None)
            assert isinstance(serve._carrier(args, Told(), lambda: 0, print), kind)

    clock.run(main())


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
