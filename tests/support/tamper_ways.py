"""Ways to tamper with what lies around of an event (``tamper_scene``): the bank of the matrix.

A way's ``act(scene, means)`` does what somebody with these means would do at that place. Whoever
has a key signs whatever that key can sign, so that as little as possible contradicts it.
"""

import os
import random
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from typing import NamedTuple

import resigned
import tampered
from tabletop import MASTER
from tamper_scene import STOLEN, said
from unguarded import unguarded

from firmware.core import events, frames
from host.archive import audited_tables, chain_head, master_key
from host.archive.database import Database
from host.archive.records import ArchivedRecord, stored
from host.archive.sqlite_backend import SqliteBackend
from host.backup import copy_seal
from host.keys import signatures

NOBODY, THIEF, HOLDER = "without a key", "with a stolen board's key", "with the master key"
ARCHIVE, STICK, EXPORTS, PAPER = "archive", "stick", "exports", "paper"
EVE = "INSERT INTO links VALUES (99, 'organiser', 'Eve', zeroblob(32), 'Olga', 0)"
EVES = audited_tables._digest((99, "organiser", "Eve", bytes(32), "Olga", 0))
_LATER = "AFTER INSERT ON records BEGIN"


class Way(NamedTuple):
    """One way: where, what, how. ``signs``: a stolen board's key makes a difference to it."""

    place: str
    name: str
    act: Callable
    signs: bool = False


def change(path, *statements):
    """Run SQL behind the program's back."""
    with unguarded(path) as db:
        for sql in statements:
            assert db.execute(sql).rowcount, f"{sql} changes nothing"  # -1: what is no row


def _sql(*statements):
    def act(scene, means):
        change(scene.path, *statements)
        if means == HOLDER:
            with suppress(sqlite3.Error):  # the log's own table may be gone
                resigned.resign(scene.path)

    return act


def _planted(*statements):
    """As ``_sql``, for what is no row: the triggers stay as they are made."""

    def act(scene, means):
        with closing(sqlite3.connect(scene.path)) as db, db:
            for sql in statements:
                db.execute(sql)
        if means == HOLDER:
            with suppress(sqlite3.Error):  # what was planted may stand in the way
                resigned.resign(scene.path)

    return act


def _with_head(act, remove=True):
    def both(scene, means):
        act(scene, means)
        if remove and means != HOLDER:
            chain_head.path_of(scene.path).unlink()

    return both


# of a way that no receipt shows: why
BECAUSE = {"commands: swapped": "a close's own orders come after what its receipt covers"}

# rows of each table: changed, dropped, added, swapped

