"""What this package needs of a running host: of its collector, its boards' statuses, its desk and
keys.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from host.archive.store import Archive
from host.base.sentences import Sentence
from host.event.holdings import Gap


class Status(Protocol):
    """A board as last heard (``host.collector.board_status``); times are event time in ms."""

    device: int
    table: int
    heard_ms: int | None
    zero_ms: int
    phase: int
    turn: int
    visited: bool

    def has(self, flag: int) -> bool:
        """Whether the last status raised a flag of ``firmware.core.frames``."""
        ...


StatusT = TypeVar("StatusT", bound=Status)


class LiveBoards(Protocol[StatusT]):
    """What boards say besides their records (``host.collector.collector``)."""

    now_ms: int

    @property
    def statuses(self) -> Mapping[int, StatusT]:
        """The statuses of the boards in use, by device."""
        ...

    @property
    def refused(self) -> Mapping[tuple[int | None, str], int]:
        """How many frames were refused, by device (None: of no board in use) and reason."""
        ...

    @property
    def alarms(self) -> Iterable[tuple[int, int | None, Sentence]]:
        """Event time, device (None: this PC) and sentence of each alarm."""
        ...

    def missing(self, status: StatusT) -> list[Gap]:
        """Return what a board has and the archive lacks."""
        ...


class OrderSender(Protocol):
    """Who stores orders and sends them (``host.collector.collector``)."""

    now_ms: int

    def add_order(
        self,
        round_number: int,
        table: int,
        intent: tuple[int, int, int, int, int],
        *,
        author: str,
        reason: str = "",
    ) -> int:
        """Store an order for a table and let it go out; return its id."""
        ...


class HasNow(Protocol):
    """Who knows the event time."""

    now_ms: int


class HasRound(Protocol):
    """Who knows which round is on, 0 or None before the first."""

    @property
    def round(self) -> int | None:
        """Its number."""
        ...


class BoardKeys(Protocol):
    """Who knows the boards' keys (``host.keys.keyring``)."""

    def board(self, device: int, generation: int) -> bytes:
        """Return the 32-byte key of a board."""
        ...


class Station(Protocol):
    """The host put together (``host.desk.station``), as far as it is needed here."""

    @property
    def archive(self) -> Archive:
        """The archive."""
        ...

    @property
    def keyring(self) -> BoardKeys:
        """The boards' keys."""
        ...

    @property
    def collector(self) -> HasNow:
        """The collector."""
        ...

    @property
    def desk(self) -> HasRound:
        """The desk."""
        ...
