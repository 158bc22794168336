"""Challenges: commands that every board refuses, whose answers prove that the board is there now.

A challenge goes out under a fresh counter, so nobody can have recorded its answer before. The
answer also closes what came before it: a board takes no command with a lower counter from then on,
and what it did earlier stands before the answer in its journal. Once the records up to the answer
are archived, an order without an answer was not carried out, and no frame sent so far can still
have it carried out.
"""

from typing import NamedTuple

from firmware.core import events, intents, payload
from host.archive.records import ArchivedRecord, BoardKey
from host.collector.board_status import BoardStatus
from host.collector.frame_signer import FrameSigner, Signed

# a score that no table can have; ``archive/orders.py`` knows its refusals, too
REFUSED_INTENT = intents.SetScore(0, 1, 127, 0, 0, 0, 0, 0)


class _Given(NamedTuple):
    """The challenge to a board's boot."""

    epoch: int
    signed: Signed


class Challenges:
    """One challenge for each boot of a board that was asked to prove itself."""

    def __init__(self) -> None:
        self._given: dict[BoardKey, _Given] = {}
        self._answered: dict[BoardKey, int] = {}  # the boot that answered

    def frame(self, status: BoardStatus, signer: FrameSigner) -> bytes | None:
        """Return the challenge to a board's boot, the same bytes each time; None if no counter is
        left.
        """
        given = self._given.get(status.key)
        if given is None or given.epoch != status.epoch:
            packed = payload.pack(REFUSED_INTENT)
            signed = signer.sign(status.event, REFUSED_INTENT.kind, packed)
            if signed is None:
                return None
            given = self._given[status.key] = _Given(status.epoch, signed)
        return given.signed.frame

    def withdraw(self, status: BoardStatus) -> None:
        """Forget the challenge to a board that gets another command: it rejects lower counters."""
        self._given.pop(status.key, None)

    def note(self, record: ArchivedRecord) -> None:
        """Note an archived record: it may be the answer."""
        given = self._given.get(record.board)
        if given is None or record.kind != events.ANSWERED:
            return
        answer = record.board_event
        assert isinstance(answer, events.Answered)
        if answer.broadcast or answer.asked != REFUSED_INTENT.kind:
            return
        if (record.epoch, answer.counter) == (given.epoch, given.signed.counter):
            self._answered[record.board] = record.epoch

    def answered(self, status: BoardStatus) -> bool:
        """Whether this boot of the board has answered, in a record that is archived."""
        return self._answered.get(status.key) == status.epoch


def is_challenge(frame: bytes) -> bool:
    """Return whether a down frame is a challenge."""
    return intents.of_frame(frame) == REFUSED_INTENT
