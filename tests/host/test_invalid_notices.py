"""Notices that cannot be read are counted and passed over; over a changed one no host goes on."""

import json

import pytest
from commands import plusthree
from tabletop import MASTER, Venue
from unguarded import unguarded
from webclient import KEY, Browser

from firmware.core import intents
from host.archive import master_key
from host.archive.access_links import AccessLinks
from host.archive.roster import Board
from host.audit.inspection import inspect
from host.base.errors import UserError
from host.desk import event_import, registration
from host.desk.station import Station
from host.event import (
    call_claims,
    event_log,
    event_plan,
    imported_results,
    incident_log,
    invalid_notices,
    nonces,
    penalties,
    registrations,
    roll_policy,
    room_stops,
    typed_results,
    zones,
)
from host.reports.export_forms import FORMS
from host.tournament import file_standings
from host.tournament.rule_packs import shipped_packs
from host.web.desk_service import DeskService
from host.web.sessions import Sessions

SPARE, FORM = 200, "p18 swiss bo3 constructed 50"
DAMAGED = (
    "{", "[]", "null", "7", "{}", '{"board": 200, "round": 1, "pairing": 1}',
    '{"board": [200, 1, 3], "round": 1, "pairing": 1}',
    '{"board": [200, "1"], "round": 1, "pairing": 1}',
    '{"board": [200, 1], "round": null, "pairing": 1}',
    '{"board": [[], 1], "round": 1, "pairing": []}', "[" * 100_000,
)  # fmt: skip


@pytest.fixture
def played(tmp_path):
    """An archive of a round that was played, with a spare in the box, at work."""
    venue = Venue(tmp_path / "a.db", tables=2)
    master_key.keep(master_key.path_of(venue.path), MASTER)
    venue.archive.roster.add_board(Board(SPARE, 1, 0), 0)
    venue.begin()
    venue.win(venue.boards[0])
    venue.drain()
    yield venue
    venue.station.close()


@pytest.fixture
def path(played):
    """The same with the spare adopted at table 2, closed."""
    spare = next(one for one in played.archive.roster.boards if one.device == SPARE)
    typed_results.adopt(played.archive, spare, 1, 2, "Ann", played.air.now_ms)
    played.station.close()
    return played.path


def damage(path, value):
    """Change the notice of the adoption, as no program of ours can."""
    with unguarded(path) as db:
        sql = "UPDATE notices SET value = ? WHERE what = 'adopted'"
        assert db.execute(sql, (value,)).rowcount == 1


@pytest.mark.parametrize("value", DAMAGED)
def test_an_adoption_that_cannot_be_read_counts_for_nothing(played, value):
    played.archive.notices.add(typed_results.ADOPTED, value, "Ann", played.air.now_ms)
    played.station.close()
    with Station(played.path) as station:
        assert station.hall.results(1)[1].outcome == "A"
        assert (
            typed_results.adopted_pairings(station.archive)
            == typed_results.adoptions(station.archive)
            == {}
        )
        assert invalid_notices.counts(station.archive) == {typed_results.ADOPTED: 1}
        (said,) = [str(one) for one in event_import.remarks(station.archive, 1)]
        assert "1" in said and "plusthree audit" in said
        report = inspect(station.archive, station.keyring)
    assert "a note of a board set up by hand cannot be read: it counts for nothing" in report.faults
    assert report.results == 1


BEFORE_ROUND_1 = {
    event_plan.BEGUN: (
        '{"format": [0, 6, 50]}', '{"format": [0, 6], "rounds": 5}', '{"format": 6, "rounds": 5}',
        '{"format": [0, 6, 50], "rounds": "5"}', '{"format": [0, 6, 50], "rounds": 999}',
        '{"format": [0, -1, 50], "rounds": 5}', '{"format": [0, 6, 0], "rounds": 5}',
    ),
    event_plan.PARTIES: ('{"1": "Rossi"}', '{"1": [7]}', '{"1": [[]]}', '{"1": null}'),
    registrations.ENTRY: ("{}", '{"number": 7, "name": "Zoe"}', '{"number": "7"}'),
    registrations.TAKEN: ("{}", '{"entry": "1"}', '{"entry": null}', '{"entry": 1.5}'),
    registrations.REFUSED: ("{}", '{"entry": true}'),
    **dict.fromkeys(event_log.DOOR, ()),
}  # fmt: skip


@pytest.mark.parametrize("kind", BEFORE_ROUND_1)
def test_what_was_said_before_round_1_counts_for_nothing_where_it_cannot_be_read(tmp_path, kind):
    values = (*DAMAGED[:4], DAMAGED[-1], *BEFORE_ROUND_1[kind])
    with Station(tmp_path / "new.db", MASTER) as station:
        service = DeskService(station, Sessions(KEY, False), lambda: 60_000, shipped_packs())
        olga = Browser(service, "organiser", name="Olga")
        cup = {"name": "Cup", "format": FORM, "pack": "Pokémon Swiss, 3-1-0"}
        assert olga.act("begin", **cup, rounds=5, players="Ada\nBo").status == 200
        assert olga.act("door", on=True).status == 200
        registration.enter(station, "77", "Zoe")
        before = olga.get("/api/begin").json
        for value in values:
            station.archive.notices.add(kind, value, "nobody", 1)
        assert invalid_notices.counts(station.archive) == {kind: len(values)}
        assert olga.get("/api/begin").json == before and service.registration_path
        assert olga.get("/api/log").status == 200
        drawn = olga.act("draw_first", seed=1).json
        assert f"{len(values)} notes in the archive cannot be read" in drawn["said"][-1]
        named = f"a note of {invalid_notices.NAMES[kind]} cannot be read: it counts for nothing"
        assert inspect(station.archive, station.keyring).faults.count(named) == len(values)


