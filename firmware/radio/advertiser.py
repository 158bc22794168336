"""What a board advertises: its status, and records that no link has fetched (docs/architecture.md).

A phone that keeps connecting holds the one link and silences commands, never results: after
``_ALONE_MS`` without a fresh authentic frame, waiting records are advertised in turn with the
status. After links that proved nothing, connections are accepted only in short windows at random
times, until one was not used.
"""

from firmware.core import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Air, LinkPort, Match, Sync, Window

_ALONE_MS = 20000
_TURN_MS = 2500  # at least two adverts
_IDLE_MS = 20000
_FAILURES = 2  # packet loss alone may break so many links
_RAREST = 4  # at least one turn in so many is open


def frame(sync: "Sync", link: "LinkPort", match: "Match", flags: int, uptime_ms: int) -> bytes:
    """Return the frame to advertise.

    ``sync.air`` is [uptime in ms of the next turn, whether anybody may connect, place of the next
    news, last status, last frame, ``link.guests`` when the host was last heard or nobody came,
    when this turn began without a link (else -1), when the host was last heard].
    """
    air = sync.air
    if sync.heard_ms != air[7]:
        air[5], air[7] = link.guests, sync.heard_ms
    strangers = link.guests - air[5]
    alone = sync.window.waiting and uptime_ms - sync.heard_ms >= _ALONE_MS
    turn = uptime_ms >= air[0]
    if strangers <= _FAILURES:  # at once: a changed status puts turns off
        air[1] = True
    elif turn and air[1] and link.guests == air[6]:
        air[5] = link.guests
    elif turn:
        air[1] = sync.entropy(1)[0] * min(strangers, _RAREST) < 256
    status = sync.status_frame(match, flags if air[1] else flags | frames.SHUT, uptime_ms)
    if status is not air[3]:
        turn, air[3], air[4] = True, status, status
    elif not alone:
        air[4] = status
    elif turn:
        air[4] = news(sync.window, air) or status
    if turn:
        air[6] = link.guests if sync.opened_ms is None else -1
        air[0] = uptime_ms + (_TURN_MS if alone or strangers > _FAILURES else _IDLE_MS)
    return air[4]


def news(window: "Window", air: "Air") -> bytes | None:
    """Return the next record that waits for its acknowledgement, or None."""
    journal = window.journal
    place = max(air[2], window.first)
    while place < journal.base + journal.news_head:
        record = journal.shown(place)
        place += 1
        if record:  # a seal or a CLOCK, too: without it the host would wait at a gap
            air[2] = place
            return record
    air[2] = 0
    return None
