"""Workarounds for each system's Bluetooth: one table, with the source of each.

Files are bleak 3.1.0's, under ``bleak/backends``; numbers after a name are issues of its tracker
(``bleak 394``) or of BlueZ's (``bluez 569``). ``host/sim/bluetooth_quirks.py`` simulates what each
system does.
"""

import sys
from dataclasses import dataclass

LINUX, WINDOWS, MACOS = "linux", "windows", "macos"


@dataclass(frozen=True)
class Quirks:
    """How to deal with one system.

    ``connect_s`` is the limit of one attempt, from the request to the board's services.
    ``suspends_scan``: it hears no adverts meanwhile. ``linger_s`` is how long a connection stays
    open after it was closed. ``respond``: use writes with response. ``monitor``: a passive scan
    beside the active one hears more.
    """

    connect_s: float = 6.0
    suspends_scan: bool = False
    linger_s: float = 0.0
    respond: bool = False
    monitor: bool = False


SYSTEMS = {
    # suspends_scan: the kernel does so while it connects (bluez 569, 1489). monitor: while a
    # pattern is registered, active scans are not filtered by address (bleak 1065, bluez 406); alone
    # it is filtered (bluez 647)
    LINUX: Quirks(suspends_scan=True, monitor=True),
    # connect: services alone take up to 10 s (bleak 686, 1829), and bleak's own limit is 30 s
    # (bleak 1903). linger: ``disconnect`` returns before the link ends, which takes up to a minute
    # (winrt/client.py:481, bleak 974, 1949); a board shows out a host that it has not heard for 8
    # s, so that it is never longer
    WINDOWS: Quirks(connect_s=25.0, linger_s=9.0),
    # respond: a write without response is dropped without a word when the queue is full
    # (corebluetooth/PeripheralDelegate.py:438, bleak 786)
    MACOS: Quirks(respond=True),
}
_PLATFORMS = {"win32": WINDOWS, "cygwin": WINDOWS, "darwin": MACOS}


def system() -> str:
    """Return the name of the system this program runs on; an unknown one counts as Linux."""
    return _PLATFORMS.get(sys.platform, LINUX)


def quirks(name: str | None = None) -> Quirks:
    """Return the Quirks of a system, this one by default."""
    return SYSTEMS[name or system()]
