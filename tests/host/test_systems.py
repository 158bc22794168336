"""A system in TOML: as a literal, as sentences, as a diagram; or one sentence that names the wrong field."""

import json
import pathlib
import shutil

import pytest
from commands import plusthree

from host.base.errors import UserError
from host.formats import round_format
from host.systems import board_form, catalogue, diagram, explore, fields, sentences
from host.systems.match_facts import PHASES
from host.systems.rules import OwnRules

OLDER = pathlib.Path(__file__).parent / "older"
EXAMPLES = sorted((pathlib.Path(__file__).parents[2] / "examples" / "systems").glob("*.toml"))
TURNLESS = """seats = []
asked = ["score", "starter"]
plays = ["set_starter", "win_game", "level_game", "count_prizes"]
overtime = [{ turns = 0, clock_s = 0 }]
after = "finishing"
"""
NIGHT = 'name = "night"\nnumber = 17\nbase = "p18"\n'
TREE = """
[trees.all]
last = { games = "tie" }
unstarted = { games = "tie" }
between = { games = "tie" }
extra = { games = "winner" }
won = { games = "winner" }
tied = { games = "tie" }
even = { games = "on" }
left = { games = "other" }
"""


@pytest.fixture(scope="module", autouse=True)
def explored_once():
    """Explore a built-in system once in a format: the tests read what was found and change nothing."""
    kept, anew = {}, explore.explore

    def once(rules, *form):
        if isinstance(rules, OwnRules):
            return anew(rules, *form)
        if (rules, form) not in kept:
            kept[rules, form] = anew(rules, *form)
        return kept[rules, form]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explore, "explore", once)
        yield


def test_what_is_committed_for_boards_is_what_our_toml_says():
    there = {path for path in board_form.FOLDER.glob("*.py") if path.stem != "__init__"}
    made = board_form.sources_of()
    assert there == set(made), "write them: plusthree dev rules --write"
    for path, source in made.items():
        assert path.read_text(encoding="utf-8") == source, "write it: plusthree dev rules --write"


def test_write_writes_what_differs(monkeypatch, tmp_path, capsys):
    expected = {path.name: source for path, source in board_form.sources_of().items()}
    monkeypatch.setattr(board_form, "FOLDER", tmp_path)
    for said in ("written", "up to date"):
        assert plusthree("dev", "rules", "--write") == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.partition(".py: ")[2] for line in lines] == [said] * 3
    (tmp_path / "p18.py").write_text("NUMBER = 9\n", encoding="utf-8")
    assert plusthree("dev", "rules", "--write") == 0
    assert capsys.readouterr().out.count("written") == 1
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == expected


@pytest.fixture
def sources(tmp_path):
    return shutil.copytree(catalogue.SOURCES, tmp_path / "built_in")


def test_one_line_of_toml_changes_a_rule(sources):
    path = sources / "p18.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("{ turns = 3 },", "{ turns = 4 },"), encoding="utf-8")
    (changed,) = set(board_form.sources_of(sources).values()) - set(
        board_form.sources_of().values()
    )
    assert "OVERTIME = ((4, 0), (1, 600), (3, 900))\n" in changed


@pytest.mark.parametrize(("old", "new", "told"), [
    ('name = "p18"', 'name = "p19"', "name: must be the file's, p18"),
    ("number = 0 ", "number = 16 ", "number: must be a whole number from 0 to 15, not 16"),
    ("number = 0 ", "number = 1 ", "number: 1 is d03's already"),
    ("number = 0 ", "# ", "number: is missing"),
    ('"9.3.3"]', "]", "trees.elimination_bo3.last.section: '9.3.3' is not among sections"),
])  # fmt: skip
def test_what_is_wrong_in_a_text_of_ours_is_named(old, new, told, sources):
    path = sources / "p18.toml"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(UserError, match=rf"p18\.toml:(\d+:)? {told}"):
        board_form.sources_of(sources)


def told_by(rules):
    return {name: repr(getattr(rules, name)) for name in fields.NAMES}


def test_boards_and_archives_of_an_older_commit_have_the_same_tables():
    """Journals and archives hold numbers and places of these tables, boards out there the tables.

    Whoever changes a rule on purpose changes it here, too, and deploys every board anew.
    """
    older = json.loads((OLDER / "7af8b401-systems.json").read_text(encoding="utf-8"))
    assert {name: told_by(rules) for name, rules in catalogue.built_in().items()} == older["ours"]
    assert len(older["own"]) == 6
    for name, then in older["own"].items():
        assert told_by(catalogue.compile_system(then["text"], name, stored=True)) == then["table"]


