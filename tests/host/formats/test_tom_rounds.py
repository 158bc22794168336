"""TOM's file as it is: what was played before comes along, and what differs is named."""

import json
import pathlib

import pytest
import tomfile
from otherprograms import FORMAT, put, runner

from firmware.core import intents
from host.archive.people import People
from host.archive.store import Archive
from host.event import event_log
from host.formats import tom_file
from host.web import roundcard


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command line in a folder of its own; return what it printed."""
    monkeypatch.chdir(tmp_path)
    return runner(capsys)


def test_finished_rounds_come_with_results_byes_and_drops(run):
    told = run("import", put("cup.tdf", tomfile.evening(3)), "--format", FORMAT)
    assert "round 3 of 3: 3 matches, 1 bye" in told
    assert "round 1 was read: 4 results, 4 matches" in told
    assert "round 2 was read: 3 results, 3 matches" in told
    table = json.loads(
        run("show", "standings", "--pack", "pokemon-swiss", "--round", "3", "--json", code=1)
    )
    points = {line["number"]: line["points"] for line in table["lines"]}
    assert points["501"] == 6 and sum(points.values()) == 7 * 3 + 2 * 3  # seven matches, two byes
    assert "round 3 of 3: stored" in run("show", "status")
    with Archive("plusthree.db") as archive:
        assert [one.player.number for one in People(archive).every if one.dropped] == ["508"]


def test_the_next_round_keeps_opponents_and_points(run):
    run("import", put("cup.tdf", tomfile.evening(2, range(501, 508))), "--format", FORMAT)
    run("pair", "next.csv", "--pack", "pokemon-swiss", "--seed", "3")
    pairs = {
        frozenset(m.numbers) for m in tom_file.read(pathlib.Path("cup.tdf")).matches if m.playable
    }
    rows = [
        line.split(",") for line in pathlib.Path("next.csv").read_text("utf-8-sig").splitlines()
    ]
    drafted = {frozenset((row[1], row[3])) for row in rows if len(row) > 4 and row[0].isdigit()}
    assert len(drafted) == 3 and not drafted & pairs


def test_a_tournament_that_is_over_is_read_whole_and_each_difference_is_named(run):
    places = [501, 502, 503, 504, 507, 506, 505]
    told = run("import", put("cup.tdf", tomfile.evening(2, places)), "--format", FORMAT)
    assert "round 2 was read: 3 results, 3 matches" in told
    assert "round 2 of 2: over" in run("show", "status")
    lines = run("show", "standings", "--pack", "pokemon-swiss", code=1).splitlines()
    assert any("place 2 in cup.tdf" in line and "(502)" in line for line in lines)
    assert not any("(501): place" in line for line in lines)  # first here and there


# Swiss ranks 501, 505, 504, 503; both first seeds lose their semi-final and 504 wins the final
SEMI_FINALS = [(2, 501, 503), (2, 505, 504)]
BRACKET = [SEMI_FINALS, [(1, 504, 503)]]
FINISHED = [504, 503, 501, 505, 506, 502, 507]


def _told_of_places(run, places, bracket=BRACKET, *words):
    """Import an evening with a cut; return what ``standings`` says of TOM's places."""
    run("import", put("cup.tdf", tomfile.evening(3, places, bracket)), "--format", FORMAT)
    said = run("show", "standings", "--pack", "pokemon-swiss", *words, code=1).splitlines()
    return [line for line in said if "place" in line and "cup.tdf" in line]


def test_places_of_a_finished_cut_are_those_of_its_bracket(run):
    assert _told_of_places(run, FINISHED) == []


def test_a_finalist_whom_tom_places_otherwise_is_named(run):
    told = _told_of_places(run, [503, 504, *FINISHED[2:]])
    assert [line[-len("place 1 in cup.tdf, 2 here") :] for line in told] == [
        "place 1 in cup.tdf, 2 here",
        "place 2 in cup.tdf, 1 here",
    ]
    assert "(503)" in told[0] and "(504)" in told[1]


def test_a_match_for_third_place_decides_between_the_losers_of_the_semi_finals(run):
    bracket = [SEMI_FINALS, [(1, 504, 503), (1, 505, 501)]]
    assert len(_told_of_places(run, FINISHED, bracket)) == 2
    right = tomfile.evening(3, [504, 503, 505, 501, *FINISHED[4:]], bracket)
    run("import", put("cup.tdf", right), "--format", FORMAT)
    said = run("show", "standings", "--pack", "pokemon-swiss", code=1)
    assert "cup.tdf" not in said


def test_places_are_not_compared_while_a_match_of_the_bracket_is_open(run):
    assert _told_of_places(run, FINISHED[::-1], [SEMI_FINALS, [(0, 504, 503)]]) == []


def test_places_of_a_cut_are_not_compared_with_a_ranking_from_before_it(run):
    assert _told_of_places(run, FINISHED[::-1], BRACKET, "--round", "3") == []


