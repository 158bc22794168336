"""A chip's memory: the heap in PSRAM, what a write to the flash stops, and a radio's own."""

import pytest
from barechip import OURS, REST

from host.sim import prices
from host.sim.chip import natives
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
