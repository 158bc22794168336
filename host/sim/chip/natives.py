"""A chip's native modules, except those for pins, display and radio; its heap and its resets.

Each function refuses what the C function refuses (``contract.toml`` names the file); the time that
it takes or blocks is charged to the chip.
"""

from __future__ import annotations

import binascii
import functools
import hashlib
import types
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.core.types import Bytes
    from host.sim.chip.types import Chip, Modules

# mcu_reset_reason_t, those that occur here
POWER_ON, BROWNOUT, SOFTWARE = "POWER_ON", "BROWNOUT", "SOFTWARE"
RESET_PIN, WATCHDOG = "RESET_PIN", "WATCHDOG"
# safe_mode_t
NONE, USER = "NONE", "USER"
HARD_FAULT, NLR_JUMP_FAIL, SAFE_WATCHDOG = "HARD_FAULT", "NLR_JUMP_FAIL", "WATCHDOG"
SAFEMODE_PY_ERROR, NO_CIRCUITPY = "SAFEMODE_PY_ERROR", "NO_CIRCUITPY"
NORDIC_BYTES, PYSTACK_BYTES, HEAP_BYTES = 122_932, 2048, 8192
_HELD_BYTES = 2000  # outer heap used by terminal, USB and the allocator
SLEEP_BYTES = 256
TICKS = 1 << 29
TICKS_AT_POWER = TICKS - 65536  # supervisor/__init__.c


class Reset(BaseException):
    """The chip resets for ``reason`` and boots into ``safe_mode`` unless that is NONE."""

    def __init__(self, reason: str, safe_mode: str = NONE):
        super().__init__(reason, safe_mode)
        self.reason, self.safe_mode = reason, safe_mode


def crash(safe_mode: str) -> Reset:
    """Return the Reset that ``reset_into_safe_mode`` causes (safe_mode.c)."""
    return Reset(SOFTWARE, safe_mode)


class Memory:
    """A heap within ``outer`` bytes; ``asked`` is the text of CIRCUITPY_HEAP_START_SIZE.

    ``alive`` bytes outlive a collection, ``garbage`` bytes do not. ``collected()`` is called for
    each collection that an allocation needs, so for none after ``automatic`` was set to False.
    """

    def __init__(self, outer: int, asked: str | None, collected: Callable[[], None]):
        start = int(asked) if asked and asked.isdecimal() else 0
        free = outer - PYSTACK_BYTES - _HELD_BYTES
        if not 0 < start <= free:
            start = HEAP_BYTES
        self.size, self._outer, self._collected = start, free - start, collected
        self.alive = self.garbage = 0
        self.automatic = True

    @property
    def free(self) -> int:
        """The result of ``gc.mem_free``: free in the areas, and the rest for another one."""
        return self.size - self.alive - self.garbage + self._outer

    def allocate(self, size: int, alive: bool = False) -> None:
        """Allocate ``size`` bytes; MemoryError when there are none, even after a collection."""
        if self.alive + self.garbage + size > self.size and self.automatic:
            self.garbage = 0
            self._collected()
        while self.alive + self.garbage + size > self.size:
            more = min(self._outer, self.size)
            if not more:
                raise MemoryError(f"memory allocation failed, allocating {size} bytes")
            self.size, self._outer = self.size + more, self._outer - more
        if alive:
            self.alive += size
        else:
            self.garbage += size


def module(name: str, **members: object) -> types.ModuleType:
    """Return a new module with these members."""
    made = types.ModuleType(name)
    vars(made).update(members)
    return made


class SleepMemory:
    """``alarm.sleep_memory``: 256 bytes that survive a reset.

    ValueError for a slice's value of another length, NotImplementedError for a step or for a value
    that is no bytes.
    """

    def __init__(self):
        self._bytes = bytearray(SLEEP_BYTES)

    def __len__(self):
        return SLEEP_BYTES

    def __getitem__(self, at):
        return bytearray(self._bytes[self._span(at)]) if isinstance(at, slice) else self._bytes[at]

    def __setitem__(self, at, value):
        if isinstance(at, slice):
            span = self._span(at)
            if not isinstance(value, (bytes, bytearray, memoryview)):
                raise NotImplementedError("array/bytes required on right side")
            if len(value) != len(range(*span.indices(SLEEP_BYTES))):
                raise ValueError("Slice and value different lengths.")
            self._bytes[span] = value
        else:
            self._bytes[at] = value

    @staticmethod
    def _span(at):
        if at.step not in (None, 1):
            raise NotImplementedError("only slices with step=1 (aka None) are supported")
        return at

    def lose(self, noise: bytes) -> None:
        """Replace the content with ``noise`` (256 bytes), as a power cut does."""
        self._bytes[:] = noise


