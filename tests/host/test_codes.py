"""Codes at the desk: a result read off a screen, and the judge's list to print."""

import pytest
from commands import plusthree
from escalation import Escalation
from tabletop import MASTER
from webclient import Browser, office_of

from firmware.core import code, events, frames
from host.archive import master_key
from host.audit.inspection import inspect
from host.event import points, typed_results
from host.keys.judge_codes import CodeRequest, codes, next_number, sheet
from host.server.console import Console

pytestmark = [pytest.mark.venue(begun=True), pytest.mark.archives]


@pytest.fixture
def desk(venue):
    return Console(venue.station, "helper")


def unsent(venue, number=0, seat=0):
    """A table ends its match out of reach; return the code on its screen."""
    board = venue.win_unheard(number, seat)
    return code.result(board.journal, board.match)


def test_a_result_is_taken_from_its_code_and_then_from_the_air(venue, desk):
    text = unsent(venue)
    assert desk.run(f"code 1 {text[:3].lower()} {text[3:]}")[0].startswith(
        "table 1: Given0 Family wins (2–0)"
    )
    result = venue.station.hall.results(1)[1]
    assert (result.by, result.games) == ("code", (2, 0))
    venue.restart()
    assert venue.station.hall.results(1)[1].outcome == "A"
    venue.air.away.clear()
    venue.drain()
    assert venue.station.hall.results(1)[1].by == "agreed"


@pytest.mark.parametrize(("games", "wins"), [((1, 0), "A"), ((0, 1), "B")])
def test_a_narrow_win_is_taken_from_its_code(venue, desk, games, wins):
    """D03 216: it is worth less than a win."""
    key = frames.board_key(MASTER, 101, 1)
    text = code.result_code(key, venue.archive.roster.event.number, 1, 1, 0, games)
    winner = f"Given{'AB'.index(wins)} Family"
    assert desk.run(f"code 1 {text}") == [
        f"table 1: {winner} wins ({games[0]}–{games[1]}); taken from its screen"
    ]
    result = venue.station.hall.results(1)[1]
    assert (result.outcome, result.games, result.narrow) == (wins, games, True)
    assert points.of(result, {"win": 3, "narrow": 2, "loss": 0})["AB".index(wins)] == 2
    faults = inspect(venue.archive, venue.station.keyring).faults
    assert not [fault for fault in faults if "code" in fault]


@pytest.mark.venue(of=Escalation, begun=True)
def test_a_code_has_no_points_so_the_next_round_waits_for_them(venue, desk):
    """XW15 Punteggi: points and margin come of the destroyed points, which no code can say."""
    key = frames.board_key(MASTER, 101, 1)
    text = code.result_code(key, venue.archive.roster.event.number, 1, 1, 1, (0, 0))
    assert desk.run(f"code 1 {text}") == [
        "table 1: Given0 Family wins; taken from its screen. A code has no points: type those from"
        " paper, too"
    ]
    assert desk.run("show results")[0].endswith("Given0 Family wins (code)  points unknown")
    desk.run("result 2 A 40 20 slip")
    without = "points are missing: table 1, where the result came by a code. Type them first"
    organiser = Browser(office_of(venue), "organiser")
    assert organiser.act("draft").json["error"] == without
    assert organiser.act("publish_standings").json["error"] == without
    told = organiser.get("/api/standings").json
    assert told["lines"] == [] and "no round is finished yet" in str(told)
    assert organiser.get("/api/outstanding").json["lines"][0]["needs"] == ["points"]
    assert desk.run("result 1 A 30 25 slip") == [
        "table 1: Given0 Family wins (30–25); typed from paper"
    ]
    result = venue.station.hall.results(1)[1]
    assert (result.by, result.points, result.margin) == ("paper", (3, 0), (65, 55))
    assert organiser.act("draft").json["round"] == 2


def test_a_judges_code_that_one_board_took_is_not_used_up_at_another(venue):
    venue.boards[0].happen(events.CodeEntered(venue.air.now_ms, 0, 3))
    venue.drain()
    first, second = (venue.archive.roster.board_at(table) for table in (1, 2))
    assert [next_number(venue.archive, board) for board in (first, second)] == [3, 0]


def test_a_code_counts_for_its_table_once(venue, desk):
    text = unsent(venue)
    assert "does not show this code (tries left: 4)" in desk.run(f"code 2 {text}")[0]
    desk.run(f"code 1 {text}")
    assert desk.run(f"code 1 {text}") == [
        "not done: table 1: this code has been used: its result is stored already"
    ]


