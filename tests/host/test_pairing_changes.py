"""A stored round changed by hand: versions, undo, what published tables get, and restarts."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.core import intents, phases
from host.archive import fixed_tables
from host.archive.people import DROPPED, People
from host.archive.roster import Format, Pairing, Player
from host.base.errors import UserError
from host.desk import attendance, pairing_changes, paper_entry, seating_effects
from host.desk.round_seating import BYE, LOSS, OUT
from host.desk.staff import Staff
from host.event import imported_results, invalid_notices, missed_rounds, scores
from host.tournament import ranking, rule_packs

pytestmark = [pytest.mark.venue(tables=4), pytest.mark.archives]


def changed(venue, make, *asked, number=1):
    """Carry a change out on what is stored now; return the ids of the orders."""
    version = version_of(venue, number)
    change = make(venue.station, number, version, *asked)
    return pairing_changes.carry_out(venue.station, change, "Olga", 0)


def version_of(venue, number=1):
    return pairing_changes.version_of(venue.archive, now(venue, number))


def now(venue, number=1):
    return pairing_changes.seating_of(venue.archive, number)


def undo(venue, number=1):
    return pairing_changes.undo(venue.station, number, version_of(venue, number), "Olga", 0)


def seats(venue, number=1):
    return [
        (one.table, one.a.number, one.b and one.b.number)
        for one in venue.archive.roster.pairings_of(number)
    ]


def test_a_change_names_the_version_that_it_was_made_on(venue):
    seen = version_of(venue)
    first = pairing_changes.swap(venue.station, 1, seen, "0", "2")
    pairing_changes.carry_out(venue.station, first, "Olga", 0)
    assert seats(venue)[:2] == [(1, "2", "1"), (2, "0", "3")]
    with pytest.raises(UserError, match="somebody changed round 1 meanwhile: look at it again"):
        pairing_changes.swap(venue.station, 1, seen, "4", "6")
    with pytest.raises(UserError, match="somebody changed"):
        pairing_changes.undo(venue.station, 1, seen, "Bob", 0)
    assert undo(venue).facts == {"what": "swap", "a": "0", "b": "2"}
    assert version_of(venue) == seen, "what is as it was is what was seen"
    venue.station.desk.publish(1)
    with pytest.raises(UserError, match="somebody changed"):
        pairing_changes.swap(venue.station, 1, seen, "4", "6")


def test_undo_goes_back_as_far_as_the_draft_and_outlives_a_restart(venue):
    People(venue.archive).add(Player("77", "Zoë Late"), "late", "Olga", 0)
    drafted = now(venue)
    changed(venue, pairing_changes.swap, "0", "7")
    changed(venue, pairing_changes.give, "3", LOSS)
    changed(venue, pairing_changes.move, "1", 9, True)
    changed(venue, pairing_changes.swap, "77", "2")
    pairing_changes.release(venue.station, "1", "Olga", 0)
    venue.restart()
    assert {one.number for one in now(venue).losses} == {"3"}
    done = [undo(venue).facts["what"] for _ in range(5)]
    assert done == ["release", "swap", "move", "give", "swap"]
    assert now(venue) == drafted
    with pytest.raises(UserError, match="nothing in round 1 can be undone"):
        undo(venue)
    assert invalid_notices.counts(venue.archive) == {}


def test_a_draft_that_was_made_anew_is_where_undo_ends(venue):
    roster = venue.archive.roster
    changed(venue, pairing_changes.swap, "0", "2")
    form, pairings = roster.format_of(1), roster.pairings_of(1)[::-1]
    roster.forget_round(1)
    anew = [Pairing(1, n, n, one.b, one.a) for n, one in enumerate(pairings, 1)]
    roster.store_round(1, form, anew)
    assert pairing_changes.undoable(venue.archive, now(venue)) is None
    changed(venue, pairing_changes.swap, "0", "2")
    undo(venue)
    assert roster.pairings_of(1) == anew
    assert pairing_changes.undoable(venue.archive, now(venue)) is None


def test_a_published_round_tells_its_tables(venue):
    venue.publish(1)
    change = pairing_changes.swap(venue.station, 1, version_of(venue), "0", "2")
    assert [str(one) for one in pairing_changes.follow_ups(venue.station, change)] == [
        "round 1 is published: tell the players of table 1, 2, and print its lists again",
        "the board of table 1, 2 gets the new pairing: who was seated there presses the key again",
    ]
    made = pairing_changes.carry_out(venue.station, change, "Olga", 0)
    orders = [venue.archive.orders.get(one) for one in made]
    assert [(one.table, one.kind) for one in orders] == [
        (table, kind) for table in (1, 2) for kind in (intents.SET_ROUND, intents.SET_FORMAT)
    ]
    venue.drain()
    assert [board.match.round for board in venue.boards] == [1] * 4
    assert pairing_changes.undoable(venue.archive, now(venue)) is None
    lost = pairing_changes.give(venue.station, 1, version_of(venue), "6", LOSS)
    assert "the board of table 4 is cleared: nobody plays there in this round" in map(
        str, pairing_changes.follow_ups(venue.station, lost)
    )
    (made,) = pairing_changes.carry_out(venue.station, lost, "Olga", 0)
    assert venue.archive.orders.get(made).kind == intents.CLEAR_ROUND
    venue.drain()
    assert venue.boards[3].match.phase == phases.IDLE and venue.station.desk.tables == [1, 2, 3]


def test_what_a_draft_means_outside_is_nothing(venue):
    change = pairing_changes.swap(venue.station, 1, "", "0", "2")
    assert pairing_changes.follow_ups(venue.station, change) == []
    told = imported_results.ImportedRound(1, "cup.tdf", False, ())
    imported_results.keep(venue.archive, told, 0)
    assert [str(one) for one in pairing_changes.follow_ups(venue.station, change)] == [
        "round 1 was read from cup.tdf: pair it so there, too, else its results do not fit"
    ]
    assert pairing_changes.carry_out(venue.station, change, "Olga", 0) == []


def test_a_table_with_a_result_or_a_match_under_way_does_not_change(venue):
    venue.publish(1)
    paper_entry.enter(Staff(venue.station, "Olga"), 1, "A", (2, 0), "slip", sure=True)
    with pytest.raises(UserError, match="table 1 has its result: withdraw that first"):
        changed(venue, pairing_changes.swap, "0", "2")
    changed(venue, pairing_changes.swap, "4", "6")
    venue.drain()
    board = venue.boards[1]
    assert board.ask(venue.air.now_ms, intents.SET_STARTER, 0) is False
    venue.station.desk.start(venue.air.now_ms + 121_000)
    with pytest.raises(UserError, match="has its start, or its results"):
        changed(venue, pairing_changes.swap, "4", "6")
    assert pairing_changes.open_round(venue.station) is None


def test_who_has_dropped_is_taken_out_and_has_no_loss(venue):
    People(venue.archive).mark("0", DROPPED, "Olga", 0)
    for make, asked, said in (
        (pairing_changes.swap, ("0", "2"), "player 0 has dropped"),
        (pairing_changes.give, ("0", LOSS), "has dropped: take them out"),
        (pairing_changes.give, ("2", OUT), "takes part: give a bye or a loss"),
        (pairing_changes.move, ("0", 3, True), "player 0 has dropped"),
        (pairing_changes.give, ("99", BYE), "there is no player 99"),
    ):
        with pytest.raises(UserError, match=said):
            changed(venue, make, *asked)
    changed(venue, pairing_changes.give, "0", OUT)
    assert seats(venue)[0] == (None, "1", None)
    venue.station.desk.publish(1)


def test_a_bracket_knows_no_loss_without_a_match(venue):
    pairings = venue.archive.roster.pairings_of(1)
    again = [Pairing(2, one.pairing, one.table, one.a, one.b) for one in pairings]
    venue.archive.roster.store_round(2, Format(0, 1 | 3 << 1, 50), again)
    with pytest.raises(UserError, match="in an elimination nobody has a loss"):
        changed(venue, pairing_changes.give, "0", LOSS, number=2)
    changed(venue, pairing_changes.give, "0", BYE, number=2)
    assert seats(venue, 2)[0] == (None, "1", None), "who is left alone goes on"


def test_a_kept_table_lasts_until_released(venue):
    venue.begin()
    pairing_changes.fix_table(venue.station, "3", 8, "Olga", 0)
    with pytest.raises(UserError, match="kept for player 3"):
        pairing_changes.fix_table(venue.station, "4", 8, "Olga", 0)
    assert fixed_tables.fixed(venue.archive) == {"3": 8}
    pairing_changes.release(venue.station, "3", "Olga", 0)
    with pytest.raises(UserError, match="keeps no table"):
        pairing_changes.release(venue.station, "3", "Olga", 0)
    fixed_tables.mark(venue.archive, fixed_tables.Feature(4, True), "Olga", 0)
    fixed_tables.mark(venue.archive, fixed_tables.Feature(2, True), "Olga", 0)
    fixed_tables.mark(venue.archive, fixed_tables.Feature(4, False), "Olga", 0)
    assert fixed_tables.features(venue.archive) == [2]


def test_the_past_knows_meetings_points_and_byes(venue):
    roster, players = venue.archive.roster, venue.archive.roster.players
    roster.store_round(2, Format(0, 3 << 1, 50), [Pairing(2, 1, 1, players["0"], players["2"])])
    venue.station.desk.publish(1)
    paper_entry.enter(Staff(venue.station, "Olga"), 1, "A", (2, 0), "slip", sure=True)
    paper_entry.enter(Staff(venue.station, "Olga"), 2, "tie", (1, 1), "slip", sure=True)
    missed_rounds.keep(venue.archive, missed_rounds.MissedRound("77", 1, "bye"), "Olga", 0)
    roster.rename([Player("77", "Zoë Late")])
    pack = rule_packs.load("pokemon-swiss")
    found = seating_effects.past(venue.archive, venue.station.hall, 2, pack)
    assert (found.points["0"], found.points["1"], found.points["2"]) == (3, 0, 1)
    assert found.points["77"] == 3 and found.byes == {"77": [1]}
    assert found.met[frozenset("01")] == [1] and frozenset("02") not in found.met
    assert seating_effects.past(venue.archive, venue.station.hall, 2, None).points == {}


def test_missed_rounds_count_as_the_organiser_says(venue):
    venue.station.desk.publish(1)
    attendance.enter(Staff(venue.station, "Olga"), "77", "nothing", "Zoë Late")
    said = attendance.count_missed(Staff(venue.station, "Olga"), "zoe", "loss", None)
    assert said == "Zoë Late, 77: round 1 counts as a loss"
    pack = rule_packs.load("pokemon-swiss")

    def line():
        rounds = scores.rounds_of(venue.archive, venue.station.hall)
        (record,) = [one for one in ranking.records(rounds, pack) if one.player == "77"]
        return record.points, record.losses, record.byes, record.left

    assert line() == (0, 1, 0, False)
    attendance.count_missed(Staff(venue.station, "Olga"), "77", "bye", 1)
    assert line() == (3, 0, 1, False)
    attendance.count_missed(Staff(venue.station, "Olga"), "77", "nothing", None)
    rounds = scores.rounds_of(venue.archive, venue.station.hall)
    assert rounds[0].counted == ()
    for who in ("77", "0"):
        with pytest.raises(UserError, match="has missed no round"):
            attendance.count_missed(
                Staff(venue.station, "Olga"), who, "loss", 2 if who == "77" else None
            )


NUMBERS = st.sampled_from([*map(str, range(8)), "77"])
CHANGES = st.one_of(
    st.tuples(st.just("swap"), NUMBERS, NUMBERS),
    st.tuples(st.just("give"), NUMBERS, st.sampled_from((BYE, LOSS))),
    st.tuples(st.just("move"), NUMBERS, st.integers(1, 6), st.booleans()),
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(CHANGES, max_size=6))
def test_undo_restores_exactly(venue, changes):
    if "77" not in venue.archive.roster.players:
        People(venue.archive).add(Player("77", "Zoë Late"), "late", "Olga", 0)
    kept = [now(venue)]
    for name, *asked in changes:
        try:
            changed(venue, getattr(pairing_changes, name), *asked)
        except UserError:
            continue
        kept.append(now(venue))
    while len(kept) > 1:
        assert now(venue) == kept.pop()
        undo(venue)
    assert now(venue) == kept[0]


def test_a_change_that_cannot_be_read_is_not_undone(venue):
    changed(venue, pairing_changes.swap, "0", "2")
    for text in ("7", "{}", '{"round": 1, "before": "a", "after": "b", "rows": 3, "made": [],'
                 ' "losses": [], "fixed": []}'):  # fmt: skip
        venue.archive.notices.add(pairing_changes.NOTICE, text, "x", 0)
    assert undo(venue).facts["what"] == "swap"
