"""Notices in an archive that somebody damaged: refused with a reason, counted, and everything else
goes on.
"""

import pytest
from tabletop import MASTER, Venue
from unguarded import unguarded

from firmware.core import intents
from host import cli
from host.archive import master_key
from host.archive.roster import Board
from host.audit.inspection import inspect
from host.desk import event_import
from host.desk.station import Station
from host.event import invalid_notices, nonces, roll_policy, typed_results
from host.web import call_queue

SPARE = 200
DAMAGED = (
    "{", "[]", "null", "7", "{}", '{"board": 200, "round": 1, "pairing": 1}',
    '{"board": [200, 1, 3], "round": 1, "pairing": 1}',
    '{"board": [200, "1"], "round": 1, "pairing": 1}',
    '{"board": [200, 1], "round": null, "pairing": 1}',
    '{"board": [[], 1], "round": 1, "pairing": []}', "[" * 100_000,
)  # fmt: skip


@pytest.fixture
def path(tmp_path):
    """An archive of a round that was played, with a spare that was adopted at table 2."""
    venue = Venue(tmp_path / "a.db", tables=2)
    master_key.keep(master_key.beside(venue.path), MASTER)
    venue.archive.roster.add_board(Board(SPARE, 1, 0), 0)
    venue.begin()
    venue.win(venue.boards[0])
    venue.drain()
    spare = next(one for one in venue.archive.roster.boards if one.device == SPARE)
    typed_results.adopt(venue.archive, spare, 1, 2, "Ann", venue.air.now_ms)
    venue.station.close()
    return venue.path


def damage(path, value):
    """Change the notice of the adoption, as no program of ours can."""
    with unguarded(path) as db:
        sql = "UPDATE notices SET value = ? WHERE what = 'adopted'"
        assert db.execute(sql, (value,)).rowcount == 1


@pytest.mark.parametrize("value", DAMAGED)
def test_a_damaged_adoption_counts_for_nothing_and_the_rest_goes_on(path, value):
    damage(path, value)
    with Station(path) as station:
        assert station.hall.results(1)[1].outcome == "A"
        assert (
            typed_results.adopted(station.archive) == typed_results.adoptions(station.archive) == {}
        )
        assert invalid_notices.counted(station.archive) == {typed_results.ADOPTED: 1}
        (said,) = [str(one) for one in event_import.remarks(station.archive, 1)]
        assert "1" in said and "plusthree audit" in said
        report = inspect(station.archive, station.keyring)
    assert "a note of a board set up by hand cannot be read: it counts for nothing" in report.faults
    assert report.results == 1


def test_the_audit_names_it_and_ends_with_1(path, capsys):
    assert cli.main(["audit", str(path)]) == 0
    damage(path, "{")
    assert cli.main(["audit", str(path)]) == 1
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
            call_queue.CLAIMED,
        ):
            for value in (*DAMAGED[:5], '{"commitment": 3, "bits": "1", "round": 1}'):
                archive.notices.add(what, value, "nobody", 1)
        assert roll_policy.switches_of(archive, 1) is None and not call_queue.claims(archive, 1)
        roll_policy.announce(archive, 4, "Ann", 1)
        archive.notices.add(roll_policy.NOTICE, "{", "nobody", 1)
        assert roll_policy.switches_of(archive, 1) == 4, "the newest that can be read"
        assert typed_results.attempts(archive, 1, 1) == 0 and not typed_results.results(archive, 1)
    with Station(path) as again:
        assert (
            again.desk.policy(1, 4) and again.archive.orders.pending[0].kind == intents.SET_POLICY
        )
