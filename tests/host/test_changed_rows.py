"""A row of the set-up that another program changed is never signed by this one, and the audit names it."""

import io
import types

import laid
import pytest
import tamper_ways
from commands import plusthree
from tabletop import MASTER
from unguarded import change, unguarded

from host.archive import audit_log, audited_tables, chain_head, master_key, receipt
from host.archive.backend import Foreign
from host.archive.database import Database
from host.archive.people import DROPPED, People
from host.archive.roster import Player
from host.archive.sqlite_backend import SqliteBackend
from host.archive.store import Archive
from host.base.errors import UserError
from host.desk import board_swap
from host.desk.station import Station

ROWS = {
    "UPDATE players SET name = 'Eve' WHERE number = '0'": "players, event 5, number 0",
    "DELETE FROM pairings WHERE pairing = 2": "pairings, event 5, round 1, pairing 2",
    "INSERT INTO links VALUES (9, 'organiser', 'Eve', X'00', 'Olga', 0)": "links, id 9",
    "UPDATE boards SET table_number = 3 - table_number": "boards, device 101, generation 1",
    "UPDATE commands SET state = 'pending' WHERE id = 1": "settled, id 1",
    "UPDATE reserved SET below = 65536 WHERE device = 101": "reserved, device 101, generation 1, epoch 1",
    "DELETE FROM reserved WHERE device = 102": "reserved, device 102, generation 1, epoch 1",
}  # fmt: skip


@pytest.mark.parametrize("sql", ROWS)
def test_no_host_goes_on_over_it_and_it_is_named(path, sql, capsys):
    change(path, sql)
    with pytest.raises(UserError, match=ROWS[sql] + ": changed by another program"):
        Station(path)
    assert plusthree("serve", "--no-radio", "--no-web", path) == 2
    assert plusthree("link", "judge", "Ada", path) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 2 and said.count("plusthree restore") == 2
    assert plusthree("audit", path) == 1
    assert f"DOES NOT FIT: {ROWS[sql]}: " in capsys.readouterr().out


def test_a_commands_own_change_is_none_of_another_programs(path, capsys):
    for number in range(2):
        assert plusthree("link", "judge", f"Ada {number}", path) == 0
    assert plusthree("board", "provision", "--revoke", 101, path) == 0
    with Station(path):
        pass
    capsys.readouterr()


ADDED = "INSERT INTO counterfoils VALUES (NULL, {}, {}, zeroblob(16))"
EXTENDED = "UPDATE counterfoils SET body = CAST(replace(CAST(body AS TEXT), ']]', '], ' || ?) AS BLOB) WHERE id = ?"
FOILS = {
    "no JSON": ADDED.format("'rows'", "X'00'"),
    "JSON, and no rows": ADDED.format("'rows'", "X'7B7D'"),
    "rows of no table": ADDED.format("'rows'", """CAST('[["x", [1], "d"], ["links", [1, 2], "d"]]' AS BLOB)"""),
    "nested 200,000 times": ADDED.format("'rows'", "CAST(replace(hex(zeroblob(100000)), '0', '[') AS BLOB)"),
    "a kind of nobody's": ADDED.format("'row'", "X'5B5D'"),
    "records that are cut off": ADDED.format("'records'", "X'00'"),
    "a notice of three parts": ADDED.format("'notice'", "CAST('[1, 2, 3]' AS BLOB)"),
    "a NUL in a kind": (
        # the same mark covers it: what follows the NUL was the body's
        "UPDATE counterfoils SET body = substr(body, instr(body, X'00') + 1), what = what || char(0)"
        " || CAST(substr(body, 1, instr(body, X'00') - 1) AS TEXT) WHERE id ="
        " (SELECT min(id) FROM counterfoils WHERE what = 'records' AND substr(body, 2, 1) = X'00')"
    ),
    "another kind over the same mark": "UPDATE counterfoils SET what = 'head' WHERE what = 'rows'",
    "a mark of text": "UPDATE counterfoils SET mark = 'sixteen letters.' WHERE id = 3",
}  # fmt: skip


def refused(path, capsys):
    """Return what each command says of an archive that no host may go on over."""
    with pytest.raises(UserError, match="plusthree restore"):
        Station(path)
    assert plusthree("serve", "--no-radio", "--no-web", path) == 2
    assert plusthree("link", "judge", "Ada", path) == 2
    assert plusthree("audit", path, "--receipt", "abandon " * 11 + "about") == 1
    said = capsys.readouterr()
    assert "Traceback" not in said.err and said.err.count("\n") == 2
    return said.out