class WatchDogMode:
    """``watchdog.WatchDogMode``."""

    RAISE, RESET = "RAISE", "RESET"


class Watchdog:
    """``microcontroller.watchdog`` of a VM: only a hardware reset ends mode RESET."""

    def __init__(self, chip: Chip):
        self._chip, self._mode, self._timeout = chip, None, 0.0

    @property
    def mode(self) -> str | None:
        """None, RAISE or RESET, as set in this VM; a watchdog left running by an earlier one is
        not reflected. OSError for setting RESET twice.
        """
        return self._mode

    @mode.setter
    def mode(self, mode: str | None) -> None:
        if mode == WatchDogMode.RESET and self._mode == WatchDogMode.RESET:
            raise OSError(1)  # nrfx_wdt_init: INVALID_STATE
        self._mode = mode
        if mode == WatchDogMode.RESET:
            self._chip.arm(self._timeout)

    @property
    def timeout(self) -> float:
        """The timeout in seconds; RuntimeError for setting it in mode RESET."""
        return self._timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        if self._mode == WatchDogMode.RESET:
            raise RuntimeError("timeout cannot be changed once mode is set to RESET")
        if seconds < 0:
            raise ValueError("timeout must be >= 0")
        self._timeout = seconds

    def feed(self) -> None:
        """Restart the countdown; does nothing in a VM that has not set mode RESET."""
        if self._mode == WatchDogMode.RESET:
            self._chip.feed()


class _Enum:
    def __init__(self, *names):
        for name in names:
            setattr(self, name, name)


class Runtime:
    """``supervisor.runtime``."""

    def __init__(self, chip: Chip):
        self._chip = chip
        self.autoreload = True
        self.usb_connected = self.serial_connected = chip.usb

    @property
    def safe_mode_reason(self) -> str:
        """The chip's safe mode, "NONE" outside it."""
        return self._chip.safe_mode

    @property
    def ble_workflow(self) -> bool:
        """Whether CircuitPython's BLE workflow (file access over the air) is on."""
        return self._chip.ble_workflow

    @ble_workflow.setter
    def ble_workflow(self, on: bool) -> None:
        self._chip.ble_workflow = on


def _usb_switch(chip: Chip, device: str):
    """Return a function that disables a USB device; RuntimeError outside boot.py."""

    def disable():
        if chip.usb_up:
            raise RuntimeError("Cannot change USB devices now")
        chip.usb_devices.discard(device)

    return disable


def _storage(chip: Chip):
    def remount(path, readonly=False, *, disable_concurrent_write_protection=False):
        if path != "/":
            raise OSError(22)
        if chip.usb_up and "drive" in chip.usb_devices and chip.usb:
            raise RuntimeError("Cannot remount path when visible via USB.")
        chip.drive.usb_writable = readonly

    def getmount(path):
        if path != "/":
            raise OSError(22)
        return chip.drive

    return module(
        "storage", remount=remount, getmount=getmount, disable_usb_drive=_usb_switch(chip, "drive")
    )


def _os(chip: Chip):
    def urandom(size):
        chip.spend_us(size)
        return chip.luck.randbytes(size)

    def getenv(key, default=None):
        if not isinstance(key, str):
            raise TypeError("key must be of type str")
        return chip.setting(key, default)

    def listdir(folder="/"):
        return sorted(path.name for path in chip.drive.path(folder).iterdir())

    def stat(path):
        return (0x4000 if chip.drive.path(path).is_dir() else 0x8000,)

    def sync():
        """Do nothing: every write goes to the flash at once (``port_internal_flash_flush``)."""

    return module("os", urandom=urandom, getenv=getenv, listdir=listdir, stat=stat, sync=sync)


