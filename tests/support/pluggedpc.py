"""``plusthree`` on a PC on whose USB a gateway hangs: ``python pluggedpc.py AIR WORDS…``.

The gateway is a virtual chip that runs the real program in real time, at the end of a serial line
of the system's. ``AIR`` is the path of a socket: each datagram that comes is a board's frame that
the gateway's radio hears, and each advert that leaves the radio goes to the socket ``AIR.heard``.
"""

import contextlib
import os
import pathlib
import pty
import select
import shutil
import socket
import sys
import threading
import tty

from commands import plusthree
from gatewayline import on_air
from serial.tools import list_ports, list_ports_common

from host.base import installation
from host.boards import provisioning
from host.boards.deploy import drive, image
from host.collector.host_clock import steady
from host.sim.chip.chip import Chip

LOOK_S = 0.005
ADAFRUIT, SECOND = 0x239A, "CircuitPython CDC2 data"


def lay(folder):
    """Lay a gateway's drive, with sources in place of bytecode, which takes a minute to make."""
    for name in ("boot.py", "code.py"):
        shutil.copy(installation.ROOT / name, folder)
    shutil.copytree(installation.ROOT / "firmware", folder / "firmware")
    for place, path in image.libraries("feathers3").values():
        drive.write(folder / "lib" / place, path.read_bytes())
    for name in drive.JOURNALS:
        drive.allocate(folder / name)
    (folder / "settings.toml").write_text(provisioning.gateway_settings())


class Plugged:
    """The gateway, its end of the line and its air; ``port`` is what the PC calls it."""

    def __init__(self, folder, air):
        self._folder, self._air = folder, air
        self._line, end = pty.openpty()
        tty.setraw(end)
        self.port = list_ports_common.ListPortInfo(os.ttyname(end))
        self.port.vid, self.port.interface = ADAFRUIT, SECOND
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(air)

    def live(self):
        """Run the chip as fast as time passes, for ever."""
        chip = Chip(self._folder, usb=True)
        chip.power()
        chip.cable.opened, now_ms, told = True, steady(), 0
        begun_ms = now_ms()
        while True:
            ready = select.select([self._line, self._ear], [], [], LOOK_S)[0]
            # what comes now, it does not read in its past
            chip.run(max(0, (now_ms() - begun_ms) / 1e3 - chip.now_us / 1e6))
            os.write(self._line, chip.cable.read())
            for one in chip.story[told:]:
                if one.kind == "advert":
                    self._send(one.values[2])
            told = len(chip.story)
            if self._ear in ready:
                on_air(chip, self._ear.recv(64), 0)
            if self._line in ready:
                chip.cable.write(os.read(self._line, 4096))

    def _send(self, advert):
        with contextlib.suppress(OSError):  # nobody listens
            self._ear.sendto(advert, socket.MSG_DONTWAIT, f"{self._air}.heard")


def main(air, *words):
    """Plug the gateway in and run the command; return its exit code."""
    folder = pathlib.Path(f"{air}.drive")
    folder.mkdir()
    lay(folder)
    plugged = Plugged(folder, air)
    list_ports.comports = lambda: [plugged.port]
    threading.Thread(target=plugged.live, daemon=True).start()
    return plusthree(*words)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
