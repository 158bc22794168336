"""The double of scanning, held to the contract of the chip."""

import pytest
from barechip import REST, printed

from host.sim.chip.radio import Advert

HEAD = "import _bleio, supervisor, time\nradio = _bleio.adapter\n"
OURS, OTHERS = b"\x02\x01\x06\x05\xff\xff\xff\x40\x01", b"\x05\xff\x4c\x00\x10\x05"
WHO = bytes(range(6))


@pytest.fixture
def runs(bare):
    """A function: the chip that runs a program, with adverts (s, dBm, data) on the air."""

    def made(program, air=(), seconds=5.0):
        chip = bare(boot="", code=HEAD + program + REST)
        chip.air += [Advert(round(at_s * 1e6), WHO, rssi, data) for at_s, rssi, data in air]
        chip.power(seconds)
        assert not chip.times("light", "red 2"), chip.console
        return chip

    return made


@pytest.mark.parametrize("before, options, error", [
    ("", "interval=0.001", "ValueError"),
    ("", "timeout=0.05", "ValueError"),
    ("", "window=0.2", "ValueError"),
    ("", "timeout=700", "ValueError"),
    ("", "buffer_size=0", "ValueError"),
    ("radio.start_scan()", "", "BluetoothError"),
    ("radio.start_advertising(b'')", "", "BluetoothError"),
    ("", "b'\\x03\\xff\\xff\\xff'", "TypeError"),
])  # fmt: skip
def test_a_scan_refuses_as_the_chip(runs, before, options, error):
    program = (
        f"{before}\ntry:\n    radio.start_scan({options})\nexcept Exception as e:\n"
        "    print(repr(type(e).__name__))"
    )
    assert printed(runs(program)) == [error]


def test_a_scan_waits_until_it_is_over(runs):
    program = (
        "began = supervisor.ticks_ms()\nfor entry in radio.start_scan(timeout=1.5):\n    pass\n"
        "print(1500 <= supervisor.ticks_ms() - began <= 1505)"
    )
    assert printed(runs(program)) == [True]


def test_an_entry_tells_who_what_and_how_loud(runs):
    program = (
        "for e in radio.start_scan(prefixes=bytes((3, 255, 255, 255)), timeout=2.0):\n"
        "    print((e.address.address_bytes, e.rssi, e.advertisement_bytes))\n"
        "    print(hasattr(e, 'time_received'))"
    )
    air = [(3, -70, OURS), (3.1, -70, OTHERS), (3.2, -81, OURS), (6, -70, OURS)]
    assert printed(runs(program, air=air, seconds=8)) == [(WHO, -70, OURS), False]


def test_a_stopped_scan_gives_what_it_has_heard(runs):
    program = (
        "s = radio.start_scan(buffer_size=90)\ntime.sleep(2)\nradio.stop_scan()\n"
        "print(len(list(s)))\nradio.stop_scan()\nradio.start_advertising(b'')"
    )
    air = [(3 + at / 10, -50, OURS) for at in range(6)]
    assert printed(runs(program, air=air)) == [3]