def test_a_made_up_result_is_refused_and_tries_are_few(venue, desk):
    text = unsent(venue)
    # B in the place of A
    forged = code.ALPHABET[(code.ALPHABET.index(text[0]) + 8) % 32] + text[1:]
    for left in (4, 3, 2, 1, 0):
        assert desk.run(f"code 1 {forged}") == [
            f"not done: table 1 does not show this code (tries left: {left}): read it from its"
            " screen again"
        ]
    assert desk.run(f"code 1 {text}") == [
        "not done: 5 wrong codes for table 1 in this round: a judge must rule"
    ]
    venue.restart()
    desk = Console(venue.station, "helper")
    assert "a judge must rule" in desk.run(f"code 1 {text}")[0], "a restart gives no tries back"
    assert desk.run("code 9 ABCDEF") == ["not done: table 9 does not play, or has no board"]


def test_what_cannot_be_a_code_costs_no_try(venue, desk):
    text = unsent(venue)
    for slip in ("ABC", "ABCDEFG", "ABCDEU", "ÀBCDEF", "!!", "7KQ/2M", "ABC"):
        assert desk.run(f"code 1 {slip}")[0].endswith("it is not counted as an attempt")
    assert typed_results.attempts(venue.archive, 1, 1) == 0
    assert desk.run(f"code 1 {text}")[0].startswith("table 1: Given0 Family wins")


def test_the_chance_of_a_guess_is_small():
    results, tries = 6, 5  # results that a best of three can have, of 2**6 that six bits can say
    assert tries * results / 2**30 < 1e-7 and tries / 2**24 < 1e-6


def test_the_desk_shows_the_codes_that_the_board_takes(venue, desk):
    board = venue.boards[0]
    first = desk.run("codes 1")[0].removeprefix("table 1: ").split(", then ")[0].replace(" ", "")
    event = code.enter(board.journal, first, venue.air.now_ms)
    assert event.wrong == 0
    board.happen(event)
    venue.drain()
    assert first not in desk.run("codes 1")[0].replace(" ", "")


def test_the_printed_list_holds_each_boards_own_codes(venue):
    roster = venue.archive.roster
    boards = list(roster.current_boards.values())
    lines = sheet(venue.station.keyring, venue.archive, CodeRequest(count=10))
    text = "\n".join(lines).replace(" ", "")
    for board in boards:
        key = code.judges_key(frames.board_key(MASTER, board.device, 1), roster.event.number)
        assert all(code.hotp(key, number) in text for number in range(10))
    found = codes(venue.station.keyring, venue.archive, boards[0], 3, first=5)
    assert [number for number, _ in found] == [5, 6, 7]
    assert frames.board_key(MASTER, 101, 1).hex() not in text


def by_hand(venue, won=1, games=(2, 0)):
    """Return the code of a match that a judge set up by hand at the board of table 1."""
    board = venue.boards[0]
    return code.result_code(board.journal.key, venue.archive.roster.event.number, 0, 0, won, games)


def test_the_code_of_a_match_set_up_by_hand_is_none_of_a_match_that_was_published(venue, desk):
    assert "does not show this code" in desk.run(f"code 1 {by_hand(venue)}")[0]
    assert not venue.station.hall.results(1)


def test_the_code_of_a_match_set_up_by_hand_counts_where_its_board_was_adopted(venue, desk):
    board = next(one for one in venue.archive.roster.boards if one.device == venue.boards[0].device)
    typed_results.adopt(venue.archive, board, 2, 1, "Ann", venue.air.now_ms)
    assert "does not show this code" in desk.run(f"code 1 {by_hand(venue)}")[0], "of another round"
    typed_results.adopt(venue.archive, board, 1, 1, "Ann", venue.air.now_ms)
    assert "wins (2–0)" in desk.run(f"code 1 {by_hand(venue)}")[0]


def test_the_list_is_printed_beside_a_running_host(venue, capsys):
    master_key.keep(master_key.path_of(venue.path), MASTER)
    assert plusthree("paper", "codes", "--text", venue.path, "--table", 1, "--count", 5) == 0
    printed = capsys.readouterr().out
    board = venue.archive.roster.board_at(1)
    for _, one in codes(venue.station.keyring, venue.archive, board, 5):
        assert f"{one[:3]} {one[3:]}" in printed


def test_the_list_is_printed_before_any_host_has_run(capsys, tmp_path):
    path = tmp_path / "b.db"
    board = "--device", 7, "--table", 1, "--out", tmp_path / "7.toml"
    assert plusthree("paper", "codes", "--text", path) == 2 and not path.exists()
    assert "there is no archive" in capsys.readouterr().err
    assert plusthree("board", "provision", path, *board) == 0
    assert plusthree("paper", "codes", "--text", path) == 2
    assert "plusthree import" in capsys.readouterr().err
    assert plusthree("import", "examples/winter-cup.csv", path) == 0
    assert plusthree("paper", "codes", "--text", path) == 0
    assert "table 1 (board 7)" in capsys.readouterr().out
