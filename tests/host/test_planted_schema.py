"""What somebody plants in an archive's schema with any SQLite tool: no program of ours opens it."""

import contextlib
import shutil
import sqlite3

import pytest
import resigned
from commands import plusthree
from stick import PHRASE
from tabletop import MASTER
from unguarded import unguarded

from host.archive import schema, schema_check, table_shapes
from host.backup import backup

EVE = "INSERT INTO links VALUES (NULL, 'organiser', 'Eve', X'00', 'Olga', 0)"
LATER = "AFTER INSERT ON records BEGIN"
PLANTS = {
    "the trigger letmein": (f"CREATE TRIGGER letmein {LATER} {EVE}; END",),
    "the trigger turned": (
        f"CREATE TRIGGER turned {LATER} UPDATE pairings SET player_a = player_b; END",
    ),
    "the view shadow": ("CREATE VIEW shadow AS SELECT * FROM links",),
    "the index odd": ("CREATE INDEX odd ON players (abs(name))",),
    "the table more": ("CREATE TABLE more (x)",),
    "the table pairings is not as": (
        "ALTER TABLE pairings RENAME TO kept",
        "CREATE VIEW pairings AS SELECT * FROM kept",
    ),
    **{f"the table {name} is not there": (f"DROP TABLE {name}",)
       for name in ("entries", "counterfoils", "sends")},
    "the table restores is not as": ("ALTER TABLE restores ADD COLUMN more TEXT",),
    "the trigger links_never_delete is not there": ("DROP TRIGGER links_never_delete",),
    "the trigger links_never_update is not as": (
        "DROP TRIGGER links_never_update",
        "CREATE TRIGGER links_never_update BEFORE UPDATE ON links BEGIN SELECT 1; END",
    ),
    r"the trigger 'a\x1b[2Jb' is none": (f"CREATE TRIGGER \"a\x1b[2Jb\" {LATER} {EVE}; END",),
}  # fmt: skip
ALIKE = {"the table pairings is not as": "the table pairings is not there"}
COMMANDS = (
    ("show", "results"),
    ("paper", "slips", "--no-pdf"),
    ("board", "provision", "--revoke", "101"),
    ("link", "judge", "Ada"),
    ("serve", "--no-radio", "--no-web"),
)


def plant(path, statements):
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        for sql in statements:
            db.execute(sql)


@pytest.mark.parametrize("named", PLANTS)
def test_no_command_opens_it_and_each_names_what_was_planted(path, named, capsys, tmp_path):
    plant(path, PLANTS[named])
    held = path.read_bytes()
    named = ALIKE.get(named, named)
    for command in COMMANDS:
        assert plusthree(*command, path) == 2, command
        said = capsys.readouterr().err
        assert named in said and "\x1b" not in said and said.count("\n") == 1, command
    assert path.read_bytes() == held, "nothing is written to it"
    assert plusthree("audit", path) == 1
    assert named in capsys.readouterr().out


WRITTEN = {
    # a type of two words, and so no constraint
    "the table moves is not as": ("moves", "author TEXT NOT NULL", "author TEXT NOT\u00a0NULL"),
    "the table links is not as": ("links", "digest BLOB NOT NULL UNIQUE", "digest BLOB NOT\u2003NULL UNIQUE"),
    "the table pairings is not as": ("pairings", "player_a TEXT", "pleyer_a TEXT"),
    "the table commands is not as": ("commands", "'done', 'refused'", "'done',  'refused'"),
    "the trigger links_never_update is not as": ("links_never_update", "links are", "links  are"),
}  # fmt: skip


@pytest.mark.parametrize("named", WRITTEN)
def test_every_statement_is_compared_byte_by_byte(path, named, capsys):
    name, before, after = WRITTEN[named]
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        sql = "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ? AND instr(sql, ?)"
        assert db.execute(sql, (before, after, name, before)).rowcount == 1
    assert plusthree("serve", "--no-radio", "--no-web", path) == 2
    assert named in capsys.readouterr().err
    assert plusthree("audit", path) == 1
    assert named in capsys.readouterr().out


@pytest.mark.parametrize("named", PLANTS)
def test_a_copy_on_the_stick_with_it_is_passed_over(path, named, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", PHRASE)
    backup.write_key(MASTER, path, tmp_path, PHRASE, cost=1 << 10)
    assert plusthree("backup", tmp_path, path) == 0
    shutil.copy(tmp_path / "a.1.backup", tmp_path / "a.2.backup")
    plant(tmp_path / "a.2.backup", PLANTS[named])
    capsys.readouterr()
    assert plusthree("restore", tmp_path, tmp_path / "new.db") == 0
    said = capsys.readouterr().out
    assert "passed over" in said and f"is restored from {tmp_path / 'a.1.backup'}" in said


def test_a_copy_that_the_archive_is_compared_with_is_looked_at_too(path, tmp_path, capsys):
    copy = tmp_path / "copy.db"
    shutil.copy(path, copy)
    assert plusthree("audit", path, "--against", copy) == 0
    plant(copy, ("CREATE TABLE more (x)",))
    assert plusthree("audit", path, "--against", copy) == 1
    assert "the table more" in capsys.readouterr().out


SINCE = {
    "UPDATE pairings SET player_a = player_b, player_b = player_a WHERE pairing = 1": (
        0,
        "changed: pairings, event 5, round 1, pairing 1: not as in the copy",
    ),
    "INSERT INTO links VALUES (9, 'organiser', 'Eve', X'00', 'Olga', 0)": (0, "changed: links: 1 new row"),
    "DELETE FROM sends WHERE command = 1": (1, "sends, device 101, "),
    "UPDATE commands SET author = 'Eve' WHERE id = 1": (1, "commands, id 1: not what was stored"),
    "DELETE FROM counterfoils WHERE id > 2": (1, "the audit log ends at row 2"),
    "UPDATE counterfoils SET body = X'00' WHERE id = 2": (1, "differs from the copy's from row 2"),
}  # fmt: skip


@pytest.mark.parametrize("sql", SINCE)
def test_the_set_up_is_compared_with_a_copy(path, sql, tmp_path, capsys):
    copy = tmp_path / "copy.db"
    shutil.copy(path, copy)
    with unguarded(path) as db:
        db.execute(sql)
    plusthree("audit", path, "--against", copy)
    code, said = SINCE[sql]
    assert said in capsys.readouterr().out
    # what the host would have signed itself, were it made to, is told and is no fault
    if code == 0:
        resigned.resign(path)
        assert plusthree("audit", path, "--against", copy) == 0
        assert said in capsys.readouterr().out


@pytest.mark.parametrize("version", range(1, schema.VERSION))
def test_each_older_version_has_a_schema_of_its_own_and_is_upgraded(tmp_path, version):
    with contextlib.closing(sqlite3.connect(tmp_path / "a.db")) as db:
        db.executescript(schema.statements(version))
        assert schema_check.difference(db, version) is None
        table_shapes.upgrade(tmp_path / "a.db", "a")
        assert schema_check.difference(db, schema.VERSION) is None
        db.execute("CREATE TRIGGER x AFTER INSERT ON links BEGIN SELECT 1; END")
        assert "the trigger x is none of this" in schema_check.difference(db, schema.VERSION)
