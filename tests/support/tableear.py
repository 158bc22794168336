"""A table's own receiver of the beacon beside a gateway's chip."""

import random

from firmware.core import beacon
from firmware.core.beacon_receiver import BeaconReceiver
from host.collector.beacon_sender import BeaconSender


class Ear:
    """A table's own receiver beside a gateway's chip: it hears each advert that leaves it."""

    def __init__(self, room, chip, table=1, round_number=1):
        self._room, self._chip, self._at = room, chip, len(chip.story)
        self.receiver = BeaconReceiver(random.Random(table).randbytes)
        self.receiver.table, self.receiver.round, self.receiver.milestone = table, round_number, 2
        station = room.station
        sender = BeaconSender(station.keyring.beacons, station.archive.roster.event.number)
        self.receiver.follow_chain(sender.anchor(room.clock_ms()))
        self.proven, self.heard = [], 0

    def listen(self):
        """Hear what has left the gateway since the last time; keep what is proven."""
        now_ms = self._room.clock_ms()
        for told in self._chip.story[self._at :]:
            if told.kind == "advert":
                ago_ms = self._chip.now_us // 1000 - told.at_ms
                self.heard += 1
                self.receiver.hear(told.values[2][4:], now_ms - ago_ms, now_ms - ago_ms, 30)
                self._work(now_ms - ago_ms)
        self._at = len(self._chip.story)
        return self

    def _work(self, now_ms):
        for _ in range(8):
            frame = self.receiver.step(now_ms, 30)
            if frame is not None:
                self.proven.append(bytes(frame))

    def of(self, kind):
        """Return what was proven of a kind."""
        return [one for one in self.proven if beacon.shaped(one) == kind]
