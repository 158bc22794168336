"""The types of a gateway's modules: for type checkers, laid on no board."""

from collections.abc import Callable
from typing import TypeAlias

from usb_cdc import Serial as Port

Send: TypeAlias = tuple[int, int, bytes]
"""An advert to be sent: from which ticks on, for how many ms, and its 1-31 bytes."""

Ticks: TypeAlias = Callable[[], int]
"""The chip's counter: ms modulo 2^29."""

__all__ = ["Port", "Send", "Ticks"]
