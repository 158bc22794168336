"""The types of what the core passes around. For type checkers alone: no board carries this file.

Import it under ``TYPE_CHECKING`` and quote its names (docs/extending.md, Types).
"""

from collections.abc import Callable, Sequence
from typing import Any as Any
from typing import Literal, Protocol, TypeAlias, TypedDict
from typing import Self as Self

from firmware.core.draft import Draft as Draft
from firmware.core.events import Event as Event
from firmware.core.intents import Intent as Intent
from firmware.core.journal import Journal as Journal
from firmware.core.ledger import Ledger as Ledger
from firmware.core.match import Match as Match
from firmware.core.ring import Ring as Ring
from firmware.core.seeds import Chance as Chance
from firmware.core.seeds import Seeds as Seeds
from firmware.core.sync import Advertising as Advertising
from firmware.core.sync import Sync as Sync
from firmware.core.sync import Window as Window
from firmware.core.timebase import Timebase as Timebase

Bytes: TypeAlias = bytes | bytearray | memoryview
UsbMessage: TypeAlias = tuple[int, int, tuple[Any, ...]]
"""A message of ``core/usb``: kind, counter, and the values of its body."""
FieldPlace: TypeAlias = tuple[int, int | None, int]
"""Where a field lies (``payload.Layout``)."""
Reader: TypeAlias = tuple[
    Callable[..., Any], Callable[..., tuple[Any, ...]], tuple[FieldPlace, ...] | None
]
"""How a class is read (``payload.reader``)."""
Events: TypeAlias = tuple[Event, ...]
Answer: TypeAlias = Event
"""What the seats are asked: one seat's alone waits for the other's (``Match.pending_answer``)."""
Pair: TypeAlias = tuple[int, int]
"""A number of each seat's."""
Verdict: TypeAlias = tuple[int, int, int, int]
"""outcome, section (from 1; 0 none), what is missing (bits), whose the game is (0 nobody, 1, 2)."""
Piles: TypeAlias = tuple[int, ...]
"""Four numbers: prizes of a team match, by seat in the order of ``team.ORDER``."""
PolicyRow: TypeAlias = tuple[int, int, int, str, str, str, str]
"""Which randomizers and purposes, what they need, and four sections (``luck``)."""
Policy: TypeAlias = tuple[tuple[PolicyRow, ...], str]
"""Rows and the section otherwise."""
Blocks: TypeAlias = tuple[bytes, bytes]
"""A key's inner and outer block of 64 bytes (``digest.blocks``)."""

Head: TypeAlias = tuple[int, int, int, int]
"""kind, device, epoch, counter of a frame."""
Tick: TypeAlias = tuple[int, int, int, int, int, int, int]
"""sent_ms, round, state, tables, start_ms, switches, the last command (``beacon``)."""
Command: TypeAlias = tuple[int, int, Intent]
"""counter, round (0: any) and the intent of a beacon's command."""
Entropy: TypeAlias = Callable[[int], bytes]
"""Gives so many random bytes."""
Done: TypeAlias = tuple[Literal["event"], Event]
Heard: TypeAlias = (
    Intent | Done | tuple[Literal["name"], int, str, int] | tuple[Literal["identify"], int]
)
"""What a down frame leaves to be done (``sync.Sync.receive``)."""
Place: TypeAlias = tuple[int, ...]
"""Five numbers: device, event, round, table, pairing that a seed is for (``seeds``)."""

class Store(Protocol):
    """Two copies of ``blocks`` blocks of 512 bytes (``ring``)."""
    @property
    def blocks(self) -> int: ...
    def readinto(self, copy: int, block: int, buffer: bytearray, /) -> None: ...
    def write(self, copy: int, block: int, data: bytes | bytearray, /) -> None: ...

class Heap(Protocol):
    """The heap that the program runs in; ``low``: little of it is free (``upkeep``)."""
    @property
    def low(self) -> bool: ...
    def collect(self) -> None: ...

class LinkPort(Protocol):
    """The board's end of the air (``radio.link``), or what stands in for it."""

    @property
    def connected(self) -> bool: ...
    @property
    def guests(self) -> int: ...
    @property
    def audible(self) -> int | bool: ...
    @property
    def asks(self) -> bool: ...
    @property
    def advert_frame(self) -> AdvertFrame: ...
    @property
    def due_ms(self) -> int: ...
    def poll(self, uptime_ms: int, /) -> None: ...
    def advertise(self, frame: bytes, welcome: bool = True, /) -> None: ...
    def receive(self) -> bytes | None: ...
    def send(self, frame: bytes, /) -> bool: ...
    def flush(self) -> None: ...
    def heard(self, frame: bytes, /) -> None: ...
    def drop(self) -> None: ...
    def restart(self) -> None: ...

AdvertFrame: TypeAlias = Callable[[Sync, LinkPort, Match, int, int], bytes]
"""Makes the frame to advertise (``radio.advertiser.frame``)."""

class Hearing(Protocol):
    """A board's program, as far as what listens to a beacon knows it (``radio.scanning_link``)."""

    sync: Sync
    @property
    def match(self) -> Match: ...

class Hash(Protocol):
    """A hash as every interpreter has it."""
    def update(self, data: Bytes, /) -> None: ...
    def digest(self) -> bytes: ...

class NewHash(Protocol):
    """Makes a hash that has taken ``data`` in."""
    def __call__(self, data: Bytes = ..., /) -> Hash: ...

class Settings(TypedDict):
    """What ``settings.toml`` tells a board (``settings.read``)."""

    device: int
    generation: int
    key: bytes
    language: str
    role: str
    board: str
    system: str
    ppm: int

class Rolls(Protocol):
    """Where a roll's faces come from."""
    def begin(self, number: int, randomizer: int, purpose: int) -> Chance:
        """Begin roll ``number`` with a randomizer for a purpose."""

class Log(Protocol):
    """The current match in a journal, by places from ``first`` to before ``end``."""
    @property
    def first(self) -> int: ...
    @property
    def end(self) -> int: ...
    def kind(self, place: int) -> int:
        """Return the kind of the event at a place, 0 where nothing counts."""
    def event_at(self, place: int) -> Any:
        """Return the event at a place: of the class that belongs to its ``kind``."""
    def order(self, place: int) -> int:
        """Return epoch << 16 | counter."""

class Rules(Protocol):
    """A system's table (``systems``): a module, or any object with its names."""
    @property
    def NUMBER(self) -> int: ...
    @property
    def SECTIONS(self) -> Sequence[str]: ...
    @property
    def PREGAME_S(self) -> int: ...
    @property
    def MINUTES(self) -> Sequence[int]: ...
    @property
    def SLACK(self) -> tuple[int, int, str, bool]: ...
    @property
    def OVERTIME(self) -> Sequence[tuple[int, int]]: ...
    @property
    def AFTER(self) -> int: ...
    @property
    def SEATS(self) -> bytes: ...
    @property
    def CARDS(self) -> Sequence[int]: ...
    @property
    def FIRST_PRIZE(self) -> int: ...
    @property
    def FIRST(self) -> str: ...
    @property
    def CAPS(self) -> Sequence[int]: ...
    @property
    def ASKED(self) -> int: ...
    @property
    def LOSES_IF_LATE(self) -> bool: ...
    @property
    def POINTS(self) -> Sequence[bytes]: ...
    @property
    def LEAD(self) -> int: ...
    @property
    def POLICY(self) -> Policy: ...
    @property
    def PLAYS(self) -> bytes: ...
    @property
    def TREES(self) -> Sequence[bytes]: ...
