"""Tones as data; ``view.play_tone`` says whether one sounds, and boards start muted. Pure.

A tune is pairs of bytes: the tone in tens of hertz (0 silence) and its length in tens of ms. None
has more than three onsets in a second.
"""

from firmware.core import events

_TUNES = {  # by kind of event; 0: the request is not legal now
    0: b"\x16\x08",
    events.ROUND_BEGUN: b"\x58\x14\x00\x14\x58\x14",
    events.TIME_CALLED: b"\x58\x28\x00\x14\x58\x28\x00\x14\x58\x50",
    events.JUDGE_CALLED: b"\x34\x14\x00\x14\x45\x14\x00\x14\x34\x14\x00\x14\x45\x14",
    events.OUTCOME_PROPOSED: b"\x45\x14",
    events.MATCH_ENDED: b"\x34\x14\x00\x14\x45\x28",
    events.FROZEN: b"\x2c\x28",
    events.RESUMED: b"\x45\x28",
    events.EXTENDED: b"\x45\x14\x00\x14\x58\x14",
}
SWITCH = 8  # of a table's switches (SET_POLICY): it may sound
OVER = -1


def tone(kind: int, for_ms: int) -> int:
    """Return the tone (Hz, 0 silence) ``for_ms`` ms after an event of a kind, OVER past its end."""
    tune = _TUNES.get(kind, b"")
    for at in range(0, len(tune), 2):
        for_ms -= tune[at + 1] * 10
        if for_ms < 0:
            return tune[at] * 10
    return OVER
