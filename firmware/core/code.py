"""Short codes that people carry where the air does not: seven digits for an agreed result.

The desk knows the board's key, so it can tell which result of which match a code belongs to; guessing
one right takes ten million tries (23 bits), and the desk counts them (DESIGN §4). The judges' one-time
codes come with issue 5; until then every such code is refused (``ui/face``).
"""

import struct

from firmware.core import digest

DIGITS = 7
_LABEL = b"plusthree result code 1"


def of_result(key, match):
    """Return the code of ``match``'s agreed result under the board's ``key``: "123 4567".

    HMAC-SHA256 over label, round, table, pairing, outcome and games, its first 4 bytes as a number
    (little-endian) modulo 10^7.
    """
    a, b = match.games
    told = struct.pack("<6H", match.round, match.table, match.pairing, match.outcome, a, b)
    number = struct.unpack("<I", digest.hmac(key, _LABEL + told)[:4])[0] % 10**DIGITS
    return "%03d %04d" % (number // 10000, number % 10000)
