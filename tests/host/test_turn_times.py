"""Each counted turn's length and who held it: on the card and in the incident log."""

import pytest

from firmware.core import events as e
from firmware.core import intents, play
from firmware.core.systems import d03, xw15
from host.archive.records import Position
from host.archive.roster import REVOKED, Format
from host.event import roll_policy, turn_times
from host.event.incident_log import incidents
from host.event.turn_times import PlacedEvent
from host.web import tablecard

pytestmark = [pytest.mark.venue(begun=True), pytest.mark.archives]
MIN = 60_000


def measured(*happened):
    """Return who held each turn, and its seconds; the events are at whole seconds."""
    placed = [
        PlacedEvent(Position(1, i), event.at(event.at_ms * 1000))
        for i, event in enumerate(happened)
    ]
    return [(turn.who, turn.lasted_s) for turn in turn_times.turns(placed)]


_BEGUN, _BACK = e.TurnStarted(10, 0), e.TakenBack(25, 3, 1, 1)
TURNS = {
    "from its start to its end": (
        (e.StarterSet(0, 0, 1), _BEGUN, e.TurnEnded(70, 1, 0, 0), e.TurnStarted(75, 1), e.TurnEnded(100, 0, 0, 0)),
        [("▲", 60), ("●", 25)]),
    "one press begins and ends it after time": (
        (e.TimeCalled(3000, 5, 0, 2, 0), e.TurnTold(3010, 0, 1, 1, 0, 0, 0), e.TurnTold(3012, 0, 0, 1, 0, 6, 0),
         e.TurnEnded(3040, 1, 1, 0), e.TurnStarted(3240, 1), e.TurnEnded(3240, 0, 2, 0)),
        [("▲", 40), ("●", 200)]),
    "a stopped clock costs nobody time": (
        (_BEGUN, e.Frozen(20, 3), e.Resumed(320, 3, 0), e.TurnEnded(330, 1, 0, 0)), [("▲", 20)]),
    "taken back": ((_BEGUN, e.TurnEnded(20, 1, 0, 0), _BACK), []),
    "taken back, and ended again": ((_BEGUN, e.TurnEnded(20, 1, 0, 0), _BACK, e.TurnEnded(70, 1, 0, 0)), [("▲", 60)]),
    "seats that changed": ((e.SeatConfirmed(0, 2, 1), e.TurnStarted(0, 0), e.TurnEnded(5, 1, 0, 0)), [("●", 5)]),
    "of a team": ((e.FormatSet(0, 1, 130, 50), e.TurnStarted(0, 3), e.TurnEnded(5, 0, 0, 0)), [("1B", 5)]),
    "a game that is over": (
        (e.TurnStarted(0, 0), e.TurnEnded(9, 1, 0, 0), e.TurnStarted(9, 1), e.GameWon(30, 1, 0, 0, 0, 0)),
        [("▲", 9), ("●", 21)]),
    "counted before time, and beyond zero": (
        (e.StarterSet(0, 0, 1), e.PolicySet(100, 16), e.TurnStarted(110, 0), e.TurnEnded(140, 1, 0, 0),
         e.TurnStarted(200, 1), e.TurnEnded(200, 0, 0, 0), e.TimeCalled(300, 5, 0, 2, 0),
         e.TurnTold(305, 0, 0, 1, 0, 6, 0), e.TurnEnded(320, 1, 1, 0)),
        [("▲", 30), ("●", 60), ("▲", 120)]),
    "nobody's, where counting begins anew": (
        (e.PolicySet(5, 16), _BEGUN, e.TurnEnded(40, 1, 0, 0), e.PolicySet(50, 0),
         e.PolicySet(900, 16), e.TurnStarted(910, 1), e.TurnEnded(930, 0, 0, 0)),
        [("▲", 30), ("●", 20)]),
    "not counted any more": ((_BEGUN, e.PolicySet(20, 8), e.TurnEnded(40, 1, 0, 0)), [("▲", 30)]),
}  # fmt: skip


@pytest.mark.parametrize("which", TURNS)
def test_who_held_a_turn_and_how_long_it_lasted(which):
    happened, turns = TURNS[which]
    assert measured(*happened) == turns


def test_a_judge_sees_them_on_the_card_and_in_the_log(venue):
    board, air = venue.boards[0], venue.air
    assert board.ask(air.now_ms, intents.SET_STARTER, 1)
    for seat, seconds in ((1, 90), (0, 200)):
        assert board.ask(air.now_ms, intents.START_TURN, seat)
        air.run(seconds * 1000)
        assert board.ask(air.now_ms, intents.END_TURN)
    venue.drain()
    fold = venue.station.hall.fold_at(1)
    pairing = venue.archive.roster.pairings_of(1)[0]
    card = tablecard.card(
        pairing, fold, None, missing=[], result=None, worth={}, claimed=None, now_ms=air.now_ms
    )
    assert card["turn_times"] == [("●", 90), ("▲", 200)]
    [line] = [one for one in incidents(venue.archive) if one.what == "turns"]
    assert (line.table, line.numbers, line.reason) == (1, (0, 2, 200), "● 1:30, ▲ 3:20")


def test_turns_are_counted_as_the_desk_or_the_players_have_it(venue, console):
    board, air = venue.boards[0], venue.air
    assert board.ask(air.now_ms, intents.SET_STARTER, 1)
    console.run("turns 1 on")
    venue.drain()
    assert board.match.policy == play.COUNTED
    assert not board.ask(air.now_ms, intents.COUNT_TURNS, 1), "takes both"
    assert board.ask(air.now_ms, intents.COUNT_TURNS, 3)
    venue.drain()
    console.run("sound all on")
    venue.drain()
    assert board.match.policy == 8, "the players stopped it"
    assert roll_policy.switches_of(venue.archive, 1) == 8, "a new round begins without it"


def stored_anew(venue, system, bits):
    roster = venue.archive.roster
    pairings = roster.pairings_of(1)
    roster.forget_round(1)
    roster.store_round(1, Format(system, bits, 50), pairings)
    venue.station.refresh()
    venue.station.desk.publish(1)


@pytest.mark.venue(begun=False)
@pytest.mark.parametrize(("system", "bits", "words"), [
    (d03.NUMBER, 1 << 1 | 1 << 7, "boards do not count the turns of a team match"),
    (xw15.NUMBER, 1 << 1, "both players share each game round"),
])  # fmt: skip
def test_where_a_board_would_show_nothing_the_desk_says_so(venue, console, system, bits, words):
    stored_anew(venue, system, bits)
    for table in ("1", "all"):
        (told,) = console.run(f"turns {table} on")
        assert told.startswith("not done: ") and words in told
    assert not [one for one in venue.archive.orders.all if one.kind == intents.SET_POLICY]


def test_without_a_board_after_time_or_with_a_result_none_are_counted(venue, console):
    venue.archive.roster.move(102, REVOKED, "Ann", "broken", 0)
    venue.station.refresh()
    assert console.run("turns all on") == [
        "turns: asked of table 1", "not done: table 2 has no board: swap a spare in"
    ]  # fmt: skip
    venue.air.run(51 * 60_000)
    venue.boards[0].tick(venue.air.now_ms)
    venue.drain()
    assert "time has been called at table 1" in console.run("turns 1 on")[0]
    assert console.run("turns 1 off") == ["turns: asked of table 1"]
    console.run("rule 1 A 2 0 final no-show")
    venue.drain()
    assert "table 1 has its result" in console.run("turns 1 on")[0]
    assert "table 9 does not play in round 1" in console.run("turns 9 on")[0]
