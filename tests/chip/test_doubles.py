"""The doubles held to the contract: each raises what the chip raises, and waits as long as it
waits.

A program of one act runs as ``code.py`` on a chip of its own; what it prints is what came of it.
"""

import threading
import tomllib

import pytest
import tree
from barechip import OURS as OUR_OWN
from barechip import REST, printed

from host.sim.chip.radio import Advert
from host.sim.chip.usb import QUEUE
from host.sim.panel import Panel, driver_sleeps

FEATHER, LILYGO = "feather_nrf52840_express", "lilygo_tdisplay_s3"

# (row of the contract, what is done before, what is done, the error's name and text that must come)
REFUSALS = (
    ("microcontroller.watchdog.mode", "from watchdog import WatchDogMode as M; d = microcontroller.watchdog; d.timeout = 20; d.mode = M.RESET", "d.mode = M.RESET", "OSError"),
    ("microcontroller.watchdog.timeout", "from watchdog import WatchDogMode as M; d = microcontroller.watchdog; d.timeout = 20; d.mode = M.RESET", "d.timeout = 5", "RuntimeError"),
    ("microcontroller.watchdog.timeout", "", "microcontroller.watchdog.timeout = -1", "ValueError"),
    ("alarm.sleep_memory", "", "alarm.sleep_memory[0:4] = b'abc'", "ValueError"),
    ("alarm.sleep_memory", "", "alarm.sleep_memory[0:4] = [1, 2, 3, 4]", "NotImplementedError"),
    ("alarm.sleep_memory", "", "alarm.sleep_memory[0:8:2]", "NotImplementedError"),
    ("alarm.sleep_memory", "", "alarm.sleep_memory[256]", "IndexError"),
    ("supervisor.set_next_code_file", "", "supervisor.set_next_code_file('/none.py')", "ValueError"),
    ("time.sleep", "", "time.sleep(-1)", "ValueError"),
    ("usb_cdc.disable", "", "usb_cdc.disable()", "RuntimeError"),
    ("usb_hid.disable", "", "usb_hid.disable()", "RuntimeError"),
    ("usb_midi.disable", "", "usb_midi.disable()", "RuntimeError"),
    ("storage.disable_usb_drive", "", "storage.disable_usb_drive()", "RuntimeError"),
    ("storage.getmount", "", "storage.getmount('/sd')", "OSError"),
    ("open", "", "open('/none.bin', 'rb')", "OSError"),
    ("open", "", "open('/journal0.bin', 'rwb')", "ValueError"),
    ("open", "storage.getmount('/').usb_writable = True", "open('/journal0.bin', 'r+b')", "OSError"),
    ("json.load", "import json", "json.load(open('/code.py'))", "ValueError"),
    ("hashlib.new", "", "hashlib.new('md4x')", "ValueError"),
    ("hashlib.sha256", "", "hashlib.sha256", "AttributeError"),
    ("board.DISPLAY", "", "board.DISPLAY", "AttributeError"),
    ("digitalio.DigitalInOut", "a = digitalio.DigitalInOut(board.A0)", "digitalio.DigitalInOut(board.A0)", "ValueError"),
    ("digitalio.DigitalInOut", "a = digitalio.DigitalInOut(board.LED)", "digitalio.DigitalInOut(board.D13)", "ValueError"),
    ("DigitalInOut.deinit", "a = digitalio.DigitalInOut(board.A0); a.deinit()", "a.value", "ValueError"),
    ("DigitalInOut.direction", "a = digitalio.DigitalInOut(board.A0)", "a.value = True", "AttributeError"),
    ("keypad.Keys", "", "keypad.Keys([board.A0, board.A0], value_when_pressed=False)", "TypeError"),
    ("keypad.Keys", "", "keypad.Keys([board.A0], value_when_pressed=False, debounce_threshold=0)", "ValueError"),
    ("keypad.Keys", "a = digitalio.DigitalInOut(board.A0)", "keypad.Keys([board.A0], value_when_pressed=False)", "ValueError"),
    ("EventQueue.get_into", "k = keypad.Keys([board.A0], value_when_pressed=False)", "k.events.get_into(None)", "TypeError"),
    ("pwmio.PWMOut", "", "pwmio.PWMOut(board.A3, frequency=0)", "ValueError"),
    ("pwmio.PWMOut", "p = [pwmio.PWMOut(n, variable_frequency=True) for n in (board.A0, board.A1, board.A2, board.A3)]", "pwmio.PWMOut(board.A4)", "RuntimeError"),
    ("PWMOut.frequency", "p = pwmio.PWMOut(board.A3)", "p.frequency = 880", "AttributeError"),
    ("PWMOut.frequency", "p = pwmio.PWMOut(board.A3, variable_frequency=True)", "p.frequency = 50_000_000", "ValueError"),
    ("PWMOut.duty_cycle", "p = pwmio.PWMOut(board.A3)", "p.duty_cycle = 65536", "ValueError"),
    ("analogio.AnalogIn", "", "analogio.AnalogIn(board.D5)", "ValueError"),
    ("neopixel_write.neopixel_write", "", "neopixel_write.neopixel_write(board.D11, b'abc')", "TypeError"),
    ("fourwire.FourWire", "a = digitalio.DigitalInOut(board.D9)", "fourwire.FourWire(board.SPI(), command=board.D10, chip_select=board.D9)", "ValueError"),
    ("PacketBuffer.outgoing_packet_length", "s = _bleio.Service(_bleio.UUID(1)); p = _bleio.PacketBuffer(_bleio.Characteristic.add_to_service(s, _bleio.UUID(2)), buffer_size=1)", "p.outgoing_packet_length", "ValueError"),
    ("Adapter.start_advertising", "", "_bleio.adapter.start_advertising(bytes(32))", "ValueError"),
    ("Adapter.start_advertising", "", "_bleio.adapter.start_advertising(b'', interval=0.01)", "ValueError"),
    ("Adapter.start_advertising", "_bleio.adapter.start_advertising(b'')", "_bleio.adapter.start_advertising(b'')", "BluetoothError"),
    ("keypad.Event", "", "keypad.Event(-1)", "ValueError"),
    ("traceback.print_exception", "import traceback", "traceback.print_exception('no exception')", "TypeError"),
    ("storage.remount", "", "storage.remount('/sd')", "OSError"),
    ("os.getenv", "import os", "os.getenv(7)", "TypeError"),
    ("board.SPI", "a = digitalio.DigitalInOut(board.SCK)", "board.SPI()", "ValueError"),
    ("DigitalInOut.switch_to_input", "a = digitalio.DigitalInOut(board.A0); a.deinit()", "a.switch_to_input()", "ValueError"),
    ("DigitalInOut.switch_to_output", "a = digitalio.DigitalInOut(board.A0); a.deinit()", "a.switch_to_output()", "ValueError"),
    ("DigitalInOut.direction", "a = digitalio.DigitalInOut(board.A0); a.deinit()", "a.direction", "ValueError"),
    ("displayio.Bitmap", "", "displayio.Bitmap(-1, 8, 2)", "ValueError"),
    ("displayio.Bitmap", "", "displayio.Bitmap(8, 8, 0)", "ValueError"),
    ("displayio.Bitmap", "b = displayio.Bitmap(8, 8, 2)", "b[8, 0]", "IndexError"),
    ("displayio.Bitmap", "b = displayio.Bitmap(8, 8, 2)", "b[64]", "IndexError"),
    ("displayio.Bitmap", "b = displayio.Bitmap(8, 8, 2)", "b[0:2]", "NotImplementedError"),
    ("displayio.Bitmap", "b = displayio.Bitmap(8, 8, 2)", "b[0] = 2", "ValueError"),
    ("Bitmap.fill", "b = displayio.Bitmap(8, 8, 2)", "b.fill(2)", "ValueError"),
    ("displayio.Group", "g = displayio.Group(); h = displayio.Group(); g.append(h)", "g.append(h)", "ValueError"),
    ("displayio.Group", "g = displayio.Group()", "g.append(3)", "ValueError"),
    ("displayio.Group", "", "displayio.Group(scale=0)", "ValueError"),
    ("displayio.Palette", "p = displayio.Palette(2)", "p[0] = 0x1000000", "TypeError"),
    ("displayio.Palette", "p = displayio.Palette(2)", "p[2] = 0", "IndexError"),
    ("Palette.make_transparent", "p = displayio.Palette(2)", "p.make_transparent(2)", "ValueError"),
    ("displayio.TileGrid", "b = displayio.Bitmap(8, 8, 2); p = displayio.Palette(2)", "displayio.TileGrid(b, pixel_shader=p, tile_width=3)", "ValueError"),
    ("displayio.TileGrid", "t = displayio.TileGrid(displayio.Bitmap(8, 8, 2), pixel_shader=displayio.Palette(2))", "t[1] = 0", "IndexError"),
    ("TileGrid.bitmap", "t = displayio.TileGrid(displayio.Bitmap(8, 8, 2), pixel_shader=displayio.Palette(2))", "t.bitmap = displayio.Bitmap(8, 9, 2)", "ValueError"),
    ("vectorio.Rectangle", "p = displayio.Palette(2)", "vectorio.Rectangle(pixel_shader=p, width=0, height=4)", "ValueError"),
    ("bitmaptools.readinto", "b = displayio.Bitmap(8, 8, 2); f = open('/journal0.bin', 'rb')", "bitmaptools.readinto(b, f, 3)", "ValueError"),
    ("_bleio.PacketBuffer", "", "_bleio.PacketBuffer(None, buffer_size=0)", "ValueError"),
)  # fmt: skip
DRAWN = (
    "b = displayio.Bitmap(8, 8, 2); p = displayio.Palette(2); t = displayio.TileGrid(b,"
    " pixel_shader=p); r = vectorio.Rectangle(pixel_shader=p, width=4, height=4)"
)
BOARD_TIME = "import os; f = open('/journal0.bin', 'r+b')"
# (row of the contract, what is done before, what is asked, what the chip answers)
ANSWERS = (
    ("microcontroller.cpu.reset_reason", "", "microcontroller.cpu.reset_reason == microcontroller.ResetReason.POWER_ON", True),
    ("supervisor.runtime.autoreload", "supervisor.runtime.autoreload = False", "supervisor.runtime.autoreload", False),
    ("supervisor.runtime.ble_workflow", "on = supervisor.runtime.ble_workflow; supervisor.runtime.ble_workflow = False", "(on, supervisor.runtime.ble_workflow)", (True, False)),
    ("supervisor.runtime.usb_connected", "", "supervisor.runtime.usb_connected", False),
    ("sys.implementation.version", "import sys", "sys.implementation.version[:3]", (10, 3, 1)),
    ("sys.modules", "import sys, struct", "'struct' in sys.modules", True),
    ("file.seek", BOARD_TIME, "(f.seek(0, 2), f.seek(1024))", (262144, 1024)),
    ("file.readinto", BOARD_TIME + "; f.seek(512)", "f.readinto(bytearray(512))", 512),
    ("file.read", BOARD_TIME + "; f.seek(512)", "f.read(512) == b'\\xff' * 512", True),
    ("file.write", BOARD_TIME + "; f.seek(512); n = f.write(bytes(512)); f.seek(512)", "(n, f.read(512) == bytes(512))", (512, True)),
    ("gc.mem_free", "import gc", "100_000 < gc.mem_free() < 122_932", True),
    ("time.monotonic_ns", "began = time.monotonic_ns(); time.sleep(0.25)", "time.monotonic_ns() - began >= 250_000_000", True),
    ("os.urandom", "import os", "(len(os.urandom(32)), os.urandom(32) == os.urandom(32))", (32, False)),
    ("board.board_id", "", "board.board_id", FEATHER),
    ("board.SPI", "", "board.SPI() == board.SPI()", True),
    ("board.LED", "", "hasattr(board, 'LED')", True),
    ("digitalio.Direction.OUTPUT", "a = digitalio.DigitalInOut(board.A0); a.direction = digitalio.Direction.OUTPUT", "a.value", False),
    ("digitalio.Pull.UP", "a = digitalio.DigitalInOut(board.A0); a.switch_to_input(digitalio.Pull.UP)", "a.value", True),
    ("displayio.release_displays", "w = [fourwire.FourWire(board.SPI(), command=board.D10, chip_select=board.D9)]; displayio.release_displays()", "bool(fourwire.FourWire(board.SPI(), command=board.D10, chip_select=board.D9))", True),
    ("TileGrid.bitmap", DRAWN + "; c = displayio.Bitmap(8, 8, 2); t.bitmap = c", "t.bitmap is c", True),
    ("TileGrid.flip_x", DRAWN + "; t.flip_x = True", "t.flip_x", True),
    ("TileGrid.flip_y", DRAWN + "; t.flip_y = True", "t.flip_y", True),
    ("Rectangle.color_index", DRAWN + "; r.color_index = 1", "r.color_index", 1),
    ("Rectangle.location", DRAWN + "; r.location = 3, 5", "(r.x, r.y)", (3, 5)),
    ("_bleio.BluetoothError", "", "issubclass(_bleio.BluetoothError, Exception) and not issubclass(_bleio.BluetoothError, (OSError, ValueError))", True),
    ("_bleio.adapter", "", "_bleio.adapter is _bleio.adapter", True),
    ("Adapter.advertising", "_bleio.adapter.start_advertising(b'')", "_bleio.adapter.advertising", True),
    ("Adapter.stop_advertising", "_bleio.adapter.start_advertising(b''); _bleio.adapter.stop_advertising()", "_bleio.adapter.advertising", False),
    ("Adapter.connections", "", "_bleio.adapter.connections", ()),
    ("Adapter.address", "", "type(_bleio.adapter.address).__name__", "Address"),
    ("Address.address_bytes", "", "len(_bleio.adapter.address.address_bytes)", 6),
)  # fmt: skip
# (row, what is done before, what is done, how long it blocks in ms at the least)
WAITS = (
    ("time.sleep", "", "time.sleep(0.25)", 250),
    ("file.seek", BOARD_TIME, "[f.seek(0) for _ in range(10)]", 3),
    ("file.write", BOARD_TIME + "; f.seek(512)", "f.write(bytes(512))", 50),
    ("gc.collect", "import gc", "gc.collect()", 12),
    ("microcontroller.delay_us", "", "microcontroller.delay_us(25_000)", 25),
    ("neopixel_write.neopixel_write", "a = digitalio.DigitalInOut(board.D11); a.switch_to_output()", "neopixel_write.neopixel_write(a, bytes(72))", 4),
    ("analogio.AnalogIn", "a = analogio.AnalogIn(board.VOLTAGE_MONITOR)", "[a.value for _ in range(100)]", 2),
    ("Adapter.start_advertising", "", "_bleio.adapter.start_advertising(b'')", 1),
)  # fmt: skip
NATIVE = (
    "import _bleio, alarm, analogio, bitmaptools, board, digitalio, displayio, fourwire, hashlib,"
    " keypad, microcontroller, neopixel_write, pwmio, storage, supervisor, time, usb_cdc, usb_hid,"
    " usb_midi, vectorio\n"
)


