"""One-time codes at the table: a judge's (HOTP, RFC 4226), and a result's, which ``ui/view.py``
groups and staff type (``host/event/typed_results.py``, ``host/desk/code_entry.py``).

The journal is the only state: the newest CODE_ENTERED under its event's key holds the wrong tries
in a row and the next code's index. So a reset gives back neither a used code nor a try.
"""

import struct

from firmware.core import digest, events, frames, phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Journal, Match, NewHash, Pair

DIGITS = 6
AHEAD = 8  # how many unused codes may be skipped
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_WAIT_MOST_MS = 900000
_JUDGE, _RESULT = 3, 4  # key labels, in place of a stream's direction
_NEW = digest.new_sha1
try:
    _NEW()
except (AttributeError, ValueError):  # every board has SHA-1, MicroPython (where tests run) has not
    _NEW = digest.new_sha256


def judges_key(key: bytes, event: int) -> bytes:
    """Return the key of a board's judge codes at an event; it opens only that board's menu."""
    return frames.stream_key(key, event, _JUDGE, 0)


def hotp(key: bytes, number: int, new: "NewHash" = _NEW) -> str:
    """Return the code of a number as six digits (RFC 4226, 5.3)."""
    return "%06d" % _number(digest.blocks(key, new), number, new)


def _number(key_blocks, counter, new):
    """Return the code of a ``counter`` as a number, with the hash ``new``."""
    mac = digest.mac(key_blocks, struct.pack(">II", 0, counter), new)
    at = mac[-1] & 15
    return (struct.unpack_from(">I", mac, at)[0] & 0x7FFFFFFF) % 1000000


def newest_entry(journal: "Journal") -> events.Event:
    """Return the newest CODE_ENTERED, which has the wrong tries and the next code's number."""
    ring = journal.ring
    for place in range(ring.head - 1, ring.oldest - 1, -1):
        if ring.kind(place) == events.CODE_ENTERED and journal.authentic(ring.at(place)):  # pyright: ignore[reportArgumentType]  (it has a kind)
            return journal.event_at(place)
    return events.CodeEntered(0, 0, 0)


def wait_ms(newest: events.Event, now_ms: int) -> int:
    """Return how long the next try has to wait: 2 s after a wrong one, doubled each time."""
    if not newest.wrong:
        return 0
    wait_ms = min(1000 << min(newest.wrong, 10), _WAIT_MOST_MS)
    left_ms = newest.at_ms + wait_ms - now_ms
    return max(0, min(left_ms, wait_ms))  # no longer, if the clock was set back meanwhile


def enter(journal: "Journal", digits: str, now_ms: int) -> events.Event | None:
    """Return the event of an entered code; journal it before acting on it. Its ``wrong`` is 0 if
    the code was right. None while the wait after a wrong code lasts.
    """
    newest = newest_entry(journal)
    if wait_ms(newest, now_ms):
        return None
    typed = int(digits) if len(digits) == DIGITS and digits.isdigit() else -1
    key_blocks = digest.blocks(judges_key(journal.key, journal.event), _NEW)
    for ahead in range(newest.number, min(newest.number + AHEAD, 65535)):
        if _number(key_blocks, ahead, _NEW) == typed:
            return events.CodeEntered(now_ms, 0, ahead + 1)
    return events.CodeEntered(now_ms, min(newest.wrong + 1, 255), newest.number)


def result_code(key: bytes, event: int, number: int, pairing: int, won: int, games: "Pair") -> str:
    """Return a result as six characters: 6 bits for outcome (0: the leader's, narrowly) and games,
    24 bits of tag. The tag binds board, event, round and pairing: it is invalid anywhere else.
    """
    packed = won << 4 | games[0] << 2 | games[1]
    body = struct.pack("<BHB", number, pairing, packed)
    tag = digest.hmac(frames.stream_key(key, event, _RESULT, 0), body)
    value = packed << 24 | tag[0] << 16 | tag[1] << 8 | tag[2]
    text = ""
    for shift in range(25, -1, -5):
        text += ALPHABET[value >> shift & 31]
    return text


def result(journal: "Journal", match: "Match") -> str:
    """Return the code of the result as the desk paired the players, "" before there is one."""
    if match.phase != phases.AGREED or max(match.games) > 3:
        return ""
    won, games = match.outcome, match.games
    if match.swapped:
        won = 3 - won if won in (1, 2) else won
        games = games[1], games[0]
    if match.award and match.rules.POINTS:  # a narrow win, where that has points of its own
        won = 0
    return result_code(journal.key, journal.event, match.round, match.pairing, won, games)
