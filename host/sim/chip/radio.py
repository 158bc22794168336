"""``_bleio`` of a chip with no central in range, with the argument checks of the real one."""

from __future__ import annotations

from host.sim.bleio.names import UUID, Address, Attribute, BluetoothError, RoleError, SecurityError
from host.sim.chip.mainboard import Mainboard, Modules
from host.sim.chip.natives import module

MOST_ADVERT, BOND_PAGES = 31, 8


class Characteristic:
    """``_bleio.Characteristic`` of a local service."""

    BROADCAST, INDICATE, NOTIFY, READ, WRITE, WRITE_NO_RESPONSE = 1, 2, 4, 8, 16, 32

    def __init__(self, service: Service, uuid: UUID, properties: int):
        self.service, self.uuid, self.properties, self.value = service, uuid, properties, b""

    @classmethod
    def add_to_service(
        cls, service: Service, uuid: UUID, *, properties: int=0, read_perm: int=Attribute.OPEN,
        write_perm: int=Attribute.OPEN, max_length: int=20,
        fixed_length: bool=False, initial_value: bytes | None=None,
        user_description: str | None=None,
    ) -> Characteristic:  # fmt: skip
        """Return a new characteristic; ValueError for an initial value over ``max_length``."""
        if initial_value is not None and len(initial_value) > max_length:
            raise ValueError("initial_value length is wrong")
        return cls(service, uuid, properties)

    def set_cccd(self, *, notify: bool = False, indicate: bool = False) -> None:
        """Raise RoleError: only a client sets it."""
        raise RoleError("Can't set CCCD on local Characteristic")


class Service:
    """``_bleio.Service``."""

    def __init__(self, uuid: UUID, *, secondary: bool = False):
        self.uuid, self.remote, self.secondary, self.characteristics = uuid, False, secondary, ()


class PacketBuffer:
    """``_bleio.PacketBuffer`` of a characteristic that no client has subscribed to."""

    def __init__(
        self,
        characteristic: Characteristic | None,
        *,
        buffer_size: int,
        max_packet_size: int | None = None,
    ):
        if buffer_size < 1:
            raise ValueError("buffer_size must be >= 1")

    @property
    def outgoing_packet_length(self) -> int:
        """Raises ValueError: nobody has subscribed (PacketBuffer.c:186)."""
        raise ValueError("No connection: length cannot be determined")

    incoming_packet_length = outgoing_packet_length

    def readinto(self, buffer: bytearray) -> int:
        """Return 0: no packet ever arrives."""
        return 0


class Adapter:
    """``_bleio.Adapter``: the chip's own radio."""

    def __init__(self, chip: Mainboard):
        self._chip = chip
        self.name, self._enabled, self.advertising = "CIRCUITPY", False, False
        self.address = Address(bytes((7, 1, 2, 3, 4, 0xC5)))

    connected, connections = False, ()

    @property
    def enabled(self) -> bool:
        """Whether the SoftDevice runs."""
        return self._enabled

    @enabled.setter
    def enabled(self, on: bool) -> None:
        self._enabled = on

    def start_advertising(self, data: bytes, *, scan_response: bytes | None = None,
                          connectable: bool=True, anonymous: bool=False, timeout: int=0,
                          interval: float=0.1, tx_power: int=0,
                          directed_to: Address | None = None) -> None:  # fmt: skip
        """Start the one advertising set.

        BluetoothError while it runs, ValueError for over 31 bytes or an interval (s) out of range.
        """
        if self.advertising:
            raise BluetoothError("Already advertising.")
        if len(data) > MOST_ADVERT:
            raise ValueError("Data too large for advertisement packet")
        if not 0.02 <= interval <= 10.24:
            raise ValueError("interval must be 0.02-10.24")
        self._chip.pay("advert_restart_us")
        self.advertising = True
        self._chip.told("advert", len(data), connectable)

    def stop_advertising(self) -> None:
        """Stop advertising."""
        self.advertising = False

    def erase_bonding(self) -> None:
        """Erase all bonds: eight pages of the chip's internal flash (bonding.c:58)."""
        self._chip.pay("bond_page_erase_us", BOND_PAGES)


def modules(chip: Mainboard) -> Modules:
    """Return ``_bleio`` for one VM of ``chip``."""
    return {
        "_bleio": module(
            "_bleio", adapter=Adapter(chip), UUID=UUID, Address=Address, Attribute=Attribute,
            Service=Service,
            Characteristic=Characteristic, PacketBuffer=PacketBuffer,
            CharacteristicBuffer=PacketBuffer,
            BluetoothError=BluetoothError, RoleError=RoleError, SecurityError=SecurityError,
            Connection=type("Connection", (), {}), Adapter=object, ScanEntry=object,
            Descriptor=object,
        )
    }  # fmt: skip
