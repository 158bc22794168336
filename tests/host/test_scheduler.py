"""Which open sessions are due, and how many connections the adapter is believed to hold."""

import pytest

from host.archive.store import Archive
from host.collector.board_status import BoardStatus
from host.collector.name_frames import NameFrames
from host.collector.order_queue import OrderQueue
from host.collector.scheduler import AdapterLimit, Scheduler
from host.event.holdings import Holdings

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
