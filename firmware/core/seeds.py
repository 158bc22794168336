"""A match's seed: committed to before the host's nonce is known, revealed when the match is over.

A SEED_STORED has eight bytes, and says which part of what they are::

    parts 0-2  the commitment: the first 24 bytes of SHA-256("plusthree seed", u16 device, u16
               event, u8 round, u16 table, u16 pairing, seed)
    part  3    the host's nonce, drawn after it has stored the commitment
    parts 4-7  the seed: SHA-256 of 64 bytes of the generator
    part  8    a roll was asked before a nonce came: there is none
    part  9    the generator failed its tests: nothing is rolled in this match

They are written as parts 4-7, 0-2 in one append, so that part 0's record is the fourth after that
of part 4. Parts 4-7 are withheld from the air (``Journal.withheld``) until the match is over.

A roll's bytes are HMAC-SHA256(seed, nonce, u16 roll number, u8 randomizer and purpose, u16 attempt)
with an empty nonce where there is none; ``Chance`` makes faces of them, ``luck`` a roll of faces.

Before a seed is drawn the generator is tested by the two continuous tests of NIST SP 800-90B, 4.4.
A pass proves nothing about it; a failure proves that it is broken or not the chip's own. The
cutoffs are the standard's for one false alarm in 2^30 and 4 bits of min-entropy a byte, which is
what 64 bytes must hold to make a seed of 256 bits: 1 + 30 / 4 equal bytes, and
1 + CRITBINOM(512, 2^-4, 1 - 2^-30) times the first byte of a window.
"""

import struct

from firmware.core import digest, events, payload
from firmware.core.journal import OVER, begins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.core import intents
    from firmware.core.types import Entropy, Event, Events, Pair, Place

NONCE = 3
SEED = 4
NONE = 8
ILL = 9
RECORDS = 7  # of a seed and what commits to it
_DRAWN = 64  # bytes that make a seed; 1024 are tested before them, as after a start (4.3)
_TESTED = 1024 + _DRAWN
WINDOW = 512
REPEATS = 9  # so many equal bytes in a row are too many
AGAIN = 71  # a window's first byte so often in it is too often


class Chance:
    """One roll's fair faces. ``source(attempt)`` returns random bytes, others for each attempt."""

    def __init__(self, source: "Callable[[int], bytes]"):
        self.source = source
        self.attempt = self.used = 0
        self.drawn = b""

    def face(self, sides: int) -> int:
        """Return a face from 1 to ``sides`` (2 to 256), all equally likely: a byte at or above the
        highest multiple of ``sides`` is skipped. After the last byte the next attempt's are used.
        """
        if not 2 <= sides <= 256:
            raise ValueError("sides")
        limit = 256 - 256 % sides
        while True:
            if self.used == len(self.drawn):
                self.drawn, self.used = self.source(self.attempt), 0
                self.attempt += 1
            byte = self.drawn[self.used]
            self.used += 1
            if byte < limit:
                return byte % sides + 1


def measure(data: bytes) -> "Pair":
    """Return the longest run of a byte (4.4.1), and how often a window has its first (4.4.2)."""
    longest = run = most = 0
    last = None
    for byte in data:
        run = run + 1 if byte == last else 1
        last, longest = byte, max(longest, run)
    for at in range(0, len(data), WINDOW):
        most = max(most, data[at : at + WINDOW].count(data[at : at + 1]))
    return longest, most


def sound(data: bytes) -> bool:
    """Return whether bytes of a generator pass both tests."""
    longest, most = measure(data)
    return longest < REPEATS and most < AGAIN


def commitment(place: "Place", seed: bytes) -> bytes:
    """Return the 24 bytes that bind ``seed`` to (device, event, round, table, pairing)."""
    return digest.sha256(b"plusthree seed" + struct.pack("<HHBHH", *place) + seed)[:24]


def seed_event(part: int, data: bytes, at: int = 0) -> events.Event:
    """Return the SEED_STORED with the eight bytes at ``at`` in ``data``."""
    return events.SeedStored(data[at : at + 4], part, data[at + 4 : at + 8])


def audit_id(commitment: bytes, number: int) -> str:
    """Return a roll's audit id: the commitment's first two bytes, and the roll's number."""
    return "%02X%02X-%d" % (commitment[0], commitment[1], number)


