"""The board's parts over stand-ins of the native modules, run on MicroPython (test_parts.py)."""

import os

import alarm
import neopixel_write
import supervisor

from firmware.board import battery, chip, clock, keys, signals, store

WRAP = 1 << 29


class Ticks:
    def __init__(self, value):
        self.value = value

    def __call__(self):
        return self.value % WRAP


def test_uptime_goes_on_over_a_wrap():
    ticks = Ticks(WRAP - 65000)
    uptime = clock.Clock(ticks)
    assert uptime.now_ms() == 0
    ticks.value += 66000
    assert uptime.now_ms() == 66000
    ticks.value += WRAP // 2 - 1
    assert uptime.now_ms() == 66000 + WRAP // 2 - 1


def test_uptime_never_goes_back():
    ticks = Ticks(600000)
    uptime = clock.Clock(ticks)
    ticks.value += 5000
    assert uptime.now_ms() == 5000
    ticks.value -= 512000
    assert uptime.now_ms() == 5000
    for _ in range(10):  # asked each millisecond
        ticks.value += 1
        uptime.now_ms()
    assert uptime.now_ms() == 5010


def test_a_stamp_of_before_the_wrap_is_told_after_it():
    ticks = Ticks(WRAP - 100)
    uptime = clock.Clock(ticks)
    ticks.value += 200
    assert uptime.now_ms() == 200
    assert uptime.at(WRAP - 20) == 80
    assert uptime.at(30) == 130


def made(levels):
    uptime = clock.Clock(Ticks(1000))
    return keys.Keys(["A", "B", "J"][: len(levels)], levels, uptime)


def test_keys_of_one_polarity_share_a_scanner():
    scanned = made((0, 0, 0))
    assert len(scanned._scanners) == 1
    scanned._scanners[0][1].append((2, True, 1040))
    assert scanned.poll() == ((2, True, 40),)
    assert scanned.poll() == ()


def test_of_edges_that_did_not_fit_none_counts():
    scanned = made((0, 0, 0))
    numbers, events, scanner = scanned._scanners[0]
    resets = []
    scanner.reset = lambda: resets.append(1)
    events.append((0, True, 1040))  # its release got lost
    events.overflowed = True
    assert scanned.poll() == ((0, False, 0), (1, False, 0), (2, False, 0))
    assert resets and not events.overflowed and scanned.poll() == ()


def test_keys_of_two_polarities_are_merged_by_time():
    scanned = made((0, 1, 1))
    low, high = scanned._scanners
    assert (low[2].pins, low[2].value_when_pressed) == (["A"], False)
    assert (high[2].pins, high[2].value_when_pressed) == (["B", "J"], True)
    low[1].append((0, True, 1090))
    high[1].append((1, True, 1050))
    high[1].append((0, True, 1095))
    assert scanned.poll() == ((2, True, 50), (0, True, 90), (1, True, 95))


def test_the_battery_is_read_through_its_divider():
    assert battery.Battery(None).percent is None
    for millivolts, percent in (
        (3200, 0),
        (3300, 0),
        (3700, 13),
        (3750, 21),
        (4200, 93),
        (4400, 100),
    ):
        assert battery.percent_of(millivolts) == percent, millivolts
    # 4.1 V at the cell: half of it at a Feather's pin, 1.1 V at a FeatherS3's
    for full_mv, value in ((6600, 40712), (12202, 22021)):
        gauge = battery.Battery("pin", full_mv)
        gauge._input.value = value
        assert gauge.percent == battery.percent_of(4100) == 80


def test_a_tone_lasts_until_it_is_ended():
    sound = signals.Buzzer("pin")
    assert sound._pwm.duty_cycle == 0
    sound.tone(880)
    assert (sound._pwm.frequency, sound._pwm.duty_cycle) == (880, 0x8000)
    sound.off()
    assert sound._pwm.duty_cycle == 0


def test_pixels_are_sent_green_first_and_dimmed():
    bar = signals.Pixels("pin", 2)
    assert neopixel_write.wire[-1] == bytes(6)
    bar.show(b"\xff\x01\x00")
    assert neopixel_write.wire[-1] == b"\x01\x40\x00\x00\x00\x00"
    bar.show(b"")
    assert neopixel_write.wire[-1] == bytes(6)


