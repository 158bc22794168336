"""Which presses can be taken back (docs/architecture.md, At the table), and what is left then.

A TAKEN_BACK names a press by epoch and counter: that press and all later presses of the seats are
undone, with the automatic events that followed. A judge's acts and rolls stay in force, but for a
game lost by a penalty that is named itself: a judge took it back (``judging``). A ``log``
is the current match, as a Journal gives it: the places from ``first`` to before ``end``;
``kind(place)``, 0 for a record without effect; ``told(place)``, its event; and ``order(place)``,
the rising epoch << 16 | counter that a TAKEN_BACK names a press by.
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
# presses before these cannot be undone: their phase depends on them, or they end the match
_WALLS = bytes((
    events.ROUND_SET, events.FROZEN, events.RESUMED, events.RESULT_RULED, events.RESULT_REOPENED,
    events.MATCH_ENDED,
))  # fmt: skip
# automatic events: the machine produces them again if they still apply
_FOLLOWED = bytes((
    events.TIME_CALLED, events.OUTCOME_PROPOSED, events.OVERTIME_ENDED, events.PLAY_RESUMED,
    events.PREGAME_BEGUN,  # between games; no press comes before the round's own
))  # fmt: skip


def pressed(log: "Log", place: int, kind: int) -> bool:
    """Return whether the seats pressed this; a game lost by a judge's penalty is none of it."""
    lost = kind == events.GAME_WON or kind == events.CONCEDED
    return kind in _PRESSES and not (lost and log.told(place).penalty)  # pyright: ignore[reportAttributeAccessIssue]  (its kind has one)


def named_by(event: "events.TakenBack") -> int:
    """Return the order of the press that a TAKEN_BACK names."""
    return event.epoch << 16 | event.counter


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


def standing(log: "Log") -> "Iterator[int]":
    """Yield the places of events in force, oldest first, TAKEN_BACK included."""
    undone = []  # how far back each reaches, and its own order
    named = []
    for place in range(log.first, log.end):
        if log.kind(place) == events.TAKEN_BACK:
            named.append(named_by(log.told(place)))
            undone.append((named[-1], log.order(place)))
    for i in range(len(undone) - 2, -1, -1):  # each reaches as far back as any after it
        undone[i] = min(undone[i][0], undone[i + 1][0]), undone[i][1]
    i = 0
    for place in range(log.first, log.end):
        kind, order = log.kind(place), log.order(place)
        while i < len(undone) and undone[i][1] <= order:
            i += 1
        lost = i < len(undone) and undone[i][0] <= order
        lost = lost and (pressed(log, place, kind) or kind in _FOLLOWED)
        if kind and not lost and not _forgiven(log, place, kind, named):
            yield place


def _forgiven(log, place, kind, named):
    """Return whether this is a penalty that a judge took back, or the start of its own game."""
    if kind == events.STARTER_SET and place + 1 < log.end:
        at_ms, place = log.told(place).at_ms, place + 1
        kind = log.kind(place)
        if not kind or log.told(place).at_ms != at_ms:
            return False
    lost = kind == events.GAME_WON or kind == events.CONCEDED
    return lost and log.told(place).penalty and log.order(place) in named