def told(bare, program, seconds=5, **chip):
    """Return the values that a program prints as it runs on a chip that goes on afterwards."""
    made = bare(boot=OUR_OWN, code=NATIVE + program + REST, **chip)
    made.power(seconds)
    assert made.times("run", "code.py") and not made.times("light", "red 2"), made.console
    return printed(made)


@pytest.mark.parametrize(
    "row, before, act, error", REFUSALS, ids=[f"{row[0]}: {row[2]}" for row in REFUSALS]
)
def test_a_double_refuses_as_the_chip(bare, row, before, act, error):
    named = (  # boards have no FileNotFoundError, no JSONDecodeError
        "'OSError' if isinstance(e, OSError) else 'ValueError' if isinstance(e, ValueError)"
        " else type(e).__name__"
    )
    program = (
        f"{before}\ntry:\n    {act}\n    print(repr('nothing'))\nexcept Exception as e:\n   "
        f" print(repr({named}))"
    )
    assert told(bare, program)[:1] == [error]


@pytest.mark.parametrize("row, before, asked, answer", ANSWERS, ids=[row[0] for row in ANSWERS])
def test_a_double_answers_as_the_chip(bare, row, before, asked, answer):
    assert told(bare, f"{before}\nprint(repr({asked}))")[:1] == [answer]


