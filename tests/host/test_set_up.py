"""The audit names each row of the set-up that was changed, and accuses no honest change."""

import laid
import pytest
import tamper_ways
from commands import plusthree
from tabletop import MASTER
from unguarded import unguarded

from host.archive import audit_log, audited_tables, master_key
from host.archive.people import DROPPED, People
from host.archive.roster import Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.desk.station import Station


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """An archive of a round that one table has ended, with an order and a notice of the desk."""
    return laid.played(tmp_path_factory.mktemp("played"), laid.go_on)


def change(path, *statements):
    """Run SQL on the file as somebody does who has it and no key."""
    with unguarded(path) as db:
        for sql in statements:
            assert db.execute(sql).rowcount > 0


def audited(path, capsys):
    return plusthree("audit", path), capsys.readouterr().out


@pytest.mark.parametrize("name", [one for one in tamper_ways.ROWS if "quarantine" not in one])
def test_a_row_that_somebody_changed_is_named_and_no_host_goes_on(path, capsys, name):
    with unguarded(path) as db:
        if not db.execute(tamper_ways.ROWS[name]).rowcount:
            return  # there was no such row
    code, said = audited(path, capsys)
    table = "settled" if " order " in name else name.partition(":")[0]
    assert code == 1 and f"DOES NOT FIT: {table}, " in said
    with pytest.raises(UserError, match=f"{table}, .*: changed by another program"):
        Station(path)


def test_every_row_that_a_table_can_lose_is_missed(path, capsys):
    for sheet in audited_tables.SHEETS:
        with Archive(path) as archive:
            there = [key for table, key in audited_tables.row_digests(archive) if table == sheet]
        if there and sheet not in ("events", "boards"):  # without these there is nothing to look at
            change(path, f"delete from {sheet}")
            assert f"{sheet}, " in audited(path, capsys)[1]


def test_what_the_program_itself_changes_fits(path, capsys):
    with Station(path, MASTER) as station:
        roster = station.archive.roster
        first, second = roster.pairings_of(1)[:2]
        people = People(station.archive)
        people.rename(first.a.number, "Ada", "Olga", 1)
        people.mark(second.a.number, DROPPED, "Olga", 2)
        roster.change_length(1, 80)
    assert audited(path, capsys)[0] == 0
    with Archive(path) as archive:  # a command that needs no key, such as an import
        archive.roster.rename([Player("77", "Ben")])
        archive.roster.move(102, -1, "provision")
        archive.roster.store_round(2, archive.roster.format_of(1), archive.roster.pairings_of(1))
        archive.roster.forget_round(2)
    assert audited(path, capsys)[0] == 0


def test_a_change_that_came_to_nothing_is_not_kept(path, capsys):
    with Archive(path) as archive:
        before = archive.audit_log.rows
        with pytest.raises(ZeroDivisionError), archive.transaction():
            archive.roster.rename([Player("77", "Ben")])
            raise ZeroDivisionError
        assert archive.audit_log.rows == before
        archive.roster.rename([Player("78", "Cleo")])
        assert list(audited_tables.unpack(archive.audit_log.rows[-1][1])) == [
            ("players", (archive.roster.event.number, "78"))
        ]
    assert audited(path, capsys)[0] == 0


def test_an_archive_that_kept_none_of_it_is_not_accused_and_takes_it_up(path, capsys):
    with Archive(path) as archive:
        key = audit_log.key_of(MASTER)
        old, before = [row[:2] for row in archive.audit_log.rows if row[0] != audit_log.ROWS], b""
        marks = [before := audit_log.mark(key, before, *row) for row in old]
    _as_of_before(path, old, marks)
    code, said = audited(path, capsys)
    assert code == 0 and "missing: the audit log of players" in said
    with Archive(path) as archive:
        archive.roster.rename([Player("77", "Ben")])
    code, said = audited(path, capsys)
    assert code == 0 and "the audit log of players" not in said
    change(path, tamper_ways.ROWS["pairings: swapped"])
    assert audited(path, capsys)[0] == 1


def test_without_the_key_nothing_is_changed_that_it_must_prove(path, capsys):
    master_key.path_of(path).rename(path.with_suffix(".away"))
    with Archive(path) as archive, pytest.raises(Exception, match="there is no master key"):
        archive.roster.rename([Player("77", "Ben")])
    path.with_suffix(".away").rename(master_key.path_of(path))
    assert audited(path, capsys)[0] == 0


def _as_of_before(path, rows, marks):
    with unguarded(path) as db:
        db.execute("DELETE FROM counterfoils")
        for row, mark in zip(rows, marks, strict=True):
            db.execute("INSERT INTO counterfoils (what, body, mark) VALUES (?, ?, ?)", (*row, mark))
        db.execute("PRAGMA user_version = 5")