ROWS = {
    "boards: changed": "UPDATE boards SET table_number = 3 - table_number WHERE device = 101",
    "boards: dropped": "DELETE FROM boards WHERE device = 103",
    "boards: added": "INSERT INTO boards VALUES (104, 1, 0, 0)",
    "boards: swapped": "UPDATE boards SET table_number = 3 - table_number WHERE device < 103",
    "events: changed": "UPDATE events SET name = 'World Cup'",
    "events: added": "INSERT INTO events VALUES (7, 'Second Cup', 0, 9)",
    "rounds: changed": "UPDATE rounds SET minutes = 30",
    "rounds: added": "INSERT INTO rounds VALUES (5, 9, 0, 6, 50)",
    "players: changed": "UPDATE players SET name = 'Somebody Else' WHERE number = '0'",
    "players: dropped": "DELETE FROM players WHERE number = '3'",
    "players: added": "INSERT INTO players VALUES (5, '9', 'Ninth Player')",
    "players: swapped": """UPDATE players SET name =
        CASE number WHEN '0' THEN 'Given1 Family' ELSE 'Given0 Family' END WHERE number < '2'""",
    "pairings: changed": "UPDATE pairings SET player_b = '3' WHERE pairing = 1",
    "pairings: dropped": "DELETE FROM pairings WHERE pairing = 2",
    "pairings: added": "INSERT INTO pairings VALUES (5, 1, 9, NULL, '1', NULL)",
    "pairings: swapped": """UPDATE pairings SET player_a = player_b, player_b = player_a
        WHERE pairing = 1""",
    "quarantine: added": """INSERT INTO quarantine
        SELECT 1, device, generation, epoch, counter, event, received_ms, frame
        FROM records LIMIT 1""",
    "commands: changed": "UPDATE commands SET b = 60 WHERE reason = 'slow play'",
    "commands: dropped": "DELETE FROM commands WHERE reason = 'slow play'",
    "commands: added": """INSERT INTO commands
        SELECT 900, event, round, table_number, kind, at_ms, a, b + 60, c, author, reason, asked_ms,
        'pending', 0 FROM commands WHERE reason = 'slow play'""",
    "commands: swapped": """UPDATE commands SET table_number = 3 - table_number
        WHERE reason = 'close'""",
    "commands: a done order waits again": """UPDATE commands SET state = 'pending'
        WHERE reason = 'slow play'""",
    "commands: a done order was never done": """UPDATE commands SET state = 'dropped'
        WHERE reason = 'slow play'""",
    "commands: a refused order waits again": """UPDATE commands SET state = 'pending'
        WHERE reason = 'too soon'""",
    "sends: changed": "UPDATE sends SET command = command + 1 WHERE command = 1",
    "sends: dropped": "DELETE FROM sends WHERE command = 1",
    "sends: added": "INSERT INTO sends VALUES (101, 1, 1, 60000, 1)",
    "reserved: lowered": "UPDATE reserved SET below = 1",
    "reserved: raised": "UPDATE reserved SET below = 65536",
    "reserved: dropped": "DELETE FROM reserved",
    "reserved: added": "INSERT INTO reserved VALUES (101, 1, 2, 65536)",
    "notices: changed": "UPDATE notices SET value = 'win 9' WHERE what = 'points'",
    "notices: dropped": "DELETE FROM notices WHERE what = 'points'",
    "notices: added": "INSERT INTO notices VALUES (99, 5, 'points', 'win 1', 'Olga', 9)",
    "moves: changed": "UPDATE moves SET reason = 'none'",
    "moves: dropped": "DELETE FROM moves",
    "moves: added": "INSERT INTO moves VALUES (9, 102, 1, 1, 'Olga', '', 9)",
    "restores: added": "INSERT INTO restores VALUES (1, 60000, 99, 9)",
    "entries: changed": "UPDATE entries SET player = '2'",
    "entries: dropped": "DELETE FROM entries WHERE what = 'returned'",
    "entries: added": "INSERT INTO entries VALUES (9, 5, '1', 'dropped', 'Olga', '', 9)",
    "links: added": EVE,
    "links: changed": "UPDATE links SET digest = zeroblob(32) WHERE id = 1",
    "links: dropped": "DELETE FROM links WHERE id = 1",
    "links: swapped": """UPDATE links SET name = CASE id WHEN 1 THEN 'Bea' ELSE 'Ada' END""",
    "revoked_links: dropped": "DELETE FROM revoked_links",
    "revoked_links: added": "INSERT INTO revoked_links VALUES (1, 'Olga', 9)",
}
SCHEMA = {
    "a trigger that makes a link": (f"CREATE TRIGGER letmein {_LATER} {EVE}; END",),
    "a trigger that turns pairings": (f"CREATE TRIGGER turned {_LATER} UPDATE pairings SET player_a = player_b; END",),
    "a view": ("CREATE VIEW shadow AS SELECT * FROM links",),
    "a view in a table's place": ("ALTER TABLE pairings RENAME TO kept", "CREATE VIEW pairings AS SELECT * FROM kept"),
    "a table": ("CREATE TABLE more (x)",),
    "an index": ("CREATE INDEX odd ON players (abs(name))",),
    "a guard taken off": ("DROP TRIGGER records_never_update",),
    "a lower schema version": ("PRAGMA user_version = 3",),
    "a higher schema version": ("PRAGMA user_version = 99",),
    "white space that is none": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'author TEXT NOT NULL',"
        " 'author TEXT NOT' || char(160) || 'NULL') WHERE name = 'moves'",
    ),
    "no more numbers for rows": ("UPDATE sqlite_sequence SET seq = 9223372036854775807",),
}  # fmt: skip
LOG = {
    "wiped": ("DELETE FROM counterfoils",),
    "its end cut off": ("DELETE FROM counterfoils WHERE id > 9",),
    "a row changed": ("UPDATE counterfoils SET body = X'00' WHERE id = 4",),
    "a row dropped": ("DELETE FROM counterfoils WHERE id = 4",),
    "a row added": ("INSERT INTO counterfoils VALUES (NULL, 'records', X'', zeroblob(16))",),
    "two rows swapped": (
        "UPDATE counterfoils SET id = -4 WHERE id = 4", "UPDATE counterfoils SET id = 4 WHERE id = 5",
        "UPDATE counterfoils SET id = 5 WHERE id = -4",
    ),
    "begun anew by a pretended upgrade": ("DROP TABLE counterfoils", "PRAGMA user_version = 4"),
    "a link, named by an entry that was there": (
        EVE, "UPDATE counterfoils SET body = CAST(replace(CAST(body AS TEXT), ']]', '], "
        f"[\"links\", [99], \"{EVES}\"]]') AS BLOB) WHERE id ="
        " (SELECT min(id) FROM counterfoils WHERE what = 'rows')",
    ),
    "a NUL in a kind": (
        "UPDATE counterfoils SET body = substr(body, 3), what = what || char(0)"
        " || CAST(substr(body, 1, 1) AS TEXT) WHERE id ="
        " (SELECT min(id) FROM counterfoils WHERE what = 'records' AND substr(body, 2, 1) = X'00')",
    ),
    "nested 200,000 times": (
        "INSERT INTO counterfoils VALUES (NULL, 'rows',"
        " CAST(replace(hex(zeroblob(100000)), '0', '[') AS BLOB), zeroblob(16))",
    ),
}  # fmt: skip


