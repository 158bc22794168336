"""Spreads tests over processes as xdist's ``worksteal`` does, but never parts a file of tests/web,
nor one whose tests share what takes seconds to make: each process would make it anew.

A file of tests/web tells one story on one desk: a test finds the hall as the one before left it.
"""

import itertools

from xdist.scheduler import WorkStealingScheduling

STORIES = "tests/web/"
WHOLE = (
    STORIES, "tests/host/test_two_programs.py", "tests/host/test_wheel.py",
    "tests/sim/test_beacon_at_tables.py", "tests/sim/test_demo.py", "tests/sim/test_linear.py",
    "tests/sim/test_quiet.py",
)  # fmt: skip


def dealt(names, processes):
    """Return the indices of tests, given by name, in the order in which processes take them: each
    begins with files of ``WHOLE``, as one that is begun last has all others wait for it.
    """
    files = [
        list(some) for _, some in itertools.groupby(range(len(names)), lambda at: _file(names[at]))
    ]
    whole = [file for file in files if names[file[0]].startswith(WHOLE)]
    others = [at for file in files if file not in whole for at in file]
    order = []
    for part in range(processes):
        first, after = (len(others) * each // processes for each in (part, part + 1))
        order += [*itertools.chain(*whole[part::processes]), *others[first:after]]
    return order


def _file(name):
    return name.partition("::")[0]


class WholeFiles(WorkStealingScheduling):
    """Work stealing that gives and takes files of ``WHOLE`` only as wholes."""

    def remove_pending_tests_from_node(self, node, indices):
        """Take what ``node`` gave back, and return to it the rest of a file it has begun."""
        indices = sorted(indices)
        begun = 0
        while begun < len(indices) and self._one_file(indices[0] - 1, indices[begun]):
            begun += 1
        rest = indices[begun:]
        if begun:
            node.send_runtest_some(indices[:begun])
        if rest:
            super().remove_pending_tests_from_node(node, rest)
        else:  # asked for again when the next test has ended
            self.steal_requested_from_node = None

    def _send_tests(self, node, num):
        while 0 < num < len(self.pending) and self._one_file(*self.pending[num - 1 : num + 1]):
            num += 1
        super()._send_tests(node, num)

    def _one_file(self, first, second):
        """Whether both tests, given by index, are of one file that stays whole."""
        if first < 0:
            return False
        names = {_file(self.collection[one]) for one in (first, second)}
        return len(names) == 1 and names.pop().startswith(WHOLE)
