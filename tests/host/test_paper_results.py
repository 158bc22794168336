"""A result from paper: at any table at any time, with an author and a reason."""

from dataclasses import replace

import pytest
from tabletop import Venue

from firmware.core import intents, phases
from firmware.core.systems import d03
from host.archive.roster import REVOKED, Format
from host.audit.inspection import inspect
from host.base.errors import UserError
from host.desk import paper_entry
from host.desk.acts import table_acts
from host.desk.staff import Staff
from host.event import paper_results
from host.event.fold import Hall
from host.event.match_results import AGREED, PAPER, RULED, TYPED, ClaimedResult
from host.event.paper_results import PaperResult
from host.systems import catalogue

pytestmark = [pytest.mark.venue(tables=2, begun=True), pytest.mark.archives]


def typed(venue, table, won, numbers=None, reason="paper slip", **more):
    done = paper_entry.enter(Staff(venue.station, "Ada"), table, won, numbers, reason, **more)
    return done.message or done.ask, done.ask is None


def result(venue, pairing):
    return venue.station.hall.results(1).get(pairing)


def without_board(venue, device):
    """Have a board fail for good, with no spare to take its table over."""
    venue.archive.roster.move(device, REVOKED, "Ada", "broken", 0)
    venue.station.refresh()


def test_a_table_without_a_board_gets_its_result(venue):
    without_board(venue, 102)
    said, stored = typed(venue, 2, "B", (1, 2))
    assert stored and str(said) == "table 2: Given3 Family wins (1–2); typed from paper"
    found = result(venue, 2)
    assert (found.outcome, found.games, found.by) == ("B", (1, 2), PAPER)
    assert (found.author, found.reason, found.against) == ("Ada", "paper slip", None)
    assert venue.station.desk.open == [1]
    assert Hall(venue.archive).results(1)[2] == found  # what is on the disk says the same


def test_it_is_corrected_and_withdrawn_later(venue):
    without_board(venue, 102)
    typed(venue, 2, "B", (1, 2))
    typed(venue, 2, "A", (2, 1), "slip misread")
    assert result(venue, 2).outcome == "A" and result(venue, 2).reason == "slip misread"
    said, _ = typed(venue, 2, "none", reason="of another table")
    assert "no longer counts" in str(said) and result(venue, 2) is None
    with pytest.raises(UserError, match="no result from paper"):
        typed(venue, 2, "none")


@pytest.mark.parametrize(("won", "games"), (("A", (1, 0)), ("B", (0, 1)), ("tie", (0, 0))))
def test_of_a_single_game_the_winner_says_it_all(venue, won, games):
    roster = venue.archive.roster
    form = replace(roster.format_of(1), bits=1 << 1)
    roster.store_round(2, form, [replace(one, round=2) for one in roster.pairings_of(1)])
    venue.station.desk.publish(2)
    assert typed(venue, 1, won, round=2)[1]
    found = venue.station.hall.results(2)[1]
    assert (found.outcome, found.games) == (won, games)


def single_games(venue, **changed):
    """Publish a round 2 of single games, D03 in Swiss rounds unless ``changed``."""
    roster = venue.archive.roster
    form = replace(roster.format_of(1), system=1, bits=1 << 1)
    form = replace(form, **changed)
    roster.store_round(2, form, [replace(one, round=2) for one in roster.pairings_of(1)])
    venue.station.desk.publish(2)


def test_a_win_by_prizes_at_time_is_worth_less(venue):
    """D03 216: two points in place of three."""
    single_games(venue)
    said, _ = typed(venue, 1, "B", round=2, narrow=True)
    assert str(said) == "table 1: Given1 Family wins (0–1), a narrow win; typed from paper"
    typed(venue, 2, "A", round=2)
    results = Hall(venue.archive).results(2)
    assert [(results[at].points, results[at].narrow) for at in (1, 2)] == [
        ((None, 2), True),
        ((3, None), False),
    ]
    assert (results[1].games, results[1].by) == ((0, 1), PAPER)


@pytest.mark.parametrize("changed", [{"bits": 3 << 1}, {"bits": 1 << 1 | 1}, {"system": 0}])
def test_where_every_win_is_worth_the_same_none_is_narrow(venue, changed):
    single_games(venue, **changed)
    with pytest.raises(UserError, match="leave out “narrow”"):
        typed(venue, 1, "A", None, round=2, narrow=True)


