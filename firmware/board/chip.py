"""What the chip itself gives the program: its heap, its sleep memory and its watchdog."""

import binascii
import gc

import alarm
import microcontroller
import supervisor
from watchdog import WatchDogMode

LONGEST = 60  # bytes of a heartbeat
_LOW_BYTES = 1 << 20
# places of the sleep memory
_HEAD = 5  # where the heartbeat's bytes begin
_FIRST_STEP = (
    240  # the ticks of the first whole step since the reset, for ``plusthree board bringup``
)
_STARTING = 244  # 1 until then
_CRASHES = 254
# Longer than the longest wait of a healthy step: a notification to a host that vanished blocks for
# 4 s, and a journal full of a long match takes some seconds to read at boot
_LIMIT_S = 20


class Heap:
    """The interpreter's heap, whose garbage is collected when the program says so. A collection
    stops everything for some 100 ms (docs/board.md, Memory). The interpreter would begin one in the
    middle of anything; kept from that, it takes more of the PSRAM.
    """

    def __init__(self):
        gc.disable()

    def collect(self) -> None:
        """Collect the garbage."""
        gc.collect()

    @property
    def low(self) -> bool:
        """Whether less than 1 MB is free; then the interpreter may collect by itself, too."""
        low = gc.mem_free() < _LOW_BYTES  # pyright: ignore[reportAttributeAccessIssue]  (a board's collector alone)
        (gc.enable if low else gc.disable)()
        return low


class Heartbeat:
    """At most ``LONGEST`` bytes that outlive a reset and not a power loss, without wear. What
    power-up leaves there is anything at all, so the bytes carry their length and a checksum. A
    program that beats is well: writing clears the count of crashes that ``safemode`` keeps.
    """

    def read(self) -> bytes:
        """Return what was last written, or b"" when nothing valid is there."""
        memory = alarm.sleep_memory
        size = memory[0]
        if not 0 < size <= LONGEST:
            return b""
        data = bytes(memory[_HEAD : _HEAD + size])
        return data if bytes(memory[1:_HEAD]) == self._check(data) else b""

    def write(self, data: bytes) -> None:
        """Keep ``data`` over a reset, and clear the count of crashes: the program is well."""
        if not 0 < len(data) <= LONGEST:
            raise ValueError("size")
        alarm.sleep_memory[0 : _HEAD + len(data)] = bytes([len(data)]) + self._check(data) + data
        alarm.sleep_memory[_CRASHES : _CRASHES + 2] = b"\x00\x00"

    def _check(self, data):
        return binascii.crc32(data).to_bytes(4, "little")


def feed() -> None:
    """Arm the watchdog at the first call, feed it at each; nothing ever disarms it. A program that
    hangs is reset, and resumes.
    """
    dog = microcontroller.watchdog
    assert dog is not None
    memory = alarm.sleep_memory
    if dog.mode != WatchDogMode.RESET:
        dog.timeout = _LIMIT_S
        dog.mode = WatchDogMode.RESET
        memory[_STARTING] = 1
    elif memory[_STARTING] == 1:  # the second call: one whole step is over
        memory[_FIRST_STEP : _FIRST_STEP + 4] = supervisor.ticks_ms().to_bytes(4, "little")
        memory[_STARTING] = 0
    dog.feed()