@pytest.mark.parametrize("row, before, act, wait_ms", WAITS, ids=[row[0] for row in WAITS])
def test_a_double_blocks_as_long_as_the_chip(bare, row, before, act, wait_ms):
    program = (
        f"{before}\nbegan = supervisor.ticks_ms()\n{act}\nprint(supervisor.ticks_ms() - began)"
    )
    assert told(bare, program)[0] >= wait_ms


def test_every_row_of_the_tables_is_in_the_contract():
    rows = tomllib.loads((tree.ROOT / "host/sim/chip/contract.toml").read_text("utf-8"))
    assert not {row[0] for row in (*REFUSALS, *ANSWERS, *WAITS)} - set(rows)


def test_a_watchdog_that_nobody_armed_in_this_vm_is_not_fed(bare):
    assert told(
        bare, "microcontroller.watchdog.feed(); print(repr(microcontroller.watchdog.mode))"
    ) == [None]


KEYS = "k = keypad.Keys([{}], value_when_pressed=False, interval=0.01{})\ne = keypad.Event()\n"
EACH = "while k.events.get_into(e):\n    print({})"


def test_a_key_that_is_down_at_the_start_gives_a_release_alone(bare):
    program = KEYS.format("board.A0", ", debounce_threshold=2") + "time.sleep(5)\n"
    program += EACH.format("(e.key_number, e.pressed)")
    chip = bare(boot=OUR_OWN, code=NATIVE + program + REST)
    chip.fingers.add("A0")
    chip.power(5)
    chip.fingers.clear()
    chip.run(10)
    assert chip.console == ["(0, False)"]


