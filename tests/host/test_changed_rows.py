"""A row of the set-up that another program changed is never signed by this one."""

import laid
import pytest
from commands import plusthree
from unguarded import unguarded

from host.archive import audited_tables
from host.base.errors import UserError
from host.desk.station import Station

ROWS = {
    "UPDATE players SET name = 'Eve' WHERE number = '0'": "players, event 5, number 0",
    "DELETE FROM pairings WHERE pairing = 2": "pairings, event 5, round 1, pairing 2",
    "INSERT INTO links VALUES (9, 'organiser', 'Eve', X'00', 'Olga', 0)": "links, id 9",
    "UPDATE boards SET table_number = 3 - table_number": "boards, device 101, generation 1",
}


def refuse(path, sql, named):
    """Change rows behind the program's back: no host goes on, and what was changed is named."""
    with unguarded(path) as db:
        db.execute(sql)
    with pytest.raises(UserError, match=named + ": changed by another program"):
        Station(path)


@pytest.mark.parametrize("sql", ROWS)
def test_no_host_goes_on_over_it_and_it_is_named(path, sql, capsys):
    refuse(path, sql, ROWS[sql])
    assert plusthree("serve", "--no-radio", "--no-web", "--archive", path) == 2
    assert plusthree("link", "--role", "judge", "--name", "Ada", "--archive", path) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 2 and said.count("plusthree restore") == 2
    assert plusthree("audit", path) == 1
    assert f"DOES NOT FIT: {ROWS[sql]}: " in capsys.readouterr().out


def test_what_the_program_wrote_is_gone_on_with(path):
    for _ in range(2):
        with Station(path) as station:
            station.archive.notices.add("points", "win 3", "Olga", 1)


def test_a_commands_own_change_is_none_of_another_programs(path, capsys):
    for number in range(2):
        assert (
            plusthree("link", "--role", "judge", "--name", f"Ada {number}", "--archive", path) == 0
        )
    assert plusthree("provision", "--revoke", 101, "--archive", path) == 0
    with Station(path):
        pass
    capsys.readouterr()


@pytest.mark.parametrize(
    "body",
    (
        "X'00'",
        "X'5B5B315D5D'",
        "X'7B7D'",
        """CAST('[["x", [1], "d"], ["links", [1, 2], "d"]]' AS BLOB)""",
    ),
)
def test_a_row_of_the_log_that_cannot_be_read_is_left_to_the_audit(path, body, capsys):
    with unguarded(path) as db:
        db.execute(f"INSERT INTO counterfoils VALUES (NULL, 'rows', {body}, zeroblob(16))")
    with Station(path):
        pass
    assert plusthree("audit", path) == 1
    assert "does not fit what stands before it" in capsys.readouterr().out


PASSING = {
    "UPDATE commands SET state = 'pending' WHERE id = 1": "settled, id 1",
    "UPDATE reserved SET below = 65536 WHERE device = 101":
        "reserved, device 101, generation 1, epoch 1",
    "DELETE FROM reserved WHERE device = 102": "reserved, device 102, generation 1, epoch 1",
}  # fmt: skip


@pytest.mark.parametrize("sql", PASSING)
def test_an_orders_state_and_the_counters_are_covered_too(path, sql, capsys):
    refuse(path, sql, PASSING[sql])
    assert plusthree("audit", path) == 1
    assert f"DOES NOT FIT: {PASSING[sql]}: " in capsys.readouterr().out


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
    with unguarded(path) as db:
        db.execute("UPDATE reserved SET below = 1 WHERE device = 102")
    assert plusthree("audit", path) == 1
    assert "reserved, device 102" in capsys.readouterr().out


def test_row_numbers_that_are_used_up_are_said(path, capsys):
    with unguarded(path) as db:
        db.execute("UPDATE sqlite_sequence SET seq = 9223372036854775807")
    assert plusthree("link", "--role", "judge", "--name", "Ada", "--archive", path) == 2
    assert "numbered up to the end" in capsys.readouterr().err
    assert plusthree("audit", path) == 1
