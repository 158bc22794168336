"""The types of what the radio's modules pass around: for type checkers, laid on no board."""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from _bleio import Characteristic, PacketBuffer

from firmware.radio.link import Link

Ends: TypeAlias = tuple[PacketBuffer, Characteristic, PacketBuffer]
"""What the host writes, what is notified, and the watch over it (``service``)."""
Declare: TypeAlias = Callable[[], Ends]
"""Declares the service (``service.ends``)."""
Kind = TypeVar("Kind", bound=Link)
