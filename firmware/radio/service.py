"""The GATT service that carries frames both ways: one 24-byte frame a packet down, up to four up.

``down`` is written by the host and read through a ``PacketBuffer`` (a full one silently drops its
oldest packet). ``up`` notifies. Pairing proves nothing here, so both are open: a frame is
authenticated only by its tag (docs/architecture.md). The three UUIDs in ``frames`` share one random
base, which takes one entry of the chip's short table.
"""

import _bleio
from adafruit_ble.characteristics import Characteristic, ComplexCharacteristic
from adafruit_ble.services import Service
from adafruit_ble.uuid import VendorUUID

from firmware.core import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.radio.types import Ends

UP_BYTES = frames.SEVERAL * frames.SIZE
WAITING = 16  # packets that wait for a step: 6 name frames and a burst of answers


def packets(
    characteristic: "_bleio.Characteristic", waiting: int, most: int = frames.SIZE
) -> "_bleio.PacketBuffer":
    """Return a ``PacketBuffer`` over a ``_bleio`` characteristic: ``waiting`` packets of ``most``
    bytes.
    """
    return _bleio.PacketBuffer(characteristic, buffer_size=waiting, max_packet_size=most)


class Inbox(ComplexCharacteristic):
    """A characteristic whose value is the queue of packets written to it."""

    def bind(self, service: Service) -> "_bleio.PacketBuffer":  # pyright: ignore[reportIncompatibleMethodOverride]  (the library's own do likewise)
        """Return the ``PacketBuffer`` in place of the characteristic."""
        return packets(super().bind(service), WAITING)


class Frames(Service):
    """``down``: PacketBuffer of what the host wrote; ``up``: the ``_bleio`` characteristic."""

    uuid = VendorUUID(frames.SERVICE_UUID)
    down = Inbox(
        uuid=VendorUUID(frames.DOWN_UUID),
        properties=Characteristic.WRITE | Characteristic.WRITE_NO_RESPONSE,
        max_length=frames.SIZE,
    )
    up = ComplexCharacteristic(
        uuid=VendorUUID(frames.UP_UUID), properties=Characteristic.NOTIFY, max_length=UP_BYTES
    )


def ends() -> "Ends":
    """Declare the service; return (``down``, ``up``, the PacketBuffer that watches ``up``)."""
    frames_service = Frames()
    return frames_service.down, frames_service.up, packets(frames_service.up, 1, UP_BYTES)  # pyright: ignore[reportReturnType]  (``bind`` says what ``down`` is)