def test_a_heartbeat_is_read_as_written():
    beat = chip.Heartbeat()
    alarm.sleep_memory[:] = bytes(range(256))
    assert beat.read() == b""
    alarm.sleep_memory[254:256] = b"\xfe\x01"
    beat.write(b"alive")
    assert beat.read() == b"alive"
    assert alarm.sleep_memory[254:256] == b"\x00\x00"
    alarm.sleep_memory[6] ^= 1
    assert beat.read() == b""


def journals():
    paths = ("journal0.bin", "journal1.bin")
    for path in paths:
        with open(path, "wb") as file:
            for _ in range(512):
                file.write(b"\xff" * 512)
    return paths


def test_blocks_lie_between_the_margins_and_are_synced():
    paths = journals()
    flash = store.Store(paths)
    assert flash.blocks == 496
    os.synced.clear()
    flash.write(1, 0, b"\x01" * 512)
    flash.write(1, 495, b"\x02" * 512)
    assert len(os.synced) == 2
    block = bytearray(512)
    for copy, byte in ((1, b"\x01"), (0, b"\xff")):
        flash.readinto(copy, 0, block)
        assert block == byte * 512
    for file in flash._files:
        file.flush()
    with open(paths[1], "rb") as file:
        whole = file.read()
    assert whole[8 * 512 : 9 * 512] == b"\x01" * 512
    assert whole[503 * 512 : 504 * 512] == b"\x02" * 512
    assert whole[: 8 * 512] == whole[504 * 512 :] == b"\xff" * (8 * 512)


def refuses(kind, act):
    try:
        act()
    except kind:
        return True
    return False


def test_a_store_refuses_what_it_cannot_keep():
    paths = journals()
    flash = store.Store(paths)
    assert refuses(ValueError, lambda: flash.write(0, 496, bytes(512)))
    assert refuses(ValueError, lambda: flash.write(0, -1, bytes(512)))
    assert refuses(ValueError, lambda: flash.write(0, 0, bytes(511)))
    with open(paths[0], "wb") as file:
        file.write(b"short")
    assert refuses(OSError, lambda: store.Store(paths))
    assert refuses(OSError, lambda: store.Store(("absent.bin",)))


def test_the_watchdog_resets_and_is_armed_by_the_first_feed():
    import microcontroller
    from watchdog import WatchDogMode

    dog = microcontroller.watchdog
    assert dog.mode is None and dog.fed == 0
    chip.feed()
    chip.feed()
    assert (dog.mode, dog.timeout, dog.fed) == (WatchDogMode.RESET, 20, 2)


class Worn:
    """A journal's file on a silent flash that fails to keep the next ``failures`` blocks."""

    def __init__(self, file, failures):
        self._file, self.failures = file, failures
        self.seek, self.readinto = file.seek, file.readinto

    def write(self, data):
        self.failures -= 1
        return self._file.write(data if self.failures < 0 else b"\xff" * len(data))


def test_the_keys_are_looked_at_between_two_writes():
    flash = store.Store(journals())
    supervisor.now[0] += 40
    begun_ms = supervisor.now[0]
    flash.write(0, 3, b"\x07" * 512)
    assert supervisor.now[0] == begun_ms
    supervisor.now[0] += 5
    flash.write(1, 3, b"\x07" * 512)
    assert supervisor.now[0] == begun_ms + 25, "an erase stops their scan: they are 10 ms apart"


def test_a_heap_is_collected_when_it_is_asked_for():
    import gc

    made = chip.Heap()
    assert not gc.isenabled() and not made.low
    made.collect()
    filled = bytearray(gc.mem_free() - 900_000)
    assert made.low and gc.isenabled(), "with less than 1 MB the interpreter may, too"
    del filled
    gc.collect()
    assert not made.low and not gc.isenabled()
    gc.enable()


def test_a_silent_flash_is_read_back():
    flash = store.Store(journals())
    flash.write(0, 3, b"\x07" * 512)
    assert flash._seek(0, 3).read(512) == b"\x07" * 512
    flash._files[1] = Worn(flash._files[1], 1)
    flash.write(1, 3, b"\x07" * 512)
    flash._files[1].failures = 2
    assert refuses(OSError, lambda: flash.write(1, 4, b"\x07" * 512))
