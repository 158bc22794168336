"""What still stands after presses were taken back (docs/architecture.md, At the table).

A TAKEN_BACK names a press by epoch and counter: that press and all that the seats pressed since are
undone, with what followed of itself; what a judge did since stands, and so do rolls. A ``log`` is
the current match, as a Journal gives it: the places from ``first`` to before ``end``;
``kind(place)``, 0 where nothing counts; ``told(place)``, its event; and ``order(place)``, the
rising epoch << 16 | counter that a TAKEN_BACK names a press by.
"""

from firmware.core import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.core.types import Log

_PRESSES = bytes((
    events.STARTER_SET, events.TURN_STARTED, events.TURN_ENDED, events.GAME_WON,
    events.GAME_LEVELLED, events.PRIZES_COUNTED, events.DESTROYED_COUNTED, events.WIPED_OUT,
    events.CONCEDED, events.STATE_TOLD, events.TURN_TOLD, events.RESULT_CLAIMED,
    events.RESULT_CONFIRMED, events.RESULT_REFUSED,
))  # fmt: skip
# what nobody pressed: the machine will say it again where it is still so
_FOLLOWED = bytes((
    events.TIME_CALLED, events.OUTCOME_PROPOSED, events.OVERTIME_ENDED, events.PLAY_RESUMED,
))  # fmt: skip
# after these the past is closed: they tell a phase that rests on it, or end the match
_WALLS = bytes((
    events.ROUND_SET, events.FROZEN, events.RESUMED, events.RESULT_RULED, events.RESULT_REOPENED,
    events.MATCH_ENDED,
))  # fmt: skip


def standing(log: "Log") -> "Iterator[int]":
    """Yield the places of what stands, oldest first; a TAKEN_BACK itself does."""
    undone = []  # how far back each reaches, and its own order
    for place in range(log.first, log.end):
        if log.kind(place) == events.TAKEN_BACK:
            undone.append((_named(log.told(place)), log.order(place)))
    for i in range(len(undone) - 2, -1, -1):  # each as far back as any after it
        undone[i] = min(undone[i][0], undone[i + 1][0]), undone[i][1]
    i = 0
    for place in range(log.first, log.end):
        kind, order = log.kind(place), log.order(place)
        while i < len(undone) and undone[i][1] <= order:
            i += 1
        lost = i < len(undone) and undone[i][0] <= order
        if kind and (not lost or kind not in _PRESSES and kind not in _FOLLOWED):
            yield place


def _named(event):
    return event[3] << 16 | event[4]


def _newest(log):
    """Yield the places of presses that stand, and of walls, newest first."""
    reach = None
    for place in range(log.end - 1, log.first - 1, -1):
        kind = log.kind(place)
        if kind == events.TAKEN_BACK:
            named = _named(log.told(place))
            reach = named if reach is None or named < reach else reach
        elif kind in _WALLS or kind in _PRESSES and (reach is None or log.order(place) < reach):
            yield place


def presses(log: "Log", count: int = 10) -> list[int]:
    """Return the places of the last ``count`` presses that stand, oldest first."""
    found = []
    for place in _newest(log):
        if log.kind(place) in _PRESSES:
            found.insert(0, place)
            if len(found) == count:
                break
    return found


def order_of(log: "Log", wanted: int) -> int | None:
    """Return the order of the press to take back, None where it may not be; ``wanted`` 0 is the
    last that stands.
    """
    for place in _newest(log):
        if log.kind(place) in _WALLS:
            return None
        if wanted in (0, log.order(place)):
            return log.order(place)
    return None
