"""A judge's ruling and penalty at an X-Wing table: with the points destroyed, from the desk and at the table."""

import pytest
from escalation import Escalation

from firmware.core import events, intents, phases
from host.event.incident_log import incidents

FINAL = 0x80
SCORED = 64  # so the log says of a ruling with points

pytestmark = pytest.mark.venue(of=Escalation, begun=True)


def result_at(venue, table):
    return venue.station.hall.results(1)[table]


def test_a_ruling_has_the_points_destroyed_and_so_its_worth_and_margin(venue, console):
    console.run("rule 1 B 17 42 final both counted wrong")
    venue.drain()
    ruled = result_at(venue, 1)
    assert (ruled.outcome, ruled.destroyed, ruled.points, ruled.margin) == (
        "B", (17, 42), (0, 5), (35, 85)
    )  # fmt: skip
    assert console.run("show results")[0].endswith("wins 17–42 (ruled)  points 0–5")
    [line] = [one for one in incidents(venue.archive) if one.what == "ruling"]
    assert line.numbers[1:] == (17, 42) and line.author == "Ann"


def test_a_ruling_without_points_says_what_its_worth_waits_for(venue, console):
    console.run("rule 1 B final sure no-show")
    venue.drain()
    assert (result_at(venue, 1).destroyed, result_at(venue, 1).points) == (None, (0, None))


@pytest.mark.parametrize(("line", "words"), [
    ("rule 1 A 61 0 final slip", "a squad has 60 points in this round: type both numbers again"),
    ("rule 1 A 10 30 final slip", "▲ wins with 10–30 points destroyed? Type it again"),
    ("rule 1 tie 10 30 final slip", "a tie with 10–30 points destroyed? Type it again"),
])  # fmt: skip
def test_impossible_points_are_refused_and_odd_ones_asked_about(venue, console, line, words):
    (told,) = console.run(line)
    assert words in told
    assert not [one for one in venue.archive.orders.all if one.kind == intents.RULE_RESULT]


def test_both_confirm_a_ruling_that_is_not_final(venue, console):
    console.run("rule 1 A 30 10 counted anew")
    venue.drain()
    board = venue.boards[0]
    assert (board.match.phase, board.match.destroyed) == (phases.PROPOSED, (30, 10))
    for seat in (1, 0):
        assert board.ask(venue.air.now_ms, intents.CONFIRM_RESULT, seat)
    venue.drain()
    assert result_at(venue, 1).margin == (80, 40)


def test_a_penalty_loses_the_match_as_a_concession_does(venue, console):
    console.run("loss 1 A squad error")
    venue.drain()
    board = venue.boards[0]
    assert board.match.conceded == 0 and board.match.missing == phases.DESTROYED
    assert board.ask(venue.air.now_ms, intents.COUNT_DESTROYED, 0, 25, 0)
    for seat in (0, 1):
        assert board.ask(venue.air.now_ms, intents.CONFIRM_RESULT, seat)
    venue.drain()
    lost = result_at(venue, 1)
    assert (lost.outcome, lost.conceded, lost.points, lost.margin) == ("B", 0, (0, 5), (25, 95))
    told = [(one.what, one.numbers[0], one.author) for one in incidents(venue.archive)]
    assert told == [("game_loss", 0, "Ann")]


def test_a_judges_penalty_and_ruling_at_the_table_are_in_the_log(venue):
    board = venue.boards[0]
    board.happen(events.CodeEntered(venue.air.now_ms, 0, 1))
    assert board.ask(venue.air.now_ms, intents.LOSE_GAME, 1, 3)
    board.happen(events.CodeEntered(venue.air.now_ms, 0, 2))
    venue.air.run(2000)
    assert board.ask(
        venue.air.now_ms, intents.RULE_RESULT, 1 | FINAL | SCORED, 42, 17
    )  # fmt: skip
    venue.drain()
    told = [(one.what, one.numbers) for one in incidents(venue.archive) if one.what != "code"]
    assert told == [("game_loss", (1, 3, 0)), ("ruling", (1 | FINAL | SCORED, 42, 17))]
    assert result_at(venue, 1).destroyed == (42, 17)
