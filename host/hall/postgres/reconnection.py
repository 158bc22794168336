"""Brings a writer back to a server that went away: restarted, or cut off.

Between two tries it pauses, half a minute in all; a caller of the archive waits for that long. Each
pause is shorter than the time that a standby gives a writer, so that the writer is back before it.
A session is fit to write again when the archive is still as this program makes it, the writer's
epoch is, and its lock is free, so the session before has ended for good.
"""

import sqlite3
import time
from collections.abc import Callable

from host.archive.backend import Lost, Undone, Unreachable
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.hall.postgres.connection import PostgresConnection

PAUSES_S = 0.1, 0.2, 0.5, 1, *[2] * 14


class Reconnection:
    """``fit()`` makes a new session of ``db`` the writer's again, or raises UserError where it must
    not be; ``rest(seconds)`` pauses. ``listeners`` are called with what has happened, and whether
    it is over; they may refuse in the same way.
    """

    def __init__(self, db: PostgresConnection, fit: Callable[[], None]):
        self._db, self._fit = db, fit
        self.rest: Callable[[float], object] = time.sleep
        self.listeners: list[Callable[[Sentence, bool], None]] = []
        self._final_error: UserError | None = None  # that ends the program
        self._trying = False

    def run(self, why: str) -> None:
        """Connect again. Raises Lost if that takes too long, and at once from then on."""
        if self._trying:  # lost again meanwhile: the next try
            raise Unreachable(why)
        if not self._final_error:
            self._notify(
                Sentence(
                    "the connection to {place} was lost ({why}): tries again for half a minute",
                    place=self._db.shown,
                    why=why,
                ),
                over=False,
            )
            self._trying = True
            try:
                self._final_error = self._try(why)
            finally:
                self._trying = False
        if self._final_error:
            raise self._final_error

    def _try(self, why: str) -> UserError | None:
        """Try until there is a connection again; return None, or the error to end the program."""
        place = self._db.shown
        for pause_s in PAUSES_S:
            self.rest(pause_s)
            try:
                self._db.open()
                self._fit()
                self._notify(
                    Sentence("{place} is back: nothing that was stored is lost", place=place),
                    over=True,
                )
                return None
            except Undone:  # this connection, too, was lost
                pass
            except (Unreachable, sqlite3.OperationalError) as failure:
                why = str(failure)
            except UserError as failure:
                self._db.cut()  # or the session would be used as it is
                return failure
        return Lost(
            Sentence(
                "{place} does not come back ({why}): what a board shows as sent is there, the"
                " boards keep the rest; start plusthree serve again",
                place=place,
                why=why,
            )
        )

    def _notify(self, sentence: Sentence, over: bool) -> None:
        for listen in self.listeners:
            listen(sentence, over)
