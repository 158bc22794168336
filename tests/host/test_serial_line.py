"""A gateway's line over a real pseudo-terminal: pyserial, both threads, and a cable pulled out."""

import asyncio
import os

import pytest
from stories import run_by

from firmware.core import usb
from host.collector.carriers import serial_line
from host.collector.carriers.gateways import Gateways
from host.collector.carriers.serial_line import SerialLine

tty = pytest.importorskip("tty")  # Windows has no pseudo-terminals

ADDRESS = bytes((9, 8, 7, 6, 5, 0xC4))
MOST_S = 60  # nothing waits so long when it works


class Device:
    """The gateway's end: a terminal whose other end is the port ``name``."""

    def __init__(self):
        self.end, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.name, self.told, self.open = os.ttyname(self._theirs), [], False
        self._splitter, self.changed = usb.Splitter(), asyncio.Event()
        asyncio.get_running_loop().add_reader(self.end, self._read)

    def opened(self, name, owner):
        line = SerialLine(name, owner)  # what came before is thrown away
        self.open = True
        self.changed.set()
        return line

    def _read(self):
        self.told += self._splitter.feed(os.read(self.end, 1000))
        self.changed.set()

    def put(self, kind, counter, *values):
        os.write(self.end, usb.pack(kind, counter, *values))

    async def until(self, holds):
        while not holds():
            self.changed.clear()
            await self.changed.wait()

    def pull(self):
        asyncio.get_running_loop().remove_reader(self.end)
        os.close(self.end)
        os.close(self._theirs)


class Told:
    def __init__(self, device):
        self.notes, self._device = [], device

    def take(self, *said):
        self.notes.append(said)
        self._device.changed.set()

    def listens(self, who, whether):
        self.take(who, whether)


def played(story):
    """Run ``story(device, told, said)`` beside real Gateways whose only port is the device's."""

    async def main():
        device = Device()
        told, said, ports = Told(device), [], [device.name]

        async def there():
            return ports

        async with asyncio.timeout(MOST_S):
            task = asyncio.ensure_future(Gateways(told, said.append, there, device.opened).run())
            try:
                await story(device, told, said)
            finally:
                task.cancel()
                await asyncio.wait({task})

    asyncio.run(main())


@run_by(played, scene=3)
async def test_it_is_met_asked_heard_and_missed_as_it_is_pulled_out(device, told, said):
    await device.until(lambda: device.open)
    device.put(usb.HELLO, 0, usb.VERSION, 8, 1000, ADDRESS)
    await device.until(lambda: device.told)
    assert device.told[0][0] == usb.PING and told.notes == [("gateways", True)]
    device.put(usb.PONG, 1, device.told[0][2][0], 1000, 0, 0)
    for counter in range(2, 102):
        device.put(usb.HEARD, counter, 1000, -60, ADDRESS, bytes((counter,)) * 24)
    await device.until(lambda: len(told.notes) == 101)
    assert told.notes[-1] == ("heard", None, bytes((101,)) * 24)
    device.pull()
    await device.until(lambda: len(told.notes) == 102)
    assert told.notes[-1] == ("gateways", False)


def test_a_port_that_cannot_be_opened_is_tried_again():
    async def main():
        with pytest.raises(OSError):
            SerialLine("/dev/no-such-port", None)

    asyncio.run(main())


def test_a_port_is_one_programs_alone():
    far, near = os.openpty()

    async def main():
        line = SerialLine(os.ttyname(near), Device())
        with pytest.raises(OSError):
            SerialLine(os.ttyname(near), Device())
        line.close()

    asyncio.run(main())
    for end in (far, near):
        os.close(end)


def test_ports_of_others_and_consoles_are_let_be(monkeypatch):
    from serial.tools import list_ports, list_ports_common

    def port(device, vid, interface):
        made = list_ports_common.ListPortInfo(device, skip_link_detection=True)
        made.vid, made.interface = vid, interface
        return made

    found = [
        port("/dev/ttyACM3", 0x239A, "CircuitPython CDC2 control"),
        port("/dev/ttyACM0", 0x239A, "CircuitPython CDC control"), port("COM7", 0x303A, None),
        port("/dev/ttyUSB0", 0x10C4, None), port("/dev/ttyS0", None, None),
    ]  # fmt: skip
    monkeypatch.setattr(list_ports, "comports", lambda: found)
    assert asyncio.run(serial_line.ports()) == ["/dev/ttyACM3", "COM7"]
