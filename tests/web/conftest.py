"""The desk over a round that many files of pages look at."""

import pytest
from virtualdesk import VirtualDesk


@pytest.fixture(scope="module")
def desk(request, tmp_path_factory):
    """A VirtualDesk over an open round, as the file's mark ``desk`` says."""
    asked = {"tables": 4, "run_s": 0, "without": None, "calls": ()}
    asked |= request.node.get_closest_marker("desk").kwargs
    with VirtualDesk(tmp_path_factory.mktemp("venue"), tables=asked["tables"], seed=7) as made:
        made.open_round()
        if asked["run_s"]:
            made.advance(asked["run_s"])
        if asked["without"]:
            made.lose_board(asked["without"])
        for table in asked["calls"]:
            made.call_judge(table)
        yield made
