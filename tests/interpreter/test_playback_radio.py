"""The double of scanning that evenings are played with: what it takes, keeps and refuses."""

import importlib.util

import interpreters
import pytest

from host.sim.chip.radio import ENTRY

PATH = interpreters.ROOT / "tests" / "support" / "playback" / "radio.py"
SIZE = 250  # of a scan's buffer, in bytes
OPTIONS = {"interval": 0.01, "window": 0.01, "minimum_rssi": -127, "active": False}
# on 32 bits, in blocks of 16: the results (13 words), the buffer, an advert with 8 bytes before it,
# who is told (3 words); py/objstr.h, ScanResults.h, nordic's common-hal/_bleio/Adapter.c, ble_drv.h
SCAN_BYTES = 64 + 256 + 48 + 16
# bytes and their object, the entry (24), the address (12), its six bytes; ScanResults.c
ENTRY_BYTES = (16 + 32) + 32 + 16 + (16 + 16)
ADVERT_BYTES = 2 * 256  # an advert and its scan response, once and for good; Adapter.c
MEASURED = f"""
import gc, sys
sys.path.insert(0, "/doubles")
from radio import bleio
radio, prefixes = bleio.adapter, bytes(4)
found = entry = None
def scan():
    global found
    found = radio.start_scan(prefixes=prefixes, buffer_size={SIZE}, interval=0.01, window=0.01, minimum_rssi=-127, active=False)
def read():
    global entry
    entry = next(found)
def told(what):
    before = gc.mem_alloc()
    what()
    print(gc.mem_alloc() - before)
told(scan)
radio.hear()
radio.hear()
radio.stop_scan()
told(read)
told(read)
def send():
    radio.start_advertising(bytes(31))
    radio.stop_advertising()
for i in range(2):
    gc.collect()
    told(send)
"""


@pytest.fixture
def bleio():
    """The double's module, anew."""
    spec = importlib.util.spec_from_file_location("playback_radio", PATH)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.bleio


def scan(bleio, size=SIZE):
    return bleio.adapter.start_scan(prefixes=b"", buffer_size=size, **OPTIONS)


def test_takes_as_much_as_the_chip():
    """Of a board's heap, on the 32-bit MicroPython."""
    [printed] = interpreters.run_wasm({"/doubles/radio.py": PATH.read_bytes()}, [MEASURED])
    taken = list(map(int, printed.split()))
    assert SCAN_BYTES <= taken[0] <= SCAN_BYTES + 32
    assert all(ENTRY_BYTES <= one <= ENTRY_BYTES + 32 for one in taken[1:3])
    assert ADVERT_BYTES <= taken[3] - taken[4] <= ADVERT_BYTES + 128


def test_what_finds_no_room_is_lost(bleio):
    found = scan(bleio)
    for place in range(7):
        bleio.advert[:] = bytes((place,)) * 31
        bleio.adapter.hear()
    bleio.adapter.stop_scan()
    told = [entry.advertisement_bytes for entry in found]
    assert told == [bytes((place,)) * 31 for place in range(SIZE // (ENTRY + 31))]


def test_a_scan_and_an_advert_exclude_each_other(bleio):
    scan(bleio)
    with pytest.raises(bleio.BluetoothError):
        scan(bleio)
    with pytest.raises(bleio.BluetoothError):
        bleio.adapter.start_advertising(b"")
    bleio.adapter.stop_scan()
    bleio.adapter.start_advertising(b"")
    with pytest.raises(bleio.BluetoothError):
        scan(bleio)


def test_a_scan_that_goes_on_cannot_be_read(bleio):
    with pytest.raises(AssertionError):
        next(scan(bleio))