def _binascii(chip: Chip):
    def crc32(data, value=0):
        chip.pay("crc_us", -(-len(data) // 512))
        return binascii.crc32(data, value)

    return module("binascii", **vars(binascii) | {"crc32": crc32})


_LENGTH = 8  # bytes that SHA-256 adds to what it hashes


class Hash:
    """What ``hashlib.new`` returns. The first block of 64 bytes is paid for at once, and each
    further one, at half the price, when it is full.
    """

    def __init__(self, chip: Chip, name: str, data: Bytes = b""):
        self._chip, self._hash, self._size = chip, hashlib.new(name), _LENGTH
        chip.pay("sha256_us")
        self.update(data)
        self.digest = self._hash.digest

    def update(self, data: Bytes) -> None:
        """Hash ``data``, too."""
        before, self._size = self._size // 64, self._size + len(data)
        further_us = self._chip.prices["sha256_us"] // 2
        self._chip.spend("sha256_us", (self._size // 64 - before) * further_us)
        self._hash.update(data)


def _time(chip: Chip):
    def sleep(seconds):
        if seconds < 0:
            raise ValueError("seconds must be >= 0")
        chip.pass_us(round(seconds * 1_000_000))

    return module(
        "time", sleep=sleep, monotonic=lambda: chip.uptime_ms() / 1000,
        monotonic_ns=lambda: 1000 * (chip.now_us - chip.started_us),
    )  # fmt: skip


def _supervisor(chip: Chip):
    def set_next_code_file(
        filename, *, working_directory=None, reload_on_success=False, reload_on_error=False,
        sticky_on_success=False, sticky_on_error=False, sticky_on_reload=False,
    ):  # fmt: skip
        if filename and not chip.drive.path(filename).is_file():
            raise ValueError("File not found")
        chip.next_file = filename

    def ticks_ms():
        chip.spend_us(2)
        return chip.ticks_ms()

    reasons = _Enum(NONE, USER, "BROWNOUT", HARD_FAULT, SAFE_WATCHDOG)
    return module("supervisor", runtime=Runtime(chip), ticks_ms=ticks_ms, SafeModeReason=reasons,
                  set_next_code_file=set_next_code_file)  # fmt: skip


def _microcontroller(chip: Chip):
    def reset():
        raise chip.dying(Reset(SOFTWARE))

    def delay_us(pause_us):
        chip.spend_us(pause_us)

    reasons = _Enum(POWER_ON, BROWNOUT, SOFTWARE, RESET_PIN, WATCHDOG, "UNKNOWN")
    cpu = types.SimpleNamespace(reset_reason=chip.reset_reason, uid=bytes(8))
    return module(
        "microcontroller", reset=reset, watchdog=chip.watchdog, cpu=cpu, ResetReason=reasons,
        delay_us=delay_us,
    )  # fmt: skip


def _gc(chip: Chip):
    def automatic(on):
        def switch():
            chip.memory.automatic = on

        return switch

    def mem_free():
        chip.spend(
            "gc_walk", chip.memory.size // 16 * chip.prices["heap_walk_ns_per_block"] // 1000
        )
        return chip.memory.free

    return module(
        "gc", collect=chip.collect, disable=automatic(False), enable=automatic(True),
        mem_free=mem_free,
    )  # fmt: skip


def natives(chip: Chip) -> Modules:
    """Return ``{name: module}`` for one VM; pins, display, radio and serial line are elsewhere."""
    implementation = types.SimpleNamespace(name="circuitpython", version=chip.version)
    espidf = module("espidf", get_total_psram=lambda: chip.psram)
    return {
        "alarm": module("alarm", sleep_memory=chip.sleep_memory),
        "binascii": _binascii(chip),
        "gc": _gc(chip),
        "hashlib": module("hashlib", new=functools.partial(Hash, chip)),
        **({"espidf": espidf} if chip.espressif else {}),
        "micropython": module("micropython", const=lambda value: value),
        "microcontroller": _microcontroller(chip),
        "os": _os(chip),
        "storage": _storage(chip),
        "supervisor": _supervisor(chip),
        "sys": module(
            "sys",
            implementation=implementation,
            path=["", "/", ".frozen", "/lib"],
            maxsize=(1 << 31) - 1,
        ),
        "time": _time(chip),
        "traceback": module("traceback", print_exception=chip.print_exception),
        "usb_hid": module("usb_hid", disable=_usb_switch(chip, "hid")),
        "usb_midi": module("usb_midi", disable=_usb_switch(chip, "midi")),
        "watchdog": module("watchdog", WatchDogMode=WatchDogMode),
    }
