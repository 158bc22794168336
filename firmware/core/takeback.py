"""What still stands after presses were taken back (DESIGN §3). Loaded only where one is.

A TAKEN_BACK names a press by its place, ``(epoch, counter)``: that press and all that the seats
pressed since are undone, with what followed of itself; what a judge did since stands, and so do
rolls. ``entries`` is a function that returns a fresh iterator of ``(place, event)`` of the
current match, oldest first.
"""

from firmware.core import events

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


def standing(entries):
    """Yield the ``(place, event)`` that stand; a TAKEN_BACK itself does."""
    undone = [((event[3], event[4]), place) for place, event in entries() if event[0] == events.TAKEN_BACK]
    for i in range(len(undone) - 2, -1, -1):  # each as far back as any after it
        undone[i] = min(undone[i][0], undone[i + 1][0]), undone[i][1]
    i = 0
    for place, event in entries():
        while i < len(undone) and undone[i][1] <= place:
            i += 1
        lost = i < len(undone) and undone[i][0] <= place
        if not lost or event[0] not in _PRESSES and event[0] not in _FOLLOWED:
            yield place, event


def presses(entries, count=10):
    """Return the last ``count`` presses that stand as ``(place, event)``, oldest first."""
    found = []
    for place, event in standing(entries):
        if event[0] in _PRESSES:
            found.append((place, event))
            if len(found) > count:
                found.pop(0)
    return found


def place_of(entries, wanted):
    """Return the place of the press to take back, None where it may not be.

    ``wanted`` is a place, or ``(0, 0)`` for the last press that stands.
    """
    found = None
    for place, event in standing(entries):
        if event[0] in _WALLS:
            found = None
        elif event[0] in _PRESSES and (place == wanted or wanted == (0, 0)):
            found = place
    return found