def test_without_its_bracket_a_cut_leaves_the_others_to_compare(run):
    run("import", put("cup.tdf", tomfile.evening(3, FINISHED, BRACKET)), "--format", FORMAT,
        "--round", "3")  # fmt: skip
    assert "place" not in run("show", "standings", "--pack", "pokemon-swiss", code=1)
    run("import", put("b.tdf", tomfile.evening(3, [*FINISHED[:4], 502, 506, 507], BRACKET)),
        "--format", FORMAT, "--round", "3")  # fmt: skip
    told = run("show", "standings", "--pack", "pokemon-swiss", code=1)
    assert told.count("in b.tdf") == 2


def test_what_was_not_read_is_said_by_import_and_status(run):
    text = tomfile.evening(3)
    first, rest = text.index('<round number="1"'), text.index('<round number="2"')
    put("cup.tdf", text[:first] + text[rest:])
    said = "round 1 is not in this archive: standings and opponents leave it out"
    assert said in run("import", "cup.tdf", "--format", FORMAT)
    assert said in run("show", "status")


def test_toms_times_are_kept_and_told_where_they_differ(run):
    told = run("import", put("cup.tdf", tomfile.cut()), "--format", FORMAT)
    assert "cup.tdf gives an elimination round 75 minutes, this one has 50" in told
    assert "cup.tdf gives an elimination round 75 minutes" in run("show", "status")
    assert "elimination bo3 constructed 50" in told  # a judge approves, as in every elimination
    run("import", put("b.tdf", tomfile.swiss()), "--format", FORMAT, "b.db")
    later = tomfile.swiss().replace("roundtime>50<", "roundtime>40<")
    later = later.replace("<data>", "<data><x/>").replace('number="2"', 'number="3"')
    told = run("import", put("c.tdf", later), "b.db")  # no format: TOM's minutes
    assert "p18 swiss bo3 constructed 40" in told


def test_a_cut_that_is_paired_here_has_toms_minutes(run):
    run("import", put("cup.tdf", tomfile.evening(3, range(501, 508))), "--format", FORMAT)
    run("pair", "cut.csv", "--pack", "pokemon-swiss", "--cut", "4", "--seed", "1")
    assert "elimination bo3 constructed 75" in pathlib.Path("cut.csv").read_text("utf-8-sig")


def test_a_video_game_file_is_told_apart(run):
    text = tomfile.swiss().replace("TRADING_CARD_GAME", "VIDEO_GAME")
    told = run("import", put("vg.tdf", text), "--format", FORMAT, code=2)
    assert "another game (VIDEO_GAME)" in told and "keep it in TOM" in told


def test_a_tournament_not_yet_paired_says_so_and_what_to_do(run):
    text = tomfile.swiss()
    text = text[: text.index("<rounds>") + 8] + text[text.index("</rounds>") :]
    told = run("import", put("new.tdf", text), "--format", FORMAT, code=2)
    assert "not paired yet (8 players)" in told and "pair round 1 in TOM" in told
    words = ("pair", "r1.csv", "--players", "new.tdf", "--format", FORMAT)
    assert "101" in run(*words, "--pack", "pokemon-swiss", "--event", "Cup")


def test_a_double_loss_and_a_missed_round_are_losses(run):
    run("import", put("b.tdf", tomfile.byes()), "--format", FORMAT)
    assert "both lose (file)" in run("show", "results", "--all")
    lines = json.loads(run("show", "results", "--all", "--json"))
    double = next(line for line in lines if line["outcome"] == "neither")
    assert double["games_a"] is None and {double["number_a"], double["number_b"]} == {"303", "306"}
    run("export", "tdf", "--tdf", "b.tdf", "--round", "1")


def test_a_result_typed_into_tom_later_comes_with_the_next_import(run):
    run("import", put("cup.tdf", tomfile.evening(2)), "--format", FORMAT)
    decided = tomfile.evening(2).replace('outcome="0"', 'outcome="2"', 1)
    told = run("import", put("cup.tdf", decided), "--format", FORMAT)
    assert "round 2 was read: 1 result, 3 matches" in told
    assert "results: 1 of 3" in run("show", "status")


def test_a_round_of_the_file_that_is_done_can_neither_be_dropped_nor_paired_anew(run):
    run("import", put("cup.tdf", tomfile.evening(2)), "--format", FORMAT)
    with Archive("plusthree.db") as archive:
        assert archive.orders.last_round(intents.SET_ROUND) is None
        assert roundcard.published(archive, 1) and not roundcard.published(archive, 2)
        assert roundcard.RoundRecord(archive, 1).short({1, 2, 3, 4}, 0)["state"] == "closed"


def test_the_log_says_in_words_what_the_file_told(run):
    run("import", put("cup.tdf", tomfile.evening(2, range(501, 508))), "--format", FORMAT)
    with Archive("plusthree.db") as archive:
        told = {str(line["what"]): str(line["value"]) for line in event_log.lines(archive)}
    assert told["results from a file"] == "round 2: cup.tdf"
    assert told["round times from a file"] == "cup.tdf: 50 and 75 minutes"
    assert told["standings from a file"] == "round 2: cup.tdf"
