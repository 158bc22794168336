"""The Collector over gateways alone, on a PC without Bluetooth: boards are heard, never linked."""

import asyncio
from collections.abc import Callable

from host.base.sentences import Sentence
from host.collector.actions import Action
from host.collector.carriers.gateways import Gateways, MakeGateways
from host.collector.carriers.pump import Pump
from host.collector.shared_radio import RadioSide


class GatewayCarrier:
    """Drives ``collector`` over the gateways that ``make`` returns.

    ``now_ms()`` is the host's event time, ``report(sentence)`` shows a message at the desk.
    """

    def __init__(
        self,
        collector: RadioSide,
        now_ms: Callable[[], int],
        report: Callable[[Sentence], None] = lambda sentence: None,
        make: MakeGateways = Gateways,
    ):
        self._pump = Pump(collector, now_ms, self._do, {})
        self.gateways = make(self._pump, report)
        self.delay_s: float | None = None  # a gateway hears every advert at once

    async def run(self) -> None:
        """Run until cancelled, with or without a gateway."""
        self._pump.listens("gateways", False)
        await self._pump.run(self.gateways.run())

    def _do(self, action: Action):
        """Refuse a connection: nobody here can make one."""
        if action[0] == "connect":
            asyncio.get_running_loop().call_soon(self._pump.take, "closed", action[1])
