"""Lists of what was: they say what happened, whatever roll is on the table."""

import pytest
from lucky import Lucky
from said import Said

from firmware.core import intents
from firmware.core.systems import p18
from firmware.ui import recall, word
from firmware.ui.face import Face
from firmware.ui.pack import Pack
from host.boards.screens.pack import opened
from host.sim.scenes import RUN, at, rolled
from host.sim.scenes_more import DONE, TO_UNDO
from host.sim.scenes_rolls import CONTESTED
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
def face():
    file, language = opened("en")
    return Face(Pack(file), None, language)


def listed(what, page, board, face):
    words = [0] * word.COUNT
    lines = recall.lines(what, page, board.ledger, face, words, board.now_ms)
    return [line for line in lines if line]


@pytest.fixture
def board():
    """A board at whose table everything may be rolled."""
    made = Lucky(rules=p18)
    made.begin()
    made.ask(intents.SET_POLICY, 1)
    for seat in (0, 1):
        made.ask(intents.CONSENT, seat)
    return made


def test_rolls_stand_newest_first_four_to_a_page_and_beyond_the_last_is_the_first(face, board):
    assert listed(recall.ROLLS, 0, board, face) == []
    for a in (0x10, 0x20, 0x21, 0x20, 0x21):
        assert board.roll(a) and board.agree()
    pages = [listed(recall.ROLLS, page, board, face) for page in range(3)]
    assert [len(page) for page in pages] == [4, 1, 4] and pages[2] == pages[0]
    assert [line.split()[0] for line in pages[0] + pages[1]] == ["5", "4", "3", "2", "1"]


def test_a_roll_is_marked_that_both_have_agreed_to_and_none_before_it(face, board):
    assert board.roll() and board.ask(intents.DISPUTE_ROLL, 0) and board.ask(intents.RULE_ROLL, 0)
    assert board.roll() and board.agree()
    marked = ["\x04" in line for line in listed(recall.ROLLS, 0, board, face)]
    assert marked == [True, False]


def test_presses_stand_newest_first_with_how_long_ago(face, board):
    board.now_ms += 70_000
    for kind, a in (
        (intents.SET_STARTER, 1),
        *[(intents.START_TURN, 1), (intents.END_TURN, 1)] * 3,
    ):
        assert board.ask(kind, a)
    pages = [listed(recall.PRESSES, page, board, face) for page in range(3)]
    assert [len(page) for page in pages] == [4, 3, 4] and pages[2] == pages[0]
    ago = [line.split()[0] for line in pages[0] + pages[1]]
    assert ago == [f"\x050:{seconds:02d}" for seconds in range(7)]
