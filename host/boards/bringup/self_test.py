"""The self-test of one board: every part by name, passed or failed, and why.

Sans-IO: its console, person and radio are ``ports``.
"""

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from firmware.core import frames, seeds
from host.boards import models
from host.boards.bringup import ports

CLOCK_MS = 10000  # how long the clock is watched
CLOCK_MOST_PPM = 2000  # the console is late by up to some 10 ms
TICKS = 1 << 29
PRESS_MS = 20000
POLL_MS = 40
HEAR_MS = 8000
KEY_NAMES = ("key ▲", "key ●", "key J")
PASSED, FAILED, SKIPPED = "passed", "FAILED", "not tested"
RANDOM_BYTES = 4096
_REPEATS_MOST = 4  # five equal bytes in a row: once in 2^32
_IN_WINDOW_MOST = 17  # how often a window's first byte may come again: under 2^-30
_SIGMAS = 5


@dataclass(frozen=True)
class Outcome:
    """One part's verdict: ``state`` is PASSED, FAILED or SKIPPED."""

    part: str
    state: str
    detail: str = ""


@dataclass(frozen=True)
class Expected:
    """The expected content of the board: ``files`` {path: 16 digits}, and its key if known."""

    files: Mapping[str, str]
    key_of: Callable[[int, int], bytes] | None = None


def digits(data: bytes) -> str:
    """Return the first 16 digits of the SHA-256 of ``data``, as the board tells them."""
    return hashlib.sha256(data).hexdigest()[:16]


def fault_of_random(data: bytes) -> str:
    """Return the fault of ``RANDOM_BYTES`` bytes of a generator, or "" if none shows.

    The two continuous tests of NIST SP 800-90B (4.4), as a board does them itself
    (``firmware.core.seeds``) but with cutoffs for 8 bits a byte, and two counts. A pass proves
    nothing about a generator; a failure proves that it is broken or not the chip's own.
    """
    if len(data) != RANDOM_BYTES:
        return f"{len(data)} bytes came instead of {RANDOM_BYTES}"
    run, again = seeds.measure(data)
    if run > _REPEATS_MOST:
        return f"{run} equal bytes in a row"
    if again > _IN_WINDOW_MOST:
        return f"one byte {again} times in {seeds.WINDOW}"
    ones = sum(byte.bit_count() for byte in data)
    if abs(ones - 4 * RANDOM_BYTES) / (2 * RANDOM_BYTES) ** 0.5 > _SIGMAS:
        return f"{ones} of {8 * RANDOM_BYTES} bits are ones"
    if abs(chi_square(data) - 255) / 510**0.5 > _SIGMAS:
        return f"its bytes are not evenly spread (chi-square {chi_square(data):.0f})"
    return ""


def chi_square(data: bytes) -> float:
    """Return the chi-square of the bytes' frequencies, 255 degrees of freedom."""
    expected = len(data) / 256
    return sum((data.count(byte) - expected) ** 2 for byte in range(256)) / expected


def _setting(answer: ports.Answer) -> int | str | None:
    """Return a setting: CircuitPython gives a number for a value without quotation marks."""
    return answer if isinstance(answer, (int, str)) else None