GIVEN = {
    "round": 1, "table": 1, "seat": 0, "player": "1", "level": "warning", "category": "slow",
    "reason": "game 2", "by": "Ada", "at_ms": 1000,
}  # fmt: skip
CLAIMED = {"round": 1, "table": 1, "by": "Ada", "link": 1, "at_ms": 1000, "arrived_ms": None,
           "head": False}  # fmt: skip
ZONE = {"links": [1], "name": "Ada", "first": 1, "last": 2}
STOPPED = {"round": 1, "at_ms": 1000, "by": "Ada", "reason": "fire alarm", "orders": [1]}
ENDED = {"round": 1, "at_ms": 2000, "by": "Ada", "orders": [2], "ends": 1}
OF_THE_ROOM = {
    # what each is, and what each of its facts is not
    penalties.GIVEN: (GIVEN, {
        "round": ("1", None, -1, True), "table": ([], 1.5, -1), "seat": (2, -1, "A"),
        "player": (1, None), "level": (7, "hanging", None, []), "category": ("", 1, {}),
        "reason": (None, 7), "by": (None, ["Ada"]), "at_ms": ("1000", -(1 << 33), 1 << 32, 10**40),
    }),
    penalties.WITHDRAWN: ({"penalty": 1, "reason": "a mistake"}, {"penalty": ("1", None, True, 1.5), "reason": (None, 7)}),
    zones.NOTICE: (ZONE, {
        "links": (1, None, ["1"], [True], {"1": 1}), "name": (7, None), "first": ("1", None, -1, 3),
        "last": (True, 0, [2]),
    }),
    call_claims.CLAIMED: (CLAIMED, {
        "round": ("1", None, True), "table": ([], None, 1.5), "by": (None, 7),
        "link": ("1", True), "at_ms": ("1000", None, 1 << 32), "arrived_ms": ("now", 1 << 32),
        "head": (1, "yes"),
    }),
    room_stops.STOPPED: (STOPPED, {
        "round": ("1", None, True), "at_ms": (None, 1 << 32), "by": (7, None),
        "reason": (None, []), "orders": (None, 1, ["1"], [True]),
    }),
    room_stops.RUN_ON: (ENDED, {"ends": ("1", None, True, -1), "at_ms": (None, "2000", 1 << 32)}),
}  # fmt: skip


def spoilt(whole, wrong):
    """Return a notice's texts in which one fact is missing or makes no sense, and no object."""
    changed = [{**whole, name: value} for name, values in wrong.items() for value in values]
    missing = [
        {name: value for name, value in whole.items() if name != left_out}
        for left_out in wrong
        if left_out not in ("link", "arrived_ms", "head")  # older programs wrote none
    ]
    return [*DAMAGED[:5], DAMAGED[-1], *map(json.dumps, changed + missing)]


def in_force(venue):
    """Return what the desk and its exports make of the notices of a room."""
    archive, station = venue.archive, venue.station
    return (
        penalties.every(archive), penalties.standing(archive), zones.current(archive),
        call_claims.claims(archive, 1), room_stops.standing(archive, 1),
        room_stops.stood_ms(archive, 1), [*incident_log.incidents(archive)],
        FORMS["penalties"](archive, station.hall, None),
    )  # fmt: skip


@pytest.mark.parametrize("kind", OF_THE_ROOM)
def test_what_staff_noted_of_the_room_counts_for_nothing_where_it_cannot_be_read(played, kind):
    archive = played.archive

    def note(what, told):
        archive.notices.add(what, told, "nobody", 1)

    AccessLinks(archive).make("judge", "Ada", "Olga", 1)  # whose zone it is
    for what in (penalties.GIVEN, zones.NOTICE, call_claims.CLAIMED, room_stops.STOPPED):
        note(what, json.dumps(OF_THE_ROOM[what][0]))
    if kind == room_stops.RUN_ON:
        note(kind, json.dumps(ENDED))
    before, bad = in_force(played), spoilt(*OF_THE_ROOM[kind])
    assert all(before[:4]) and bool(before[4]) == (kind != room_stops.RUN_ON)
    for text in bad:
        note(kind, text)
    assert in_force(played) == before
    assert invalid_notices.counts(archive) == {kind: len(bad)}
    named = f"a note of {invalid_notices.NAMES[kind]} cannot be read: it counts for nothing"
    assert inspect(archive, played.station.keyring).faults.count(named) == len(bad)
    service = DeskService(
        played.station, Sessions(KEY, False), lambda: played.air.now_ms, shipped_packs()
    )
    olga = Browser(service, "organiser")
    assert olga.get("/api/state").status == olga.get("/api/log").status == 200