# records

_FIELDS = "device, generation, epoch, counter, event, received_ms, frame"


def _records(edit):
    """A way that edits the list of records; ``edit(entries, place of a result, has a key)``."""

    def act(scene, means):
        with unguarded(scene.path) as db:
            order = "TRUE ORDER BY device, generation, epoch, counter"
            entries = stored(Database(SqliteBackend(db)), order)
            at = next(i for i, one in enumerate(entries) if _confirms(one))
            found = edit(entries, at, means != NOBODY)
            db.execute("DELETE FROM records")
            rows = [(*one.id, one.event, one.received_ms, one.frame) for one in found]
            db.executemany(f"INSERT INTO records ({_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        if means == HOLDER:
            resigned.resign(scene.path)

    return act


def _confirms(entry):
    return entry.id[0] == STOLEN and entry.board_event.kind == events.GAME_WON


def _changed(entries, at, key):
    won = events.of_record(entries[at].frame)
    if key:
        won.seat = 1 - won.seat
        return tampered.chained({**tampered._all(entries), at: won}, entries)
    frame = bytearray(entries[at].frame)
    frame[11] ^= 1
    return _put(entries, at, bytes(frame))


def _put(entries, at, frame, received_ms=None):
    """Return the records with another frame, or another time of arrival, at one place."""
    one = entries[at]
    came_ms = one.received_ms if received_ms is None else received_ms
    return [*entries[:at], ArchivedRecord(*one.id, one.event, came_ms, frame), *entries[at + 1 :]]


def _dropped(entries, at, key):
    if not key:
        return entries[:at] + entries[at + 1 :]
    kept = tampered._all(entries)
    del kept[at]
    return tampered.chained(kept, entries)


def _added(entries, at, key):
    last = max(i for i, one in enumerate(entries) if one.id[0] == STOLEN)
    event = events.ResultRuled(entries[last].board_event.at_ms, 1, 1, 2, 0)
    made = tampered.signed(entries[last], event, entries[last].counter + 1)
    found = [*entries[: last + 1], made, *entries[last + 1 :]]
    return found if key else _put(found, last + 1, made.frame[: frames.BODY] + bytes(8))


def _swapped(entries, at, key):
    luck = random.Random(1)
    return (tampered.swap_order if key else tampered.exchange)(entries, at, luck)


def _of_another_event(entries, at, key):
    """A genuine record of the board from event 4, which the air of that day gave anybody."""
    last = max(i for i, one in enumerate(entries) if one.id[0] == STOLEN)
    entry = entries[last]
    own = frames.stream_key(tampered.key_of(STOLEN), 4, frames.UP, entry.epoch)
    frame = signatures.sign(own, events.RESULT_RULED, STOLEN, entry.epoch, entry.counter + 1,
                        frames.plain(entry.board_event.at_ms, 129, 2, 0))  # fmt: skip
    made = ArchivedRecord(*entry.id[:3], entry.counter + 1, 4, entry.received_ms, frame)
    return entries[: last + 1] + [made] + entries[last + 1 :]


def _cut(entries, at, key):
    return tampered.cut(entries, at, None)


def _of_another_time(entries, at, key):
    return _put(entries, at, entries[at].frame, received_ms=1)


def _of_the_other_board(entries, at, key):
    """A record of board 102 under board 101's number."""
    other = next(one for one in entries if one.id[0] != STOLEN and one.counter > 3)
    return _put(entries, at, other.frame)


RECORDS = {
    "changed": (_changed, True), "dropped": (_dropped, True), "added": (_added, True),
    "two swapped": (_swapped, True), "a journal's end cut off": (_cut, False),
    "one of another event put in": (_of_another_event, False),
    "another board's put in": (_of_the_other_board, False),
    "another time of arrival": (_of_another_time, False),
}  # fmt: skip


# files


def _file(change_file):
    def act(scene, means):
        change_file(scene)

    return act


def _truncated(scene):
    held = scene.path.read_bytes()
    scene.path.write_bytes(held[: len(held) // 2 // 4096 * 4096])


def _garbage(scene):
    held = bytearray(scene.path.read_bytes())
    for at in range(4096, len(held), 4096):
        held[at : at + 64] = random.Random(at).randbytes(64)
    scene.path.write_bytes(held)


def _take(source, head):
    """Put another archive in the archive's place, with the head of its time, if ``head``."""

    def take(scene):
        shutil.copy(source(scene), scene.path)
        if head:
            shutil.copy(chain_head.path_of(source(scene)), chain_head.path_of(scene.path))

    return take


def _other_key(scene):
    place = master_key.path_of(scene.path)
    place.unlink()
    master_key.keep(place, bytes(32))


def _hot_journal(scene):
    """Lay down a journal that rolls a link into the clean file beside it."""
    held = scene.path.read_bytes()
    change(scene.path, EVE)
    planted = scene.path.read_bytes()
    scene.path.write_bytes(held)
    size = int.from_bytes(planted[16:18], "big")
    pages = [planted[at : at + size] for at in range(0, len(planted), size)]
    head = bytes.fromhex("d9d505f920a163d7") + struct.pack(
        ">5I", len(pages), 0, len(pages), 512, size
    )
    told = [head.ljust(512, b"\0")]
    for number, page in enumerate(pages, 1):
        told += [
            struct.pack(">I", number),
            page,
            struct.pack(">I", sum(page[size - 200 : 0 : -200])),
        ]
    scene.path.with_name(f"{scene.path.name}-journal").write_bytes(b"".join(told))


def _emptied(scene):
    """Have the host run over an emptied file, and put an older copy in its place."""
    scene.path.write_bytes(b"")
    said("serve", "--no-radio", "--no-web", scene.path)
    for left in ("", "-wal", "-shm"):
        scene.path.with_name(f"{scene.path.name}{left}").unlink(missing_ok=True)
    shutil.copy(scene.older, scene.path)


def _pipe(part):
    def lay(scene):
        place = scene.path.with_name(f"{scene.path.name}{part}")
        place.unlink(missing_ok=True)
        os.mkfifo(place)

    return lay


FILES = {
    "a hot journal that plants a link": _hot_journal,
    "emptied, the host run, and an older copy": _emptied,
    "a pipe as the head": _pipe(".head"),
    "a pipe as the journal": _pipe("-journal"),
    "truncated": _truncated,
    "overwritten with garbage": _garbage,
    "empty": lambda scene: scene.path.write_bytes(b""),
    "an older copy": _take(lambda scene: scene.older, head=False),
    "an older copy with its head": _take(lambda scene: scene.older, head=True),
    "an older copy without any head": lambda scene: (
        shutil.copy(scene.older, scene.path), chain_head.path_of(scene.path).unlink(),
    ),
    "another event's archive": _take(lambda scene: scene.folder / "other" / "a.db", head=False),
    "another event's archive with its head": _take(lambda scene: scene.folder / "other" / "a.db", head=True),
    "the head removed": lambda scene: chain_head.path_of(scene.path).unlink(),
    "an older head": lambda scene: shutil.copy(chain_head.path_of(scene.older), chain_head.path_of(scene.path)),
    "a head of garbage": lambda scene: chain_head.path_of(scene.path).write_text("9 9 9"),
    "the key file removed": lambda scene: master_key.path_of(scene.path).unlink(),
    "another key file": _other_key,
    "another key file, and the head removed": lambda scene: (_other_key(scene), chain_head.path_of(scene.path).unlink()),
    "the key file readable by all": lambda scene: master_key.path_of(scene.path).chmod(0o644),
}  # fmt: skip


# the stick


def _copies(change_copy):
    """A way that changes the newest copy; the master key's holder seals it anew."""

    def act(scene, means):
        path = scene.copy(3)
        seal = path.read_bytes()[-copy_seal.SIZE :]
        path.write_bytes(path.read_bytes().removesuffix(seal))
        change_copy(path)
        if means != HOLDER:
            path.write_bytes(path.read_bytes() + seal)
            return
        with suppress(sqlite3.Error):
            resigned.reseal(path, 3)

    return act


def _trigger(path):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(SCHEMA["a trigger that makes a link"][0])


def _unsealed(scene):
    path = scene.copy(3)
    path.write_bytes(path.read_bytes()[: -copy_seal.SIZE])


def _foreign(scene, means):
    shutil.copy(scene.folder / "other" / "a.db", scene.copy(4))
    if means == HOLDER:
        copy_seal.append(scene.copy(4), resigned.audit_log.copies_key(MASTER), 4)


STICKS = {
    "a link in the newest copy": _copies(lambda path: change(path, EVE)),
    "a result in the newest copy": _copies(
        lambda path: change(path, "UPDATE pairings SET player_b = player_a WHERE pairing = 1")
    ),
    "a trigger in the newest copy": _copies(_trigger),
    "a truncated newest copy": _file(lambda scene: scene.copy(3).write_bytes(scene.copy(3).read_bytes()[:-5000])),
    "the newest copy's seal cut off": _file(_unsealed),
    "an older copy under the newest name": _file(lambda scene: shutil.copy(scene.copy(1), scene.copy(3))),
    "an older copy under a newer name": _file(lambda scene: shutil.copy(scene.copy(1), scene.copy(4))),
    "the newest copy removed": _file(lambda scene: scene.copy(3).unlink()),
    "another event's copy as the newest": _foreign,
    "the keys replaced": _file(lambda scene: (scene.stick / "a.keys").write_text("{}")),
    "the keys removed": _file(lambda scene: (scene.stick / "a.keys").unlink()),
}  # fmt: skip


# exports and paper


def _rewritten(name):
    def rewrite(scene):
        path = scene.exports / name
        path.write_text(path.read_text("utf-8").replace("Given0", "Given9"), "utf-8")

    return rewrite


EXPORTED = {
    "a name in results.csv": _rewritten("results.csv"),
    "a name in everything.json": _rewritten("everything.json"),
    "results.csv removed": lambda scene: (scene.exports / "results.csv").unlink(),
}


def _misread(scene, means):
    scene.words = " ".join(reversed(scene.words.split()))


def _of_the_other_words(scene, means):
    scene.words = "abandon " * 11 + "about"


WAYS = (
    *(Way(ARCHIVE, name, _sql(sql)) for name, sql in ROWS.items()),
    *(Way(ARCHIVE, f"records: {name}", _records(edit), signs)
      for name, (edit, signs) in RECORDS.items()),
    *(Way(ARCHIVE, name, _planted(*sql)) for name, sql in SCHEMA.items()),
    *(Way(ARCHIVE, f"audit log: {name}", _sql(*sql)) for name, sql in LOG.items()),
    *(Way(ARCHIVE, f"audit log: {name}, and the head removed", _with_head(_sql(*sql)))
      for name, sql in LOG.items()),
    *(Way(ARCHIVE, name, _file(act)) for name, act in FILES.items()),
    *(Way(STICK, name, act) for name, act in STICKS.items()),
    *(Way(EXPORTS, name, _file(act)) for name, act in EXPORTED.items()),
    Way(PAPER, "the receipt's words in another order", _misread),
    Way(PAPER, "another receipt", _of_the_other_words),
)  # fmt: skip
