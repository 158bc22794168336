"""Which sessions are due, how many connections an adapter holds, and when the host counts as deaf."""

import argparse
import asyncio

import pytest
from hall import Told
from hypothesis import given
from hypothesis import strategies as st
from tabletop import Venue

from host.archive.store import Archive
from host.cli import serve
from host.collector.board_status import BoardStatus
from host.collector.carriers import failure_words
from host.collector.carriers.gateway_carrier import GatewayCarrier
from host.collector.carriers.pump import Pump
from host.collector.carriers.radio_process import ProcessCarrier
from host.collector.listening_time import Listening
from host.collector.name_frames import NameFrames
from host.collector.order_queue import OrderQueue
from host.collector.scheduler import ABSENT_MS, AdapterLimit, Scheduler
from host.event.holdings import Holdings
from host.sim import clock

MANY = 1000


class Link:
    """Of a session what the queue reads; it counts how often it is asked when it is due."""

    asked = 0

    def __init__(self, device, due_ms):
        self.status, self.when_ms = BoardStatus(device, 1, device), due_ms

    @property
    def due_ms(self):
        Link.asked += 1
        return self.when_ms


@pytest.fixture
def queue(tmp_path):
    with Archive(tmp_path / "a.db") as archive:
        holdings = Holdings(archive.records(), lambda: archive.roster.numbers)
        yield Scheduler(OrderQueue(archive), NameFrames(archive), holdings)


def opened(queue, *due_ms):
    links = [Link(device, when) for device, when in enumerate(due_ms, 1)]
    for link in links:
        queue.open_session(link)
    return links


def test_sessions_are_due_when_they_say_in_the_order_of_their_opening(queue):
    late, soon, sooner = opened(queue, 30, 20, 10)
    assert queue.due_ms == 10 and queue.take_due(9) == []
    assert queue.take_due(20) == [soon, sooner] and queue.due_ms == 30
    assert queue.take_due(30) == [late]


def test_one_that_was_rescheduled_is_due_at_once_and_then_when_it_says(queue):
    one, other = opened(queue, 50, 60)
    queue.reschedule_session(other.status)
    assert queue.due_ms == 0 and queue.take_due(1) == [other]
    other.when_ms = 61
    queue.requeue(other)
    assert queue.due_ms == 50 and queue.take_due(60) == [one]
    assert queue.take_due(61) == [other]


def test_one_that_is_due_and_rescheduled_has_one_step(queue):
    one, *_ = opened(queue, 5)
    queue.reschedule_session(one.status)
    queue.requeue(one)
    assert queue.take_due(5) == [one] and queue.take_due(5) == []


def test_what_has_ended_is_never_due(queue):
    one, other = opened(queue, 5, 6)
    queue.reschedule_session(one.status)
    queue.end_session(one)
    queue.requeue(one)
    queue.reschedule_session(one.status)
    queue.end_session(one)
    assert queue.due_ms == 6 and queue.take_due(9) == [other]


def test_a_board_that_connects_again_has_its_new_session_rescheduled(queue):
    (old,) = opened(queue, 5)
    new = Link(1, 7)
    new.status = old.status
    queue.open_session(new)
    queue.end_session(old)
    queue.reschedule_session(old.status)
    assert queue.take_due(0) == [new]


def test_nobody_is_asked_but_who_is_due(queue):
    links = opened(queue, *range(MANY, 2 * MANY))
    queue.reschedule_session(links[-1].status)
    Link.asked = 0
    assert queue.take_due(MANY) == [links[0], links[-1]] and queue.due_ms == MANY + 1
    assert Link.asked <= 4


def test_an_adapter_that_refuses_beside_as_many_links_each_time_holds_no_more_for_a_while():
    limit = AdapterLimit()
    for at_ms in range(9):
        limit.note_failure(4, at_ms)
    assert limit.holds(9) > 5
    limit.note_failure(4, 9)
    assert limit.holds(10) == 4 and limit.holds(60_008) == 4 and limit.holds(60_009) > 5


@pytest.mark.parametrize("between", ("a success", "another number", "few links"))
def test_attempts_that_fail_by_chance_tell_nothing_of_the_adapter(between):
    limit = AdapterLimit()
    for at_ms in range(9):
        limit.note_failure(4, at_ms)
    if between == "a success":
        limit.note_success()
    elif between == "another number":
        limit.note_failure(3, 6)
    for at_ms in range(10, 19):
        limit.note_failure(2 if between == "few links" else 4, at_ms)
    assert limit.holds(20) > 5


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
