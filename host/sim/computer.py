"""A virtual PC: an adapter on the virtual radio under the moods of a system (``pcs``).

Nothing here helps: adverts are told as seldom as there, attempts fail as often, and whoever asks a
radio that is not there gets what was read, an error of any kind or no answer at all.
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

from host.sim.controller import RadioController
from host.sim.medium import Medium
from host.sim.pcs import Profile

_MANUFACTURER = core.AdvertisingData.MANUFACTURER_SPECIFIC_DATA
AGREED_S, ASKED_S = 1.0, 4.0
PULLED = hci.HCI_ErrorCode.HARDWARE_FAILURE_ERROR


class Scanner(Protocol):
    """Who listens to a PC's adverts."""

    def tell(self, advertisement: Advertisement, /) -> None:
        """Take an advert that passed the filter."""
        ...


class Client(Protocol):
    """Who uses a link of a PC's."""

    @property
    def address(self) -> str:
        """Whose link it is."""
        ...


@dataclass
class Known:
    """What the system knows of an address: when it was last heard, and when an advert passed."""

    heard_s: float
    advertisement: Advertisement
    passed_s: float | None = None


class Pc:
    """One computer with one adapter; ``profile`` as in ``pcs``.

    ``pull`` and ``plug`` move its radio.
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
        # by address; those included that are hung up and live on
        self._links: dict[str, Connection] = {}
        self._scan_s = 0.0
        self._known: dict[str, Known] = {}  # by address
        self._moods = {
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
        """The radio's stack; AssertionError while there is no radio."""
        assert self._device is not None
        return self._device

    def plug(self) -> None:
        """Put a radio in."""
        if self._device is None:
            radio = RadioController(self._medium, self._address, distance_m=0)
            self._device = device.Device(address=self._address, host=host.Host(radio, radio))
            self.device.on(self.device.EVENT_ADVERTISEMENT, self._heard)
            self._radio = radio

    def pull(self) -> None:
        """Take the radio out: every scanner is deaf for good, every link gone."""
        if self._device is not None:
            self._device.remove_listener(self.device.EVENT_ADVERTISEMENT, self._heard)
            self._radio.power_off()
            links, self._links = list(self._links.values()), {}
            self._device, self.scanners, self._known = None, [], {}
            for connection in links:
                connection.emit(connection.EVENT_DISCONNECTION, PULLED)

    async def mood(self, name: str) -> None:
        """Do what the system does in such a moment: raise something, or never answer."""
        mood = next(self._moods[name])
        if mood == "hangs":
            await asyncio.Event().wait()
        if isinstance(mood, str):
            raise BleakBluetoothNotAvailableError(
                "no radio", BleakBluetoothNotAvailableReason[mood]
            )
        if mood is not None:
            raise mood("the radio went")

    # adverts

    async def listen(self, scanner: Scanner) -> None:
        """Tell ``scanner`` of adverts; the first one to listen empties the filter."""
        if not self.scanners:
            self.forget()
            if not self.device.powered_on:
                await self.device.power_on()
            await self.device.start_scanning(legacy=True, active=False, filter_duplicates=False)
        self.scanners.append(scanner)

    async def ignore(self, scanner: Scanner) -> None:
        """Tell ``scanner`` no more."""
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
        """Whether the filter lets an address pass; the scan restarts at whole multiples of its
        time.
        """
        every_s = self.profile.filter_s
        if told_s is None or not every_s or self.profile.monitors and len(self.scanners) > 1:
            return True
        return (told_s - self._scan_s) // every_s != (now_s - self._scan_s) // every_s

    def _tell(self, advertisement):
        for scanner in list(self.scanners):
            scanner.tell(advertisement)

    def touch(self, address: str) -> None:
        """Own connecting has changed what the system knows of a board."""
        known = self._known.get(address)
        if self.profile.echoes and known is not None:
            self._tell(known.advertisement)

    def knows(self, address: str) -> bool:
        """Whether the system would find ``address`` if it was asked to connect."""
        known = self._known.get(address)
        return known is not None and self._now_s() - known.heard_s <= self.profile.forgets_s

    def _now_s(self):
        return self._medium.loop.time()

    # links

    @property
    def full(self) -> bool:
        """Whether the adapter holds no more links."""
        return len(self._links) >= self.profile.links

    def link_to(self, address: str) -> Connection | None:
        """Return the connection to ``address`` that still lives, or None."""
        return self._links.get(address)

    def use(self, address: str, client: Client) -> None:
        """``client`` has the link to ``address`` now."""
        self._users[address] = client

    def linked(self, address: str, connection: Connection) -> None:
        """A link stands, for a start with the system's own time-out; boards then ask for 4 s."""
        self._links[address] = connection
        self._medium.loop.call_later(
            AGREED_S, self._medium.agree, self._radio, connection.peer_address, ASKED_S
        )
        connection.once(
            connection.EVENT_DISCONNECTION, lambda reason: self._unlinked(address, connection)
        )
        self.touch(address)

    def end(self, address: str, connection: Connection, client: Client) -> None:
        """Let a link end at last that was hung up, unless it has ended or somebody else uses it."""
        if self._links.get(address) is connection and self._users.get(address) is client:
            asyncio.ensure_future(self._disconnect(connection))

    async def _disconnect(self, connection):
        with contextlib.suppress(core.BaseBumbleError, hci.HCI_Error, asyncio.CancelledError):
            await connection.disconnect()

    def _unlinked(self, address, connection):
        if self._links.get(address) is connection:
            del self._links[address]
            self.touch(address)
