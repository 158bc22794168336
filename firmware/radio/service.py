"""The GATT service that carries frames both ways: one 24-byte frame a packet down, up to four up.

``down`` is written by the host and read through a ``PacketBuffer`` (a full one silently drops its
oldest packet). ``up`` notifies. Pairing proves nothing here, so both are open: a frame is
authenticated only by its tag (docs/architecture.md). The three UUIDs in ``frames`` share one random
base, which takes one entry of the chip's short table.
"""

from _bleio import PacketBuffer
from adafruit_ble.characteristics import Characteristic, ComplexCharacteristic
from adafruit_ble.services import Service
from adafruit_ble.uuid import VendorUUID

from firmware.core import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.radio.types import Ends

UP_BYTES = frames.BATCH * frames.SIZE
WAITING = 16  # packets that wait for a step: 6 name frames and a burst of answers


class Frames(Service):
    """``down`` and ``up``, as ``_bleio`` characteristics."""

    uuid = VendorUUID(frames.SERVICE_UUID)
    down = ComplexCharacteristic(
        uuid=VendorUUID(frames.DOWN_UUID),
        properties=Characteristic.WRITE | Characteristic.WRITE_NO_RESPONSE,
        max_length=frames.SIZE,
    )
    up = ComplexCharacteristic(
        uuid=VendorUUID(frames.UP_UUID), properties=Characteristic.NOTIFY, max_length=UP_BYTES
    )


def ends() -> "Ends":
    """Declare the service; return what reads ``down``, ``up`` itself, and what watches ``up``."""
    made = Frames()
    down = PacketBuffer(made.down, buffer_size=WAITING, max_packet_size=frames.SIZE)
    return down, made.up, PacketBuffer(made.up, buffer_size=1, max_packet_size=UP_BYTES)
