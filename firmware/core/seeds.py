"""A match's seed: committed to before the host's nonce is known, revealed when the match is over.

A SEED_TOLD has eight bytes, and says which part of what they are::

    parts 0-2  the commitment: the first 24 bytes of SHA-256("plusthree seed", u16 device, u16
               event, u8 round, u16 table, u16 pairing, seed)
    part  3    the host's nonce, drawn after it has stored the commitment
    parts 4-7  the seed: SHA-256 of 64 bytes of the generator
    part  8    a roll was asked before a nonce came: there is none
    part  9    the generator failed its tests: nothing is rolled in this match

They are written as parts 4-7, 0-2 in one append, so that part 0's record is the fourth after that
of part 4. Parts 4-7 are withheld from the air (``Journal.withheld``) until the match is over.

A roll's bytes are HMAC-SHA256(seed, nonce, u16 roll number, u8 randomizer and purpose, u16 attempt)
with an empty nonce where there is none; ``chance`` makes faces of them, ``luck`` a roll of faces.
"""

import struct

from firmware.core import digest, events, health
from firmware.core.chance import Chance
from firmware.core.journal import OVER, begins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core import intents
    from firmware.core.types import Entropy, Event, Events, Place

NONCE = 3
SEED = 4
NONE = 8
ILL = 9
RECORDS = 7  # of a seed and what commits to it
# the last part is drawn; 1024 bytes are tested along with it, as after a start (SP 800-90B, 4.3);
# a board that has been in use for an evening may have no 256 bytes in one piece
_PARTS = 17
_PART = 64


def commitment(place: "Place", seed: bytes) -> bytes:
    """Return the 24 bytes that bind ``seed`` to ``place``: (device, event, round, table,
    pairing).
    """
    return digest.sha256(b"plusthree seed" + struct.pack("<HHBHH", *place) + seed)[:24]


def told(part: int, data: bytes, at: int = 0) -> events.SeedTold:
    """Return the SEED_TOLD with the eight bytes at ``at`` in ``data``."""
    return events.SeedTold(data[at : at + 4], part, data[at + 4 : at + 8])


def audit_id(said: bytes, number: int) -> str:
    """Return a roll's audit id: the commitment's first two bytes, and the roll's number."""
    return "%02X%02X-%d" % (said[0], said[1], number)


def use(randomizer: int, purpose: int) -> int:
    """Return a randomizer and its purpose as one byte."""
    return randomizer | purpose << 4


def chance(seed: bytes, nonce: bytes, number: int, used: int) -> "Chance":
    """Return the Chance of roll ``number``; ``used`` is its randomizer and purpose (``use``)."""

    def source(attempt):
        return digest.hmac(seed, nonce + struct.pack("<HBH", number, used, attempt))

    return Chance(source)


class Seeds:
    """The state of a match's seed, and how often each randomizer was used for each purpose.

    It must get every event of the match, also if rolls are not allowed; call ``test`` before
    ``drawn``.
    """

    parts: dict[int, bytes]
    counts: dict[int, int]
    _fresh: bytes | None

    def __init__(self):
        self.clear()

    def clear(self) -> None:
        """Forget the match."""
        self.parts, self.counts = {}, {}
        self._sound, self._fresh = False, None

    def take(self, event: "Event") -> None:
        """Process a journalled event; the start and end of a match, SEED_TOLD and ROLLED matter."""
        if begins(event):
            self.clear()
        elif event.kind in OVER:
            self.parts, self._fresh = {}, None
        elif isinstance(event, events.Rolled):
            used = use(event.randomizer, event.purpose)
            self.counts[used] = self.counts.get(used, 0) + 1
        elif isinstance(event, events.SeedTold):
            if event.part == SEED:  # parts of an earlier one, left by a power cut, are void
                self.parts = {}
            self.parts[event.part] = event.eight

    def test(self, entropy: "Entropy") -> None:
        """Test the generator again in any state; ``entropy(n)`` returns n of its bytes."""
        watch, whole = health.Health(), True
        for _ in range(_PARTS):
            try:
                raw = entropy(_PART)
            except MemoryError:
                raise  # says nothing of the generator; the App's one door tells it
            except (
                Exception
            ):  # a chip without its generator: whatever it raises, there is no luck here
                raw = b""
            whole = whole and len(raw) == _PART
            if whole:
                watch.take(raw)
        self._sound = whole and watch.sound
        self._fresh = digest.sha256(raw)  # pyright: ignore[reportPossiblyUnboundVariable]  (there are parts)

    @property
    def tested(self) -> bool:
        """Whether the generator was tested, and nothing drawn since."""
        return self._fresh is not None

    @property
    def ill(self) -> bool:
        """Whether the generator failed its tests."""
        return ILL in self.parts

    def named(self, rolled: events.Rolled) -> str:
        """Return the screen's text of a ROLLED: its count of its kind, and its audit id."""
        count = self.counts.get(use(rolled.randomizer, rolled.purpose), 0)
        return "#%d %s" % (count, audit_id(self.parts[0], rolled.number))

    @property
    def whole(self) -> bool:
        """Whether there is a seed with its commitment."""
        for part in range(NONE):
            if part != NONCE and part not in self.parts:
                return False
        return True

    @property
    def seed(self) -> bytes:
        """The seed, 32 bytes."""
        parts = self.parts
        return parts[SEED] + parts[SEED + 1] + parts[SEED + 2] + parts[SEED + 3]

    @property
    def open(self) -> bool:
        """Whether no nonce has arrived and no roll was made without one."""
        return NONCE not in self.parts and NONE not in self.parts

    def drawn(self, place: "Place") -> "Events":
        """Return the events that commit to a new seed at ``place``, none if there is one already.

        If the generator fails its tests, return the event that records this.
        """
        if self.ill or self.whole and self._sound:
            return ()
        if not self._sound:
            return (told(ILL, bytes(8)),)
        seed, self._fresh = self._fresh, None
        assert seed is not None
        said = commitment(place, seed)
        return (
            told(SEED, seed, 0), told(SEED + 1, seed, 8), told(SEED + 2, seed, 16),
            told(SEED + 3, seed, 24),
            told(0, said, 0), told(1, said, 8), told(2, said, 16),
        )  # fmt: skip

    def nonce(self, intent: "intents.SetNonce") -> "Events":
        """Return the event that accepts the host's nonce, () if it is not for this commitment."""
        if not self.whole or not self.open or intent.commitment != self.parts[0][0]:
            return ()
        return (events.SeedTold(intent.early, NONCE, intent.late),)

    def before(self) -> "Events":
        """Return the events to record before a roll: without a nonce, that there is none."""
        return (told(NONE, bytes(8)),) if self.open else ()

    def begin(self, number: int, randomizer: int, purpose: int) -> "Chance":
        """Return the Chance of a roll (see ``chance``)."""
        nonce = self.parts.get(NONCE, b"")
        return chance(self.seed, nonce, number, use(randomizer, purpose))
