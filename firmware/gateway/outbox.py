"""What waits to be written to the PC: one ring of bytes, made once.

``usb_cdc`` takes what its own small queue has room for and no more (``write_timeout`` 0); with no
limit, a PC that has the port open and does not read would stop the gateway.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.gateway.types import Port

_SIZE = 4096  # a third of a second of the fullest air
_KEPT = 256  # for what is more than an advert: room that adverts leave


class Outbox:
    """Whole messages, or none of one: ``put`` refuses what finds no room."""

    def __init__(self):
        self._bytes = bytearray(_SIZE)
        self._view = memoryview(self._bytes)
        self._first = self._size = 0

    @property
    def empty(self) -> bool:
        """Return whether nothing waits."""
        return not self._size

    def put(self, message: bytes, leave: int = 0) -> bool:
        """Take ``message`` if so many bytes stay free behind it; return whether it was taken."""
        if self._size + len(message) + leave > _SIZE:
            return False
        at = (self._first + self._size) % _SIZE
        there = min(len(message), _SIZE - at)
        self._bytes[at : at + there] = message[:there]
        self._bytes[: len(message) - there] = message[there:]
        self._size += len(message)
        return True

    def put_heard(self, message: bytes) -> bool:
        """Take an advert, unless it would take the room of answers."""
        return self.put(message, _KEPT)

    def drain(self, port: "Port") -> bool:
        """Write what ``port`` has room for; return whether it took any of it."""
        before = self._size
        while self._size:
            end = min(self._first + self._size, _SIZE)
            room = end - self._first
            gone = port.write(self._view[self._first : end]) or 0
            self._first = (self._first + gone) % _SIZE
            self._size -= gone
            if gone < room:
                break
        return self._size < before

    def clear(self) -> None:
        """Forget all of it, and end the message of which a part is gone."""
        self._first = self._size = 0
        self.put(b"\x00")