@pytest.mark.parametrize("name", ["p18", "d03", "xw15"])
def test_what_toml_prints_is_a_valid_start(name, capsys, tmp_path):
    assert plusthree("dev", "rules", "--toml", name.upper()) == 0
    text = capsys.readouterr().out.replace(f'name = "{name}"', 'name = "mine"', 1)
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    mine = catalogue.load(path)
    assert told_by(mine) | {"NUMBER": ""} == told_by(catalogue.built_in()[name]) | {"NUMBER": ""}
    assert 16 <= mine.NUMBER <= 255


def test_toml_prints_ours_alone(capsys):
    assert plusthree("dev", "rules", "--toml", EXAMPLES[0]) == 2
    assert "; there are p18, d03, xw15" in capsys.readouterr().err


def test_another_table_has_another_number_and_the_same_one_has_the_same():
    night = 'name = "night"\nbase = "p18"\novertime = [{ turns = %d, clock_s = 0 }]\n'
    one, again, other = (
        catalogue.compile_system(night % turns, "n.toml").NUMBER for turns in (1, 1, 2)
    )
    assert one == again != other
    host_only = catalogue.compile_system(night % 1 + "minutes = [75, 75, 75, 75]\n", "n.toml")
    assert host_only.NUMBER == one, "a board is told its round's minutes"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_valid_and_its_cases_hold(path, capsys):
    assert plusthree("dev", "rules", "--system", path) == 0
    cases = path.with_suffix(".cases.json")
    if cases.is_file():
        assert plusthree("dev", "rules", "--system", path, cases) == 0
    assert plusthree("dev", "rules", "--explain", path, "elimination", "bo3") == 0
    assert catalogue.load(path).title in capsys.readouterr().out


def test_the_board_gets_literals_alone():
    rules = catalogue.load(EXAMPLES[0])
    source, found = board_form.board_form(rules, "# x.toml"), {}
    exec(source, {"__builtins__": {}}, found)
    assert found == {
        name: getattr(rules, name) for name in fields.NAMES if name not in fields.HOST_ONLY
    }
    assert len(source) < board_form.MOST_BYTES


@pytest.mark.parametrize(("short", "long"), [
    ('pregame_s = "from_pairing"', "pregame_s = 65535"),
    ('slack = { shorter = "any", longer = 5 }', "slack = { shorter = 999, longer = 5 }"),
    (
        "points = { all = { win = 3, draw = 1 } }",
        "points = { swiss_bo1 = { win = 3, draw = 1 }, swiss_bo3 = { win = 3, draw = 1 }, "
        "elimination_bo1 = { win = 3, draw = 1 }, elimination_bo3 = { win = 3, draw = 1 } }",
    ),
    (
        TREE + 'level = { games = ["ask"] }\nhalted = { games = ["ask", "tie"] }',
        TREE + 'level = { games = ["ask", "none", "none"] }\n'
        'halted = { games = ["ask", "tie", "none"] }',
    ),
])  # fmt: skip
def test_a_shorter_word_says_the_same(short, long):
    one, other = (
        told_by(catalogue.compile_system(NIGHT + text, "n.toml")) for text in (short, long)
    )
    assert one == other != told_by(catalogue.compile_system(NIGHT, "n.toml"))


@pytest.mark.parametrize(("line", "place"), [
    ("minutes = [75]", r"minutes: must hold 4 or 6 values, not 1"),
    ("minutes = [75, 75, 75, 0]", r"minutes\[3\]: must be a whole number from 1 to 999, not 0"),
    ("minuts = [1, 2, 3, 4]", r"minuts: is not a field \(did you mean minutes\?\)"),
    ("overtime = []", r"overtime: must hold at least one option"),
    ("overtime = [{ turns = 3, clock = 9 }]", r"overtime\[0\]\.clock: is not a field"),
    ('after = "stop"', r"after: 'stop' is none of overtime, finishing"),
    ('late = "yes"', r"late: must be true or false, not 'yes'"),
    ('seats = ["B", "A"]', r"seats: two players sit"),
    ("cards = []", r"cards: the trees compare prizes, so it cannot be empty"),
    ("first_prize = 0", r"first_prize: the trees know a Tiebreaker Game"),
    ('plays = ["start_turn"]', r"plays: the trees compare prizes, so count_prizes is needed"),
    ('sections = ["1"]', r"trees\.swiss_bo1\.last\.section: '9.2.2' is not among sections"),
    ("points = { swiss_bo1 = { win = 300 } }", r"points\.swiss_bo1\.win: must be a whole number"),
    ('trees = { all = { last = { games = "draw" } } }', r"trees\.all\.last\.games: 'draw' is none of tie, leader"),
    ("trees = { swiss_bo1 = {} }", r"trees\.swiss_bo3: is missing"),
    ('policy = { rows = [{ randomizers = ["rps"], purposes = [], needs = [] }] }', r"policy\.rows\[0\]\.randomizers: 'rps'"),
    ("points = { all = { win = 3 }, swiss_bo1 = { win = 2 } }", r"points\.swiss_bo1: is not a field \(known: all\)"),
    ("points = { all = { wins = 3 } }", r"points\.all\.wins: is not a field"),
    ("trees = { all = { last = { games = [] } } }", r"trees\.all\.last\.games: must hold 1 or 2 or 3 values, not 0"),
    ('pregame_s = "pairing"', r"pregame_s: must be a whole number from 0 to 65535"),
    ("lead = 5", r"lead: counts squad points, and caps is empty"),
    ("title = 7", r"title: must be a text"),
    *(
        (
            f'first = {{ game_1 = "{word}", after_a_win = "loser", after_a_draw = "flip" }}',
            r"first\.game_1: before the first game nobody has lost or chosen",
        )
        for word in ("loser", "who_chose_last", "other_side")
    ),
    ('first = { game_1 = "flip", after_a_win = "loser", after_a_draw = "loser" }', r"first\.after_a_draw: a draw has no loser"),
])  # fmt: skip
def test_what_is_wrong_is_named(line, place, tmp_path):
    path = tmp_path / "night.toml"
    path.write_text(NIGHT + line + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=rf"night\.toml:(\d+:)? {place}"):
        catalogue.load(path)


