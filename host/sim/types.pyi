"""Types of the simulator, for type checkers only: nothing imports this file at run time.

Import it under ``TYPE_CHECKING``; it may name any module without a cycle of imports.
"""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import FrameType
from typing import Protocol, TypeAlias, TypedDict, TypeVar

from firmware.app import App as App
from firmware.core.types import Event, Events, LinkPort, Rules
from firmware.ui.face import Face as Face
from host.archive.roster import Pairing
from host.archive.store import Connect
from host.collector.collector import Collector
from host.desk.desk import Desk
from host.desk.station import Station
from host.formats.round_format import Format
from host.sim.board import VirtualBoard as VirtualBoard
from host.sim.panel import Panel as Panel
from host.sim.people import People as People
from host.sim.prices import Book
from host.sim.pure import PureAir as PureAir
from host.sim.pure import PureLink as PureLink
from host.sim.screen_reading import ScreenReading as ScreenReading
from host.sim.single_board import SingleBoard as SingleBoard
from host.sim.story import MatchPlay as MatchPlay
from host.sim.story import Story as Story
from host.sim.table import Table as Table
from host.sim.venue import Venue as Venue

T = TypeVar("T")

# hardware

Wake: TypeAlias = Callable[[], None]
"""Called where an interrupt would wake the board."""
Spend: TypeAlias = Callable[[int], None]
"""Gets how many µs something took."""
KeyEdge: TypeAlias = tuple[int, bool, int]
"""A key's number, whether it went down, and the uptime in ms."""
MakeFace: TypeAlias = Callable[[VirtualBoard], Face]
PickFrame: TypeAlias = Callable[[FrameType], bool]
"""Whether the bytecodes of a Python frame are counted."""

class MakeBoard(Protocol):
    """Makes a SingleBoard of a model under a system's rules."""

    def __call__(self, model: str, rules: Rules, faces: MakeFace, /) -> SingleBoard: ...

class SoakWorks(Protocol):
    """What the soak of a bench takes of a board's gauge."""

    def free(self) -> int: ...
    def write(self) -> tuple[int, ...]: ...

TakePicture: TypeAlias = Callable[[str, App], None]
"""Gets the name of a picture and the program whose screen it shows."""

class Pay(Protocol):
    """Gets the name of a price (``prices.toml``) and how many times a board has to pay it."""

    def __call__(self, price: str, times: int = 1, /) -> None: ...

Mark: TypeAlias = tuple[int | str | None, ...]
"""Equal marks mean that the screen has not changed."""

# the air

Numbered: TypeAlias = tuple[bool, int, int]
"""Whether a frame is a record, its epoch, its counter: no two frames of a board share all three."""
Later: TypeAlias = Callable[[Callable[[], None]], None]
"""Gets what to call when one side's connection has timed out."""
HearAdvert: TypeAlias = Callable[[int, bytes], None]
"""Gets the address of a board and the frame in its advert."""

class Peer(Protocol):
    """A session on a board's link: the host's or another device's."""

    live: bool
    @property
    def address(self) -> int: ...
    def up(self, frame: bytes, /) -> None: ...
    def end(self) -> None: ...
    def vanish(self, later: Later, /) -> None: ...

class Linkable(Protocol):
    """What the host can connect to: a board's link, or a relay of one."""

    welcome: bool
    @property
    def address(self) -> int: ...
    @property
    def connected(self) -> bool: ...
    @property
    def session(self) -> Peer | None: ...
    def open(self, session: Peer, /) -> None: ...
    def put(self, frame: bytes, /) -> None: ...
    def close(self) -> None: ...

class Carrier(Protocol):
    """The host's end of an air."""

    @property
    def frames_up(self) -> int: ...
    @property
    def frames_down(self) -> int: ...
    async def run(self) -> None: ...

class Air(Protocol):
    """What a venue needs of an air (``PureAir``, ``BleAir``)."""

    def link(self, address: int, wake: Wake) -> LinkPort: ...
    def power_off(self, address: int, /) -> None: ...
    def carrier(self, collector: Collector, now_ms: Callable[[], int], /) -> Carrier: ...

