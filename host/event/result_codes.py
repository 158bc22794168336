"""Result codes: six characters on a board that cannot send its result.

The code carries 24 bits of a tag under the board's own key, so it cannot be forged. The desk enters
it (``host.desk.code_entry``), the audit proves it again.
"""

from collections.abc import Iterable
from typing import TypeAlias

from firmware.core import code, digest
from host.event import typed_results

Outcome: TypeAlias = tuple[int, tuple[int, int]]  # 1 (A), 2 (B) or a tie, and the games won


def is_formed(plain: str) -> bool:
    """Whether a text has the form of a code: six letters and digits, and no U."""
    return len(plain) == 6 and all(letter in code.ALPHABET for letter in plain)


def proven(
    key: bytes, event: int, places: Iterable[typed_results.RoundAndPairing], plain: str
) -> Outcome | None:
    """Return a code's result, None if a board's ``key`` proves it for none of ``places``.

    ``event`` is the event's number; ``places`` are rounds and pairings.
    """
    if not is_formed(plain):
        return None
    value = 0
    for letter in plain:
        value = value << 5 | code.ALPHABET.index(letter)
    won, games = value >> 28, (value >> 26 & 3, value >> 24 & 3)  # the other bits are the proof
    for number, pairing in places:
        own = code.result_code(key, event, number, pairing, won, games)
        if digest.same(own.encode(), plain.encode()):
            return won, games
    return None