@pytest.mark.parametrize("foil", FOILS)
def test_no_host_goes_on_over_a_log_with_a_row_of_another_programs(path, foil, capsys):
    assert change(path, FOILS[foil])
    said = refused(path, capsys)
    assert "does not fit what stands before it" in said or "none that this program writes" in said


def test_a_row_counts_for_nothing_because_another_row_names_it(path, capsys):
    """Whoever puts the body back later would leave no trace."""
    with unguarded(path) as db:
        db.execute("INSERT INTO links VALUES (9, 'organiser', 'Eve', X'00', 'Olga', 0)")
        archive = Database(SqliteBackend(db))
        digest = audited_tables.row_digest(archive, "links", (9,))
        (first,) = db.execute("SELECT min(id) FROM counterfoils WHERE what = 'rows'").fetchone()
        db.execute(EXTENDED, (f'["links", [9], "{digest}"]]', first))
        assert (
            str(digest).encode()
            in db.execute("SELECT body FROM counterfoils WHERE id = ?", (first,)).fetchone()[0]
        )
    assert f"row {first} of " in refused(path, capsys)


LAST = "(SELECT max(id) FROM counterfoils)"
RUNNING = {
    "does not end where this program left it": f"DELETE FROM counterfoils WHERE id = {LAST}",
    "row 3 of its audit log": "UPDATE counterfoils SET mark = zeroblob(16) WHERE id = 3",
    "row 4 of its audit log": "UPDATE counterfoils SET body = X'00' WHERE id = 4",
    "the trigger x is none": "CREATE TRIGGER x AFTER INSERT ON links BEGIN SELECT 1; END",
}


@pytest.mark.parametrize("said", RUNNING)
def test_the_chains_end_and_every_row_are_compared_while_a_host_runs(path, said):
    with Station(path) as station:
        assert station.archive.audit_log.foreign is None
        change(path, RUNNING[said])
        assert said in str(station.archive.audit_log.foreign)
        assert not station.archive.audit_log.believable
        with pytest.raises(Foreign, match=said):
            station.archive.notices.add("points", "win 3", "Olga", 1)


EVE = "INSERT INTO links VALUES ({0}, 'organiser', 'Eve', X'{0:02x}', 'Olga', 0)"


@pytest.mark.parametrize(("count", "more"), [
    (1, ""), (2, ", as well as links, id 12"),
    (5, ", as well as links, id 12; links, id 13; links, id 14; links, id 15"),
    (7, ", as well as links, id 12; links, id 13; links, id 14; links, id 15 and 2 more"),
])  # fmt: skip
def test_what_another_program_wrote_is_named_while_a_host_runs(path, count, more):
    with Station(path) as station:
        assert station.archive.audit_log.foreign is None
        for number in range(11, 11 + count):
            change(path, EVE.format(number))
        said = str(station.archive.audit_log.foreign).replace("links, id 11: ", "", 1)
        assert said == "changed by another program" + more
        assert station.archive.audit_log.believable


def test_no_row_follows_one_that_this_program_did_not_write(path):
    with Station(path) as station:
        archive = station.archive
        with pytest.raises(Foreign, match="does not end where"), archive.transaction():
            archive.write(ADDED.format("'rows'", "X'5B5D'"))
            archive.notices.add("points", "win 3", "Olga", 1)
        archive.notices.add("points", "win 3", "Olga", 1)
    assert plusthree("audit", path) == 0


def test_no_head_is_kept_of_an_end_that_this_program_did_not_write(path):
    with Station(path) as station:
        station.archive.notices.add("points", "win 3", "Olga", 1)
        station.archive.audit_log.keep_head()
        kept = chain_head.path_of(path).read_bytes()
        station.archive.notices.add("points", "win 1", "Olga", 1)
        change(path, ADDED.format("'rows'", "X'5B5D'"))
    assert chain_head.path_of(path).read_bytes() == kept


def signed(path, what, body):
    """Add a row to the log as whoever has the master key could."""
    with Station(path) as station, station.archive.transaction():
        station.archive.audit_log._add(what, body)