def test_a_full_queue_refuses_the_newest(bare):
    program = KEYS.format("board.A0", ", max_events=2") + "time.sleep(5)\n"
    program += "print(k.events.overflowed)\n" + EACH.format("e.pressed")
    chip = bare(boot=OUR_OWN, code=NATIVE + program + REST)
    chip.power(3)
    for _ in range(3):
        chip.fingers.add("A0")
        chip.run(0.2)
        chip.fingers.clear()
        chip.run(0.2)
    chip.run(10)
    assert chip.console == ["True", "True", "False"]


def test_a_tick_counter_wraps_sixty_five_seconds_after_a_start(bare):
    program = "a = supervisor.ticks_ms()\ntime.sleep(70)\n"
    program += "print((a > 1 << 28, supervisor.ticks_ms() < 1 << 28))"
    assert told(bare, program, 90) == [(True, True)]


def test_a_refresh_alone_changes_the_panel(bare):
    program = (
        "import displayio\nboard.DISPLAY.auto_refresh = False\ng = displayio.Group()\nb ="
        " displayio.Bitmap(9, 9, 1)\np = displayio.Palette(1)\np[0] ="
        " 0xFFFFFF\ng.append(displayio.TileGrid(b, pixel_shader=p))\nboard.DISPLAY.root_group ="
        " g\ntime.sleep(10)\nboard.DISPLAY.refresh()"
    )
    chip = bare(LILYGO, boot=OUR_OWN, code=NATIVE + program + REST)
    chip.power(8)
    assert chip.glass.image().getbbox() is None
    chip.run(10)
    assert chip.glass.image().getbbox() is not None


