"""The queue of open sessions: who is due, and that nobody else is asked."""

import pytest

from host.collector.board_status import BoardStatus
from host.collector.session_queue import SessionQueue

MANY = 1000


class Link:
    """Of a session what the queue reads; it counts how often it is asked when it is due."""

    asked = 0

    def __init__(self, device, due_ms):
        self.status, self.when_ms = BoardStatus(device, 1, device), due_ms

    @property
    def due_ms(self):
        """When its next step is due."""
        Link.asked += 1
        return self.when_ms


@pytest.fixture
def queue():
    return SessionQueue()


def opened(queue, *due_ms):
    links = [Link(device, when) for device, when in enumerate(due_ms, 1)]
    for link in links:
        queue.add(link)
    return links


def test_sessions_are_due_when_they_say_in_the_order_of_their_opening(queue):
    late, soon, sooner = opened(queue, 30, 20, 10)
    assert queue.due_ms == 10 and queue.take(9) == []
    assert queue.take(20) == [soon, sooner] and queue.due_ms == 30
    assert queue.take(30) == [late]


def test_one_that_was_stirred_is_due_at_once_and_then_when_it_says(queue):
    one, other = opened(queue, 50, 60)
    queue.stir(other.status)
    assert queue.due_ms == 0 and queue.take(1) == [other]
    other.when_ms = 61
    queue.put(other)
    assert queue.due_ms == 50 and queue.take(60) == [one]
    assert queue.take(61) == [other]


def test_one_that_is_due_and_stirred_has_one_step(queue):
    one, *_ = opened(queue, 5)
    queue.stir(one.status)
    queue.put(one)
    assert queue.take(5) == [one] and queue.take(5) == []


def test_what_has_ended_is_never_due(queue):
    one, other = opened(queue, 5, 6)
    queue.stir(one.status)
    queue.drop(one)
    queue.put(one)
    queue.stir(one.status)
    queue.drop(one)
    assert queue.due_ms == 6 and queue.take(9) == [other]


def test_a_board_that_connects_again_has_its_new_session_stirred(queue):
    (old,) = opened(queue, 5)
    new = Link(1, 7)
    new.status = old.status
    queue.add(new)
    queue.drop(old)
    queue.stir(old.status)
    assert queue.take(0) == [new]


def test_nobody_is_asked_but_who_is_due(queue):
    links = opened(queue, *range(MANY, 2 * MANY))
    queue.stir(links[-1].status)
    Link.asked = 0
    assert queue.take(MANY) == [links[0], links[-1]] and queue.due_ms == MANY + 1
    assert Link.asked <= 4
