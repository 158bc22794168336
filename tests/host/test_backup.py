"""Copies on a stick, keys under a passphrase, and an archive brought back on another laptop."""

import json
import os

import pytest
from commands import plusthree
from tabletop import MASTER, Venue

from firmware.core import frames, intents
from host.archive import chain_head, master_key
from host.archive.store import Archive
from host.backup import backup
from host.backup.restore import LEAP, restore
from host.base.errors import UserError
from host.desk.station import Station
from host.event import table_rows
from host.keys import key_encryption

PHRASE = "a long enough phrase"
CHEAP = {"cost": 1 << 10}


@pytest.fixture
def stick(tmp_path):
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


@pytest.fixture
def venue(tmp_path, request):
    mark = request.node.get_closest_marker("venue")
    made = Venue(tmp_path / "cup.db", **{"tables": 3} | (mark.kwargs if mark else {}))
    yield made
    made.station.close()


def copied(venue, stick):
    backup.write_key(MASTER, venue.path, stick, PHRASE, **CHEAP)
    return backup.write(venue.archive, stick)


def taken_up(venue, stick, tmp_path):
    """The laptop is gone; another takes up the newest copy, and has heard nobody yet."""
    for board in venue.boards:
        venue.air.cut(board)
    venue.station.close()
    os.unlink(venue.path)
    (tmp_path / "other").mkdir()
    venue.path = tmp_path / "other" / "new.db"
    restore(stick, venue.path, PHRASE, 5)
    venue.station = Station(venue.path)
    venue.air.collector = venue.station.collector


def lost(venue, stick, tmp_path):
    """The same, some seconds later."""
    taken_up(venue, stick, tmp_path)
    venue.air.run(5_000)  # nothing is idle before every board was heard


def test_keys_come_back_with_the_passphrase_alone():
    text = key_encryption.encrypt(MASTER, PHRASE, **CHEAP)
    assert key_encryption.decrypt(text, PHRASE) == MASTER
    with pytest.raises(UserError, match="not the passphrase"):
        key_encryption.decrypt(text, PHRASE + "x")
    for name in ("sealed", "salt", "nonce", "mark"):
        held = json.loads(text)
        held[name] = held[name][:-2] + f"{int(held[name][-2:], 16) ^ 1:02x}"
        with pytest.raises(UserError, match="not the passphrase"):
            key_encryption.decrypt(json.dumps(held), PHRASE)


def test_short_passphrases_are_refused():
    with pytest.raises(UserError, match="10 characters"):
        key_encryption.encrypt(MASTER, "short", **CHEAP)


def test_the_stick_holds_whole_copies_and_no_secret_in_clear(venue, stick):
    venue.begin()
    for _ in range(backup.KEEP + 3):
        newest = copied(venue, stick)
    assert len(backup.copies(stick, "cup")) == backup.KEEP
    assert backup.copies(stick, "cup")[-1] == newest
    keys = [MASTER] + [frames.board_key(MASTER, board.device, 1) for board in venue.boards]
    for path in stick.iterdir():
        held = path.read_bytes()
        assert not [key for key in keys if key in held or key.hex().encode() in held.lower()], path
    with Archive(newest) as copy:
        assert copy.records() == venue.archive.records()


def test_a_stick_that_is_gone_or_full_is_said_and_stops_nothing(venue, tmp_path):
    keeper = backup.BackupSchedule(venue.archive, tmp_path / "gone")
    assert keeper.step(1, 0)[0].startswith("BACKUP FAILED: no backup in")
    (tmp_path / "gone").mkdir()
    assert keeper.step(2, 1)[0].startswith("backup: ")
    assert keeper.step(2, 2) == keeper.step(3, 3) == [], "nothing has changed since"
    venue.begin()
    assert keeper.step(3, 4) == []
    assert keeper.step(4, 5)[0].startswith("backup: ")
    venue.station.desk.extend(1, 1)
    assert keeper.step(4, 5 + backup.EVERY_MS)[0].startswith("backup: ")


