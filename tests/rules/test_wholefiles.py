"""Tests are spread over processes without parting a file of tests/web, or another that is whole."""

from types import SimpleNamespace

import pytest
import tree
from wholefiles import STORIES, WHOLE, WholeFiles, dealt

FILES = (
    ("tests/core/a.py", 6), (f"{STORIES}b.py", 5), (f"{STORIES}c.py", 3), (f"{STORIES}d.py", 4),
)  # fmt: skip
TESTS = [f"{name}::{number}" for name, many in FILES for number in range(many)]


class Process:
    """A process that runs its tests in order and gives back what it has not begun."""

    shutting_down = False

    def __init__(self, scheduler):
        self.scheduler, self.queue, self.ran, self.asked = scheduler, [], [], []
        self.gateway = SimpleNamespace(id="process")

    def send_runtest_some(self, indices):
        self.queue += indices

    def send_steal(self, indices):
        self.asked = indices

    def shutdown(self):
        self.shutting_down = True

    def answer(self):
        """Give back what was asked for, as far as it still lies here."""
        if self.asked:
            given = [one for one in self.queue[1:] if one in self.asked]
            self.queue = [one for one in self.queue if one not in given]
            self.asked = []
            self.scheduler.remove_pending_tests_from_node(self, given)

    def step(self):
        """Run one test, if it has a next one to go on with."""
        if len(self.queue) > (not self.shutting_down):
            self.ran.append(self.queue.pop(0))
            self.scheduler.mark_test_complete(self, self.ran[-1])


@pytest.mark.parametrize("slow", range(8))
@pytest.mark.parametrize("processes", [2, 3])
def test_a_file_of_the_web_runs_in_one_process_and_in_order(pytestconfig, processes, slow):
    config = SimpleNamespace(getvalue=lambda name: [f"{processes}*popen"], hook=pytestconfig.hook)
    scheduler = WholeFiles(config)
    made = [Process(scheduler) for _ in range(processes)]
    for process in made:
        scheduler.add_node(process)
        scheduler.add_node_collection(process, TESTS)
    scheduler.schedule()
    for turn in range(400):
        for number, process in enumerate(made):
            process.answer()
            if number or turn % (slow + 1) == 0:
                process.step()
    assert sorted(one for process in made for one in process.ran) == list(range(len(TESTS)))
    for name, _ in FILES[1:]:
        numbers = [one for one, test in enumerate(TESTS) if test.startswith(name)]
        runs = [[one for one in process.ran if one in numbers] for process in made]
        assert numbers in runs, (name, runs)


def test_each_process_begins_with_files_of_the_web_and_each_test_is_taken_once():
    names = [f"tests/core/a.py::{number}" for number in range(7)] + TESTS[6:] + ["tests/z.py::0"]
    order = dealt(names, 2)
    assert sorted(order) == list(range(len(names)))
    assert [names[at][:11] for at in order] == [
        *["tests/web/b"] * 5, *["tests/web/d"] * 4, *["tests/core/"] * 4,
        *["tests/web/c"] * 3, *["tests/core/"] * 3, "tests/z.py:",
    ]  # fmt: skip


def test_each_file_that_is_to_be_whole_is_there():
    assert all((tree.ROOT / name).exists() for name in WHOLE)
