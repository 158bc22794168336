"""The figures of a board: the cost of its work beside the model's assumptions, and measurements
by a person with a meter, by the PC's radio and on the PC's drive.

Sans-IO, like ``bringup``. A figure that corrects a price of the model (``host/sim/prices.toml``) is
kept under the price's name in ``found``; ``price_file`` is the file that goes back.
"""

import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from host.base.errors import UserError
from host.boards.bringup import ports
from host.boards.deploy import bytecode, extents
from host.boards.deploy.drive import JOURNALS

LOOPS, LOOP_BYTECODES = 2000, 12  # of CircuitPython, each time round ``gauge.loop``
DIGIT_PX = (48, 96)
STEPS = 60
SECTOR_PAGES = 16
FLAGS = 0x06  # general discovery, no classic Bluetooth (firmware/radio/advertiser.py)
NEAR_MV = 60


@dataclass(frozen=True)
class Figure:
    """One figure: its ``value`` and the model's in ``unit``; None: not measured, not assumed."""

    title: str
    value: int | float | str | None
    model: int | float | str | None
    unit: str
    note: str = ""

    def __str__(self):
        measured = "not measured" if self.value is None else f"{self.value} {self.unit}"
        model = "" if self.model is None else f"(model {self.model})"
        return f"{self.title:<44} {measured:>16} {model} {self.note}".rstrip()


