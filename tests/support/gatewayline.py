"""A gateway on a chip, with a PC's end of its line that packs and unpacks messages."""

from firmware.core import frames, usb
from firmware.radio import advertiser
from host.sim.chip.chip import Chip
from host.sim.chip.radio import Advert

ADDRESS = bytes((9, 8, 7, 6, 5, 0xC4))


class Line:
    """``chip``'s serial line as a PC's program uses it; ``told`` are the messages that came."""

    def __init__(self, chip: Chip):
        self.chip, self.told = chip, []
        self._splitter, self._counter = usb.Splitter(), 0

    def put(self, kind, *values):
        self.chip.cable.write(usb.pack(kind, self._counter, *values))
        self._counter += 1

    def run(self, seconds, ping_s=0.5):
        """Let time pass, with a PING each ``ping_s``; return what came meanwhile."""
        begun, left = len(self.told), seconds
        while left > 1e-9:
            if ping_s:
                self.put(usb.PING, self._counter & 0xFFFF)
            self.chip.run(min(left, ping_s or left))
            left -= ping_s or left
            self.told += self._splitter.feed(self.chip.cable.read())
        return self.told[begun:]

    def of(self, kind):
        return [values for found, _, values in self.told if found == kind]


def on_air(chip, frame, after_s, address=ADDRESS, rssi=-60):
    """Put a board's ``frame`` on the air ``after_s`` from now."""
    at_us = chip.now_us + round(after_s * 1e6)
    chip.air.append(Advert(at_us, address, rssi, advertiser.pack(frame)))
    chip.air.sort()


def frame_of(number):
    return bytes((frames.VERSION << 6,)) + number.to_bytes(23, "little")
