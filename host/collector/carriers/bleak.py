"""The Collector over this PC's Bluetooth, in one process: for the virtual venue and for tests.

``plusthree serve`` keeps the radio in a process of its own (``radio_process``).
"""

import asyncio

from host.collector.carriers import platforms
from host.collector.carriers.pump import BluetoothMissing, Pump
from host.collector.carriers.radio import Radio


class BleakCarrier:
    """Drives ``collector`` over the system's Bluetooth.

    ``now_ms()`` is the host's event time. ``backends`` is a (scanner, client) pair of bleak backend
    classes, or None each for the system's own. ``report(sentence)`` is told of trouble on the way.
    ``terms`` are those of the system whose ``backends`` they are.
    """

    def __init__(
        self, collector, now_ms, backends=(None, None), report=lambda sentence: None, terms=None
    ):
        known = {"said": report, "missing": self._missing, "delay": self._late}
        self.collector, self._pump = collector, Pump(collector, now_ms, self._do, known)
        self.radio = Radio(self._pump.told, terms or platforms.terms(), backends)
        self.delay_s = None  # what a changed advert may wait, once that is known

    async def run(self):
        """Carry until cancelled; raises BluetoothMissing if there is no radio to begin with.

        What the Collector raises (a full disk) ends it too: nothing may go on unarchived.
        """
        radio = asyncio.ensure_future(self.radio.run())
        try:
            self._pump.turn()
            await self._pump.until(radio)
        finally:
            self._pump.stop()
            radio.cancel()
            await asyncio.gather(radio, return_exceptions=True)

    def _do(self, action):
        self.radio.do(action)

    def _missing(self, sentence):
        with self._pump.watched():
            raise BluetoothMissing(sentence)

    def _late(self, seconds):
        self.delay_s = seconds

    @property
    def connections(self):
        """How many links were made."""
        return self.radio.connections

    @property
    def frames_up(self):
        """How many frames came in by links."""
        return self.radio.frames[0]

    @property
    def frames_down(self):
        """How many frames went out by links."""
        return self.radio.frames[1]
