"""A virtual PC: an adapter on the virtual radio with the faults of its system
(``bluetooth_quirks``).

It is never kinder than the system: adverts are reported as seldom, attempts fail as often, and
calls without a radio fail or hang as read in the sources.
"""

import asyncio
import contextlib
import itertools
import random
from dataclasses import dataclass
from typing import Protocol

from bleak.exc import BleakBluetoothNotAvailableError, BleakBluetoothNotAvailableReason
from bumble import core, device, hci, host
from bumble.device import Advertisement, Connection

from host.sim.bluetooth_quirks import Profile
from host.sim.controller import RadioController
from host.sim.medium import Medium

_MANUFACTURER = core.AdvertisingData.MANUFACTURER_SPECIFIC_DATA
AGREED_S, ASKED_S = 1.0, 4.0
PULLED = hci.HCI_ErrorCode.HARDWARE_FAILURE_ERROR


class Scanner(Protocol):
    """Listens to a PC's adverts."""

    def tell(self, advertisement: Advertisement, /) -> None:
        """Take an advert that passed the filter."""
        ...


class Client(Protocol):
    """Uses a connection of a PC."""

    @property
    def address(self) -> str:
        """The connected board's address."""
        ...


@dataclass
class Known:
    """What the system knows of an address: when it was last heard, and when an advert passed the
    filter.
    """

    heard_s: float
    advertisement: Advertisement
    passed_s: float | None = None


