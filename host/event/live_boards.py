"""Protocols of a running host's parts that this package uses: collector and statuses."""

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from host.archive.orders import NewOrder
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
    listens: bool

    def has(self, flag: int) -> bool:
        """Whether a flag of ``firmware.core.frames`` was set in the last status."""
        ...


StatusT = TypeVar("StatusT", bound=Status)


class LiveBoards(Protocol[StatusT]):
    """What boards report besides records (``host.collector.collector``)."""

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
        """Return the runs of a board's records that the archive lacks."""
        ...


class OrderSender(Protocol):
    """Stores and sends orders (``host.collector.collector``)."""

    now_ms: int

    def add_order(self, order: NewOrder) -> int:
        """Store an order and queue it for sending; return its id."""
        ...