@pytest.mark.parametrize(
    "text, expected",
    [
        ('K = "text"', "text"), ("K = 7", "7"), ("K = false", "false"), ("K =", None), ('K = "open', None),
        ("K = 1\nK = 2", "1"), ("[s]\nK = 1", None), ("# K = 1", None), ("KEY = 1", None), (" K=5 # why", "5"),
    ],
)  # fmt: skip
def test_settings_are_read_line_by_line(bare, tmp_path, text, expected):
    (tmp_path / "settings.toml").write_text(text + "\n", encoding="utf-8")
    assert told(bare, "import os\nprint(repr(os.getenv('K')))") == [expected]


def test_a_press_has_its_key_and_the_time_of_its_scan(bare):
    program = KEYS.format("board.A0, board.A1", "")
    program += "began = supervisor.ticks_ms()\ntime.sleep(5)\n"
    program += EACH.format("(e.key_number, e.pressed, 1800 < e.timestamp - began < 2300)")
    chip = bare(boot=OUR_OWN, code=NATIVE + program + REST)
    chip.power(4.3)
    chip.fingers.add("A1")
    chip.run(10)
    assert chip.console == ["(1, True, True)"]


def test_a_reset_of_the_keys_presses_anew_what_is_down(bare):
    program = KEYS.format("board.A0", "") + "time.sleep(3)\nk.reset()\ntime.sleep(1)\n"
    program += EACH.format("e.pressed")
    chip = bare(boot=OUR_OWN, code=NATIVE + program + REST)
    chip.power(3)
    chip.fingers.add("A0")
    chip.run(10)
    assert chip.console == ["True", "True"]


