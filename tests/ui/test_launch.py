"""The loop around a board's program: how long it rests between two steps."""

import pytest

from firmware import launch


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