def test_a_failed_copy_is_tried_again_soon_and_a_good_one_is_enough_for_a_while(venue, tmp_path):
    keeper = backup.BackupSchedule(venue.archive, tmp_path / "gone")
    assert keeper.step(1, 0)[0].startswith("BACKUP FAILED")
    assert keeper.step(1, backup.AGAIN_MS) == [] and isinstance(keeper.failure, UserError)
    keeper = backup.BackupSchedule(venue.archive, tmp_path / "gone")
    assert keeper.step(1, 0)[0].startswith("BACKUP FAILED")
    (tmp_path / "gone").mkdir()
    assert keeper.step(1, backup.AGAIN_MS - 1) == []
    assert keeper.step(1, backup.AGAIN_MS)[0].startswith("backup: ") and keeper.failure is None
    venue.archive.notices.add("told", "{}", "host", 0)
    assert keeper.step(1, 2 * backup.AGAIN_MS) == []
    assert keeper.step(1, backup.AGAIN_MS + backup.EVERY_MS)[0].startswith("backup: ")


def test_keys_that_cannot_be_read_are_said_to_be_so(stick):
    with pytest.raises(UserError, match="a.keys cannot be read"):
        backup.read_key(stick / "a.keys")


def test_a_lost_laptop_costs_nothing(venue, stick, tmp_path):
    venue.begin()
    copied(venue, stick)
    venue.station.desk.extend(2, 5)  # after the copy: the restored host has never heard of it
    venue.win(venue.boards[0])
    venue.drain()
    lost(venue, stick, tmp_path)
    venue.drain(60_000)
    venue.check()
    assert venue.station.hall.results(1)[1].outcome == "A"
    order = venue.station.desk.extend(2, 3)[0]
    venue.drain()
    assert venue.archive.orders.get(order).state == "done"
    assert venue.boards[1].match.extension_s == 480, "5 minutes given by the lost laptop, and 3"


def test_orders_that_the_lost_laptop_gave_are_not_given_again(venue, stick, tmp_path):
    venue.station.desk.publish(1)
    copied(venue, stick)  # every table's round is still to be told here
    venue.station.desk.start(venue.air.now_ms + 140_000)
    venue.drain()
    venue.air.away.add("radio 103")
    for board in venue.boards[:2]:
        for seat in (0, 1):
            assert board.ask(venue.air.now_ms, intents.CONFIRM_SEAT, seat)
    venue.air.run(150_000)
    venue.win(venue.boards[0])
    venue.air.run(20_000)
    lost(venue, stick, tmp_path)
    venue.air.away.clear()
    venue.drain(60_000)
    assert venue.station.hall.results(1)[1].outcome == "A", (
        "a round told twice would have erased it"
    )
    assert venue.boards[1].match.present == 3 and not venue.archive.orders.pending
    venue.check()


def heard_out(venue):
    statuses = venue.station.collector.statuses.values()
    return all(
        status.visited and not venue.station.collector.missing(status) for status in statuses
    )


def test_a_board_is_heard_out_on_one_short_link(venue, stick, tmp_path):
    copied(venue, stick)
    venue.begin()
    taken_up(venue, stick, tmp_path)
    links = venue.air.connections
    assert venue.air.run(2000, lambda: heard_out(venue)), (
        "it was asked at once, and nothing was waited for"
    )
    assert venue.air.connections - links == 3
    venue.check()


@pytest.mark.venue(tables=16)
def test_whom_the_desk_has_asked_for_is_heard_out_first(venue, stick, tmp_path):
    venue.station.desk.publish(1)
    copied(venue, stick)  # every table's round is still to be told here
    venue.drain()
    venue.begin()
    taken_up(venue, stick, tmp_path)
    order = venue.station.desk.freeze(16)[0]
    assert venue.air.run(3000, lambda: venue.archive.orders.get(order).state == "done")
    assert not heard_out(venue)


def test_the_desk_sees_the_room_before_its_records_have_come(venue, stick, tmp_path):
    copied(venue, stick)
    venue.begin()
    venue.station.desk.freeze(3)
    venue.drain()
    for board in venue.boards:
        board.tick(venue.air.now_ms)
    taken_up(venue, stick, tmp_path)
    collector = venue.station.collector
    # as a radio says at its start: it listens first
    collector.set_radio_down(False, venue.air.now_ms)
    statuses = collector.statuses.values()
    assert venue.air.run(1000, lambda: all(status.heard_ms for status in statuses))

    def rows():
        station = venue.station
        return table_rows.rows(
            station.archive, station.hall, station.collector, 1, venue.air.now_ms
        )

    early = rows()
    assert [row.phase for row in early] == ["playing", "playing", "frozen"]
    assert [row.notes[-1].endswith("records to come") for row in early] == [True] * 3
    venue.air.run(5000, lambda: heard_out(venue))
    late = rows()
    assert [row.phase for row in late] == [row.phase for row in early]
    assert not any(row.notes for row in late)
    gone_ms = early[0].remaining_ms - late[0].remaining_ms
    assert 0 < gone_ms < 5000 and early[2].remaining_ms is None and late[2].remaining_ms


