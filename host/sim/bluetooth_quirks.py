"""How each system's Bluetooth misbehaves, as read in its sources: a Profile a system.

A virtual PC (``ether.pc.Pc``) does all of it, from a seed. Files are those of bleak 3.1.0 under
``bleak/backends``; ``bleak 394`` and ``bluez 569`` are issues in the trackers of bleak and BlueZ.
Where reports differ, the worse behaviour is taken: a double may refuse more than the PC, never
less. The workarounds are in ``host/collector/carriers/platforms.py``.
"""

from dataclasses import dataclass, replace
from typing import TypeAlias

from host.collector.carriers.platforms import LINUX, MACOS, SYSTEMS, WINDOWS, Quirks
from host.sim import prices

Failure: TypeAlias = str | type[Exception]
"""What a system does to a call: an error, a reason of bleak's, or "hangs" for never returning."""

NEVER = float("inf")
GOOD = "good"  # an ideal PC, for tests of the boards alone


@dataclass(frozen=True)
class Profile:
    """One system's quirks, by default an ideal PC's; shares are from 0 to 1.

    The last four are prices: ``links`` is how many connections the adapter holds; an address is
    reported once in ``filter_s`` seconds or after a new scan; ``discover_s`` is how long service
    discovery takes, least and most; ``start_s`` is how long a scan takes to start.
    """

    name: str
    # a device unseen for so long is unknown to connect(): BlueZ's TemporaryTimeout (bluez 1554),
    # bleak 1176
    forgets_s: float = NEVER
    # a pattern monitor lifts the filter (bluez 406); needs BlueZ 5.56 and often --experimental
    # (bleak 884), so no system has it here
    monitors: bool = False
    # scanning is suspended while it connects: bluez 569, 1489
    deaf: bool = False
    # own connecting changes a device's properties, and each change tells its last advert anew:
    # bluezdbus/manager.py:1387
    echoes: bool = False
    # what start() does while there is no radio, in turn: a bus that is gone
    # (bluezdbus/manager.py:330-420), winrt/scanner.py:256, a prompt nobody answers
    # (corebluetooth/CentralManagerDelegate.py:205)
    start_off: tuple[Failure, ...] = ()
    # what stop() does then, in turn: bluezdbus/manager.py:683, winrt/scanner.py:318-327
    stop_off: tuple[Failure, ...] = ()
    # subscribes to Service Changed before a program may subscribe to anything: BlueZ's
    # src/shared/gatt-client.c, register_service_changed (bluez 191)
    hears_changes: bool = False
    # the share of attempts that end in an error: le-connection-abort-by-local,
    # bluezdbus/client.py:277; UNREACHABLE, winrt/client.py:717
    aborts: float = 0.0
    # a link's first time-out; the kernel's le_supv_timeout is 42 (RPi-Distro/bluez-firmware 8,
    # noble 99)
    supervision_ms: int = 4000
    # a link lives on so long after disconnect(): winrt/client.py:481, bleak 974, 1205
    late_s: tuple[float, float] | None = None
    # the share of ends without a callback: winrt/client.py:477 ("may never come"),
    # bluezdbus/manager.py:450
    untold: float = 0.0
    # the share of links whose services are an old memory without ours: bleak 882, bluez 191
    stale: float = 0.0
    # the share of writes without response that nobody sends:
    # corebluetooth/PeripheralDelegate.py:438, bleak 786, 837
    drops: float = 0.0
    # the share of the time for services that is left once a system knows a board's: BlueZ keeps
    # them, paired or not (Cache = always in main.conf), and asks for the primary services alone;
    # with MTU, features and Service Changed 6 of 17 exchanges (src/shared/gatt-client.c,
    # discover_primary_cb and discovery_found_service; bluez 191)
    again: float = 1.0
    # what is asked for; a BlueZ before 5.62 always tells 23 (bluezdbus/manager.py:149)
    mtu: int = 517
    links: int = 99
    filter_s: float = 0.0
    discover_s: tuple[float, float] = (0.0, 0.0)
    start_s: float = 0.0


PROFILES = {
    GOOD: Profile(GOOD),
    LINUX: Profile(
        LINUX, forgets_s=30.0, deaf=True, echoes=True, hears_changes=True, aborts=0.1,
        start_off=("POWERED_OFF", EOFError, KeyError, "hangs"),
        stop_off=(EOFError, AssertionError, "hangs"), supervision_ms=420, untold=0.05, stale=0.05,
        again=0.35,
    ),
    WINDOWS: Profile(
        WINDOWS, hears_changes=True, aborts=0.05, start_off=("POWERED_OFF",),
        stop_off=("hangs", AssertionError), late_s=(1.0, 60.0), untold=0.1, stale=0.02,
    ),
    MACOS: Profile(
        MACOS, hears_changes=True, aborts=0.05, start_off=("hangs", "POWERED_OFF"),
        supervision_ms=720, untold=0.02, stale=0.02, drops=0.2, mtu=185,
    ),
}  # fmt: skip
_UNFILTERED_MS = 3000  # boards advertise every 1.0 to 1.5 s, and some of it is lost


def profile(system: str | Profile, book: prices.Book | None = None) -> Profile:
    """Return the Profile of a system of ``SYSTEMS``, or of ``GOOD``; a Profile as it is.

    ``book`` has the prices: what may differ from PC to PC is a price, with its source in the price
    file.
    """
    if isinstance(system, Profile):
        return system
    if system == GOOD:
        return PROFILES[GOOD]
    priced = (book or prices.load()).on(system)
    delay_ms, discover_ms = priced["pc_advert_delay_ms"], priced["pc_discover_ms"]
    return replace(
        PROFILES[system],
        links=priced["pc_links"],
        filter_s=delay_ms / 1000 if delay_ms > _UNFILTERED_MS else 0.0,
        discover_s=(discover_ms / 6000, discover_ms / 1000),  # at least a sixth of the price
        start_s=priced["pc_start_ms"] / 1000,
    )


def quirks(name: str) -> Quirks:
    """Return the carrier's workarounds for a system; ``GOOD`` needs none."""
    return SYSTEMS.get(name, Quirks())
