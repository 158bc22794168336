"""A chip's memory and what a write to the flash stops; and what an ESP32-S3's chip does otherwise."""

import pytest
from barechip import ARM, OURS, RESET, REST, ran

from host.sim import prices
from host.sim.chip import natives
from host.sim.chip.drive import FIRST
from host.sim.chip.flash import BLOCKS
from host.sim.chip.natives import HEAP_BYTES, Memory

BOARD = "unexpectedmaker_feathers3"
WRITE = """import board, keypad, storage, time
keys = keypad.Keys([board.A0], value_when_pressed=False, interval=0.01, debounce_threshold=2)
f = open('/journal0.bin', 'r+b')
time.sleep(1)
f.seek(512)
f.write(b'\\x01' * 512)
time.sleep(0.5)
event = keypad.Event()
while keys.events.get_into(event):
    print(event.key_number, event.pressed)
"""


def heap(outer=100_000):
    """Return a Memory, and the list that gets what was free at each of its collections."""
    found = []
    made = Memory(outer, None, lambda: found.append(made.free))
    return made, found


def test_a_heap_that_collects_by_itself_does_so_before_it_grows():
    made, found = heap()
    made.allocate(HEAP_BYTES)
    assert not found
    made.allocate(HEAP_BYTES)
    assert len(found) == 1 and made.size == HEAP_BYTES, "its garbage was room enough"
    made.allocate(HEAP_BYTES, alive=True)
    made.allocate(100)
    assert len(found) == 3 and made.size == 2 * HEAP_BYTES


def test_a_heap_that_collects_nothing_grows_and_then_fails():
    made, found = heap()
    made.automatic = False
    for _ in range(9):
        made.allocate(10_000)
    assert made.size > 90_000 and not found
    with pytest.raises(MemoryError):
        made.allocate(10_000)


def test_an_import_ends_in_a_collection_of_what_is_loaded_by_then(bare):
    table = prices.load().on("feathers3")
    chip = bare(BOARD, boot="", code="import small, large\n" + REST,
                small="a = 1\n", large="b = 2\n" + "# a comment\n" * 20_000)  # fmt: skip
    chip.power(15)
    alive = chip.memory.alive
    whole_us = 1000 * table["gc_ms"]
    large_us = whole_us * alive // table["heap_alive_bytes"]
    assert alive > 100_000 and large_us <= chip.spent["gc_ms"] < 1.1 * large_us
    assert not chip.times("collection"), "the program asked for none"


@pytest.mark.parametrize("after_ms, scanned", [(-40, True), (2, False)])
def test_no_key_is_scanned_while_an_s3_writes(bare, after_ms, scanned):
    """A press of 50 ms within the erase of 50 ms is not there for the keys."""
    chip = bare(BOARD, boot=OURS, code=WRITE + REST)
    chip.power(1)
    while not chip.spent["flash_erase_us"]:
        chip.run(0.001)
    begun_us = chip.now_us - chip.spent["flash_erase_us"] - chip.spent["flash_program_us"]
    again = bare(BOARD, boot=OURS, code=WRITE + REST)
    down_us = begun_us + 1000 * after_ms
    again.touches = [(down_us, "A0", True), (down_us + 50_000, "A0", False)]
    again.power(8)
    assert again.console == (["0 True", "0 False"] if scanned else [])


@pytest.mark.parametrize("setting, wait_ms", [("", 2000), ("CIRCUITPY_SAFE_MODE_DELAY = 0\n", 1000),
                         ("CIRCUITPY_BLE_WORKFLOW = false\nCIRCUITPY_SAFE_MODE_DELAY = 0.5\n", 500),
                         ("CIRCUITPY_BLE_WORKFLOW = false\n", 1000)])  # fmt: skip
def test_settings_spare_a_start_its_waits(bare, tmp_path, setting, wait_ms):
    (tmp_path / "settings.toml").write_text(setting)
    chip = bare(BOARD, boot="", code=REST)
    chip.power(5)
    table = prices.load().on("feathers3")
    tested_ms = 2 * (8 << 20) // 32 * table["psram_line_ns"] // 1_000_000
    assert chip.times("run", "boot.py") == [
        table["loader_ms"] + table["uf2_ms"] + tested_ms + wait_ms
    ]
    old = bare(BOARD, boot="", code=REST)
    old.version = (10, 2, 1)
    old.power(6)
    assert old.times("run", "boot.py")[0] == chip.times("run", "boot.py")[0] + 2000 - wait_ms


@pytest.mark.parametrize("model", ("feathers3", "lilygo"))
def test_an_event_on_a_laid_board_costs_two_erases(chip_of, model):
    """BOOT records of ten starts: each is one event, written to both copies."""
    chip = chip_of(model)
    chip.power(12)
    before = sum(chip.flash.erases.values())
    for _ in range(9):
        chip.press_reset()
        chip.run(12)
    # the block that ends meanwhile is closed while nobody waits
    assert sum(chip.flash.erases.values()) - before <= 2 * 9 + 2


def test_the_journals_are_never_closed(chip_of):
    chip = chip_of()
    chip.power(20)
    chip.press_reset()
    chip.run(20)
    assert chip.drive.flushed == 0


@pytest.fixture
def wasted(chip_of):
    """A table's chip whose radio may begin five adverts."""
    chip = chip_of("feathers3")
    chip.radio_adverts = 5
    return chip


