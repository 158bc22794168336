"""Systems that are not ours, as TOML: laid on a drive, run by a board, folded by the host, played through."""

import copy
import importlib.util
import json

import boardsettings
import pytest
import tree
from commands import plusthree
from solo import A, B, Solo
from tabletop import Venue

from firmware.core import intents, outcome, phases
from firmware.ui import canvas
from host.desk.event_import import import_file
from host.formats import event_file
from host.formats.round_format import parse_format
from host.reports import exports
from host.server.console import Console
from host.sim.faces import blank_face, drawn_faces, picture
from host.systems import catalogue

TEXT = """
name = "blitz"
number = 99
title = "Blitz: 20 minutes, one more turn, level is a draw"
base = "p18"
minutes = [20, 20, 20, 20]
overtime = [{ turns = 1, clock_s = 0 }]
sections = ["B1", "B2"]
points = { swiss_bo1 = { win = 4, narrow = 2, draw = 1, loss = 0 } }

[trees.all]
last = { games = "prizes_or_tie", section = "B2" }
unstarted = { games = "tie", section = "B1" }
extra = { games = "winner", section = "B1" }
won = { games = "winner" }
tied = { games = "tie", section = "B1" }
even = { games = "tie" }
left = { games = "other" }
"""
BOOT_OUT = (
    "Adafruit CircuitPython 10.3.1 on 2026-01-01; Adafruit Board\nBoard"
    " ID:unexpectedmaker_feathers3\n"
)
MINUTE_MS = 60_000


@pytest.fixture
def path(tmp_path):
    written = tmp_path / "blitz.toml"
    written.write_text(TEXT, encoding="utf-8")
    return written


@pytest.fixture
def drive(tmp_path, path):
    """A deployed drive whose settings name the system."""
    folder = tmp_path / "CIRCUITPY"
    folder.mkdir()
    (folder / "boot_out.txt").write_text(BOOT_OUT)
    (tmp_path / "s.toml").write_text(boardsettings.of(3) + 'PLUSTHREE_SYSTEM = "p18"\n')
    options = "--settings", str(tmp_path / "s.toml"), "--system", str(path)
    assert plusthree("board", "deploy", folder, *options) == 0
    return folder


