"""Lists of what was: they say what happened, whatever roll is on the table."""

import pytest
from lucky import Lucky
from said import Said

from firmware.core import intents
from firmware.core.systems import d03, p18
from firmware.ui import recall
from firmware.ui.hand import Recall
from firmware.ui.table import Table
from host.boards import texts
from host.sim.scenes import CONTESTED, DONE, RUN, TO_UNDO, at, rolled
from host.sim.shots import Studio

FLIPS = rolled((0, 2), 200, 8) + CONTESTED


def test_flips_on_the_table_are_no_lines_of_the_list_to_take_back():
    studio = Studio("feathers3", lit=False)
    said = Said(studio)
    lines = []
    for told in (RUN, FLIPS):
        studio.pose("undo", "", told, at(30), TO_UNDO, {"recalled": DONE})
        lines.append([one.line for one in said.texts])
    assert lines[0] == lines[1]


@pytest.fixture(scope="module")
def shown():
    return Table(texts.texts("en"))


def listed(what, page, board, shown):
    lines = recall.lines(what, page, board.ledger, shown, board.now_ms)
    return [line for line in lines if line]


@pytest.fixture
def board():
    """A board at whose table everything may be rolled."""
    made = Lucky(rules=p18).begin()
    made.ask(intents.SET_POLICY, 1)
    for seat in (0, 1):
        made.ask(intents.CONSENT, seat)
    return made


def test_rolls_stand_newest_first_four_to_a_page_and_beyond_the_last_is_the_first(shown, board):
    assert listed(Recall.ROLLS, 0, board, shown) == []
    for a in (0x10, 0x20, 0x21, 0x20, 0x21):
        assert board.roll(a) and board.agree()
    pages = [listed(Recall.ROLLS, page, board, shown) for page in range(3)]
    assert [len(page) for page in pages] == [4, 1, 4] and pages[2] == pages[0]
    assert [line.split()[0] for line in pages[0] + pages[1]] == ["5", "4", "3", "2", "1"]


def test_a_roll_is_marked_that_both_have_agreed_to_and_none_before_it(shown, board):
    assert board.roll() and board.ask(intents.DISPUTE_ROLL, 0) and board.ask(intents.RULE_ROLL, 0)
    assert board.roll() and board.agree()
    marked = ["✔" in line for line in listed(Recall.ROLLS, 0, board, shown)]
    assert marked == [True, False]


def test_presses_stand_newest_first_with_how_long_ago(shown, board):
    board.now_ms += 70_000
    for kind, a in (
        (intents.SET_STARTER, 1),
        *[(intents.START_TURN, 1), (intents.END_TURN, 1)] * 3,
    ):
        assert board.ask(kind, a)
    pages = [listed(Recall.PRESSES, page, board, shown) for page in range(3)]
    assert [len(page) for page in pages] == [4, 3, 4] and pages[2] == pages[0]
    ago = [line.split()[0] for line in pages[0] + pages[1]]
    assert ago == [f"–0:{seconds:02d}" for seconds in range(7)]


def test_every_player_of_a_team_who_is_out_is_named(shown):
    board = Lucky(rules=d03)
    board.ask(intents.SET_ROUND, 1, 12, 3)
    board.ask(intents.SET_FORMAT, d03.NUMBER, 1 << 7 | 1 << 1, 30)
    board.ask(intents.SET_START, at_ms=board.now_ms + 1000)
    board.now_ms += 60_000
    assert board.ask(intents.SET_STARTER, 0)
    out = []
    for bit in (2, 8):
        assert board.ask(intents.WIPE_OUT, bit)
        out.append(listed(Recall.PRESSES, 0, board, shown)[0])
    assert "2B" in out[0] and "1B" not in out[0]
    assert "2B 1B" in out[1]
