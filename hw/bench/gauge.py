"""The board's half of ``plusthree board bringup``: sent by the PC after ``selftest``.

Every method measures one thing with the program's own parts and returns numbers; what they are
worth the PC knows (``host/boards/bringup/figures.py``). Times come from a clock of about 30 us.
"""

import binascii
import gc
import os
import sys
import time

import alarm
import analogio
import board
import displayio
import microcontroller
import storage
import supervisor
import watchdog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hw.bench.types import Act, AdvertFrame, Bench, Names

JOURNAL, BLOCK = "/journal0.bin", 512
LAST = 262144 - BLOCK  # of the first journal: a sector is blank around it, with the next's margin
MARK = b"PlusThree"
MARKED = 200  # in the sleep memory: MARK and the ticks at which the board was left, 13 bytes
BORN = 240  # there the program writes its ticks when it is up, and 0 (firmware/board/chip.py)
NEVER = 0xFFFFFFFF


def took(act: "Act", times: int = 1) -> int:
    """Return how many us ``act()`` takes, on average of so many ``times``."""
    start = time.monotonic_ns()
    for _ in range(times):
        act()
    return (time.monotonic_ns() - start) // (1000 * times)


class Ring:
    """A journal's store, a lap full of ``record`` (None: blank); what is written stays in RAM."""

    blocks = 496

    def __init__(self, record: bytes | None):
        self._file, self._record, self._fresh = open(JOURNAL, "rb"), record, {}

    def readinto(self, copy: int, block: int, buffer: bytearray) -> None:
        """Read the place on the flash, for its time alone; fill ``buffer`` with records."""
        self._file.seek((block + 8) * BLOCK)
        self._file.readinto(buffer)
        if (copy, block) in self._fresh:
            buffer[:] = self._fresh[copy, block]
        elif self._record is None:
            buffer[:] = b"\xff" * BLOCK
        else:
            buffer[:] = b"\x50\x00" + block.to_bytes(2, "little") + bytes(4) + 21 * self._record
            crc = binascii.crc32(memoryview(buffer)[8:], binascii.crc32(memoryview(buffer)[:4]))
            buffer[4:8] = crc.to_bytes(4, "little")

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Keep a block in RAM."""
        self._fresh[copy, block] = bytes(data)


class Silence:
    """A link that nobody ever opens, in place of the radio's."""

    connected, audible, guests, shown, due_ms = False, True, 0, None, (1 << 30) - 1

    def __init__(self, advert_frame: "AdvertFrame"):
        self.advert_frame = advert_frame

    def poll(self, uptime_ms: int) -> None:
        """Nothing to do."""

    def advertise(self, frame: bytes, welcome: bool = True) -> None:
        """Nobody listens."""
        self.shown = frame

    def receive(self) -> bytes | None:
        """Nothing ever comes."""

    def send(self, frame: bytes) -> bool:
        """Nobody takes it."""
        return False

    def flush(self) -> None:
        """Nothing to send."""

    def restart(self) -> None:
        """There is no radio."""