@pytest.mark.parametrize(("text", "place"), [
    ("", "name: is missing"),
    ('name = "Night 1"\nnumber = 17', "name: must be"),
    ('name = "p18"\nnumber = 17', "name: p18 is one of this project's own"),
    ('name = "night"\nnumber = 2\nbase = "p18"', "number: must be a whole number from 16 to 255"),
    ('name = "night"\nnumber = 17\nbase = "p19"', "base: 'p19' is none of p18, d03, xw15"),
    ('name = "night"', "sections: is missing .or say base"),
    ("name = ", "is not TOML"),
])  # fmt: skip
def test_a_head_that_is_wrong(text, place, tmp_path, capsys):
    path = tmp_path / "night.toml"
    path.write_text(text, encoding="utf-8")
    assert plusthree("dev", "rules", "--system", path) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    with pytest.raises(UserError, match=place):
        catalogue.load(path)


@pytest.mark.parametrize(("text", "line", "told"), [
    (TREE.replace('left = { games = "other" }', ""), 5, "trees.all.left: is without an outcome in game 1: a player concedes"),
    (TREE.replace('extra = { games = "winner" }', 'extra = { games = "on" }'), 9, "trees.all.extra: is without an outcome"),
    (
        TREE.replace('"tie" }\nextra', '["tie", "none", "tie"] }\nextra'),
        8,
        "trees.all.between: is without an outcome in game 2",
    ),
    ("asked = []\n" + TREE, 4, "asked: is empty: a table that nobody touched"),
    ('asked = ["turn"]\n' + TREE, 4, "asked: lacks score"),
    ('asked = ["score", "starter"]\n' + TREE, 4, "asked: lacks turn"),
    ('plays = ["set_starter", "start_turn", "count_prizes"]\n' + TREE, 4, "plays: end_turn is needed"),
    ('plays = ["set_starter", "win_game"]\n' + TREE, 1, "asked: asks for a turn, and plays knows none"),
    ('asked = ["score"]\nplays = ["set_starter", "win_game"]\n' + TREE, 1, "overtime: has turns after time"),
    (TURNLESS + TREE, 4, "seats: is empty, so that both share turns that plays does not know: say seats ="),
])  # fmt: skip
def test_a_table_that_lacks_an_outcome_or_could_stick_is_refused_with_its_line(
    text, line, told, tmp_path
):
    path = tmp_path / "night.toml"
    path.write_text(NIGHT + text, encoding="utf-8")
    with pytest.raises(UserError) as refused:
        catalogue.load(path)
    where = f"{path}:{line}: " if line > 1 else f"{path}: "
    assert str(refused.value).startswith(where + told)


def test_a_system_without_turns_has_seats_and_an_old_event_keeps_its_own():
    """A board of shared turns shows them with a key; without any, that key would be dead."""
    assert catalogue.compile_system(
        NIGHT + TURNLESS.replace("[]", '["A", "B"]', 1) + TREE, "n.toml"
    )
    kept = catalogue.compile_system(NIGHT + TURNLESS + TREE, "n.toml", stored=True)
    assert not kept.SEATS
    assert round_format.parse_format("night swiss bo3 50", {"night": kept}).system == kept.NUMBER


def test_a_tree_that_says_everything_is_taken_and_an_old_event_keeps_its_own():
    assert catalogue.compile_system(NIGHT + TREE, "n.toml").NUMBER == 17
    lacking = NIGHT + TREE.replace('left = { games = "other" }', "")
    assert catalogue.compile_system(lacking, "n.toml", stored=True).NUMBER == 17


