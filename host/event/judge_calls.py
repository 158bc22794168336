"""Calls for a judge: when and why a table called, when a judge came, when the call ended.

Why is a number that players choose at the board (``CALLS`` of ``firmware/ui/table.py``); pages have
its word from ``call.TYPE`` (``host/web/texts.toml``).
"""

from dataclasses import dataclass, replace

from firmware.core import events
from host.archive.store import Archive
from host.event import calls_put_back
from host.event.timeline import match_events

_PLAIN = "judge"
# by the number in JUDGE_CALLED; 254 and 255 are calls that a board makes by itself (firmware.app,
# firmware.core.play)
_TYPES = {
    1: "rules",
    2: "deck",
    3: "result",
    4: "absent",
    5: "help",
    254: "failed",
    255: "different",
}
_OVER = (events.CALL_ENDED, events.ROUND_SET, events.ROUND_CLEARED)
_KINDS = (events.JUDGE_CALLED, events.JUDGE_ARRIVED, *_OVER)


@dataclass(frozen=True)
class Call:
    """One call: its round, table and type (as of ``type_of``), and its moments in event ms
    or None.
    """

    round: int
    table: int
    type: str
    called_ms: int
    arrived_ms: int | None = None
    ended_ms: int | None = None

    @property
    def open(self) -> bool:
        """Whether it has not ended."""
        return self.ended_ms is None

    def waited_ms(self, now_ms: int) -> int:
        """Return how long the table waited for a judge, or has waited until now."""
        ends_ms = [end_ms for end_ms in (self.arrived_ms, self.ended_ms) if end_ms is not None]
        return max(0, min(ends_ms, default=now_ms) - self.called_ms)


def calls(archive: Archive) -> list[Call]:
    """Return every Call of the current event, oldest first.

    A reason chosen after the key was held only changes the type of the open call.
    """
    calls_found: list[Call] = []
    open_at: dict[tuple[int, int], int] = {}  # (round, table) -> index into calls_found
    for placed in match_events(archive, _KINDS):
        event, place = placed.event, (placed.round, placed.table)
        index = open_at.get(place)
        if isinstance(event, events.JudgeCalled):
            if index is not None and calls_found[index].arrived_ms is None:
                calls_found[index] = replace(calls_found[index], type=type_of(event.call))
                continue
            open_at[place] = len(calls_found)
            calls_found.append(Call(*place, type_of(event.call), event.at_ms))
        elif index is not None and event.kind == events.JUDGE_ARRIVED:
            calls_found[index] = replace(calls_found[index], arrived_ms=event.at_ms)
        elif index is not None and event.kind in _OVER:
            calls_found[index] = replace(calls_found[index], ended_ms=event.at_ms)
            del open_at[place]
    _reopen(archive, calls_found)
    return sorted(calls_found, key=lambda call: (call.called_ms, call.table))


def _reopen(archive: Archive, calls_found: list[Call]) -> None:
    """Open the calls again that staff have put back."""
    for number in {call.round for call in calls_found}:
        waiting = calls_put_back.standing(archive, number)
        for index, call in enumerate(calls_found):
            put_back = waiting.get(call.table) if call.round == number else None
            if put_back is not None and call.called_ms == put_back.since_ms:
                calls_found[index] = replace(call, arrived_ms=None, ended_ms=None)


def type_of(number: int | None) -> str:
    """Return the type of a call by its number; an unknown number gives a plain call."""
    return _PLAIN if number is None else _TYPES.get(number, _PLAIN)