def test_a_narrow_win_on_paper_is_more_than_the_boards_win(venue):
    """A board's result that leaves it out comes later: a judge decides."""
    rules, form = catalogue.built_in()["d03"], Format(1, 1 << 1, 30)
    typed = PaperResult(1, 1, "A", (1, 0), None, None, "Ann", "slip", TYPED_MS, narrow=True)
    paper = paper_results.result_of(typed, form, rules)
    board = replace(paper, by=AGREED, narrow=False)
    found = paper_results.settle(typed, paper, board)
    assert (found.by, found.against) == (PAPER, ClaimedResult("A", (1, 0)))
    assert paper_results.settle(typed, paper, replace(board, narrow=True)).by == AGREED


def test_a_tie_is_no_narrow_win(venue):
    single_games(venue)
    with pytest.raises(UserError, match="nobody has won"):
        typed(venue, 1, "tie", round=2, narrow=True)


def test_the_boards_own_entry_against_it_is_a_conflict_and_overwrites_nothing(venue):
    typed(venue, 1, "B", (0, 2))
    assert result(venue, 1).against is None
    venue.win(venue.boards[0])  # A, 2–0
    venue.drain()
    found = result(venue, 1)
    assert (found.outcome, found.by, found.against) == ("B", PAPER, ClaimedResult("A", (2, 0)))
    noted = "round 1, table 1: paper and board differ; the board says A 2–0"
    assert noted in inspect(venue.archive, venue.station.keyring).notes
    typed(venue, 1, "B", (0, 2), "asked both players")  # now the board's word is known
    assert result(venue, 1).outcome == "B" and result(venue, 1).against is None
    typed(venue, 1, "none", reason="the slip was another table's")
    assert (result(venue, 1).outcome, result(venue, 1).by) == ("A", "agreed")


def test_a_judge_who_rules_at_the_board_afterwards_has_the_last_word(venue):
    typed(venue, 1, "B", (0, 2))
    venue.air.run(1000)
    venue.station.desk.rule(1, "A", (2, 1), "Bea", "appeal", final=True)
    venue.drain()
    assert (result(venue, 1).outcome, result(venue, 1).by) == ("A", "ruled")


def test_it_is_stored_with_the_time_at_which_it_was_typed(venue):
    typed(venue, 1, "B", (0, 2))
    (stored,) = [one for one in venue.archive.notices.all if one["what"] == paper_results.NOTICE]
    began_ms = venue.archive.roster.current_event.origin_unix_ms
    assert stored["unix_ms"] == began_ms + venue.station.collector.now_ms


def test_it_never_reaches_a_board(venue):
    before = venue.archive.orders.all
    typed(venue, 1, "B", (0, 2))
    venue.drain()
    assert venue.archive.orders.all == before
    assert venue.boards[0].ask(venue.air.now_ms, intents.SET_STARTER, 0)  # they play on


def test_its_board_takes_the_next_round_though_nobody_confirmed_there(venue):
    board, roster = venue.boards[0], venue.archive.roster
    assert board.ask(venue.air.now_ms, intents.SET_STARTER, 0)
    venue.win(venue.boards[1])
    venue.drain()
    typed(venue, 1, "B", (0, 2))
    again = [replace(one, round=2) for one in roster.pairings_of(1)]
    roster.store_round(2, roster.format_of(1), again)
    venue.publish(2)
    assert (board.match.round, board.match.phase) == (2, phases.SEATED)
    assert result(venue, 1).outcome == "B" and board.names


@pytest.mark.parametrize(("table", "won", "numbers", "reason", "words"), [
    (9, "A", (2, 0), "slip", "table 9 does not play in round 1"),
    (1, "A", None, "slip", "type the games that each won"),
    (1, "A", (2, 2), "slip", "2–2 games cannot be in a best of 3"),
    (1, "B", (2, 0), "slip", "▲ has won: rule that, or other games"),
    (1, "A", (2, 0), "", "a result from paper needs a reason"),
])  # fmt: skip
def test_a_mistyped_one_is_refused_and_says_what_to_do(venue, table, won, numbers, reason, words):
    with pytest.raises(UserError, match=words):
        typed(venue, table, won, numbers, reason)
    assert venue.station.hall.results(1) == {}


def test_an_odd_one_is_asked_about_before_it_counts(venue):
    said, stored = typed(venue, 1, "B", (1, 0))
    assert not stored and "by a concession" in str(said) and result(venue, 1) is None
    assert typed(venue, 1, "B", (1, 0), sure=True)[1] and result(venue, 1).outcome == "B"


def test_a_round_that_is_not_published_has_no_results(venue):
    with pytest.raises(UserError, match="publish it"):
        typed(venue, 1, "A", (2, 0), round=2)


