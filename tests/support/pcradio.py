"""A PC's Bluetooth as a script: scanners that fail as told, boards that are there or not."""

import asyncio
import sys

from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakError

from firmware.core import frames
from host.collector.carriers.bleak import BleakCarrier
from host.sim import clock

HANGS = "hangs"


class Scripted:
    """One PC: ``starts`` and ``stops`` say what scanners do in turn, ``links`` what connecting
    does.

    An entry is None (well), an exception to raise, or HANGS. ``filters``: an address is told of
    once a scan. ``answers``: boards answer at once, and then their services are looked up.
    """

    def __init__(
        self, starts=(), stops=(), links=(), filters=False, mtu=247, ours=True, answers=False
    ):
        self.loop = asyncio.get_running_loop()
        self.starts, self.stops, self.links = list(starts), list(stops), list(links)
        self.filters, self.mtu, self.ours, self.answers = filters, mtu, ours, answers
        self.scanners, self.clients, self.writes = [], [], []
        from hall import Told  # with the whole virtual air, which a radio process has no use for

        self.told, self.said = Told(), []

    async def follow(self, script):
        mood = script.pop(0) if script else None
        if mood == HANGS:
            await asyncio.Event().wait()
        if mood is not None:
            raise mood

    def hear(self, address, frame, company=frames.COMPANY_ID):
        for scanner in self.scanners:
            if scanner.runs and not (self.filters and address in scanner.seen_devices):
                scanner.report(address, {company: frame} if frame else {})

    async def rest(self, seconds):
        await asyncio.sleep(seconds)

    @property
    def begun_s(self):
        return [scanner.begun_s for scanner in self.scanners]

    def backends(self):
        held = {"pc": self}
        return type("Scanner", (ScriptedScanner,), held), type("Client", (ScriptedClient,), held)


class ScriptedScanner(BaseBleakScanner):
    """Hears what its PC has on the air, once it was started."""

    pc = None

    def __init__(self, callback, uuids, mode, *, bluez=None, **kwargs):
        super().__init__(callback, uuids)
        self.mode, self.bluez, self.runs = mode, bluez, False

    async def start(self):
        if self.mode == "passive":
            raise BleakError("no pattern monitor here")
        self.begun_s = self.pc.loop.time()
        self.pc.scanners.append(self)
        await self.pc.follow(self.pc.starts)
        self.seen_devices, self.runs = {}, True

    async def stop(self):
        self.runs = False
        await self.pc.follow(self.pc.stops)

    def report(self, address, manufacturer):
        adv = AdvertisementData(None, manufacturer, {}, [], None, -60, ())
        device = self.create_or_update_device(address, address, None, address, adv)
        self.call_detection_callbacks(device, adv)


class ScriptedClient(BaseBleakClient):
    """A link to a board that answers as its PC's script says."""

    pc = None

    def __init__(self, device, *, services=None, bluez=None, **kwargs):
        super().__init__(device, **kwargs)
        self.timeout_s, self.bluez, self.is_connected = kwargs["timeout"], bluez, False
        self.begun_s = self.ended_s = self.notify = None

    name = "board"
    is_connected = False

    @property
    def mtu_size(self):
        return self.pc.mtu

    async def connect(self, pair, **kwargs):
        self.pc.clients.append(self)
        self.begun_s, self.is_connected = self.pc.loop.time(), self.pc.answers
        try:
            async with asyncio.timeout(self.timeout_s):
                await self.pc.follow(self.pc.links)
        finally:
            self.ended_s = self.pc.loop.time()
        self.is_connected, self.services = True, self._offered()

    def _offered(self):
        offered = BleakGATTServiceCollection()
        if self.pc.ours:
            service = BleakGATTService(None, 1, frames.SERVICE_UUID)
            offered.add_service(service)
            for handle, uuid, names in (
                (2, frames.DOWN_UUID, ["write"]),
                (4, frames.UP_UUID, ["notify"]),
            ):
                room = lambda: self.pc.mtu - 3  # noqa: E731
                offered.add_characteristic(
                    BleakGATTCharacteristic(None, handle, uuid, names, room, service)
                )
        return offered

    async def disconnect(self):
        self.is_connected = False

    async def start_notify(self, characteristic, callback, **kwargs):
        self.notify = callback

    async def write_gatt_char(self, characteristic, data, response):
        self.pc.writes.append((bytes(data), response))

    async def pair(self, *args, **kwargs): ...
    async def unpair(self): ...
    async def read_gatt_char(self, characteristic, **kwargs): ...
    async def read_gatt_descriptor(self, descriptor, **kwargs): ...
    async def write_gatt_descriptor(self, descriptor, data): ...
    async def stop_notify(self, characteristic): ...


def carried(story, platform=None, **script):
    """Run ``story(pc)`` with a carrier over a Scripted PC in virtual time; return its result."""

    async def main():
        pc = Scripted(**script)
        carrier = BleakCarrier(
            pc.told, lambda: round(pc.loop.time() * 1000), pc.backends(), pc.said.append
        )
        pc.task = pc.loop.create_task(carrier.run())
        try:
            return await story(pc)
        finally:
            pc.task.cancel()
            await asyncio.wait({pc.task})

    before, sys.platform = sys.platform, platform or sys.platform
    try:
        return clock.run(main())
    finally:
        sys.platform = before
