"""Which transactions of others are over, by what the server says of all of them."""

from hypothesis import given
from hypothesis import strategies as st

from host.hall.postgres.activity import Activity

FIRST = 700
STEPS = st.lists(st.tuples(st.sampled_from(("ours", "theirs", "end", "look")), st.integers(0, 9)))


class Server:
    """Numbers of transactions as a server gives them; a session does not see its own as running."""

    def __init__(self):
        self.next, self.running, self.over, self.ours = FIRST, [], {FIRST - 1}, set()

    def begin(self, ours):
        self.running.append(self.next)
        self.ours |= {self.next} if ours else set()
        self.next += 1
        return str(self.running[-1])

    def end(self, which):
        if self.running:
            self.over.add(self.running.pop(which % len(self.running)))

    @property
    def snapshot(self):
        below = max(self.over) + 1
        running = sorted(one for one in self.running if one < below and one not in self.ours)
        return f"{min([*running, below])}:{below}:{','.join(map(str, running))}"


@given(STEPS, st.integers(0, 3))
def test_every_one_of_others_is_told_once_and_none_of_ours(steps, running):
    server = Server()
    for _ in range(running):
        server.begin(False)
    server.end(running - 1)
    told, activity = server.over - {FIRST - 1}, Activity(server.snapshot)
    for what, which in [*steps, ("look", 0)]:
        if what == "ours":
            activity.own(server.begin(True))
        elif what == "theirs":
            server.begin(False)
        elif what == "end":
            server.end(which)
        else:
            news = sorted(server.over - server.ours - told - {FIRST - 1})
            assert activity.others(server.snapshot) == news
            told |= {*news}


def test_of_many_the_first_are_told_and_those_to_come_later():
    server, activity = Server(), Activity(f"{FIRST}:{FIRST}:")
    for _ in range(100_000):
        server.begin(False)
    server.over |= {*server.running}
    server.running.clear()
    assert activity.others(server.snapshot) == [*range(FIRST, FIRST + 64)]
    assert activity.others(server.snapshot) == []
    server.begin(False)
    server.end(0)
    assert activity.others(server.snapshot) == [FIRST + 100_000]
