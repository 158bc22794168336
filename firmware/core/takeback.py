"""Which presses can be taken back (docs/architecture.md, At the table); what is left: ``standing``.

A TAKEN_BACK names a press by epoch and counter: that press and all later presses of the seats are
undone, with the automatic events that followed. A judge's acts and rolls stay in force, but for a
game lost by a penalty that is named itself: a judge took it back (``unjudged``). A ``log``
is the current match, as a Journal gives it: the places from ``first`` to before ``end``;
``kind(place)``, 0 for a record without effect; ``told(place)``, its event; and ``order(place)``,
the rising epoch << 16 | counter that a TAKEN_BACK names a press by.
"""

from firmware.core import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event, Log

_PRESSES = bytes((
    events.STARTER_SET, events.TURN_STARTED, events.TURN_ENDED, events.GAME_WON,
    events.GAME_LEVELLED, events.PRIZES_COUNTED, events.DESTROYED_COUNTED, events.WIPED_OUT,
    events.CONCEDED, events.STATE_TOLD, events.TURN_TOLD, events.RESULT_CLAIMED,
    events.RESULT_CONFIRMED, events.RESULT_REFUSED,
))  # fmt: skip
# presses before these cannot be undone: their phase depends on them, or they end the match
_WALLS = bytes((
    events.ROUND_SET, events.FROZEN, events.RESUMED, events.RESULT_RULED, events.RESULT_REOPENED,
    events.MATCH_ENDED,
))  # fmt: skip


def pressed(log: "Log", place: int, kind: int) -> bool:
    """Return whether the seats pressed this; a game lost by a judge's penalty is none of it."""
    lost = kind == events.GAME_WON or kind == events.CONCEDED
    return kind in _PRESSES and not (lost and log.told(place)[3] >> 8 > 0)


def named_by(event: "Event") -> int:
    """Return the order of the press that a TAKEN_BACK names."""
    return event[3] << 16 | event[4]


def _newest(log):
    """Yield the places of presses in force, and of walls, newest first."""
    reach = None
    for place in range(log.end - 1, log.first - 1, -1):
        kind = log.kind(place)
        if kind == events.TAKEN_BACK:
            named = named_by(log.told(place))
            reach = named if reach is None or named < reach else reach
        elif (
            kind in _WALLS
            or pressed(log, place, kind)
            and (reach is None or log.order(place) < reach)
        ):
            yield place


def presses(log: "Log", count: int = 10) -> list[int]:
    """Return the places of the last ``count`` presses in force, oldest first."""
    found = []
    for place in _newest(log):
        if log.kind(place) in _PRESSES:
            found.insert(0, place)
            if len(found) == count:
                break
    return found


def order_of(log: "Log", wanted: int) -> int | None:
    """Return the order of the press to take back, None if not allowed; ``wanted`` 0: the last
    one.
    """
    for place in _newest(log):
        if log.kind(place) in _WALLS:
            return None
        if wanted in (0, log.order(place)):
            return log.order(place)
    return None
