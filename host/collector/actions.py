"""What the Collector wants of its carrier: a tuple whose first element says what."""

from typing import Literal

Connect = tuple[Literal["connect"], str]  # to an address
Write = tuple[Literal["write"], str, bytes]  # a frame, to an address that is connected
Disconnect = tuple[Literal["disconnect"], str]
Action = Connect | Write | Disconnect
