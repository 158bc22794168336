"""The collector's alarms for the desk: the last messages that somebody should check."""

from collections import deque
from typing import NamedTuple

from host.archive.records import ArchivedRecord, BoardKey
from host.base.sentences import Sentence

_ALARMS = 200
_CONTRADICTIONS = 8  # of a board; with this one the alarms about them end


class Alarm(NamedTuple):
    """A message that the desk should check, and when it came (event ms); ``device`` is None for
    this PC's radio.
    """

    at_ms: int
    device: int | None
    sentence: Sentence


class Alarms(deque[Alarm]):
    """The last alarms, the newest at the end. Of a board each kind comes once, or a few times:
    other alarms must not be lost among them.
    """

    def __init__(self) -> None:
        deque.__init__(self, maxlen=_ALARMS)
        self._low, self._flooded = set[tuple[int, int]](), set[BoardKey]()  # former: device, epoch

    def warn_of_flood(self, entry: ArchivedRecord, now_ms: int) -> None:
        """Say once that a board sends more records than are stored (``intake``)."""
        if entry.board in self._flooded:
            return
        self._flooded.add(entry.board)
        sentence = Sentence(
            "sends more records than any board writes: somebody may have its key; give the"
            " table a spare, and revoke this one"
        )
        self.append(Alarm(now_ms, entry.device, sentence))

    def warn_of_conflict(self, entry: ArchivedRecord, count: int, now_ms: int) -> None:
        """Say that a record contradicts the archive; it is its board's ``count``th, from 1 on."""
        if count < _CONTRADICTIONS:
            sentence = Sentence(
                "record {epoch}/{counter} contradicts the archive",
                epoch=entry.epoch,
                counter=entry.counter,
            )
        elif count == _CONTRADICTIONS:
            sentence = Sentence(
                "its records contradict the archive again and again: somebody may have its key;"
                " give the table a spare"
            )
        else:
            return
        self.append(Alarm(now_ms, entry.device, sentence))

    def warn_low(self, device: int, epoch: int, now_ms: int) -> None:
        """Say once in an epoch of a board that few frames can be signed for it any more."""
        if (device, epoch) in self._low:
            return
        self._low.add((device, epoch))
        sentence = Sentence(
            "soon this PC can send this board nothing more: switch it off and on again"
            " between two matches"
        )
        self.append(Alarm(now_ms, device, sentence))
