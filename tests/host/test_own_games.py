"""Three games that are not ours, each on a board from its first key to its result."""

import pytest
import tree
from solo import A, B, Solo

from firmware.core import intents, outcome, phases
from firmware.ui import canvas
from host.formats.round_format import parse_format
from host.sim.faces import blank_face, drawn_faces, picture
from host.systems import catalogue

MINUTE_MS = 60_000
FOLDER = tree.ROOT / "examples" / "systems"
START, WIN, LEVEL, COUNT = (
    intents.SET_STARTER, intents.WIN_GAME, intents.LEVEL_GAME, intents.COUNT_PRIZES,
)  # fmt: skip
# the format, what is done (minutes to wait, or an intent with its values), outcome, games, points
GAMES = (
    ("five bo3 55", [(START, 0), (WIN, 0), (START, 1), (LEVEL,), (START, 1), (WIN, 0)], 1, (2, 0), (3, 0)),
    ("five bo1 55", [(START, 0), (LEVEL,), (START, 1), (WIN, 1)], 2, (0, 1), (0, 3)),
    ("quick bo1 20", [(START, 0), 21, (COUNT, 0, 1, 4)], 2, (0, 1), (0, 1)),
    ("double bo2 65", [(START, 0), (WIN, 0), (START, 1), (WIN, 1)], outcome.TIE, (1, 1), (3, 3)),
    ("double bo2 65", [(START, 0), (WIN, 1), 66], 2, (0, 1), (0, 3)),
    (
        "double bo4 65",
        [(START, 0), (WIN, 0), (START, 1), (WIN, 0), (START, 0), (WIN, 1), (START, 1), (WIN, 0)],
        1,
        (3, 1),
        (9, 3),
    ),
)  # fmt: skip


FORMATS = (
    "five bo1 55", "five bo3 55", "five bo5 55", "double bo2 65", "double bo4 65", "quick bo1 20",
)  # fmt: skip
ELSEWHERE = {"concede", "undo", "luck", "count_on", "back"}  # items that go to another screen


def seated(words, faces=blank_face):
    """Return a board alone, two minutes before the round of a format."""
    name = words.partition(" ")[0]
    rules = catalogue.load(FOLDER / f"{name}.toml")
    form = parse_format(words, {name: rules})
    solo = Solo(rules=rules, faces=faces)
    solo.tell_time(MINUTE_MS)
    solo.pair(form=form.bits, minutes=form.minutes)
    solo.run(160)
    return solo, form.minutes


def choosing(words):
    """Return a board with the menu of results open in game 1."""
    solo, _ = seated(words)
    assert solo.desk(START, 0)
    solo.press(A)
    assert solo.screen == "result"
    return solo


def asked(words):
    solo, minutes = seated(words)
    solo.run(minutes * 60)
    assert solo.screen == "tell"
    return solo


@pytest.mark.parametrize("words", FORMATS)
@pytest.mark.parametrize(
    ("opened", "choose"), [(choosing, lambda one: one.press(B)), (asked, lambda one: one.hold(A))]
)
def test_a_menu_offers_nothing_that_the_rules_refuse(words, opened, choose):
    for place, item in enumerate(opened(words).reading.items):
        if item in ELSEWHERE:
            continue
        solo = opened(words)
        solo.press(*[A] * place)
        before = solo.app.journal.end
        choose(solo)
        assert solo.app.journal.end > before, item


def test_a_match_of_two_games_can_tell_that_both_are_over():
    assert {"s20", "s11", "s02"} <= set(asked("double bo2 65").reading.items)
    assert "s21" not in choosing("double bo2 65").reading.items
    assert "s21" in choosing("five bo3 55").reading.items
    assert not {"s20", "s21"} & set(choosing("five bo5 55").reading.items)


def test_five_turns_after_time_have_a_number_and_no_marks():
    solo, minutes = seated("five bo3 55", faces=drawn_faces())
    assert solo.desk(START, 0) and solo.desk(intents.START_TURN, 0)
    solo.run(minutes * 60)
    assert solo.desk(intents.END_TURN) and solo.screen == "overtime"
    picture(solo.app)
    boxes = solo.app.face.canvas.boxes
    assert all(boxes[mark].hidden for mark in canvas.MARKS)


@pytest.mark.parametrize(("words", "done", "won", "games", "points"), GAMES)
def test_a_board_plays_it_to_the_end(words, done, won, games, points):
    solo, _ = seated(words)
    match = solo.app.match
    assert match.phase == phases.PLAYING
    for one in done:
        if isinstance(one, int):
            solo.run(one * 60)
        else:
            assert solo.desk(*one), one
    assert match.phase == phases.PROPOSED
    assert (match.outcome, match.games, outcome.points(match)) == (won, games, points)
    for seat in (1, 0) if won == 1 else (0, 1):
        assert solo.desk(intents.CONFIRM_RESULT, seat)
    assert match.phase == phases.AGREED
