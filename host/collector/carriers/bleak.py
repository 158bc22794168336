"""The Collector over this PC's Bluetooth, in one process: for the virtual venue and for tests.

``plusthree serve`` keeps the radio in a process of its own (``radio_process``).
"""

from collections.abc import Callable

from host.base.sentences import Sentence
from host.collector.actions import Action
from host.collector.carriers import platforms
from host.collector.carriers.pump import BluetoothMissing, Pump
from host.collector.carriers.radio import Backends, Radio
from host.collector.collector import Collector


class BleakCarrier:
    """Drives ``collector`` over the system's Bluetooth.

    ``now_ms()`` is the host's event time. ``backends`` is a (scanner, client) pair of bleak backend
    classes, or None each for the system's own. ``report(sentence)`` gets messages about trouble.
    ``quirks`` belong to the system of the ``backends``.
    """

    def __init__(
        self,
        collector: Collector,
        now_ms: Callable[[], int],
        backends: Backends = (None, None),
        report: Callable[[Sentence], None] = lambda sentence: None,
        quirks: platforms.Quirks | None = None,
    ):
        known = {"said": report, "missing": self._missing, "delay": self._late}
        self.collector, self._pump = collector, Pump(collector, now_ms, self._do, known)
        self.radio = Radio(self._pump.take, quirks or platforms.quirks(), backends)
        self.delay_s: float | None = None  # the delay of a changed advert, once it is known

    async def run(self) -> None:
        """Run until cancelled; raises BluetoothMissing if there is no radio at the start."""
        await self._pump.run(self.radio.run())

    @property
    def receiver(self) -> Pump:
        """Whoever is told what others beside this radio hear (``gateways``)."""
        return self._pump

    def _do(self, action: Action):
        self.radio.do(action)

    def _missing(self, sentence: Sentence):
        with self._pump.guarded():
            raise BluetoothMissing(sentence)

    def _late(self, seconds: float):
        self.delay_s = seconds

    @property
    def connections(self) -> int:
        """How many connections were made."""
        return self.radio.connections

    @property
    def frames_up(self) -> int:
        """How many frames were received over connections."""
        return self.radio.frames.up

    @property
    def frames_down(self) -> int:
        """How many frames were sent over connections."""
        return self.radio.frames.down
