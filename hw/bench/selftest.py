"""The board's half of ``plusthree board bringup``: sent by the PC over the console in service mode.

Nothing of it lies on a board or runs there otherwise. Every method does one thing and returns what
prints as a literal; the PC judges. Parts are those that the program uses, where that can be.
"""

import binascii
import hashlib
import os
import sys
import time

import board
import digitalio
import displayio
import storage
import supervisor

from firmware.board import battery, display, pins, signals

JOURNALS = ("/journal0.bin", "/journal1.bin")
JOURNAL_BYTES = 262144
SPARE = 1024  # in the unused margin before the first block (firmware/board/store.py)
BLOCK = 512
CELLS = 9  # squares, and the gaps between them, across the panel


class Bench:
    """One board on the bench. Raises KeyError for a board that is not one of ours."""

    def __init__(self):
        self.row = pins.row(board.board_id, os.getenv("PLUSTHREE_BOARD"))
        self.panel = self.sound = self.bar = None

    def identity(self) -> tuple[str | int | tuple[int, ...] | None, ...]:
        """Return (board id, CircuitPython's version, device, generation, language, role)."""
        names = ("DEVICE", "GENERATION", "LANGUAGE", "ROLE")
        settings = tuple(os.getenv("PLUSTHREE_" + name) for name in names)
        return (board.board_id, tuple(sys.implementation.version[:3])) + settings

    def levels(self) -> tuple[bool, ...]:
        """Return for every key whether it is down."""
        found = ()
        for name, level in zip(self.row.keys, self.row.levels):
            key = digitalio.DigitalInOut(getattr(board, name))
            key.switch_to_input(digitalio.Pull.DOWN if level else digitalio.Pull.UP)
            found += (key.value == bool(level),)
            key.deinit()
        return found

    def squares(self, count: int) -> None:
        """Draw ``count`` white squares (0 to 9)."""
        if self.panel is None:
            self.panel = display.open_display(self.row)
        scale = self.row.panel[1] // CELLS
        bitmap = displayio.Bitmap(CELLS, CELLS, 2)
        for i in range(count):
            for at in range(4):
                bitmap[i % 3 * 3 + (at & 1), i // 3 * 3 + (at >> 1)] = 1
        palette = displayio.Palette(2)
        palette[1] = 0xFFFFFF
        group = displayio.Group(scale=scale)
        group.append(displayio.TileGrid(bitmap, pixel_shader=palette))
        self.panel.root_group = group
        self.panel.refresh()

    def light(self, count: int) -> None:
        """Light ``count`` pixels white."""
        if self.bar is None:
            self.bar = signals.Pixels(getattr(board, self.row.bar), self.row.pixels)
        self.bar.show(b"\xff" * (3 * count))

    def beep(self, count: int) -> None:
        """Sound ``count`` short tones."""
        if self.sound is None:
            self.sound = signals.Buzzer(getattr(board, self.row.buzzer))
        for _ in range(count):
            self.sound.tone(1760)
            time.sleep(0.15)
            self.sound.off()
            time.sleep(0.25)

    def cell(self) -> int | None:
        """Return the battery's charge in percent, None where nobody can tell."""
        gauge = self.row.gauge
        return battery.Battery(getattr(board, gauge[0]), gauge[1]).percent if gauge else None

    def ticks(self) -> int:
        """Return the clock's milliseconds; they wrap at 2^29."""
        return supervisor.ticks_ms()

    def draw(self, size: int) -> str:
        """Return ``size`` bytes of the generator as hexadecimal text."""
        return binascii.hexlify(os.urandom(size)).decode()

    def keep(self, copy: int, seed: int) -> str:
        """Write a spare block of a journal's copy, read it back; return what was wrong, or ""."""
        try:
            storage.remount("/", readonly=False)
        except RuntimeError:
            return "the PC still holds the drive: eject it first"
        data = bytes([(seed + 7 * i) & 255 for i in range(BLOCK)])
        try:
            with open(JOURNALS[copy], "r+b") as file:
                if file.seek(0, 2) != JOURNAL_BYTES:
                    return "it has another size: deploy anew"
                good = self._holds(file, data)
                good = self._holds(file, b"\xff" * BLOCK) and good
        except OSError as error:
            return "it cannot be used (" + str(error) + "): deploy anew"
        return "" if good else "it does not read back as written"

    def _holds(self, file, data):
        """Write ``data`` and say whether it reads the same, another sector read in between."""
        file.seek(SPARE)
        file.write(data)
        file.flush()
        os.sync()
        file.seek(JOURNAL_BYTES - BLOCK)
        file.read(BLOCK)
        file.seek(SPARE)
        return file.read(BLOCK) == data

    def call(self, advert: str) -> None:
        """Advertise the bytes given as hexadecimal text, ten times a second; "" ends it."""
        import _bleio

        _bleio.adapter.enabled = True
        _bleio.adapter.stop_advertising()
        if advert:
            _bleio.adapter.start_advertising(
                binascii.unhexlify(advert), connectable=False, interval=0.1
            )

    def files(self, folder: str = "") -> tuple[tuple[str, str], ...]:
        """Return (path, first 16 digits of its SHA-256) of the program's files."""
        found = ()
        for name in os.listdir(folder or "/"):
            path = folder + "/" + name
            if folder or name in ("firmware", "lib"):
                if os.stat(path)[0] & 0x4000:
                    found += self.files(path)
                    continue
            if folder or name in ("boot.py", "code.py", "safemode.py"):
                found += ((path[1:], self._hash(path)),)
        return found

    def _hash(self, path):
        digest = hashlib.new("sha256")
        with open(path, "rb") as file:
            while True:
                part = file.read(BLOCK)
                if not part:
                    return binascii.hexlify(digest.digest()).decode()[:16]
                digest.update(part)

    def proof(self, nonce: str) -> str:
        """Return the SHA-256 of the nonce (hexadecimal text) and of the board's key."""
        digest = hashlib.new("sha256")
        digest.update(binascii.unhexlify(nonce))
        digest.update(binascii.unhexlify(os.getenv("PLUSTHREE_KEY") or ""))
        return binascii.hexlify(digest.digest()).decode()
