"""CircuitPython's ``_bleio`` on a PC, over bumble's virtual controllers (docs/architecture.md).

``adafruit_ble`` and ``firmware.radio`` run on it unmodified: ``install()`` makes ``import _bleio``
return this package, since the ``_bleio`` on PyPI implements only the central role. It implements
the peripheral role. Many boards share it: whatever makes services runs ``within`` an adapter, whose
they are then.
"""

import sys
from collections.abc import Callable
from typing import TypeVar

from host.sim.bleio.gatt import Characteristic, PacketBuffer, Radio, Service, running
from host.sim.bleio.names import (
    UUID,
    Address,
    Attribute,
    BluetoothError,
    Hung,
    RoleError,
    SecurityError,
)
from host.sim.bleio.radio import Adapter, Connection

__all__ = [
    "UUID",
    "Adapter",
    "Address",
    "Attribute",
    "BluetoothError",
    "Characteristic",
    "Connection",
    "Hung",
    "PacketBuffer",
    "RoleError",
    "SecurityError",
    "Service",
    "install",
    "within",
]
Made = TypeVar("Made")


def install() -> None:
    """Make ``import _bleio`` return this package from now on."""
    sys.modules["_bleio"] = sys.modules[__name__]


def within(adapter: Radio, make: Callable[[], Made]) -> Made:
    """Return what ``make()`` returns, run as the program of ``adapter``'s board."""
    token = running.set(adapter)
    try:
        return make()
    finally:
        running.reset(token)


def __getattr__(name: str) -> Radio | None:
    if name == "adapter":
        return running.get()
    raise AttributeError(name)
