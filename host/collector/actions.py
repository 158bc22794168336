"""The actions that the Collector requests from its carrier: tuples, the first element is the
kind.
"""

from typing import Literal

Connect = tuple[Literal["connect"], str]  # to an address
Write = tuple[Literal["write"], str, bytes]  # a frame, to an address that is connected
Disconnect = tuple[Literal["disconnect"], str]
Action = Connect | Write | Disconnect