def laid(drive):
    spec = importlib.util.spec_from_file_location("blitz", drive / "firmware/core/systems/blitz.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_its_cases_run(path, tmp_path, capsys):
    case = {
        "name": "B2: prizes", "system": "blitz", "format": {"stage": "swiss", "best_of": 1},
        "steps": [["0:00", "starter", "A"], ["19:00", "turn", "A"], ["20:30", "end"],
                  ["20:40", "turn", "B"],
                  ["21:00", "end"], ["21:10", "prizes", 1, 2]],
        "expect": {"outcome": "A", "section": "B2", "points": [2, 0], "refused": []},
    }  # fmt: skip
    cases = tmp_path / "cases.json"
    cases.write_text(json.dumps([case]))
    assert plusthree("dev", "rules", "--system", path, cases) == 0
    assert plusthree("dev", "rules", cases) == 2, "nobody knows it without its file"
    assert "no system 'blitz'" in capsys.readouterr().err


def test_the_drive_names_it_and_holds_it(drive, capsys):
    assert 'PLUSTHREE_SYSTEM = "blitz"' in (drive / "settings.toml").read_text()
    assert "PLUSTHREE_DEVICE = 3" in (drive / "settings.toml").read_text()
    assert laid(drive).NUMBER == 99 and not hasattr(laid(drive), "MINUTES")
    assert plusthree("board", "deploy", drive) == 2
    assert "PLUSTHREE_SYSTEM is blitz: give its file too" in capsys.readouterr().err
    assert (drive / "firmware/core/systems/blitz.py").is_file()
    assert plusthree("board", "deploy", drive, "--system", "d03") == 0
    assert not (drive / "firmware/core/systems/blitz.py").exists()
    assert 'PLUSTHREE_SYSTEM = "d03"' in (drive / "settings.toml").read_text()


def test_a_system_needs_settings_to_be_named_in(tmp_path, path, capsys):
    (tmp_path / "boot_out.txt").write_text(BOOT_OUT)
    assert plusthree("board", "deploy", tmp_path, "--system", path) == 2
    assert "give --settings" in capsys.readouterr().err


def test_a_board_ends_a_match_under_it(drive):
    solo = Solo(rules=laid(drive))
    solo.tell_time(MINUTE_MS)
    solo.pair(form=1 << 1, minutes=20)
    solo.run(151 + 19 * 60)
    match = solo.app.match
    assert match.phase == phases.PLAYING and match.rules.NUMBER == 99
    for kind in (intents.SET_STARTER, intents.START_TURN):
        assert solo.desk(kind)
    solo.run(90)
    assert (match.phase, match.turn) == (phases.OVERTIME, 0)
    for kind, a in ((intents.END_TURN, 0), (intents.START_TURN, 1), (intents.END_TURN, 0)):
        assert solo.desk(kind, a)
    assert match.phase == phases.RESOLVING
    assert solo.desk(intents.COUNT_PRIZES, 0, 1, 2)
    assert (match.phase, match.outcome) == (phases.PROPOSED, 1)
    assert solo.desk(intents.CONFIRM_RESULT, 1) and solo.desk(intents.CONFIRM_RESULT, 0)
    assert match.phase == phases.AGREED and match.rules.SECTIONS[match.section - 1] == "B2"


def played(venue, rules, systems, folder):
    """Publish, start and play a round at table 1 until both have confirmed that B won."""
    station, board, event = venue.station, venue.boards[0], folder / "round.csv"
    board.rules = board.match.rules = rules
    event.write_text(
        "# round: 2\n# format: blitz bo1 20\ntable,number_a,name_a,number_b,name_b\n1,1,Ann,2,Bo\n"
    )
    file = event_file.read(event, systems)
    assert import_file(station.archive, file, 1000, systems=systems).round == 2
    station.refresh()
    station.desk.publish(2)
    venue.drain()
    assert board.match.system == 99 and board.match.minutes == 20
    station.desk.start(venue.air.now_ms + 3 * MINUTE_MS)
    venue.drain()
    venue.air.run(4 * MINUTE_MS)
    for asked in (
        (intents.SET_STARTER,),
        (intents.WIN_GAME, 1),
        (intents.CONFIRM_RESULT, 0),
        (intents.CONFIRM_RESULT, 1),
    ):
        assert board.ask(venue.air.now_ms, *asked)
    venue.drain()


def test_the_host_collects_and_exports_it(tmp_path, path, drive):
    venue = Venue(tmp_path / "a.db", tables=1)
    station = venue.station
    played(venue, laid(drive), catalogue.with_files([path]), tmp_path)
    line = exports.table_of(station.archive, station.hall, 2)[0]
    assert (line["outcome"], line["state"]) == ("B", "final")
    assert (line["points_a"], line["points_b"]) == (0, 4)
    exports.write_results(station.archive, station.hall, tmp_path)
    written = json.loads((tmp_path / "results.json").read_text())
    assert written["rounds"]["2"] == "blitz swiss bo1 constructed 20"
    station.close()


def test_a_board_with_another_text_refuses_the_format_and_the_desk_is_told(tmp_path, drive):
    text = TEXT.replace("number = 99\n", "").replace("turns = 1", "turns = 2")
    newer = catalogue.compile_system(text, "blitz.toml")
    venue = Venue(tmp_path / "a.db", tables=1)
    board = venue.boards[0]
    board.rules = board.match.rules = catalogue.compile_system(
        text.replace("turns = 2", "turns = 1"), "blitz.toml"
    )
    systems = catalogue.built_in() | {"blitz": newer}
    event = tmp_path / "round.csv"
    event.write_text(
        "# round: 2\n# format: blitz bo1 20\ntable,number_a,name_a,number_b,name_b\n1,1,Ann,2,Bo\n"
    )
    import_file(venue.station.archive, event_file.read(event, systems), 1000, systems=systems)
    venue.station.refresh()
    console = Console(venue.station, "Ann")
    console.run("publish 2")
    venue.drain()
    assert "table 1: set the format: refused, its board carries other rules" in " ".join(
        console.news()
    )
    venue.station.close()


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
    before_all = opened(words)
    for place, item in enumerate(before_all.reading.items):
        if item in ELSEWHERE:
            continue
        solo = copy.deepcopy(before_all)
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
