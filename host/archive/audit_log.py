"""What the host keeps back of everything it has had: rows in a chain under a key of its own.

A row says what was stored, and its mark is an HMAC over the mark before and itself. So whoever changes,
drops, adds or swaps stored records without the master key contradicts the chain, whatever board's key
he holds; and who cuts the chain's own end cuts off the last ``SEALED``. See ``docs/luck.md``.
"""

import json
import struct

from firmware.core import digest, frames
from host.archive import audited_tables, master_key

BEGUN, RECORDS, QUARANTINED, NOTICE, HEAD, SEALED = (
    "begun",
    "records",
    "quarantined",
    "notice",
    "head",
    "sealed",
)
ROWS = "rows"  # of the set-up: ``audited_tables``
CLOSED = "closed"  # the notice that an event is over
_ROW = "<HHHHHq16s"  # device, generation, epoch, counter, event, received_ms, digest of the frame
_HEAD = "<HHH24s"  # device, generation, event, status frame
_SIZE = 16
# the table is called counterfoils in every stored archive, and the key's label too: neither may change
_NEWEST = "SELECT what FROM counterfoils ORDER BY id DESC LIMIT 1"


def key_of(master):
    """Return the key of the marks."""
    return digest.hmac(master, b"counterfoils")


def mark(key, before, what, body):
    """Return the 16 bytes of a row's mark, after the row with the mark ``before`` (empty at the first)."""
    return digest.hmac(key, before + what.encode() + b"\0" + body)[:_SIZE]


def packed(entries):
    """Return the body of a row that names archived Entries."""
    return b"".join(struct.pack(_ROW, *_fields(entry)) for entry in entries)


def named(body):
    """Yield ``(place, (event, received_ms, digest))`` of the records that a row names."""
    for row in struct.iter_unpack(_ROW, body):
        yield row[:4], row[4:]


def seen(entry):
    """Return ``(event, received_ms, digest)`` of an Entry, as ``named`` does."""
    return _fields(entry)[4:]


def head_of(body):
    """Return ``(device, generation, epoch)`` of a HEAD row, and the news head that it told of."""
    device, generation, _, frame = struct.unpack(_HEAD, body)
    return (device, generation, frames.head(frame)[2]), frames.status_of(frame)[4]


def _fields(entry):
    return *entry.place, entry.event, entry.received_ms, digest.sha256(entry.frame)[:_SIZE]


class AuditLog:
    """An archive's. Rows go with the caller's transaction.

    Nothing is kept before ``begin`` was given the key, or a command without it changed the set-up beside the key's file.
    """

    def __init__(self, archive):
        self._archive, self._key = archive, None

    def begin(self, key):
        """Keep them from now on, and at the first of them one of what lies there already."""
        self._key = key

    @property
    def rows(self):
        """Every row ``(what, body, mark)``, oldest first."""
        return self._archive.query("SELECT what, body, mark FROM counterfoils ORDER BY id")

    def prepare(self):
        """Before anything is stored: begin the chain, where it is not begun."""
        if self._key is not None and self._last is None:
            self._write(BEGUN, packed(self._archive.records()))
            for row in self._archive.query(
                "SELECT event, what, value, author, unix_ms FROM notices ORDER BY id"
            ):
                self._write(NOTICE, _text(row))

    def records(self, what, entries):
        """Keep one of Entries that were stored, as RECORDS or QUARANTINED."""
        if entries:
            self._add(what, packed(entries))

    def notice(self, row):
        """Keep one of a notice ``(event, what, value, author, unix_ms)``."""
        self._add(NOTICE, _text(row))

    def head(self, verified):
        """Keep the status frame of a board that says that it has more than is here."""
        self._add(
            HEAD,
            struct.pack(
                _HEAD, verified.device, verified.generation, verified.event, verified.frame
            ),
        )

    def set_up(self):
        """Keep one of the rows of the set-up that the transaction has changed; of all of them the first time."""
        touched = audited_tables.touched(self._archive)
        if self._key is None and (not touched or not self._found_key()):
            return
        if self._covers:
            found = {place: audited_tables.seen(self._archive, *place) for place in touched}
        else:
            found = audited_tables.state(self._archive)
        sealed = (
            self._archive.query(_NEWEST) == [(SEALED,)]
            and self._archive.notices.latest(CLOSED) is not None
        )
        if found:
            self._add(ROWS, audited_tables.packed(found))
        if (
            found and sealed
        ):  # a link that is closed after the event, say, changes nothing of its records
            self._write(SEALED, b"")

    def seal(self):
        """Say that this is all, where the event was closed and anything was kept since the last time."""
        rows = self._archive.query(_NEWEST)
        if rows and rows[0][0] != SEALED and self._archive.notices.latest(CLOSED) is not None:
            with self._archive.transaction():
                self.set_up()
                self._add(SEALED, b"")

    def _found_key(self):
        """Without a key nothing was ever kept, or must go on to be."""
        path = master_key.beside(self._archive.path)
        if path.exists() or self._covers:
            self._key = key_of(master_key.load(path))
        return self._key is not None

    @property
    def _covers(self):
        return bool(self._archive.query("SELECT 1 FROM counterfoils WHERE what = ? LIMIT 1", ROWS))

    @property
    def _last(self):
        rows = self._archive.query("SELECT mark FROM counterfoils ORDER BY id DESC LIMIT 1")
        return rows[0][0] if rows else None

    def _add(self, what, body):
        if self._key is not None:
            self.prepare()
            self._write(what, body)

    def _write(self, what, body):
        row = what, body, mark(self._key, self._last or b"", what, body)
        self._archive.write("INSERT INTO counterfoils (what, body, mark) VALUES (?, ?, ?)", *row)


def _text(row):
    return json.dumps(list(row), ensure_ascii=True).encode()