class Pc:
    """One computer with one adapter; ``profile`` as in ``bluetooth_quirks``.

    ``pull`` removes its radio and ``plug`` inserts it.
    """

    def __init__(self, medium: Medium, number: int, profile: Profile, seed: int):
        self._medium, self._address, self.profile = (
            medium,
            hci.Address(f"F0:00:00:00:00:{number:02X}"),
            profile,
        )
        self.luck = random.Random(f"pc {number} {seed}")
        self.scanners: list[Scanner] = []
        self._device: device.Device | None = None
        self.connecting = 0
        self._users: dict[str, Client] = {}  # address -> the client that had its link last
        # by address, including disconnected ones that stay open for a while
        self._links: dict[str, Connection] = {}
        self._scan_s = 0.0
        self._known: dict[str, Known] = {}  # by address
        self.resolved: set[str] = set()  # addresses of boards whose services the system keeps
        self._failures = {
            name: itertools.cycle(getattr(profile, name) or (None,))
            for name in ("start_off", "stop_off")
        }
        self.plug()

    # the radio

    @property
    def powered(self) -> bool:
        """Whether there is a radio."""
        return self._device is not None

    @property
    def device(self) -> device.Device:
        """The radio's stack; AssertionError without a radio."""
        assert self._device is not None
        return self._device

    def plug(self) -> None:
        """Insert a radio."""
        if self._device is None:
            radio = RadioController(self._medium, self._address, distance_m=0)
            self._device = device.Device(address=self._address, host=host.Host(radio, radio))
            self.device.on(self.device.EVENT_ADVERTISEMENT, self._heard)
            self._radio = radio

    def pull(self) -> None:
        """Remove the radio: scanners get nothing any more, and all connections end."""
        if self._device is not None:
            self._device.remove_listener(self.device.EVENT_ADVERTISEMENT, self._heard)
            self._radio.power_off()
            links, self._links = list(self._links.values()), {}
            self._device, self.scanners, self._known = None, [], {}
            for connection in links:
                connection.emit(connection.EVENT_DISCONNECTION, PULLED)

    async def respond(self, name: str) -> None:
        """Fail as the system does in this situation: raise an error or never return."""
        failure = next(self._failures[name])
        if failure == "hangs":
            await asyncio.Event().wait()
        if isinstance(failure, str):
            raise BleakBluetoothNotAvailableError(
                "no radio", BleakBluetoothNotAvailableReason[failure]
            )
        if failure is not None:
            raise failure("the radio went")

    # adverts

    async def listen(self, scanner: Scanner) -> None:
        """Report adverts to ``scanner``; the first scanner empties the filter."""
        if not self.scanners:
            self.forget()
            if not self.device.powered_on:
                await self.device.power_on()
            await self.device.start_scanning(legacy=True, active=False, filter_duplicates=False)
        self.scanners.append(scanner)

    async def ignore(self, scanner: Scanner) -> None:
        """Stop reporting to ``scanner``."""
        if scanner in self.scanners:
            self.scanners.remove(scanner)
            if not self.scanners and self._device is not None:
                await self.device.stop_scanning(legacy=True)

    def forget(self) -> None:
        """Empty the filter, as a restarted scan does."""
        self._scan_s = self._now_s()
        for known in self._known.values():
            known.passed_s = None

    def _heard(self, advertisement):
        data = advertisement.data.get(_MANUFACTURER)
        if data is None or self.profile.deaf and self.connecting:
            return
        now_s, address = self._now_s(), str(advertisement.address)
        known = self._known.setdefault(address, Known(now_s, advertisement))
        known.heard_s, known.advertisement = now_s, advertisement
        if self._passes(known.passed_s, now_s):
            known.passed_s = now_s
            self._tell(advertisement)

    def _passes(self, told_s, now_s):
        """Return whether the filter passes an address; a scan restarts at whole multiples of
        ``filter_s``.
        """
        every_s = self.profile.filter_s
        if told_s is None or not every_s or self.profile.monitors and len(self.scanners) > 1:
            return True
        return (told_s - self._scan_s) // every_s != (now_s - self._scan_s) // every_s

    def _tell(self, advertisement):
        for scanner in list(self.scanners):
            scanner.tell(advertisement)

    def touch(self, address: str) -> None:
        """Connecting has changed a property of a board, which some systems report as an advert."""
        known = self._known.get(address)
        if self.profile.echoes and known is not None:
            self._tell(known.advertisement)

    def knows(self, address: str) -> bool:
        """Return whether the system would find ``address`` to connect to."""
        known = self._known.get(address)
        return known is not None and self._now_s() - known.heard_s <= self.profile.forgets_s

    def _now_s(self):
        return self._medium.loop.time()

    # links

    @property
    def full(self) -> bool:
        """Whether the adapter can hold no more connections."""
        return len(self._links) >= self.profile.links

    def keeps_services(self, address: str) -> bool:
        """Return whether the system knows the services of ``address`` from a link before."""
        return address in self.resolved and self.profile.again < 1

    async def discover(self, address: str) -> None:
        """Wait for as long as the system takes for the services of ``address``."""
        share = self.profile.again if self.keeps_services(address) else 1.0
        await asyncio.sleep(self.luck.uniform(*self.profile.discover_s) * share)

    def link_to(self, address: str) -> Connection | None:
        """Return the open connection to ``address``, or None."""
        return self._links.get(address)

    def use(self, address: str, client: Client) -> None:
        """Note that ``client`` uses the connection to ``address`` now."""
        self._users[address] = client

    def linked(self, address: str, connection: Connection) -> None:
        """A connection is open, first with the system's own supervision time-out; boards then ask
        for 4 s.
        """
        self._links[address] = connection
        self._medium.loop.call_later(
            AGREED_S, self._medium.agree, self._radio, connection.peer_address, ASKED_S
        )
        connection.once(
            connection.EVENT_DISCONNECTION, lambda reason: self._unlinked(address, connection)
        )
        self.touch(address)

    def end(self, address: str, connection: Connection, client: Client) -> None:
        """End a connection that was disconnected, unless it has ended or another client uses it."""
        if self._links.get(address) is connection and self._users.get(address) is client:
            asyncio.ensure_future(self._disconnect(connection))

    async def _disconnect(self, connection):
        with contextlib.suppress(core.BaseBumbleError, hci.HCI_Error, asyncio.CancelledError):
            await connection.disconnect()

    def _unlinked(self, address, connection):
        if self._links.get(address) is connection:
            del self._links[address]
            self.touch(address)
