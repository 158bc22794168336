"""What a board's day costs by the model: erases, the longest write, the start; and its file of prices."""

import collections
import pathlib
import sys

import pytest

from firmware.core import events
from host.base.errors import UserError
from host.boards.deploy import bytecode
from host.boards.models import MODELS
from host.sim import costs, flow, prices, stored_records
from host.sim.board import VirtualBoard, board_settings
from host.sim.clock import VirtualLoop
from host.sim.faces import blank_face
from host.sim.single_board import SingleBoard

FLOWS = pathlib.Path(__file__).parents[1] / "flows"
MOST_ERASES, MOST_MS, MOST_COLD_MS = 2, 150, 6000
SPARED_MS = 1000  # board_settings.DELAY
MODELLED = (
    "modelled from CircuitPython's sources at host/sim/prices.toml, nothing measured on a board"
)


class Counting(SingleBoard):
    """A board that counts what each step of its program pays to the flash."""

    def boot(self, reason=0):
        super().boot(reason)
        self.steps = [collections.Counter()]  # by price
        self.board.store.pay = lambda price, times=1: self.steps[-1].update({price: times})
        step = self.app.step

        def counted():
            self.steps.append(collections.Counter())
            return step()

        self.app.step = counted

    @property
    def erases(self):
        return sum(step["flash_erase_us"] for step in self.steps)

    @property
    def longest_us(self):
        """How long the longest step is at the flash."""
        each = self.board.prices
        return max(sum(each[name] * times for name, times in step.items()) for step in self.steps)

    @property
    def events(self):
        """How many events are in the journal, without its seals."""
        ring = self.app.journal.ring
        records = [record for _, record in stored_records.walk(ring, ring.oldest) if record]
        return sum(events.of_record(record).kind != events.SEALED for record in records)


def played(name):
    made = []

    def board(*arguments):
        made.append(Counting(*arguments))
        return made[0]

    flow.Player(blank_face, make_board=board).play(flow.read(FLOWS / f"{name}.flow"))
    return made[0]


@pytest.mark.parametrize("name", ["swiss", "coin", "d03", "xwing"])
def test_an_event_costs_the_flash_two_erases_at_the_most(name, printed):
    board = played(name)
    each = board.erases / board.events
    printed(f"flash of a match, {name} ({MODELLED})", [
        f"{board.events} events: {each:.2f} erases an event (goal {MOST_ERASES})",
        f"the longest write: {board.longest_us / 1000:.0f} ms",
    ])  # fmt: skip
    assert each <= MOST_ERASES
    assert board.longest_us <= 1000 * MOST_MS


def test_what_one_press_comes_to_is_one_write_to_each_copy():
    """A press that begins and ends a turn wrote both copies twice: 219 ms."""
    assert played("swiss").longest_us < 2.5 * prices.load().on("feathers3")["flash_erase_us"]


TOLD = {
    "import_us_per_kb": "compiling", "load_us_per_kb": "loading bytecode",
    "gc_ms": "a collection after each import", "flash_erase_us": "its first record",
    "alloc": "allocating", "refresh": "the first picture",
    "bytecode_ns": "the program's bytecodes",
    "fat_open_us": "finding files", "fat_seek_us": "finding places in them",
    "flash_read_us": "reading them",
    "crc_us": "checking them", "sha256_us": "hashing",
}  # fmt: skip


@pytest.mark.parametrize("model", MODELS)
def test_seconds_from_power_to_a_usable_screen(printed, tmp_path, model):
    """The laid drive's own boot.py and code.py in the chip's virtual time, to the picture that
    answers keys.
    """
    laid, naive = (
        costs.measure_start(tmp_path / form.__name__, model, form)
        for form in (bytecode.compile_image, dict)
    )
    waits_ms = prices.load().on(model)["start_cold_ms"] - SPARED_MS
    rows = [
        f"{us / 1000:8.0f} ms  {TOLD[name]}"
        for name, us in laid.spent.most_common()
        if TOLD.get(name) and us >= 1000
    ]
    rest_ms = laid.usable_ms - waits_ms - sum(laid.spent.values()) // 1000
    printed(f"from power to a usable screen, {model} ({MODELLED})", [
        f"{laid.usable_ms / 1000:.1f} s as laid, in bytecode (goal {MOST_COLD_MS / 1000:.0f} s); naive figure beside it, the"
        f" same program laid as source: {naive.usable_ms / 1000:.1f} s",
        f"{waits_ms:8.0f} ms  CircuitPython's own waits", *rows,
        f"{rest_ms:8.0f} ms  the panel's start, and the rest",
    ])  # fmt: skip
    assert laid.usable_ms <= MOST_COLD_MS < naive.usable_ms


