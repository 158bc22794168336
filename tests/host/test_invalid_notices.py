"""Notices that cannot be read, as a later program may write them, are counted and passed over; over
one that was changed in the file no host goes on.
"""

import pytest
from tabletop import MASTER, Venue
from unguarded import unguarded

from firmware.core import intents
from host import cli
from host.archive import master_key
from host.archive.roster import Board
from host.audit.inspection import inspect
from host.base.errors import UserError
from host.desk import call_claims, event_import
from host.desk.station import Station
from host.event import invalid_notices, nonces, roll_policy, typed_results

SPARE = 200
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
    master_key.keep(master_key.beside(venue.path), MASTER)
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
            typed_results.adopted(station.archive) == typed_results.adoptions(station.archive) == {}
        )
        assert invalid_notices.counted(station.archive) == {typed_results.ADOPTED: 1}
        (said,) = [str(one) for one in event_import.remarks(station.archive, 1)]
        assert "1" in said and "plusthree audit" in said
        report = inspect(station.archive, station.keyring)
    assert "a note of a board set up by hand cannot be read: it counts for nothing" in report.faults
    assert report.results == 1


def test_no_host_goes_on_over_one_that_was_damaged(path):
    damage(path, "{")
    with pytest.raises(UserError, match="notices, id 1: changed by another program"):
        Station(path)


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
        assert (
            again.desk.policy(1, 4) and again.archive.orders.pending[0].kind == intents.SET_POLICY
        )
