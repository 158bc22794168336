"""A board that rolls: the real Journal, Ledger and Window over flash that may lose its power."""

import random

from torn import TornStore

from firmware.core import digest, events, frames, intents
from firmware.core.journal import Journal
from firmware.core.ledger import Ledger
from firmware.core.sync import Window
from firmware.core.systems import d03
from host.keys import signatures
from host.sim import stored_records

KEY = bytes(range(32, 64))
EVENT = 5


class Chance:
    """Luck by which every face is the highest."""

    def begin(self, number, randomizer, purpose):
        return self

    def face(self, sides):
        return sides


class Lucky:
    """Board ``device`` in event 5 from its first boot; all luck is from ``seed``."""

    def __init__(self, seed=1, rules=d03, device=7, key=KEY, blocks=64):
        self.device, self._key, self.rules = device, key, rules
        self.store = TornStore(blocks)
        self.luck = random.Random(f"lucky {seed}")
        self.now_ms = 7_200_000
        self.entropy = self._even
        self.boot()
        self.journal.append(events.EventJoined(self.now_ms, EVENT, 0),
                            events.TimeSet(self.now_ms, 10, 1))  # fmt: skip
        self.ledger.restart(rules)

    def _even(self, size):
        return self.luck.randbytes(size)

    def boot(self):
        self.journal = Journal(self.store, self.device, self._key)
        self.journal.recover()
        self.journal.open_epoch(self.now_ms, 1, 1)
        self.ledger = Ledger(self.journal, self.rules, lambda size: self.entropy(size))
        self.ledger.resume()
        self.window = Window(self.journal)

    def restart(self):
        """Boot again, and let everything happen that is due."""
        self.boot()
        self.tick()

    @property
    def match(self):
        return self.ledger.match

    def tick(self):
        while self.ledger.tick(self.now_ms):
            pass

    def ask(self, kind, a=0, b=0, c=0, at_ms=0):
        """Ask as keys and desk do; return the events that came of it."""
        self.now_ms += 1000
        self.tick()
        intent = intents.of_numbers(kind, at_ms or self.now_ms, a, b, c)
        return self.put(intent)

    def put(self, intent):
        happened = self.ledger.ask(intent, self.now_ms)
        if happened:
            self.ledger.record(happened)
        self.tick()
        return happened

    def begin(self, number=1, table=12, pairing=3):
        """Set a round that begins in a minute; under D03 the switch is on for cards, too."""
        self.ask(intents.SET_ROUND, number, table, pairing)
        self.ask(intents.SET_FORMAT, self.rules.NUMBER, 2, 30)
        self.ask(intents.SET_START, at_ms=self.now_ms + 60_000)
        if self.rules is d03 and not self.match.policy:
            self.ask(intents.SET_POLICY, 1)
        return self

    def nonce(self, eight=b"ABCDEFGH"):
        """Give the host's nonce for the commitment that stands; return whether it was taken."""
        self.now_ms += 1000
        self.tick()
        return bool(self.put(intents.SetNonce(eight[:4], self.ledger.seeds.parts[0][0], eight[4:])))

    def agree(self):
        return self.ask(intents.AGREE_ROLL, 0) and self.ask(intents.AGREE_ROLL, 1)

    def roll(self, a=32, many=0):
        """Roll, for a card with a coin if nothing is said (for who is first a flip is final); return the ROLLED or None."""
        happened = self.ask(intents.ROLL, a, many)
        return happened[-1] if happened else None

    def over(self):
        """Have the match end by a judge's last word."""
        return self.ask(intents.RULE_RESULT, 129, 1, 0)

    def records(self):
        return [
            record
            for _, record in stored_records.walk(self.journal.ring, self.journal.ring.oldest)
            if record
        ]

    def told(self):
        return [events.of_record(record) for record in self.records()]

    def offered(self):
        """Return every record that the window sends to a host that only listens or asks."""
        sent, window = [], self.window
        for asks in (False, True):
            window.restart(self.journal.ring.oldest)
            if asks:
                window.asked, window.asked_end = self.journal.ring.oldest, self.journal.ring.head
            for uptime_ms in range(0, 400_000, 2000):
                while (record := window.due(uptime_ms)) is not None:
                    sent.append(record)
                    place = window.asked if window.asked < window.asked_end else window.cursor
                    window.advance(uptime_ms)
                    if window.asked >= window.asked_end:
                        _, _, epoch, counter = frames.head(self.journal.ring.at(place))
                        tags = self.journal.ring.at(place)[frames.BODY :]
                        payload = frames.pack_ack(epoch, counter, 0, tags)
                        window.acknowledge(signatures.sign(bytes(32), frames.ACK, 1, 1, 1, payload))
        return sent


def even(size):
    """Return bytes without a pattern, always the same."""
    return b"".join(digest.sha256(bytes((i,))) for i in range(size // 32 + 1))[:size]