def test_a_worn_chip_costs_what_its_price_says(tmp_path):
    file = tmp_path / "worn.toml"
    file.write_text(
        '[flash_erase_us]\nvalue = 400_000\nbasis = "measured"\nsource = "a worn chip"\n'
    )
    settings = board_settings(3, "ab" * 32, "feathers3")
    board = VirtualBoard(VirtualLoop(), settings, 1, prices=prices.load([file]))
    board.store.write(0, 0, bytes(512))
    assert 400_000 < board.busy_us < 500_000


MOST = (
    20  # below ``App.step``; above it are five more: code.py, main, run and what they are called by
)


@pytest.fixture
def deepest():
    """Return the deepest chain of our functions that ran meanwhile, as a list that grows."""
    chain = []

    def called(frame, event, what):
        if event == "call" and "/firmware/" in frame.f_code.co_filename.replace("\\", "/"):
            names = []
            while frame:
                if "/firmware/" in frame.f_code.co_filename.replace("\\", "/"):
                    names.append(frame.f_code.co_name)
                frame = frame.f_back
            if len(names) > len(chain):
                chain[:] = reversed(names)

    before = sys.getprofile()
    sys.setprofile(called)
    yield chain
    sys.setprofile(before)


@pytest.mark.parametrize("name", ["d03", "coin"])
def test_no_call_goes_deep(deepest, root, name, printed):
    player = flow.Player(blank_face)
    for step in flow.read(root / "tests" / "flows" / f"{name}.flow"):
        player.do(step)
    printed(f"deepest calls, {name}", [f"{len(deepest)}: {' '.join(deepest)}"])
    assert "step" in deepest[0] and len(deepest) <= MOST


UNITS = (
    "_us", "_ns", "_us_per_kb", "_ns_per_px", "_ns_per_byte", "_ns_per_block", "_permille", "_ms",
    "_bytes", "_khz", "_frames", "_ma", "_links",
)  # fmt: skip
SENT = """board = "lilygo"

[flash_erase_us]
value = 61_000
basis = "measured"
source = "bring-up of board 7"
model = 50_000
"""


def test_each_price_names_its_unit_its_basis_and_its_source():
    for model in MODELS:
        for name, price in prices.load().prices_of(model).items():
            assert name.endswith(UNITS), name
            assert price.basis in prices.BASES and len(price.source) > 10, name


def test_what_is_sent_back_stands_for_its_model_alone(tmp_path):
    file = tmp_path / "sent.toml"
    file.write_text(SENT)
    ours, book = prices.load(), prices.load([file])
    assert book.prices_of("lilygo")["flash_erase_us"] == prices.Price(
        61_000, "measured", "bring-up of board 7"
    )
    assert book.on("feathers3") == ours.on("feathers3")
    assert book.on("lilygo") == ours.on("lilygo") | {"flash_erase_us": 61_000}


def test_a_file_for_every_model_replaces_what_one_of_them_had(tmp_path):
    file = tmp_path / "all.toml"
    file.write_text('[spi_khz]\nvalue = 8_000\nbasis = "measured"\nsource = "a scope"\n')
    book = prices.load([file])
    assert {book.on(model)["spi_khz"] for model in MODELS} == {8_000}


@pytest.mark.parametrize(("text", "says"), [
    ("", None),
    ("flash", "is not TOML"),
    ("[flash_paint_us]\nvalue = 1\nbasis = 'guess'\nsource = ''\n", "there is no price called flash_paint_us"),
    ("[gc_ms]\nvalue = 1.5\nbasis = 'guess'\nsource = ''\n", "a price is a whole number"),
    ("[gc_ms]\nvalue = true\nbasis = 'guess'\nsource = ''\n", "a price is a whole number"),
    ("[gc_ms]\nvalue = -1\nbasis = 'guess'\nsource = ''\n", "a price is a whole number"),
    ("[gc_ms]\nvalue = 1\nbasis = 'felt'\nsource = ''\n", "basis (measured, source"),
    ("[gc_ms]\nvalue = 1\nbasis = 'guess'\nsource = ''\non = 3\n", "on is a table of models"),
    ("gc_ms = 4\n", "needs value, basis"),
    ("board = 4\n", "board is the name of a model"),
])  # fmt: skip
def test_a_file_that_is_wrong_is_told_what_is(tmp_path, text, says):
    file = tmp_path / "sent.toml"
    file.write_text(text)
    if says is None:
        assert prices.load([file]).on("lilygo") == prices.load().on("lilygo")
    else:
        with pytest.raises(UserError, match=says.replace("(", r"\(")):
            prices.load([file])


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(UserError, match="cannot read"):
        prices.load([tmp_path / "none.toml"])