class Bringup:
    """The test of one board. ``seed`` chooses the numbers that the operator has to count."""

    def __init__(
        self,
        console: ports.Console,
        operator: ports.Operator,
        air: ports.Air,
        clock: ports.Clock,
        expected: Expected,
        seed: int | None = None,
    ):
        self._console, self._operator, self._air, self._clock = console, operator, air, clock
        self._expected, self._luck = expected, random.Random(seed)
        self.device: int | str | None = None
        self.identity = ""
        self._generation: int | str | None = None
        self._stuck_keys: list[int] = []

    def run(self) -> Iterator[Outcome]:
        """Yield the Outcome of every part, in order, as it is known."""
        for part, check in self._parts():
            yield self._outcome(part, check)

    def _parts(self):
        yield "board", self._board
        yield "firmware", self._firmware
        yield "key of the board", self._key
        for key in range(len(self._levels())):
            yield KEY_NAMES[key], lambda at=key: self._press(at)
        squares = "How many white squares does the display show?"
        yield "display", lambda: self._count("squares", squares, 9)
        yield "light", lambda: self._count("light", "How many pixels are lit?", self._pixels())
        yield "sound", lambda: self._count("beep", "How many tones did it sound?", 4)
        yield "clock", self._compare_clocks
        yield "entropy", self._entropy
        for copy in (0, 1):
            yield f"journal copy {copy}", lambda at=copy: self._keep(at)
        yield "radio", self._radio

    @staticmethod
    def _outcome(part, check):
        """Return the Outcome of a check that returns a fault, "" or ``(state, remark)``."""
        try:
            result = check()
        except ports.BoardFailed as error:
            result = f"the board said: {error}"
        if isinstance(result, str):
            result = FAILED if result else PASSED, result
        return Outcome(part, *result)

    def _pixels(self):
        return ports.number(self._console.call("bench.row.pixels"))

    def _levels(self):
        return ports.parts(self._console.call("bench.levels()"))

    def _keep(self, copy):
        return ports.text(self._console.call(f"bench.keep({copy}, {self._luck.randrange(256)})"))

    def _board(self):
        first, second, *settings = ports.parts(self._console.call("bench.identity()"))
        board_id, version = ports.text(first), ports.numbers(second, 3)
        self.device, self._generation = map(_setting, settings[:2])
        runs = ".".join(map(str, version))
        if version < models.OLDEST:
            return f"CircuitPython {runs}: install {models.OLDEST_WORDS} or newer"
        self.identity = f"{board_id}, CircuitPython {runs}"
        charge = self._console.call("bench.cell()")
        cell = "no gauge" if charge is None else f"cell {charge} %"
        return PASSED, f"{self.identity}, {cell}"

    def _firmware(self):
        files = ports.parts(self._console.call("bench.files()"))
        digests = {ports.text(path): ports.text(digest) for path, digest in map(ports.parts, files)}
        expected = self._expected.files
        missing = sorted(expected.keys() - digests.keys())
        present, further = expected.keys() & digests.keys(), digests.keys() - expected.keys()
        changed = sorted(name for name in present if digests[name] != expected[name])
        wrong = [f"{name} is missing" for name in missing]
        wrong += [f"{name} is another version" for name in changed]
        wrong += [f"{name} is not ours" for name in sorted(further) if name.startswith("firmware/")]
        if wrong:
            return f"{wrong[0]} ({len(wrong)} in all): deploy anew"
        return PASSED, f"{len(expected)} files as this program would lay them"

    def _key(self):
        if not self.device or self._generation is None:
            return "there are no settings: provision it"
        if self._expected.key_of is None:
            return SKIPPED, "name the event's archive after the port"
        key = self._expected.key_of(int(self.device), int(self._generation))
        name = f"board {self.device}, generation {self._generation}"
        nonce = self._luck.randbytes(16)
        proof = self._console.call(f"bench.proof({nonce.hex()!r})")
        if proof != hashlib.sha256(nonce + key).hexdigest():
            return f"{name} has another key: give it a new one (plusthree board provision)"
        return PASSED, name

    def _press(self, key):
        """Test one key: it is up at first, then down alone when asked for, then up again."""
        name = KEY_NAMES[key]
        if self._levels()[key]:
            self._stuck_keys.append(key)
            return "it is stuck: down although nobody presses it"
        self._operator.prompt(f"Press {name} and hold it.", key)
        levels = self._wait(any)
        if not levels[key]:
            others = [name for name, down in zip(KEY_NAMES, levels) if down]
            self._operator.prompt("Let go.", None)
            return f"{others[0]} answered in its place" if others else "it does not answer"
        self._operator.prompt("Let go.", None)
        return "it stays down" if self._wait(lambda down: not down[key])[key] else ""

    def _wait(self, done):
        """Return which keys are down, not the stuck ones, once ``done(them)`` or time is up."""
        end_ms = self._clock.now_ms() + PRESS_MS
        while True:
            levels = enumerate(self._levels())
            down = tuple(is_down and key not in self._stuck_keys for key, is_down in levels)
            if done(down) or self._clock.now_ms() >= end_ms:
                return down
            self._clock.rest(POLL_MS)

    def _count(self, what, question, most):
        """Have the person count a random number of signals, twice so that a guess is found out."""
        for _ in range(2):
            count = self._luck.randrange(1, most + 1)
            self._console.call(f"bench.{what}({count})")
            counted = self._operator.ask(question, what)
            if counted != count:
                return f"{count} were sent, {counted} were counted"
        if what != "beep":
            self._console.call(f"bench.{what}(0)")
        return ""

    def _compare_clocks(self):
        """Compare the board's clock with the PC's, its radio on as in play."""
        self._console.call("bench.call('')")
        first, start = ports.number(self._console.call("bench.ticks()")), self._clock.now_ms()
        self._clock.rest(CLOCK_MS)
        last, end = ports.number(self._console.call("bench.ticks()")), self._clock.now_ms()
        ppm = round(((last - first) % TICKS / (end - start) - 1) * 1_000_000)
        return (FAILED if abs(ppm) > CLOCK_MOST_PPM else PASSED), f"{ppm:+d} ppm against the PC"

    def _entropy(self):
        drawn = [ports.text(self._console.call("bench.draw(256)")) for _ in range(16)]
        return fault_of_random(bytes.fromhex("".join(drawn)))

    def _radio(self):
        """An advert that nobody has sent before, heard by the PC."""
        nonce = b"PT?" + self._luck.randbytes(8)
        body = frames.COMPANY_ID.to_bytes(2, "little") + nonce
        advert = b"\x02\x01\x06" + bytes([len(body) + 1, 0xFF]) + body
        self._console.call(f"bench.call({advert.hex()!r})")
        heard = self._air.heard(nonce, HEAR_MS)
        self._console.call("bench.call('')")
        if heard is None:
            return SKIPPED, "this PC has no radio"
        return (PASSED, f"heard at {heard} dBm") if heard else "the PC does not hear it"