class Gauge:
    """Measures one board; ``bench`` is the self-test's."""

    def __init__(self, bench: "Bench"):
        self._bench, self._program = bench, None

    # the interpreter

    def free(self) -> int:
        """Return the free bytes of the heap."""
        gc.collect()
        return gc.mem_free()  # pyright: ignore[reportAttributeAccessIssue]  (a board's collector alone)

    def chip_free(self) -> int:
        """Return the free bytes of the chip's own heap, 0 where nobody tells."""
        try:
            import espidf
        except ImportError:  # no ESP32
            return 0
        return espidf.heap_caps_get_free_size()

    def ticks(self) -> int:
        """Return the clock's milliseconds."""
        return self._bench.ticks()

    def rest(self) -> None:
        """Rest as long as the program's loop does between two turns."""
        time.sleep(0.02)

    def loop(self, times: int) -> int:
        """Return the us of a loop that adds so many ``times``."""

        def adding():
            total = 0
            for _ in range(times):
                total = total + 1

        return took(adding)

    def frames(self) -> int:
        """Return how many plain calls fit into each other."""

        def deeper(depth):
            try:
                return deeper(depth + 1)
            except RuntimeError:
                return depth

        return deeper(1)

    def sweep(self) -> int:
        """Return the us of a full collection."""
        return took(gc.collect, 4)

    def imports(self, names: "Names") -> tuple[int, int, tuple[str, ...]]:
        """Import modules; return (us, bytes of the heap that stay, modules that were loaded)."""
        before, known = self.free(), tuple(sys.modules)
        spent = took(lambda: [__import__(name, None, None, ("x",)) for name in names])
        return spent, before - self.free(), tuple(name for name in sys.modules if name not in known)

    # hashing

    def hashing(self, times: int) -> tuple[int, int]:
        """Return the us of (a SHA-256, an HMAC under a key at hand) of 16 bytes."""
        from firmware.core import digest

        key, data = digest.blocks(bytes(32)), bytes(16)
        return took(lambda: digest.sha256(data), times), took(lambda: digest.mac(key, data), times)

    # flash

    def write(self) -> tuple[int, ...]:
        """Return the us of ``Store.write``: (a block into an erased place, the same block again).

        The place is a journal's last, which the program never uses; it is blank again afterwards.
        """
        storage.remount("/", readonly=False)
        found = ()
        with open(JOURNAL, "r+b") as file:
            for data in (bytes(BLOCK), bytes(BLOCK - 1) + b"\x01", b"\xff" * BLOCK):
                found += (took(lambda block=data: self._put(file, block)),)
        return found[:2]

    def _put(self, file, data):
        file.seek(LAST)
        file.write(data)
        os.sync()

    def read(self, times: int) -> int:
        """Return the us of a block read from the middle of a journal, after one at its end."""
        with open(JOURNAL, "rb") as file:

            def there():
                file.seek(LAST)
                file.seek(LAST // 2 // BLOCK * BLOCK)
                file.read(BLOCK)

            return took(there, times)

    def recovery(self) -> tuple[int, int]:
        """Return the us of ``journal.recover`` on a full ring: (without a match, in an event)."""
        from firmware.core import events
        from firmware.core.journal import Journal

        key = bytes(32)
        blank = Journal(Ring(None), 1, key)
        blank.open_epoch(0)
        blank.append(events.Clock(0, 0))
        store = Ring(bytes(blank.ring.at(blank.ring.head - 1)))  # pyright: ignore[reportArgumentType]  (it has one)
        journal = Journal(store, 1, key)
        worst = took(journal.recover)
        journal.open_epoch(0)
        journal.append(events.EventJoined(0, 1, 0))
        journal.append(events.TimeSet(0, 0, 1), events.RoundSet(0, 1, 1, 0))
        return worst, took(Journal(store, 1, key).recover)

    # the panel

    def refresh(self, width: int, height: int) -> tuple[int, int, int]:
        """Return the us of a ``refresh``: (the whole panel, a digit of so many pixels, nothing)."""
        self._bench.squares(0)
        panel = self._bench.panel
        assert panel is not None
        palette = displayio.Palette(2)
        palette[1] = 0xFFFFFF
        bitmap = displayio.Bitmap(width, height, 2)
        group = displayio.Group()
        ground = displayio.Bitmap(panel.width // 2, panel.height // 2, 2)
        whole = displayio.Group(scale=2)
        whole.append(displayio.TileGrid(ground, pixel_shader=palette))
        group.append(whole)
        group.append(displayio.TileGrid(bitmap, pixel_shader=palette))
        panel.root_group = group
        panel.refresh()
        panel.refresh()
        idle = took(panel.refresh)
        bitmap.fill(1)
        digit = took(panel.refresh)
        ground.fill(1)
        return took(panel.refresh), digit, idle

    # the radio

    def readvert(self, times: int) -> int:
        """Return the us of new data on the air: stop, and start again."""
        self._bench.call("020106")
        spent = took(lambda: self._bench.call("020106"), times)
        self._bench.call("")
        return spent

    def rewake(self) -> int:
        """Return the us of the radio switched off and on."""
        import _bleio

        adapter = _bleio.adapter

        def again():
            adapter.enabled = False
            adapter.enabled = True

        self._bench.call("")
        return took(again)

    # a match

    def playing(self, system: str, steps: int) -> tuple[int, int]:
        """Build the program, begin a round; return (bytes that stay, us of the longest step).

        Its journal is kept in RAM, the radio is off, the watchdog is not armed.
        """
        from firmware import app, launch
        from firmware.core import intents
        from firmware.radio import advertiser
        from firmware.ui import face

        before = self.free()
        parts = launch.open_board()
        parts.alive = lambda: None
        parts.store = Ring(None)
        rules = __import__("firmware.core.systems." + system, None, None, ("NUMBER",))
        screens = face.open_face(parts.display, parts.panel, "en")
        program = self._program = app.App(parts, Silence(advertiser.frame), screens, rules)  # pyright: ignore[reportArgumentType]  (the board has settings, no link ever opens)
        longest = took(program.step)
        for intent in (intents.SetRound(0, 1, 1, 1), intents.SetFormat(0, rules.NUMBER, 6, 50)):
            program.ledger.record(program.ledger.ask(intent, 0))
        for _ in range(steps):
            longest = max(longest, took(program.step))
        return before - self.free(), longest

    # the battery

    def millivolts(self) -> int | None:
        """Return the cell's millivolts as the board sees them; None without a gauge."""
        gauge = self._bench.row.gauge
        if not gauge:
            return None
        pin = analogio.AnalogIn(getattr(board, gauge[0]))
        found = pin.value * gauge[1] // 65535
        pin.deinit()
        return found

    # resets

    def leave_mark(self) -> None:
        """Leave a mark and the time in the sleep memory."""
        ticks = supervisor.ticks_ms().to_bytes(4, "little")
        alarm.sleep_memory[MARKED : MARKED + len(MARK) + 4] = MARK + ticks
        alarm.sleep_memory[BORN + 4] = 1

    def leave(self, armed: bool) -> None:
        """Reset the board, with the watchdog ``armed`` or not."""
        self.leave_mark()
        if armed:
            self._arm(20)
        microcontroller.reset()

    def hang(self) -> None:
        """Let the watchdog end this, as it ends a program that stops coming on."""
        self.leave_mark()
        self._arm(2)
        while True:
            pass

    def _arm(self, limit_s):
        dog = microcontroller.watchdog
        assert dog is not None
        dog.timeout, dog.mode = limit_s, watchdog.WatchDogMode.RESET

    def trace(self) -> tuple[bool, int, int, str]:
        """Return (whether the mark is whole, ticks when left, ticks when back, reset's reason)."""
        memory = alarm.sleep_memory
        end = MARKED + len(MARK)
        whole = bytes(memory[MARKED:end]) == MARK
        left = int.from_bytes(bytes(memory[end : end + 4]), "little")
        born = int.from_bytes(bytes(memory[BORN : BORN + 4]), "little")
        reason = str(microcontroller.cpu.reset_reason).rpartition(".")[2]
        return whole, left, born if memory[BORN + 4] == 0 else NEVER, reason