def use(randomizer: int, purpose: int) -> int:
    """Return a randomizer and its purpose as one byte."""
    return randomizer | purpose << 4


def chance(seed: bytes, nonce: bytes, number: int, used: int) -> "Chance":
    """Return the Chance of roll ``number``; ``used`` is its randomizer and purpose (``use``)."""

    def source(attempt):
        return digest.hmac(seed, nonce + struct.pack("<HBH", number, used, attempt))

    return Chance(source)


class Seeds:
    """The state of a match's seed, and how often each randomizer was used for each purpose. It must
    get every event of the match, also if rolls are not allowed; ``test`` before ``draw``.
    """

    def __init__(self):
        self.clear()

    def clear(self) -> None:
        """Forget the match."""
        self.parts: dict[int, bytes] = {}
        self.counts: dict[int, int] = {}
        self._sound = False
        self._fresh: bytes | None = None

    def take(self, event: "Event") -> None:
        """Process a journalled event; a match's start and end, SEED_STORED and ROLLED matter."""
        if begins(event):
            self.clear()
        elif event.kind in OVER:
            self.parts, self._fresh = {}, None
        elif isinstance(event, events.Rolled):
            used = use(event.randomizer, event.purpose)
            self.counts[used] = self.counts.get(used, 0) + 1
        elif isinstance(event, events.SeedStored):
            if event.part == SEED:  # parts of an earlier one, left by a power cut, are void
                self.parts = {}
            self.parts[event.part] = payload.data_of(event)

    def test(self, entropy: "Entropy") -> None:
        """Test the generator again in any state; ``entropy(n)`` returns n of its bytes."""
        try:
            raw = entropy(_TESTED)
        except MemoryError:
            raise  # the generator may be sound; the App handles it
        except Exception:  # whatever a chip without its generator raises: there is no luck here
            raw = b""
        self._sound = len(raw) == _TESTED and sound(raw)
        self._fresh = digest.sha256(raw[-_DRAWN:])

    @property
    def tested(self) -> bool:
        """Whether the generator was tested, and nothing drawn since."""
        return self._fresh is not None

    @property
    def ill(self) -> bool:
        """Whether the generator failed its tests."""
        return ILL in self.parts

    def named(self, rolled: events.Event) -> str:
        """Return the screen's text of a ROLLED: its count of its kind, and its audit id."""
        count = self.counts.get(use(rolled.randomizer, rolled.purpose), 0)
        return "#%d %s" % (count, audit_id(self.parts[0], rolled.number))

    @property
    def committed(self) -> bool:
        """Whether there is a seed with its commitment."""
        return all([part in self.parts for part in range(NONE) if part != NONCE])

    @property
    def seed(self) -> bytes:
        """The seed, 32 bytes."""
        return b"".join([self.parts[SEED + part] for part in range(4)])

    @property
    def awaits_nonce(self) -> bool:
        """Whether no nonce has arrived and no roll was made without one."""
        return NONCE not in self.parts and NONE not in self.parts

    def draw(self, place: "Place") -> "Events":
        """Return the events of a new seed and its commitment, none if there is one already. If the
        generator fails its tests, return the event that records this.
        """
        if not self._sound:
            return () if self.ill else (seed_event(ILL, bytes(8)),)
        if self.ill or self.committed:
            return ()
        seed, self._fresh = self._fresh, None
        assert seed is not None
        bound = commitment(place, seed)
        parts = [seed_event(SEED + part, seed, 8 * part) for part in range(4)]
        return tuple(parts + [seed_event(part, bound, 8 * part) for part in range(3)])

    def nonce(self, intent: "intents.Intent") -> "Events":
        """Return the event that accepts the host's nonce, () if it is not for this commitment."""
        if not self.committed or not self.awaits_nonce:
            return ()
        if intent.commitment != self.parts[0][0]:
            return ()
        return (events.SeedStored(intent.early, NONCE, intent.late),)

    def before_roll(self) -> "Events":
        """Return the events to record before a roll: without a nonce, that there is none."""
        return (seed_event(NONE, bytes(8)),) if self.awaits_nonce else ()

    def begin(self, number: int, randomizer: int, purpose: int) -> "Chance":
        """Return the Chance of a roll (see ``chance``)."""
        nonce = self.parts.get(NONCE, b"")
        return chance(self.seed, nonce, number, use(randomizer, purpose))