def test_a_sheet_that_only_a_later_program_has_is_passed_over(path):
    signed(path, "rows", b'[["future", [1], "00"]]')
    with Station(path):
        pass
    assert plusthree("audit", path) == 0


SIGNED = [
    *[(what, b"x") for what in sorted(audit_log.KINDS - {audit_log.SEALED})],
    ("notice", b'[5, "closed", "{}", "Olga"]'), ("notice", b'[5, "closed", {}, "Olga", 1]'),
    ("notice", b"[" * 200_000), ("rows", b"[" * 200_000), ("rows", b'[["links", [[9]], "00"]]'),
    ("rows", b'[["links", [1, 2], "00"]]'), ("rows", b'{"links": 1}'), ("rows", b"\xff"),
]  # fmt: skip


@pytest.mark.parametrize("what, body", SIGNED)
def test_a_body_that_cannot_be_read_is_named_though_the_master_key_signed_it(
    path, what, body, capsys, monkeypatch
):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with Station(path) as station:
        board_swap.close_event(station, "Olga", anyway=True)
        words = receipt.receipt(station.archive)
    signed(path, what, body)
    assert plusthree("audit", path, "--receipt", words) == 1
    said = capsys.readouterr().out
    assert "of the audit log cannot be read" in said and said.count("DOES NOT FIT") == 1
    assert plusthree("serve", "--no-radio", "--no-web", path) == 0
    assert plusthree("show", "results", path) == 0
    assert plusthree("paper", "incidents", "--no-pdf", path, "--out", path.parent) == 0


def test_a_row_that_a_command_changes_anyway_is_compared_first(path, capsys):
    change(path, "UPDATE events SET origin_unix_ms = origin_unix_ms + 1")
    with Archive(path) as archive, pytest.raises(UserError, match="events, number 5: changed"):
        archive.roster.open_event(archive.roster.current_event)
    capsys.readouterr()


def test_what_an_older_program_did_not_cover_is_taken_up(tmp_path, capsys):
    older = {
        name: kept
        for name, kept in audited_tables.SHEETS.items()
        if name not in audited_tables.LATER
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audited_tables, "SHEETS", older)
        path = laid.played(tmp_path)
    assert plusthree("audit", path) == 0
    for epoch in (2, 3):
        with Station(path) as station:
            station.archive.reserve(101, 1, epoch)
    assert plusthree("audit", path) == 0
    change(path, "UPDATE reserved SET below = 1 WHERE device = 102")
    assert plusthree("audit", path) == 1
    assert "reserved, device 102" in capsys.readouterr().out


def test_a_journal_that_serve_would_roll_back_is_audited_as_it_would_be(path, capsys):
    tamper_ways._hot_journal(types.SimpleNamespace(path=path))
    held = path.read_bytes()
    assert plusthree("audit", path) == 1
    assert "links, id 99: never stored by this host" in capsys.readouterr().out
    assert path.read_bytes() == held, "nothing is rolled back by an audit"
    assert plusthree("show", "results", path) == 2
    assert plusthree("serve", "--no-radio", "--no-web", path) == 2
    assert "links, id 99: changed by another program" in capsys.readouterr().err


def test_what_a_command_changes_after_the_end_is_sealed_anew(path, capsys):
    assert plusthree("link", "judge", "Ada", path) == 0
    with Archive(path) as archive:
        assert archive.audit_log.rows[-1].what == audit_log.ROWS, "nothing is over yet"
    with Station(path) as station:
        board_swap.close_event(station, "Olga", anyway=True)
        station.archive.notices.add("points", "win 3", "Olga", 1)
        assert audit_log.SEALED not in [row.what for row in station.archive.audit_log.rows]
    with Archive(path) as archive:
        before = archive.audit_log.rows
    assert before[-1].what == audit_log.SEALED
    assert plusthree("link", "judge", "Bea", path) == 0
    with Archive(path) as archive:
        assert [row.what for row in archive.audit_log.rows[len(before) :]] == ["rows", "sealed"]
    capsys.readouterr()
    plusthree("audit", path, "--final")
    assert "this is all of it" in capsys.readouterr().out


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """An archive of a round that one table has ended, with an order and a notice of the desk."""
    return laid.played(tmp_path_factory.mktemp("played"), laid.go_on)


def change_by(path, *statements):
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
            change_by(path, f"delete from {sheet}")
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
    change_by(path, tamper_ways.ROWS["pairings: swapped"])
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