@pytest.mark.parametrize(("words", "told"), [
    ("five swiss bo5 55", "five swiss bo5 constructed 55"),
    ("double bo2 65", "double swiss bo2 constructed 65"),
    ("five swiss bo4 55", "five swiss bo4 constructed 55"),
    ("double bo12 65", "double swiss bo12 constructed 65"),
    ("five swiss bo16 55", "best_of 16 cannot be: bo1 to bo15"),
    ("p18 swiss bo4 55", "best_of 4 cannot be: bo1 or bo3"),
    ("p18 swiss bo5 55", "best_of 5 cannot be: bo1 or bo3"),
    ("quick bo1 +3 20", "the system has no turns"),
])  # fmt: skip
def test_how_many_games_a_format_may_have(words, told):
    systems = catalogue.with_files(
        path for path in EXAMPLES if path.stem in ("five", "double", "quick")
    )
    try:
        said = round_format.words_of(round_format.parse_format(words, systems), systems)
    except ValueError as refusal:
        said = str(refusal)
    assert told in said


def test_what_cannot_be_read(tmp_path):
    path = tmp_path / "night.toml"
    with pytest.raises(UserError, match="No such file"):
        catalogue.load(path)
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(UserError, match="UTF-8"):
        catalogue.load(path)


def test_two_systems_may_not_share_a_number():
    found = catalogue.built_in()
    catalogue.add(found, catalogue.compile_system(NIGHT, "a.toml"), "a.toml")
    with pytest.raises(UserError, match="b.toml: number: 17 is night's already"):
        catalogue.add(
            found, catalogue.compile_system(NIGHT.replace("night", "day"), "b.toml"), "b.toml"
        )
    assert isinstance(found["night"], OwnRules)


@pytest.mark.parametrize(("words", "told"), [
    (
        "P18 elimination bo3",
        [
            "p18: Play! Pokémon TCG Rules & Formats, 11 July 2018",
            "best of 3",
            "at least 50 (8.3)",
            "9.3.3",
            "a Tiebreaker Game decides",
            "play_on",
        ],
    ),
    ("p18 SWISS bo1 limited", ["at least 20 (8.3)", "9.2.2", "4; a Tiebreaker Game 6", "a win unknown"]),
    ("D03", ["30 recommended (212)", "216", "a win 3", "a draw unknown", "the winner of a toss chooses"]),
    ("d03 team", ["50 recommended", "teams"]),
    ("xw15", ["at least 40, at most 60", "Fine della Partita", "A lead of 12", "from the pairing on"]),
    ("p18 elimination bo1 hidden", ["hidden from the players", "A judge approves"]),
    ("p18 bo3 +1/10 60", ["60 minutes", "1 turn, with a clock of 10 minutes"]),
])  # fmt: skip
def test_a_system_explains_itself(words, told, capsys):
    assert plusthree("dev", "rules", "--explain", *words.split()) == 0
    text = capsys.readouterr().out
    assert not [part for part in told if part not in text]
    assert max(map(len, text.splitlines())) <= 110


@pytest.mark.parametrize("words", ["p19", "p18 bo5", "xw15 team", "nothing.toml"])
def test_what_cannot_be_explained(words, capsys):
    assert plusthree("dev", "rules", "--explain", *words.split()) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_nothing_to_do_is_a_mistake():
    assert plusthree("dev", "rules") == 2


def test_the_drawing_in_the_readme_is_fresh():
    text = diagram.README.read_text(encoding="utf-8")
    assert diagram.place(text, diagram.section()) == text, (
        "draw it anew: plusthree dev rules --diagram"
    )


def test_a_readme_without_its_marks_is_refused():
    with pytest.raises(ValueError, match="lacks the lines"):
        diagram.place("# nothing", "")


def test_every_phase_is_drawn_and_reached():
    moves = diagram.moves_of(catalogue.built_in().values())
    assert {PHASES[number] for move in moves for number in (move[0], move[2])} == set(PHASES)


@pytest.mark.parametrize("name", ["p18", "d03", "xw15"])
def test_a_match_ends_from_every_phase_it_reaches(name):
    """Every system ends from every phase, as far as acts and time lead."""
    for bits in (2, 7):
        found = explore.explore(catalogue.built_in()[name], bits, 2)
        assert found.states < 4000
        ends, grown = {PHASES.index("agreed")}, True
        while grown:
            more = {before for before, _, after in found.moves if after in ends} - ends
            ends, grown = ends | more, bool(more)
        assert {move[2] for move in found.moves} <= ends


def test_every_act_and_phase_has_its_sentence():
    assert set(sentences.PHASES) == set(PHASES)
    assert not set(explore.INTENTS) - set(sentences.ACTS)