TYPED_MS = 1000
# (what the board says other than the paper, whether that was known, who counts, told as a conflict)
SETTLED = {
    "the same": ({}, False, AGREED, None),
    "the same, ruled before": ({"by": RULED, "ended_ms": 1}, False, RULED, None),
    "another": ({"games": (2, 1)}, False, PAPER, ClaimedResult("A", (2, 1))),
    "another winner": ({"outcome": "B"}, False, PAPER, ClaimedResult("B", (2, 0))),
    "another, that was known": ({"games": (2, 1)}, True, PAPER, None),
    "another, agreed later": ({"games": (2, 1), "ended_ms": 1001}, False, PAPER, ClaimedResult("A", (2, 1))),
    "another, ruled later": ({"games": (2, 1), "by": RULED, "ended_ms": 1001}, False, RULED, None),
    "another, ruled as it was typed": ({"games": (2, 1), "by": RULED, "ended_ms": 1000}, False, PAPER, ClaimedResult("A", (2, 1))),
    "another, ruled before": ({"games": (2, 1), "by": RULED, "ended_ms": 999}, False, PAPER, ClaimedResult("A", (2, 1))),
}  # fmt: skip
XWING = {  # points destroyed: on paper, at the board; who counts
    "the same": ((10, 4), (10, 4), AGREED),
    "others": ((10, 4), (10, 5), PAPER),
    "none at the board": ((10, 4), None, AGREED),
    "none on paper": (None, (10, 5), AGREED),
    "others, though games and winner were known": ((10, 4), (10, 6), PAPER),
}
WITHOUT_POINTS = {RULED: PAPER, TYPED: PAPER, AGREED: AGREED}  # a concession has all its points


@pytest.mark.parametrize("case", SETTLED)
def test_paper_or_board(case):
    other, known, by, against = SETTLED[case]
    systems = catalogue.built_in()
    form, rules = Format(systems["p18"].NUMBER, 3 << 1, 50), systems["p18"]
    typed = PaperResult(1, 1, "A", (2, 0), None, None, "Ann", "slip", TYPED_MS)
    paper = paper_results.result_of(typed, form, rules)
    there = replace(paper, by=AGREED, ended_ms=500)
    board = replace(there, **other)
    if known:
        typed = typed._replace(board=ClaimedResult(board.outcome, board.games))
    found = paper_results.settle(typed, paper, board)
    assert (found.by, found.against) == (by, against)
    assert found.games == (board if by != PAPER else typed).games


@pytest.mark.parametrize("case", XWING)
def test_points_on_paper_or_at_the_board(case):
    paper, board, by = XWING[case]
    typed = PaperResult(1, 1, "A", (0, 0), paper, None, "Ann", "slip", TYPED_MS)
    systems = catalogue.built_in()
    form, rules = Format(systems["xw15"].NUMBER, 1 << 1, 60), systems["xw15"]
    there = paper_results.result_of(typed._replace(destroyed=(10, 4)), form, rules)
    there = replace(there, by=AGREED, ended_ms=500, destroyed=board)
    known = ClaimedResult(there.outcome, there.games) if "known" in case else None
    typed = typed._replace(games=there.games, outcome=there.outcome, board=known)
    found = paper_results.settle(typed, paper_results.result_of(typed, form, rules), there)
    assert (found.by, found.against is None) == (by, by == AGREED)


@pytest.mark.parametrize("by", WITHOUT_POINTS)
def test_points_typed_beside_a_code_or_a_ruling_without_any_count(by):
    systems = catalogue.built_in()
    form, rules = Format(systems["xw15"].NUMBER, 1 << 1, 60), systems["xw15"]
    typed = PaperResult(1, 1, "A", (0, 0), (10, 4), None, "Ann", "slip", TYPED_MS)
    paper = paper_results.result_of(typed, form, rules)
    there = replace(paper, by=by, ended_ms=500, destroyed=None)
    for known in (None, ClaimedResult("A", (0, 0))):
        found = paper_results.settle(typed._replace(board=known), paper, there)
        assert (found.by, found.against) == (WITHOUT_POINTS[by], None)


class SingleGames(Venue):
    """D03, of single games."""

    rules, bits = d03, 1 << 1


@pytest.mark.venue(of=SingleGames, tables=1, begun=True)
@pytest.mark.parametrize(("minutes", "won", "said"), [
    (1, "A", []),
    (51, "A", ["this counts as a full win: if prizes at time decided, tick that in the result from"
               " paper, or type result 1 A narrow slip"]),
    (51, "tie", []),
])  # fmt: skip
def test_a_win_ruled_after_time_says_how_to_have_a_narrow_one(venue, minutes, won, said):
    venue.air.run(minutes * 60_000)
    venue.boards[0].tick(venue.air.now_ms)
    venue.drain()
    staff, games = Staff(venue.station, "Ada"), (int(won == "A"), 0)
    done = table_acts._rule(staff, 1, won, games, True, True, "appeal")
    assert [str(remark) for remark in done.remarks] == said