def test_the_radio_is_restarted_and_the_board_is_not(wasted):
    wasted.power(150)
    [off_ms] = wasted.times("radio", "off")
    assert [at for at in wasted.times("advert") if at > off_ms]
    assert not wasted.times("reset", natives.WATCHDOG) and not wasted.times("safe mode")


def test_where_it_does_not_come_on_again_the_watchdog_resets_the_board(wasted):
    wasted.radio_lost = True
    wasted.power(110)
    bite_ms = wasted.times("reset", natives.WATCHDOG)[0]
    assert not wasted.times("safe mode") and [
        at for at in wasted.times("advert") if at > bite_ms
    ], "it advertises again: the chip's radio begins anew with the chip"


def test_a_soft_reset_disarms_the_watchdog(bare):
    chip = bare(BOARD, boot="", code=ARM + RESET)
    chip.power(5)
    chip.drive.path("code.py").write_text(REST, encoding="utf-8")
    chip.run(60)
    assert chip.times("reset", natives.SOFTWARE) and not chip.times("reset", natives.WATCHDOG)


def test_a_bite_is_no_safe_mode_even_with_usb(bare):
    chip = bare(BOARD, usb=True, boot="", code=ARM + REST, safemode="")
    chip.power(25)
    assert chip.times("reset", natives.WATCHDOG) and not chip.times("safe mode")
    assert ran(chip) == ["boot.py", "code.py"] * 2


@pytest.mark.parametrize("end", ["", "1 / 0\n"])
def test_the_end_of_a_vm_disarms_the_watchdog_and_does_not_crash(bare, end):
    chip = bare(BOARD, boot="", code=ARM + end, safemode="")
    chip.power(60)
    assert ran(chip) == ["boot.py", "code.py"], "it waits for ever: the program resets by itself"


KEEP = "import alarm\nalarm.sleep_memory[0:4] = b'kept'\n"
ZERO, KEPT = bytes(4), b"kept"


@pytest.mark.parametrize("version, kept", [((10, 2, 1), ZERO), ((10, 3, 1), KEPT)])
def test_sleep_memory_outlives_a_soft_reset_but_of_old_interpreters(bare, version, kept):
    once = "import microcontroller\nif microcontroller.cpu.reset_reason == 'POWER_ON':\n"
    chip = bare(BOARD, boot="", code=KEEP + once + "    microcontroller.reset()\n" + REST)
    chip.version = version
    chip.drive.path("boot.py").write_text("import alarm\nprint(bytes(alarm.sleep_memory[0:4]))\n")
    chip.power(10)
    assert chip.times("reset", natives.SOFTWARE) and chip.console == [repr(kept)]


@pytest.mark.parametrize("end", ["power", "button"])
def test_power_and_the_button_zero_the_sleep_memory(bare, end):
    chip = bare(BOARD, boot="", code=KEEP + REST)
    chip.power(5)
    assert bytes(chip.sleep_memory[0:4]) == KEPT
    chip.drive.path("code.py").write_text(REST, encoding="utf-8")
    if end == "power":
        chip.cut()
        chip.power(5)
    else:
        chip.press_reset()
        chip.run(5)
    assert bytes(chip.sleep_memory[0:4]) == ZERO


def test_psram_is_told_by_a_module_of_its_own(bare):
    program = "import espidf\nprint(espidf.get_total_psram())\n"
    chip = bare(BOARD, boot="", code=program + REST)
    chip.power(5)
    assert chip.console == ["8388608"]
    other = bare("feather_nrf52840_express", boot="", code=program + REST)
    other.power(5)
    assert other.console[-1] == "ImportError: no module named 'espidf'"


def test_to_forget_nobody_takes_no_time(bare):
    program = (
        "import _bleio, supervisor\n_bleio.adapter.enabled = True\nbegun = supervisor.ticks_ms()\n"
        "_bleio.adapter.erase_bonding()\nprint(supervisor.ticks_ms() - begun)\n"
    )
    chip = bare(BOARD, boot="", code=program + REST)
    chip.power(5)
    assert int(chip.console[0]) <= 1


def test_a_gauge_tells_the_share_of_3300_millivolts(bare):
    program = (
        "import analogio, board\nprint(analogio.AnalogIn(board.VOLTAGE_MONITOR).value * 3300 //"
        " 65535)\n"
    )
    chip = bare(BOARD, boot="", code=program + REST)
    chip.power(5)
    (told_mv,) = map(int, chip.console)
    assert 1990 <= told_mv <= 2010, "4.0 V, halved"


def test_every_block_written_erases_its_sector_at_once(bare):
    write = (
        "import storage\nf = open('/journal0.bin', 'r+b')\nf.seek(512)\nf.write(b'\\x01' * 512)\n"
    )
    chip = bare(BOARD, boot=OURS, code=write + REST)
    chip.power(10)
    assert chip.flash.erases == {(FIRST + 1) // BLOCKS: 1}
    assert chip.flash.raw(FIRST + 1) == b"\x01" * 512, "without a sync"


def test_a_worn_sector_is_told_on_the_panel_and_tried_again(chip_of):
    """The chip says nothing: only what is read back tells."""
    chip = chip_of("feathers3")
    chip.flash.worn.update(range(FIRST // BLOCKS, FIRST // BLOCKS + 128))
    chip.power(30)
    assert len(chip.times("reset", natives.SOFTWARE)) >= 2
    assert not chip.times("reset", natives.WATCHDOG) and not chip.times("safe mode")
