"""A disk that forgets: an SQLite VFS (apsw) that logs every write and sync, and its state after a
cut.

What was written since a file's last sync may be there, in part, or not at all, each write for
itself and in 512-byte sectors; what was synced is there. Locks are not modelled: the connection is
alone.
"""

import apsw

SECTOR = 512


class Log:
    """Everything that was done to the files of one disk, in order."""

    def __init__(self):
        self.done = []  # (what, file, offset, data)

    def image(self, cut, luck):
        """Return ``{file: bytes}`` after a power cut before operation ``cut``; ``luck`` decides."""
        files, pending = {}, {}
        for what, name, offset, data in self.done[:cut]:
            if what == "write":
                pending.setdefault(name, []).append((offset, data))
            elif what == "truncate":
                pending.setdefault(name, []).append((offset, None))
            elif what == "delete":
                files.pop(name, None)
                pending.pop(name, None)
            else:
                files[name] = _applied(files.get(name, b""), pending.pop(name, ()))
        for name, changes in pending.items():
            files[name] = _applied(files.get(name, b""), _some(changes, luck))
        return files


def _some(changes, luck):
    """Return the changes that reached the disk, each whole, torn or not at all."""
    share = luck.choice((0.0, 0.5, 0.9))
    for offset, data in changes:
        if luck.random() >= share:
            continue
        if data is not None and luck.random() < 0.5:
            data = data[: SECTOR * luck.randrange(len(data) // SECTOR + 1)]
        yield offset, data


def _applied(content, changes):
    held = bytearray(content)
    for offset, data in changes:
        if data is None:
            del held[offset:]
        else:
            held.extend(bytes(max(0, offset + len(data) - len(held))))
            held[offset : offset + len(data)] = data
    return bytes(held)


class Disk(apsw.VFS):
    """The VFS: files in memory, every operation in ``log``."""

    def __init__(self, name):
        super().__init__(name, "")
        self.name = name
        self.log, self.files = Log(), {}

    def note(self, what, name, offset=0, data=b""):
        """Log one operation."""
        self.log.done.append((what, name, offset, data))

    def xOpen(self, name, flags):
        """Open or make a file."""
        text = name if isinstance(name, str) else name.filename() if name else "temporary"
        flags[1] = flags[0]
        self.files.setdefault(text, bytearray())
        return _File(self, text)

    def xAccess(self, pathname, flags):
        """Whether a file is there."""
        return pathname in self.files

    def xFullPathname(self, name):
        """Every name is whole."""
        return name

    def xDelete(self, filename, syncdir):
        """Remove a file."""
        self.files.pop(filename, None)
        self.note("delete", filename)


class _File:
    def __init__(self, disk, name):
        self._disk, self._name = disk, name

    @property
    def _held(self):
        return self._disk.files.setdefault(self._name, bytearray())

    def xRead(self, amount, offset):
        return bytes(self._held[offset : offset + amount])

    def xWrite(self, data, offset):
        data = bytes(data)
        self._held[:] = _applied(self._held, [(offset, data)])
        self._disk.note("write", self._name, offset, data)

    def xTruncate(self, newsize):
        del self._held[newsize:]
        self._disk.note("truncate", self._name, newsize)

    def xSync(self, flags):
        self._disk.note("sync", self._name)

    def xFileSize(self):
        return len(self._held)

    def xFileControl(self, op, ptr):
        return False

    def xSectorSize(self):
        return SECTOR

    def xDeviceCharacteristics(self):
        return 0

    def xCheckReservedLock(self):
        return False

    def xClose(self):
        pass

    def xLock(self, level):
        pass

    xUnlock = xLock


class Connection:
    """An apsw connection in the shape of sqlite3's, as far as the Archive uses it."""

    def __init__(self, path, vfs, synchronous="FULL"):
        self._db, self._synchronous = apsw.Connection(str(path), vfs=vfs), synchronous
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")  # WAL without shared memory
        self._db.execute("PRAGMA wal_autocheckpoint = 12")

    def execute(self, sql, values=()):
        """Run a statement; FULL becomes what this connection was told instead."""
        return _Done(
            self._db,
            list(self._db.execute(sql.replace("= FULL", f"= {self._synchronous}"), values)),
        )

    def executescript(self, sql):
        """Run many."""
        self.execute(sql)

    @property
    def in_transaction(self):
        """Whether one is open."""
        return self._db.in_transaction

    def close(self):
        """Let go."""
        self._db.close()


class _Done:
    def __init__(self, db, rows):
        self._rows, self.rowcount, self.lastrowid = rows, db.changes(), db.last_insert_rowid()

    def fetchall(self):
        return self._rows

    def fetchone(self):
        return self._rows[0] if self._rows else None
