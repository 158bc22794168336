"""Tones as data. Boards start muted (docs/architecture.md). Pure.

A tune is pairs of bytes: the tone in tens of hertz (0 silence) and its length in tens of ms. None
has more than three onsets in a second.
"""

from firmware.core import events

# by kind of event; 0: the request is not legal now
_KINDS = bytes((
    0, events.ROUND_BEGUN, events.TIME_CALLED, events.JUDGE_CALLED, events.OUTCOME_PROPOSED,
    events.MATCH_ENDED, events.FROZEN, events.RESUMED, events.EXTENDED,
))  # fmt: skip
_TUNES = (
    b"\x16\x08",
    b"\x58\x14\x00\x14\x58\x14",
    b"\x58\x28\x00\x14\x58\x28\x00\x14\x58\x50",
    b"\x34\x14\x00\x14\x45\x14\x00\x14\x34\x14\x00\x14\x45\x14",
    b"\x45\x14",
    b"\x34\x14\x00\x14\x45\x28",
    b"\x2c\x28",
    b"\x45\x28",
    b"\x45\x14\x00\x14\x58\x14",
)
SWITCH = 8  # of a table's switches (SET_POLICY): it may sound
OVER = -1


def tone(kind: int, for_ms: int) -> int:
    """Return the tone (hz, 0 silence) of an event's kind so long after it, OVER past its end."""
    for at in range(len(_KINDS)):
        if _KINDS[at] == kind:
            return _tone(_TUNES[at], for_ms)
    return OVER


def _tone(tune, for_ms):
    for at in range(0, len(tune), 2):
        for_ms -= tune[at + 1] * 10
        if for_ms < 0:
            return tune[at] * 10
    return OVER