def test_an_opened_panel_shows_the_terminal_until_a_refresh(bare):
    program = (
        "import displayio\nprint(board.DISPLAY.root_group is displayio.CIRCUITPYTHON_TERMINAL)"
    )
    chip = bare(LILYGO, boot=OUR_OWN, code=NATIVE + program + REST)
    chip.power(5)
    assert chip.console == ["True"] and chip.glass.on_terminal


@pytest.mark.parametrize("act", ["board.DISPLAY.rotation = 45", "board.DISPLAY.root_group = held"])
def test_a_panel_refuses_what_it_cannot_show(bare, act):
    program = (
        "held = displayio.Group()\ndisplayio.Group().append(held)\n"
        f"try:\n    {act}\nexcept ValueError as error:\n    print('refused')"
    )
    chip = bare(LILYGO, boot=OUR_OWN, code=NATIVE + program + REST)
    chip.power(5)
    assert chip.console == ["refused"]


def test_a_picture_that_turns_waits_for_the_terminals_settings(bare):
    program = (
        "began = supervisor.ticks_ms()\nboard.DISPLAY.rotation = 180\n"
        "print(supervisor.ticks_ms() - began)\n"
    )
    [turned_ms] = told(bare, program, board_id=LILYGO)
    assert 4 <= turned_ms <= 10


def test_a_picture_lies_where_its_panel_begins(bare):
    """A T-Display-S3's glass begins with its chip's row 35."""
    program = (
        "board.DISPLAY.auto_refresh = False\ng = displayio.Group()\np = displayio.Palette(1)\n"
        "p[0] = 0xFFFFFF\n"
        "g.append(vectorio.Rectangle(pixel_shader=p, width=320, height=170))\n"
        "board.DISPLAY.root_group = g\nboard.DISPLAY.refresh()"
    )
    chip = bare(LILYGO, boot=OUR_OWN, code=NATIVE + program + REST)
    chip.power(5)
    assert chip.glass.image().getbbox() == (0, 0, 320, 170)
    assert bytes(chip.glass.display.wire.frame) == b"\xff" * (2 * 320 * 170)


