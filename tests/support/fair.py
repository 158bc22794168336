"""A venue whose boards roll: as ``tabletop``, each with the App's Ledger, under D03."""

from tabletop import Tabletop, Venue

from firmware.core import events, intents
from firmware.core.answers import DONE, ILLEGAL
from firmware.core.ledger import Ledger
from firmware.core.sync import Sync
from firmware.core.systems import d03


class Rolling(Tabletop):
    """A Tabletop whose match lies in a Ledger, as in the App."""

    def boot(self, uptime_ms, reason=0):
        """Start, or start again as after a reset."""
        super().boot(uptime_ms, reason)
        self.ledger = Ledger(self.journal, self.rules, self._luck.randbytes)
        self.ledger.resume()
        self.sync = Sync(self.journal, self.timebase, self._luck.randbytes)

    @property
    def match(self):
        return self.ledger.match

    @match.setter
    def match(self, match):
        pass

    def status(self, uptime_ms):
        while self.ledger.tick(self.now_ms(uptime_ms)):
            pass
        return super().status(uptime_ms)

    def happen(self, *happened):
        if happened:
            self.ledger.record(happened)

    def ask(self, uptime_ms, kind, a=0, b=0, c=0):
        now_ms = self.now_ms(uptime_ms)
        while self.ledger.tick(now_ms):
            pass
        found = self.ledger.ask(intents.of_numbers(kind, now_ms, a, b, c), now_ms)
        self.happen(*found)
        return bool(found)

    def _obey(self, intent, uptime_ms):
        now_ms = self.now_ms(uptime_ms)
        while self.ledger.tick(now_ms):
            pass
        found = self.ledger.ask(intent, now_ms)
        self.ledger.record(found, self.sync.answer(DONE if found else ILLEGAL, now_ms))
        while self.ledger.tick(now_ms):
            pass


class Fair(Venue):
    """A venue under D03, where a coin may always say who is first."""

    rules, kind = d03, Rolling

    def parts(self, board):
        found = [e for e in self.archive.records() if e.device == board.device]
        return [e.board_event.part for e in found if e.kind == events.SEED_STORED]
