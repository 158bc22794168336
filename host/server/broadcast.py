"""The hall's beacon in ``serve``: it is sent while there are gateways, unless switched off."""

import asyncio
from collections.abc import Callable, Sequence

from host.base.sentences import Sentence
from host.collector.beacon_caster import BeaconCaster, Source
from host.collector.beacon_sender import BeaconSender
from host.desk.hall_beacon import HallBeacon
from host.desk.station import Station

# delays all that a hall receives, and so the acknowledgement of a result (docs/air.md)
STEP_S = 0.02
_UPDATE_MS = 50
_OFF = Sentence(
    "the beacon is switched off: boards that this PC's own Bluetooth does not reach are told"
    " nothing"
)
_SENDS = Sentence("the beacon goes out by these gateways: {names}")


class Broadcast:
    """Sends the beacon of a ``station``; ``now_ms()`` is the host's event time.

    It is created with the first gateway. ``Station.beacon_on`` is the organiser's switch.
    """

    def __init__(self, station: Station, now_ms: Callable[[], int]):
        self._station, self._now_ms = station, now_ms
        self._beacon: HallBeacon | None = None
        self._updated_ms = 0
        station.beacon_on = True

    async def run(self, gateways: Callable[[], Source | None]) -> None:
        """Broadcast until cancelled by what ``gateways()`` returns."""
        while True:
            self.step(gateways())
            await asyncio.sleep(STEP_S)

    def step(self, source: Source | None) -> None:
        """Give ``source`` the next frames, and store the senders' names (``Station.beacon``)."""
        names = source.names if source else []
        self._station.beacon = self._state_text(names)
        begun = self._station.archive.roster.event is not None
        if source and names and begun and self._station.beacon_on:
            BeaconCaster(self._update().sender, source, self._now_ms).step()

    @property
    def forged_at(self) -> list[int]:
        """The tables whose boards have heard forged frames of the beacon."""
        return self._beacon.forged_at if self._beacon else []

    def _state_text(self, names: Sequence[str]) -> Sentence | None:
        if not self._station.beacon_on:
            return _OFF
        return Sentence(_SENDS.template, names=", ".join(names)) if names else None

    def _update(self) -> HallBeacon:
        """Return the beacon, updated if it is due."""
        now_ms, beacon = self._now_ms(), self._beacon
        if beacon is not None and now_ms - self._updated_ms < _UPDATE_MS:
            return beacon
        if beacon is None:
            event = self._station.archive.roster.current_event
            sender = BeaconSender(self._station.keyring.beacons, event.number)
            beacon = self._beacon = HallBeacon(self._station, sender)
        self._updated_ms = now_ms
        beacon.update(now_ms)
        return beacon
