"""The doubles held to the contract: each raises what the chip raises, and waits as long as it waits.

A program of one act runs as ``code.py`` on a chip of its own; what it prints is what came of it.
"""

import ast
import tomllib

import pytest
import tree

OURS = "import storage\nstorage.remount('/', readonly=False)\n"
FEATHER, CLUE = "feather_nrf52840_express", "clue_nrf52840_express"

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
    ("PWMOut.frequency", "p = pwmio.PWMOut(board.A3, variable_frequency=True)", "p.frequency = 1", "ValueError"),
    ("PWMOut.duty_cycle", "p = pwmio.PWMOut(board.A3)", "p.duty_cycle = 65536", "ValueError"),
    ("analogio.AnalogIn", "", "analogio.AnalogIn(board.D5)", "ValueError"),
    ("neopixel_write.neopixel_write", "", "neopixel_write.neopixel_write(board.D11, b'abc')", "TypeError"),
    ("fourwire.FourWire", "a = digitalio.DigitalInOut(board.D9)", "fourwire.FourWire(board.SPI(), command=board.D10, chip_select=board.D9)", "ValueError"),
    ("PacketBuffer.outgoing_packet_length", "p = _bleio.PacketBuffer(None, buffer_size=1)", "p.outgoing_packet_length", "ValueError"),
    ("Adapter.start_advertising", "", "_bleio.adapter.start_advertising(bytes(32))", "ValueError"),
    ("Adapter.start_advertising", "", "_bleio.adapter.start_advertising(b'', interval=0.01)", "ValueError"),
    ("Adapter.start_advertising", "_bleio.adapter.start_advertising(b'')", "_bleio.adapter.start_advertising(b'')", "BluetoothError"),
)  # fmt: skip
NATIVE = (
    "import _bleio, alarm, analogio, board, digitalio, fourwire, hashlib, keypad, microcontroller, neopixel_write, "
    "pwmio, storage, supervisor, time, usb_cdc, usb_hid, usb_midi\n"
)


def told(bare, program, seconds=5, **chip):
    """Return the values that a program prints as it runs on a chip that goes on afterwards."""
    made = bare(boot=OURS, code=NATIVE + program + "\nwhile True:\n    time.sleep(1)\n", **chip)
    made.power(seconds)
    assert made.times("run", "code.py") and not made.times("light", "red 2"), made.console
    return [ast.literal_eval(line) for line in made.console]


@pytest.mark.parametrize("row, before, act, error", REFUSALS, ids=[f"{row[0]}: {row[2]}" for row in REFUSALS])
def test_a_double_refuses_as_the_chip(bare, row, before, act, error):
    named = "'OSError' if isinstance(e, OSError) else type(e).__name__"  # boards have no FileNotFoundError
    program = f"{before}\ntry:\n    {act}\n    print(repr('nothing'))\nexcept Exception as e:\n    print(repr({named}))"
    assert told(bare, program)[:1] == [error]


def test_every_row_of_the_refusals_is_in_the_contract():
    rows = tomllib.loads((tree.ROOT / "host/sim/chip/contract.toml").read_text("utf-8"))
    assert not {row[0] for row in REFUSALS} - set(rows)


def test_a_watchdog_that_nobody_armed_in_this_vm_is_not_fed(bare):
    assert told(bare, "microcontroller.watchdog.feed(); print(repr(microcontroller.watchdog.mode))") == [None]


def test_a_key_that_is_down_at_the_start_gives_a_release_alone(bare):
    program = (
        "k = keypad.Keys([board.A0], value_when_pressed=False, interval=0.01, debounce_threshold=2)\n"
        "e = keypad.Event()\ntime.sleep(5)\nwhile k.events.get_into(e):\n    print((e.key_number, e.pressed))"
    )
    chip = bare(boot=OURS, code=NATIVE + program + "\nwhile True:\n    time.sleep(1)\n")
    chip.fingers.add("A0")
    chip.power(5)
    chip.fingers.clear()
    chip.run(10)
    assert chip.console == ["(0, False)"]


def test_a_full_queue_refuses_the_newest(bare):
    program = (
        "k = keypad.Keys([board.A0], value_when_pressed=False, interval=0.01, max_events=2)\n"
        "e = keypad.Event()\ntime.sleep(5)\nprint(k.events.overflowed)\n"
        "while k.events.get_into(e):\n    print(e.pressed)"
    )
    chip = bare(boot=OURS, code=NATIVE + program + "\nwhile True:\n    time.sleep(1)\n")
    chip.power(3)
    for _ in range(3):
        chip.fingers.add("A0")
        chip.run(0.2)
        chip.fingers.clear()
        chip.run(0.2)
    chip.run(10)
    assert chip.console == ["True", "True", "False"]


def test_a_tick_counter_wraps_sixty_five_seconds_after_a_start(bare):
    program = "a = supervisor.ticks_ms()\ntime.sleep(70)\nprint((a > 1 << 28, supervisor.ticks_ms() < 1 << 28))"
    assert told(bare, program, 90) == [(True, True)]


def test_a_refresh_alone_changes_the_panel(bare):
    program = (
        "import displayio\nboard.DISPLAY.auto_refresh = False\ng = displayio.Group()\n"
        "b = displayio.Bitmap(9, 9, 1)\np = displayio.Palette(1)\np[0] = 0xFFFFFF\n"
        "g.append(displayio.TileGrid(b, pixel_shader=p))\nboard.DISPLAY.root_group = g\ntime.sleep(10)\n"
        "board.DISPLAY.refresh()"
    )
    chip = bare(CLUE, boot=OURS, code=NATIVE + program + "\nwhile True:\n    time.sleep(1)\n")
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
