"""The events in force after take-backs (``takeback``), loaded on demand."""

from firmware.core import events, takeback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.core.types import Log

# automatic events: the machine produces them again if they still apply
_FOLLOWED = bytes((
    events.TIME_CALLED, events.OUTCOME_PROPOSED, events.OVERTIME_ENDED, events.PLAY_RESUMED,
    events.PREGAME_BEGUN,  # between games; no press comes before the round's own
))  # fmt: skip


def places(log: "Log") -> "Iterator[int]":
    """Yield the places of events in force, oldest first, TAKEN_BACK included."""
    undone = []  # how far back each reaches, and its own order
    named = []
    for place in range(log.first, log.end):
        if log.kind(place) == events.TAKEN_BACK:
            named.append(takeback.named_by(log.told(place)))
            undone.append((named[-1], log.order(place)))
    for i in range(len(undone) - 2, -1, -1):  # each reaches as far back as any after it
        undone[i] = min(undone[i][0], undone[i + 1][0]), undone[i][1]
    i = 0
    for place in range(log.first, log.end):
        kind, order = log.kind(place), log.order(place)
        while i < len(undone) and undone[i][1] <= order:
            i += 1
        lost = i < len(undone) and undone[i][0] <= order
        lost = lost and (takeback.pressed(log, place, kind) or kind in _FOLLOWED)
        if kind and not lost and not _forgiven(log, place, kind, named):
            yield place


def _forgiven(log, place, kind, named):
    """Return whether this is a penalty that a judge took back, or the start of its own game."""
    if kind == events.STARTER_SET and place + 1 < log.end:
        at_ms, place = log.told(place)[1], place + 1
        kind = log.kind(place)
        if not kind or log.told(place)[1] != at_ms:
            return False
    lost = kind == events.GAME_WON or kind == events.CONCEDED
    return lost and log.told(place)[3] >> 8 and log.order(place) in named