def test_a_wait_for_a_panel_is_its_openers_alone():
    alone, beside, panels = [], [], []

    def opens_another(seconds):
        if not beside:
            other = threading.Thread(target=lambda: panels.append(Panel("320x170")))
            other.start()
            other.join()
        beside.append(seconds)

    for how in (alone.append, opens_another):
        with driver_sleeps(how):
            Panel("320x170")
    assert alone and alone == beside and panels


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


BOOT = "import usb_cdc\nusb_cdc.enable(console=False, data=True)\n"
LINE_HEAD = "import time, usb_cdc\nline = usb_cdc.data\n"


@pytest.fixture
def line_runs(bare):
    """A function: the chip that runs a program for two seconds, the PC's port open."""

    def made(program, opened=True, reading=True, seconds=5.0):
        chip = bare(usb=True, boot=BOOT, code=LINE_HEAD + program + REST)
        chip.cable.opened, chip.cable.reading = opened, reading
        chip.power(seconds)
        assert not chip.times("light", "red 2"), chip.console
        return chip

    return made


def test_a_line_is_enabled_before_usb_is_up_or_never(bare, line_runs):
    late = "try:\n    usb_cdc.enable(data=True)\nexcept RuntimeError:\n    print(line is not None)"
    assert printed(line_runs(late)) == [True]
    chip = bare(usb=True, boot="", code=LINE_HEAD + "print(line is None)" + REST)
    chip.power(5)
    assert chip.usb_devices == {"console", "drive", "hid", "midi"} and printed(chip) == [True]


@pytest.mark.parametrize("opened", [True, False])
def test_a_line_is_connected_while_a_program_has_it_open(line_runs, opened):
    assert printed(line_runs("print(line.connected)", opened)) == [opened]


def test_what_the_pc_writes_waits_until_it_is_read(line_runs):
    chip = line_runs(
        "line.timeout = 0\nb = bytearray(100)\ntime.sleep(1)\n"
        "for _ in range(3):\n    n = line.in_waiting, line.readinto(b)\n    print((n, b[0]))",
        seconds=2.6,
    )
    chip.cable.write(bytes(range(7, 107)))
    chip.run(3)
    rest = 100 - QUEUE
    assert printed(chip) == [((QUEUE, QUEUE), 7), ((rest, rest), 7 + QUEUE), ((0, 0), 7 + QUEUE)]


def test_a_read_without_a_limit_waits_until_its_buffer_is_full(line_runs):
    chip = line_runs("print(line.timeout)\nprint(line.readinto(bytearray(3)))")
    chip.cable.write(b"ab")
    chip.run(20)
    assert printed(chip) == [None]
    chip.cable.write(b"c")
    chip.run(1)
    assert printed(chip) == [None, 3]


def test_a_write_without_a_limit_waits_for_the_pc(line_runs):
    chip = line_runs("print(line.write_timeout)\nprint(line.write(bytes(200)))", reading=False)
    chip.run(20)
    assert printed(chip) == [None]
    chip.cable.reading = True
    chip.run(1)
    assert printed(chip) == [None, 200] and chip.cable.read() == bytes(200)


@pytest.mark.parametrize("opened, taken", [(True, (QUEUE, 0)), (False, (100, 3))])
def test_a_full_queue_takes_no_more(line_runs, opened, taken):
    program = "line.write_timeout = 0\nprint((line.write(bytes(100)), line.write(b'abc')))"
    chip = line_runs(program, opened, reading=False)
    assert printed(chip) == [taken]
    chip.cable.opened = chip.cable.reading = True
    chip.run(1)
    assert chip.cable.read()[-3:] == (bytes(3) if opened else b"abc")