def test_a_stop_that_cannot_be_read_neither_ends_another_nor_takes_its_end(played):
    archive = played.archive
    for what, told in (
        (room_stops.STOPPED, {**STOPPED, "at_ms": 1000}), (room_stops.STOPPED, {}),
        (room_stops.RUN_ON, {**ENDED, "ends": 2, "at_ms": 4000}), (room_stops.RUN_ON, {}),
    ):  # fmt: skip
        held = room_stops.standing(archive, 1)
        archive.notices.add(what, json.dumps(told), "nobody", 1)
    assert held is None and room_stops.standing(archive, 1) is None
    assert room_stops.stood_ms(archive, 1) == 3000


@pytest.mark.parametrize("form", ([999, 6, 50], [0, 6 | 7 << 4, 50]))
def test_what_is_played_by_no_rules_that_are_known_is_not_said(tmp_path, form):
    with Station(tmp_path / "new.db", MASTER) as station:
        service = DeskService(station, Sessions(KEY, False), lambda: 60_000, shipped_packs())
        olga = Browser(service, "organiser")
        cup = {"name": "Cup", "format": FORM, "pack": "Pokémon Swiss, 3-1-0"}
        assert olga.act("begin", **cup, rounds=5, players="Ada\nBo").status == 200
        told = json.dumps({"format": form, "rounds": 5, "words": "?"})
        station.archive.notices.add(event_plan.BEGUN, told, "nobody", 1)
        assert olga.get("/api/begin").json["format"] == FORM
        assert olga.act("draw_first", seed=1).status == 200


def test_a_notice_is_read_once_and_again_where_another_program_wrote(played):
    """What a rollback took back, and what another program wrote, is no notice that was read."""
    archive, read = played.archive, []

    def reader(told):
        read.append(told["n"])
        return told["n"]

    def numbers():
        return archive.notices.read("numbers", reader)

    archive.notices.add("numbers", '{"n": 1}', "Ann", 1)
    assert numbers() == numbers() == [1] and read == [1]
    archive.notices.add("numbers", '{"n": 2}', "Ann", 1)
    assert numbers() == [1, 2] and read == [1, 2]
    with pytest.raises(KeyError), archive.transaction():
        archive.notices.add("numbers", '{"n": 3}', "Ann", 1)
        assert numbers() == [1, 2, 3]
        raise KeyError
    assert numbers() == [1, 2]
    with unguarded(played.path) as db:
        db.execute("""UPDATE notices SET value = '{"n": 9}' WHERE value = '{"n": 1}'""")
    assert numbers() == [9, 2]


def test_a_files_round_is_read_only_if_every_field_is_what_it_should_be():
    good = {"round": 1, "source": "cup.tdf", "finished": True, "matches": [], "missed": []}
    assert imported_results.read(good) == imported_results.ImportedRound(1, "cup.tdf", True, ())
    for field, value in (
        ("round", "1"), ("source", 1), ("finished", 1), ("finished", "no"), ("matches", {}),
        ("missed", "5"),
    ):  # fmt: skip
        assert imported_results.read(good | {field: value}) is None, field


@pytest.mark.parametrize(
    ("said", "final"), (({}, False), ({"final": True}, True), ({"final": 1}, False))
)
def test_a_files_standings_are_final_only_if_they_say_so(said, final):
    """Older programs did not write the word."""
    _, read = file_standings.read(
        {"source": "cup.tdf", "after": 3, "groups": [], "values": {}} | said
    )
    assert read.final is final


def test_no_host_goes_on_over_one_that_was_damaged(path):
    damage(path, "{")
    with pytest.raises(UserError, match="notices, id 1: changed by another program"):
        Station(path)


def test_the_audit_names_it_and_ends_with_1(path, capsys):
    assert plusthree("audit", path) == 0
    damage(path, "{")
    assert plusthree("audit", path) == 1
    assert (
        "DOES NOT FIT: a note of a board set up by hand cannot be read" in capsys.readouterr().out
    )


def test_what_else_a_running_host_reads_is_passed_over_too(path):
    with Station(path) as station:
        archive = station.archive
        for what in (
            typed_results.TRIED,
            typed_results.ENTERED,
            nonces.GIVEN,
            roll_policy.NOTICE,
            call_claims.CLAIMED,
        ):
            for value in (*DAMAGED[:5], '{"commitment": 3, "bits": "1", "round": 1}'):
                archive.notices.add(what, value, "nobody", 1)
        assert roll_policy.switches_of(archive, 1) is None and not call_claims.claims(archive, 1)
        roll_policy.announce(archive, 4, "Ann", 1)
        archive.notices.add(roll_policy.NOTICE, "{", "nobody", 1)
        assert roll_policy.switches_of(archive, 1) == 4, "the newest that can be read"
        assert typed_results.attempts(archive, 1, 1) == 0 and not typed_results.results(archive, 1)
    with Station(path) as again:
        assert again.desk.set_policy(1, 4)
        assert again.archive.orders.pending[0].kind == intents.SET_POLICY
