"""Who may write: the fencing epoch, in the one row of the table ``writer``.

A program that begins to write raises the epoch by one. Each transaction that writes locks the row
for sharing and compares: so an older writer that wakes up finds another epoch and writes nothing,
and a take-over waits for the transaction that is under way, at most as long as the server lets one
idle. An advisory lock on the epoch shows whether its writer's session lives.
"""

from typing import NamedTuple

from host.archive.backend import Fenced, Unreachable
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.hall.postgres.connection import PostgresConnection

_LOCKS = 0x2B33  # the first half of each advisory lock's number
MOST = 1 << 30  # of an epoch, which a lock and a machine take in 32 bits: no hall begins so often
ODD = Sentence("the row of its table writer is none that this program writes")
_SELECT = "SELECT epoch, beats, ended, name FROM writer"


class Sight(NamedTuple):
    """The writer as others see it: its epoch, its number of beats, whether a person ended the last
    one that beat (or none has yet), its machine's name, and whether its session is alive.
    """

    epoch: int
    beats: int
    ended: bool
    name: str
    alive: bool


def begin(db: PostgresConnection, epoch: int) -> tuple[str, str]:
    """Begin a transaction of the writer of ``epoch``; return the server's number of it, and a
    snapshot of the transactions before it (``activity``). Raises Fenced if there is a later one.
    """
    cursor = db.run(
        "BEGIN; SELECT epoch, pg_current_xact_id()::text, pg_current_snapshot()::text FROM writer"
        " FOR SHARE"
    )
    cursor.nextset()
    newest_epoch, transaction, snapshot = cursor.fetchone() or (None, "", "")
    if newest_epoch != epoch:
        db.run("ROLLBACK")
        raise _fenced_error(db)
    return transaction, snapshot


def _fenced_error(db):
    return Fenced(
        Sentence(
            "another plusthree has taken {place} over: this one has written nothing since and"
            " ends; the boards tell the other one",
            place=db.shown,
        )
    )


def resume(db: PostgresConnection, epoch: int) -> None:
    """Go on as the writer of ``epoch`` in a new session. Raises Fenced if there is a later writer,
    Unreachable while the session before may still live.
    """
    if db.run("SELECT epoch FROM writer").fetchall() != [(epoch,)]:
        raise _fenced_error(db)
    if not _lock(db, epoch):
        raise Unreachable(Sentence("{place}: the session before has not ended yet", place=db.shown))


def was_committed(db: PostgresConnection, transaction: str) -> bool | None:
    """Return whether a transaction whose session has ended was committed, None if nobody knows."""
    status = db.row("SELECT pg_xact_status(%s::xid8)", (transaction,))[0]
    return {"committed": True, "aborted": False}.get(status)


def claim(db: PostgresConnection, name: str, after: int | None = None) -> int:
    """Become the writer and return the new epoch, in the caller's transaction.

    ``after``: the epoch of a writer that is believed dead and may be replaced; a session that still
    holds it is ignored. Without it, raises UserError if its session lives; with it, if another
    one has taken over first.
    """
    epoch = db.row("SELECT epoch FROM writer FOR UPDATE")[0]
    if after is None and not _lock(db, epoch):
        message = (
            "{place} is in use by another plusthree; close that one first (one writer at a time);"
            " to have this machine take over when it ends: plusthree serve --standby"
        )
        raise UserError(message, place=db.shown)
    if after is not None and epoch != after:
        raise UserError("{place} was taken over by another standby", place=db.shown)
    _lock(db, epoch + 1)
    db.run("UPDATE writer SET epoch = epoch + 1, beats = 0, name = %s", (name,))
    return epoch + 1


def beat(db: PostgresConnection) -> None:
    """Note that the writer lives, in its transaction."""
    db.run("UPDATE writer SET beats = beats % 1000000000 + 1, ended = false")


def end(db: PostgresConnection) -> None:
    """Note that a person ended the writer, in its transaction."""
    db.run("UPDATE writer SET ended = true")


def writer(db: PostgresConnection) -> Sight | None:
    """Return the writer as others see it, None in a database without an archive."""
    if db.row("SELECT to_regclass('writer') IS NULL")[0]:
        return None
    rows = db.run(_SELECT).fetchall()
    if not rows or not 0 <= rows[0][0] <= MOST:
        raise UserError(
            "{db} was changed by another program: {what}; see what there is with: plusthree audit",
            db=db.shown,
            what=ODD,
        )
    epoch, beats, ended, name = rows[0]
    alive = not _lock(db, epoch)
    if not alive:
        db.run("SELECT pg_advisory_unlock(%s, %s)", (_LOCKS, epoch))
    return Sight(epoch, beats, ended, name, alive)


def _lock(db: PostgresConnection, epoch: int) -> bool:
    """Lock an epoch for this session; return whether nobody else holds it."""
    return db.row("SELECT pg_try_advisory_lock(%s, %s)", (_LOCKS, epoch))[0]
