"""The parts of the virtual board that its ``gauge`` measures: heap, flash, time and resets.

Each operation takes the time of the model's price for it, so the gauge must measure those prices
again. Bytecodes of our program take time only inside ``paying``.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import types
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING

from host.boards.bringup.resets import HANG_MS
from host.sim.prices import counted, ns

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

    from firmware.core.types import Bytes, Hash
    from host.sim.bench.types import Chip


BLOCK = 512
BORN, UNBORN = 240, 244  # offsets in the sleep memory (firmware/board/chip.py)
JOURNALS = ("/journal0.bin", "/journal1.bin")
_DIGEST = "firmware.core.digest"  # not counted: the prices of hashes include its bytecodes
_HEAPS = ("heap_repl_bytes", "heap_imported_bytes", "heap_match_bytes")


class Reset(BaseException):
    """The board has reset: what ran on it is aborted."""


class Works:
    """Heap, flash, time and resets of ``chip``, which keeps the time, charged by ``prices``.

    ``busy_ms`` is how long its boot takes without its two waits.
    """

    def __init__(self, chip: Chip, prices: dict[str, int]):
        from host.sim.board import FlashStore

        self._chip, self.prices = chip, prices
        self._rest_ns = self.busy_ms = self.grown = 0
        self.memory = bytearray(256)
        self.flash = FlashStore(prices, spend=self.spend)
        self._waiting = None

    # time

    def spend(self, used_us: int) -> None:
        """Take ``used_us`` of the board's time."""
        self._ns(used_us * 1000)

    def _ns(self, used_ns):
        whole, self._rest_ns = divmod(self._rest_ns + used_ns, 1000)
        self._chip.pass_us(whole)

    @contextlib.contextmanager
    def paying(self) -> Iterator[None]:
        """Return a context manager in which each bytecode of our program takes time."""
        price_ns = ns(self.prices["bytecode_ns"])

        def picked(frame):
            self._check_stack(frame)
            name = frame.f_globals.get("__name__", "")
            return name.startswith(("firmware.", "hw.bench.")) and name != _DIGEST

        with counted(picked, lambda: self._ns(price_ns)):
            yield

    def _check_stack(self, frame):
        """Raise RuntimeError when a function recurses deeper than a board's pystack allows."""
        code, depth = frame.f_code, 0
        while frame is not None and frame.f_code is code:
            frame, depth = frame.f_back, depth + 1
        if depth > self.prices["pystack_frames"]:
            raise RuntimeError("pystack exhausted")

    def hashing(self, name: str, data: Bytes = b"") -> Hash:
        """Return ``hashlib.new(name, data)``, charging a hash."""
        self.spend(self.prices["sha256_us"])
        return hashlib.new(name, data)

    # flash

    def sync(self) -> None:
        """Write the pending block to the flash, as ``os.sync`` does."""
        if self._waiting is not None:
            place, self._waiting = self._waiting, None
            self.flash.write(*place)

    def write(self, path: str, at: int, data: Bytes) -> None:
        """Hold a journal's written block until ``sync``; other files are free."""
        if path in JOURNALS:
            self._waiting = JOURNALS.index(path), at // BLOCK, bytes(data)

    def read(self, path: str, at: int) -> None:
        """Charge reading a journal's block; other files are free."""
        if path in JOURNALS:
            self.flash.read(JOURNALS.index(path), min(at // BLOCK, self.flash.blocks - 1))

    # resets

    def mend(self, how: str) -> None:
        """Return to service mode after a reset of kind ``how``, with one start of the program."""
        if how == "cold":
            self._chip.lose_power()
            self.memory[:] = bytes(256)
        wait_ms = self.prices["start_warm_ms" if how == "armed" else f"start_{how}_ms"]
        self._chip.pass_ms(wait_ms + self.busy_ms + (HANG_MS if how == "crash" else 0))
        self.memory[BORN : BORN + 4] = self._chip.ticks_ms().to_bytes(4, "little")
        self.memory[UNBORN] = 0

    # modules

    def modules(self) -> dict[str, SimpleNamespace]:
        """Return ``{name: module}`` of the modules that the gauge imports and the self-test not."""
        dog = types.SimpleNamespace(mode=None, timeout=0)
        cpu = types.SimpleNamespace(reset_reason="ResetReason.RESET_PIN")
        return {
            "gc": types.SimpleNamespace(collect=self._collect, mem_free=self._free),
            "alarm": types.SimpleNamespace(sleep_memory=self.memory),
            "microcontroller": types.SimpleNamespace(watchdog=dog, reset=self._reset, cpu=cpu),
            "watchdog": types.SimpleNamespace(WatchDogMode=types.SimpleNamespace(RESET=1)),
        }

    def _collect(self):
        self.spend(1000 * self.prices["gc_ms"])

    def _free(self):
        return self.prices[_HEAPS[self.grown]]

    def _reset(self):
        raise Reset


class File(io.BytesIO):
    """An open file of the drive; writing changes ``data`` in place."""

    def __init__(self, works: Works, path: str, data: bytearray):
        super().__init__(data)
        self._works, self._path, self._data = works, path, data

    def read(self, size: int | None = -1) -> bytes:
        """Return up to ``size`` bytes, all that remain for -1 or None."""
        self._works.read(self._path, self.tell())
        return super().read(size)

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read into ``buffer``; return the number of bytes read."""
        view = memoryview(buffer)
        data = self.read(len(view))
        view[: len(data)] = data
        return len(data)

    def write(self, data: ReadableBuffer) -> int:
        """Write at the current position; return the number of bytes."""
        at, data = self.tell(), bytes(data)
        self._works.write(self._path, at, data)
        self._data[at : at + len(data)] = data
        return super().write(data)
