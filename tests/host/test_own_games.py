"""Three games that are not ours, each on a board from its first key to the result that both seats confirm."""

import pytest
import tree
from solo import Solo

from firmware.core import intents, outcome, phases
from host.formats.round_format import parse_format
from host.systems import catalogue

MINUTE_MS = 60_000
FOLDER = tree.ROOT / "examples" / "systems"
START, WIN, LEVEL, COUNT = (
    intents.SET_STARTER,
    intents.WIN_GAME,
    intents.LEVEL_GAME,
    intents.COUNT_PRIZES,
)
# the system, the format, what is done (minutes to wait, or an intent with its values), outcome, games, points
GAMES = (
    (
        "five",
        "five bo3 55",
        [(START, 0), (WIN, 0), (START, 1), (LEVEL,), (START, 1), (WIN, 0)],
        1,
        (2, 0),
        (3, 0),
    ),
    ("five", "five bo1 55", [(START, 0), (LEVEL,), (START, 1), (WIN, 1)], 2, (0, 1), (0, 3)),
    ("quick", "quick bo1 20", [(START, 0), 21, (COUNT, 0, 1, 4)], 2, (0, 1), (0, 1)),
    (
        "double",
        "double bo2 65",
        [(START, 0), (WIN, 0), (START, 1), (WIN, 1)],
        outcome.TIE,
        (1, 1),
        (3, 3),
    ),
    ("double", "double bo2 65", [(START, 0), (WIN, 1), 66], 2, (0, 1), (0, 3)),
)


@pytest.mark.parametrize(("name", "words", "done", "won", "games", "points"), GAMES)
def test_a_board_plays_it_to_the_end(name, words, done, won, games, points):
    rules = catalogue.load(FOLDER / f"{name}.toml")
    form = parse_format(words, {name: rules})
    solo = Solo(rules=rules)
    solo.tell_time(MINUTE_MS)
    solo.pair(form=form.bits, minutes=form.minutes)
    solo.run(160)
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