def test_what_nobody_was_told_is_told_after_the_restore(venue, stick, tmp_path):
    venue.air.away.update(venue.air.boards)
    venue.station.desk.publish(1)
    copied(venue, stick)
    lost(venue, stick, tmp_path)
    venue.air.away.clear()
    venue.drain(60_000)
    assert [board.match.round for board in venue.boards] == [1, 1, 1]


def test_no_counter_is_used_twice(venue, stick, tmp_path):
    venue.begin()
    copied(venue, stick)
    used = {row[:3]: row[3] for row in venue.archive.query("SELECT * FROM reserved")}
    lost(venue, stick, tmp_path)
    for place, below in used.items():
        assert venue.archive.reserve(*place)[0] >= below + LEAP // 2
    assert venue.archive.reserve(101, 1, 9)[0] > LEAP, "a boot that the copy has not seen"


def test_a_wrong_passphrase_leaves_nothing(venue, stick, tmp_path):
    copied(venue, stick)
    with pytest.raises(UserError, match="not the passphrase"):
        restore(stick, tmp_path / "new.db", "some other phrase", 5)
    assert not (tmp_path / "new.db").exists()
    assert not master_key.path_of(tmp_path / "new.db").exists()


@pytest.fixture
def typed_phrase(monkeypatch):
    """The passphrase as commands are given it, at a cost that a test can pay."""
    cheap = {**key_encryption.encrypt.__kwdefaults__, **CHEAP}
    monkeypatch.setattr(key_encryption, "COST", CHEAP["cost"])
    monkeypatch.setattr(key_encryption.encrypt, "__kwdefaults__", cheap)
    monkeypatch.setenv("PLUSTHREE_PASSPHRASE", PHRASE)


def test_the_commands(tmp_path, stick, typed_phrase, capsys):
    path, new = str(tmp_path / "a.db"), str(tmp_path / "b.db")
    board = "--device", 1, "--table", 1, "--out", tmp_path / "s"
    assert plusthree("board", "provision", path, *board) == 0
    assert plusthree("backup", stick, path) == 0
    assert plusthree("backup", stick, path, "--json") == 0
    copy = json.loads(capsys.readouterr().out.splitlines()[-1])["copy"]
    assert plusthree("restore", stick, new, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["archive"] == new and told["copy"] == copy and not told["passed_over"]
    assert master_key.load(master_key.path_of(new)) == master_key.load(master_key.path_of(path))
    assert plusthree("audit", new) == 0
    said = "".join(capsys.readouterr())
    assert "everything that is here fits" in said
    assert master_key.load(master_key.path_of(path)).hex() not in said and PHRASE not in said


def assert_damage_is_found(venue, first, last, said):
    """Have zeros in a place of the archive's file, which is then refused."""
    venue.station.close()
    held = bytearray(venue.path.read_bytes())
    held[first:last] = bytes(last - first)
    venue.path.write_bytes(held)
    with pytest.raises(UserError, match=said):
        Archive(venue.path)
    for made in (venue.path, chain_head.path_of(venue.path)):
        made.unlink()
    venue.station = Station(venue.path, MASTER)


def test_a_damaged_archive_is_not_written_to(venue):
    venue.begin()
    assert_damage_is_found(venue, 4096 * 3, 4096 * 4, "plusthree restore|cannot be used")


def test_damage_that_nothing_else_would_meet_is_found_as_an_archive_is_opened(venue):
    venue.begin()
    sql = "SELECT rootpage FROM sqlite_master WHERE name = 'records'"
    page, size = venue.archive.query(sql)[0][0], venue.archive.query("PRAGMA page_size")[0][0]
    said = "(?s)is damaged .*plusthree restore"
    assert_damage_is_found(venue, size * (page - 1) + 8, size * page, said)


def test_a_spare_stays_a_spare(venue, stick, tmp_path):
    spare = venue.add_spare(200)
    copied(venue, stick)
    lost(venue, stick, tmp_path)
    venue.drain()
    assert spare.journal.event == 5 and venue.archive.roster.current_boards[200].table == 0