class Figures:
    """The measures of one board; ``prices`` are the model's, ``found`` takes this board's.

    ``panel`` is its width and height, ``boot`` {module: bytes as laid} of its program's imports.
    """

    def __init__(
        self,
        console: ports.Console,
        prices: Mapping[str, int],
        panel: tuple[int, int],
        boot: Mapping[str, int],
        found: dict[str, int],
    ):
        self._console, self._prices, self._panel, self._boot = console, prices, panel, boot
        self.found = found
        self._free = 0  # bytes at the REPL
        self._program_bytes = 0  # what all imports keep of them

    def run(self) -> Iterator[Figure]:
        """Yield every Figure as it is known; where the board fails in one the next comes."""
        empty = (
            self._repl, self._bytecode, self._frames, self._read, self._write, self._hashing,
            self._refresh, self._advert,
        )  # fmt: skip
        loaded = self._imports, self._write_when_loaded, self._match, self._sweep, self._recover
        for begin, measures in ((self._restart_empty, empty), (self._restart, loaded)):
            begin()
            for measure in measures:
                try:
                    yield from measure()
                except ports.BoardFailed as error:
                    name = measure.__name__.strip("_")
                    yield Figure(name, None, None, "", f"the board said: {error}")

    def _restart_empty(self):
        self._console.restart()
        free = self._console.call("__import__('gc').collect() or __import__('gc').mem_free()")
        self._free = ports.number(free)
        self._console.load()

    def _restart(self):
        self._console.restart()
        self._console.load()

    def _ask(self, call: str) -> ports.Answer:
        return self._console.call(f"gauge.{call}")

    def _number_from(self, call: str) -> int:
        """Return the number that a call of ``gauge.py`` returns."""
        return ports.number(self._ask(call))

    def _price(self, title, name, value, unit, note=""):
        """Return the Figure of a price, and keep it."""
        self.found[name] = max(0, int(value))
        return Figure(title, self.found[name], self._prices[name], unit, note)

    # in an empty heap

    def _repl(self):
        yield self._price("free at the REPL", "heap_repl_bytes", self._free, "bytes")

    def _bytecode(self):
        ns = self._number_from(f"loop({LOOPS})") * 1000 // (LOOPS * LOOP_BYTECODES)
        yield self._price("a bytecode", "bytecode_ns", ns, "ns")

    def _frames(self):
        count = self._number_from("frames()")
        yield self._price("plain calls within each other", "pystack_frames", count, "frames")

    def _read(self):
        spent = self._number_from("read(20)")
        model = self._prices["fat_seek_us"] + self._prices["flash_read_us"]
        yield Figure("a block read", spent, model, "us")

    def _write(self):
        """A write erases and programs its sector, so pages keep the model's price."""
        first, again = ports.numbers(self._ask("write()"), 2)
        note = f"{first} the first time, when its sector is read"
        yield Figure("Store.write, nothing loaded", again, self._write_us(), "us", note)
        erase = again - self._write_us() + self._prices["flash_erase_us"]
        yield self._price("a sector erased", "flash_erase_us", erase, "us")

    def _write_us(self):
        p = self._prices
        return p["fat_seek_us"] + p["flash_erase_us"] + SECTOR_PAGES * p["flash_program_us"]

    def _hashing(self):
        sha, mac = ports.numbers(self._ask("hashing(20)"), 2)
        yield self._price("a SHA-256", "sha256_us", sha, "us")
        yield self._price("an HMAC", "hmac_us", mac, "us")

    def _refresh(self):
        p, (width, height) = self._prices, self._panel
        full, digit, idle = ports.numbers(self._ask(f"refresh{DIGIT_PX}"), 3)
        yield self._price("a refresh of nothing", "refresh_us", idle, "us")
        size = width * height
        yield Figure("a full refresh", full, refresh_us(p, size), "us")
        model = refresh_us(p, DIGIT_PX[0] * DIGIT_PX[1])
        yield Figure("a refresh of one digit", digit, model, "us")
        ns = (full - idle) * 1000 // size - 16_000_000 // p["spi_khz"]  # 16 bits on the wire
        note = "with the wire at the model's rate"
        yield self._price("a pixel composed", "compose_ns_per_px", ns, "ns", note)

    def _advert(self):
        spent = self._number_from("readvert(20)")
        yield self._price("an advert changed", "advert_restart_us", spent, "us")
        spent_ms = self._number_from("rewake()") // 1000
        yield self._price("the radio off and on", "radio_restart_ms", spent_ms, "ms")

    # with the program in it

    def _imports(self):
        *figures, loaded = ports.parts(self._ask(f"imports({tuple(self._boot)})"))
        spent, self._program_bytes = ports.numbers(tuple(figures), 2)
        names = map(ports.text, ports.parts(loaded))
        as_laid = {name: self._boot[name] for name in names if name in self._boot}  # their bytes
        size, free = sum(as_laid.values()), self._free - self._program_bytes
        yield self._price("free after all imports", "heap_imported_bytes", free, "bytes")
        if not size:
            yield Figure("imports", spent // 1000, None, "ms", "none of them is as laid")
            return
        model = load_us(self._prices, as_laid)
        yield Figure("imports", spent // 1000, model // 1000, "ms", f"{size} bytes as laid")
        us = max(0, spent - _collections_us(self._prices, as_laid)) * 1024 // size
        note = "with collections at the model's price"
        yield self._price("a kilobyte loaded", loading(), us, "us", note)

    def _write_when_loaded(self):
        _, again = ports.numbers(self._ask("write()"), 2)
        yield Figure("Store.write, the program loaded", again, self._write_us(), "us")

    def _match(self):
        match_bytes, longest_us = ports.numbers(self._ask(f"playing('p18', {STEPS})"), 2)
        free, longest_ms = self._free - self._program_bytes - match_bytes, longest_us // 1000
        yield self._price("free in a match", "heap_match_bytes", free, "bytes")
        note = "with its journal in RAM"
        yield Figure("the longest step of a match begun", longest_ms, 200, "ms", note)

    def _sweep(self):
        spent_ms = self._number_from("sweep()") // 1000
        yield self._price("a garbage collection", "gc_ms", spent_ms, "ms")

    def _recover(self):
        worst, usual = ports.numbers(self._ask("recovery()"), 2)
        yield self._price("journal.recover() on a full ring", "recover_ms", worst // 1000, "ms")
        yield Figure("the same with a match at its end", usual // 1000, None, "ms")


def measured_by_hand(
    console: ports.Console,
    operator: ports.Operator,
    air: ports.Air,
    prices: Mapping[str, int],
    found: dict[str, int],
    drive: str | None,
) -> Iterator[Figure]:
    """Yield the Figures; ``found`` takes the prices. ``drive`` is a device or an image, or None."""
    note = "" if air.flags is not None else "this PC does not tell"
    yield Figure("the advert's flags", air.flags, FLAGS, "", note)
    yield from _battery(console, operator)
    current_ma = operator.measured(
        "What does the board draw at the battery while nobody plays, in mA?", "current"
    )
    if current_ma is not None:
        found["idle_ma"] = current_ma
    yield Figure("current while nobody plays", current_ma, prices["idle_ma"], "mA")
    yield from _journals(drive)


def _battery(console, operator):
    answer = console.call("gauge.millivolts()")
    if answer is None:
        yield Figure("the battery's voltage", None, None, "mV", "there is no gauge")
        return
    gauge = ports.number(answer)
    meter = operator.measured("What does a voltmeter read at the battery, in mV?", "battery")
    note = "" if meter is None or abs(meter - gauge) <= NEAR_MV else f"more than {NEAR_MV} mV off"
    yield Figure("the battery's voltage, the meter's as model", gauge, meter, "mV", note)


def _journals(drive):
    try:
        if drive is None:
            raise UserError("give its drive with --drive")
        counts = extents.pieces(drive, JOURNALS)
    except UserError as error:
        yield Figure("pieces that the journals lie in", None, 1, "", str(error))
        return
    for name, count in counts.items():
        note = {0: "it is not there", 1: ""}.get(count, "erase the drive and deploy anew")
        yield Figure(f"pieces that {name} lies in", count, 1, "", note)


def refresh_us(prices: Mapping[str, int], pixels: int) -> int:
    """Return the us of a ``refresh`` that draws so many pixels anew: composed, then sent."""
    wire_ns = 16_000_000 // prices["spi_khz"]
    return prices["refresh_us"] + pixels * (prices["compose_ns_per_px"] + wire_ns) // 1000


def loading() -> str:
    """Return the price of a kilobyte as this PC lays it: bytecode loaded, or source compiled."""
    return "import_us_per_kb" if bytecode.compiler_missing() else "load_us_per_kb"


def load_us(prices: Mapping[str, int], boot: Mapping[str, int]) -> int:
    """Return the us of loading ``boot`` {module: bytes as laid}: each ends in a collection."""
    return prices[loading()] * sum(boot.values()) // 1024 + _collections_us(prices, boot)


def _collections_us(prices, boot):
    """Return the time of the collections: each the longer the more is loaded by then."""
    program_bytes = prices["heap_repl_bytes"] - prices["heap_imported_bytes"]  # of all modules
    shares = sum(itertools.accumulate(boot.values())) / max(1, sum(boot.values()))
    return round(1000 * prices["gc_ms"] * shares * program_bytes / prices["heap_alive_bytes"])


def busy_ms(prices: Mapping[str, int], boot: Mapping[str, int]) -> int:
    """Return the time from boot.py to play in ms, with these modules loaded."""
    return prices["open_ms"] + load_us(prices, boot) // 1000


def price_file(
    model: str, source: str, measured: Mapping[str, int], prices: Mapping[str, int]
) -> str:
    """Return the text of the file that goes back: the prices found, each beside the model's."""
    plain = "".join(letter if letter.isprintable() else " " for letter in source)
    quoted = json.dumps(plain, ensure_ascii=False)  # of such letters, a TOML string, too
    lines = [f'board = "{model}"', ""]
    for name, value in sorted(measured.items()):
        lines += [f"[{name}]", f"value = {value}", 'basis = "measured"']
        lines += [f"source = {quoted}", f"model = {prices[name]}", ""]
    return "\n".join(lines)