# people

DeskAct: TypeAlias = Callable[[Desk], list[int]]
"""An act at the desk; returns the tables that get an order."""
TimedAct: TypeAlias = tuple[float, DeskAct]
"""Seconds after the round's start, and the act."""
Score: TypeAlias = tuple[int, int, int]
"""The outcome (1 or 2: that seat has won, 3: a tie), then the games of seat 0 and seat 1."""
PlayAct: TypeAlias = tuple[float, str, int]
"""A delay in seconds, what then happens on the table, and the seat that does it."""
Bounds: TypeAlias = tuple[float, float]
"""The shortest and the longest of something, in seconds."""
WatchTable: TypeAlias = Callable[[Table], None]

class PlayTable(Protocol):
    """A table as its players see it (``table.Table``); times in seconds."""

    @property
    def number(self) -> int: ...
    @property
    def face(self) -> ScreenReading: ...
    @property
    def now_s(self) -> float: ...
    def press(self, key: int, for_ms: int, /) -> None: ...
    async def rest(self, seconds: float, /) -> None: ...
    async def watch(self, seconds: float, /) -> bool: ...
    async def begins(self, number: int, /) -> None: ...
    async def see(self, screens: Collection[str], /) -> None: ...

class Play(Protocol):
    """What people do with their cards or ships (``card_play.MatchPlay``)."""

    time_called: bool
    started: bool
    in_turn: bool
    seat: int
    def acts(self) -> Iterator[PlayAct]: ...

class Programme(Protocol):
    """An evening: who plays whom, how, and what judges do (``programme.RandomProgramme``)."""

    event: str
    format: Format
    tables: int
    def model(self, table: int, /) -> str: ...
    def pairings(self, number: int, /) -> Sequence[Pairing]: ...
    def story(self, number: int, table: int, /) -> Story: ...
    def acts(self, number: int, /) -> Sequence[TimedAct]: ...

class Staffed(Protocol):
    """A venue as its staff see it (``Venue``, ``FaultyVenue``)."""

    loop: AbstractEventLoop
    @property
    def station(self) -> Station: ...
    @property
    def tables(self) -> Mapping[int, Table]: ...
    @property
    def stopped(self) -> bool: ...
    def desk_ms(self) -> int: ...
    def at_desk(self, call: Callable[..., T], *args: object) -> T | None: ...

class VenueOptions(TypedDict, total=False):
    """Options of ``Venue``."""

    faces: MakeFace
    prices: Book | None
    connect: Connect | None
    links: int

class StageOptions(TypedDict, total=False):
    """Options of ``Stage``."""

    loss: float
    programme: Programme | None
    spares: int
    name: str

Holds: TypeAlias = Callable[[Station], bool]
Notify: TypeAlias = Callable[[], None]
"""Called after each second, so that others may look."""

# scenes

class Extra(TypedDict, total=False):
    """What a scene has besides its events (``scenes``)."""

    standing: int
    names: tuple[str, str]
    failed: str
    keyless: bool
    pending: int
    ill: bool
    system: Rules
    draft: list[Event]
    recalled: list[Recalled]
    waited_s: int

Recalled: TypeAlias = tuple[str, str, dict[str, int | str], str]
"""What stands before a text, the text's name, its words by their letters, and what follows."""
Moment: TypeAlias = tuple[Events, int, tuple[int, ...], Extra]
"""What follows screen and case in a ``scenes.Scene``."""
ListedPart: TypeAlias = dict[str, str | int | bool]
"""A part of a display list (``DisplayList.parts``)."""
ListedScene: TypeAlias = dict[str, str | int | bool | list[ListedPart]]
"""A scene for a page: name, width, height, turned, parts (``DisplayList.parts``)."""
ShotSize: TypeAlias = tuple[str, int, int]
"""The name of a picture's file, its width and its height in px."""
