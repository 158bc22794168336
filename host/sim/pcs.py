"""What the Bluetooth of each system does to a program, as read: one table, a row a quirk.

A virtual PC (``computer.Pc``) does all of it, from a seed. Files are bleak 3.1.0's, under
``bleak/backends``; ``bleak 394`` and ``bluez 569`` are issues of bleak's and of BlueZ's trackers.
Where reports differ, the worse is taken: a double may refuse more than the PC, never less. What is
done about it stands in ``host/collector/carriers/platforms.py``.
"""

from dataclasses import dataclass
from typing import TypeAlias

from host.collector.carriers.platforms import LINUX, MACOS, SYSTEMS, WINDOWS, Quirks
from host.sim import prices

Mood: TypeAlias = str | type[Exception]
"""What a system does to a call: an error, a reason of bleak's, or "hangs"."""
Told: TypeAlias = float | None | tuple[float, float] | tuple[Mood, ...]
Quirk: TypeAlias = tuple[str, Told, Told, Told, Told, str]

NEVER = float("inf")
GOOD = "good"  # a PC that never was: for tests of the boards alone
# quirk, Linux, Windows, macOS, none of it; where it was read
QUIRKS: tuple[Quirk, ...] = (
    # the receiver
    ("forgets_s", 30.0, NEVER, NEVER, NEVER,
     "a device unseen for so long is unknown to connect(): BlueZ's TemporaryTimeout (bluez 1554), "
     "bleak 1176"),
    ("monitors", False, False, False, False,
     "a pattern monitor lifts the filter (bluez 406); needs BlueZ 5.56 and often --experimental "
     "(bleak 884)"),
    ("deaf", True, False, False, False, "scanning is suspended while it connects: bluez 569, 1489"),
    ("echoes", True, False, False, False,
     "own connecting changes a device's properties, and each change tells its last advert anew: "
     "bluezdbus/manager.py:1387"),
    # starting and stopping; "hangs" is for ever
    ("start_off", ("POWERED_OFF", EOFError, KeyError, "hangs"), ("POWERED_OFF",),
     ("hangs", "POWERED_OFF"), (),
     "what start() does while there is no radio, in turn: a bus that is gone "
     "(bluezdbus/manager.py:330-420), winrt/scanner.py:256, a prompt nobody answers "
     "(corebluetooth/CentralManagerDelegate.py:205)"),
    ("stop_off", (EOFError, AssertionError, "hangs"), ("hangs", AssertionError), (), (),
     "what stop() does then, in turn: bluezdbus/manager.py:683, winrt/scanner.py:318-327"),
    # links
    ("hears_changes", True, True, True, False,
     "subscribes to Service Changed before a program may subscribe to anything: "
     "BlueZ's src/shared/gatt-client.c, register_service_changed (bluez 191)"),
    ("aborts", 0.1, 0.05, 0.05, 0.0,
     "the share of attempts that end in an error: le-connection-abort-by-local, "
     "bluezdbus/client.py:277; UNREACHABLE, winrt/client.py:717"),
    ("supervision_ms", 420, 4000, 720, 4000,
     "a link's first time-out; the kernel's le_supv_timeout is 42 (RPi-Distro/bluez-firmware 8, "
     "noble 99)"),
    ("late_s", None, (1.0, 60.0), None, None,
     "a link lives on so long after disconnect(): winrt/client.py:481, bleak 974, 1205"),
    ("untold", 0.05, 0.1, 0.02, 0.0,
     "the share of ends without a callback: winrt/client.py:477 (\"may never come\"), "
     "bluezdbus/manager.py:450"),
    ("stale", 0.05, 0.02, 0.02, 0.0,
     "the share of links whose services are an old memory without ours: bleak 882, bluez 191"),
    ("drops", 0.0, 0.0, 0.2, 0.0,
     "the share of writes without response that nobody sends: "
     "corebluetooth/PeripheralDelegate.py:438, bleak 786, 837"),
    ("mtu", 517, 517, 185, 517,
     "what is asked for; a BlueZ before 5.62 always tells 23 (bluezdbus/manager.py:149)"),
)  # fmt: skip
_COLUMNS = {LINUX: 1, WINDOWS: 2, MACOS: 3, GOOD: 4}
_UNFILTERED_MS = 3000  # boards advertise every 1.0 to 1.5 s, and some of it is lost


@dataclass(frozen=True)
class Profile:
    """One column of ``QUIRKS`` and what is priced; shares are from 0 to 1.

    ``links`` is how many the adapter holds; for ``filter_s`` an address is told of once, until the
    scan restarts; ``discover_s`` is from and to how long a board's services take; ``start_s`` a
    scan's start.
    """

    name: str
    forgets_s: float
    monitors: bool
    deaf: bool
    echoes: bool
    start_off: tuple[Mood, ...]
    stop_off: tuple[Mood, ...]
    hears_changes: bool
    aborts: float
    supervision_ms: int
    late_s: tuple[float, float] | None
    untold: float
    stale: float
    drops: float
    mtu: int
    links: int
    filter_s: float
    discover_s: tuple[float, float]
    start_s: float


class _Column:
    """One system's column of ``QUIRKS``, read by quirk."""

    def __init__(self, name: str):
        self._told = {row[0]: row[_COLUMNS[name]] for row in QUIRKS}

    def number(self, quirk: str) -> float:
        told = self._told[quirk]
        assert isinstance(told, int | float)
        return told

    def moods(self, quirk: str) -> tuple[Mood, ...]:
        told = self._told[quirk]
        assert isinstance(told, tuple)
        return tuple(one for one in told if not isinstance(one, int | float))

    def span(self, quirk: str) -> tuple[float, float] | None:
        told = self._told[quirk]
        if not isinstance(told, tuple):
            return None
        shortest, longest = (one for one in told if isinstance(one, int | float))
        return shortest, longest


def profile(name: str, book: prices.Book | None = None) -> Profile:
    """Return the Profile of a system of ``SYSTEMS``, or of ``GOOD``.

    ``book`` has the prices: what one's own PC may differ in is a price, told with its source there.
    """
    column, priced = _Column(name), (book or prices.load()).on(name)
    adapter = _good_adapter() if name == GOOD else _adapter(priced)
    links, filter_s, discover_s, start_s = adapter
    return Profile(
        name,
        forgets_s=column.number("forgets_s"),
        monitors=bool(column.number("monitors")),
        deaf=bool(column.number("deaf")),
        echoes=bool(column.number("echoes")),
        start_off=column.moods("start_off"),
        stop_off=column.moods("stop_off"),
        hears_changes=bool(column.number("hears_changes")),
        aborts=column.number("aborts"),
        supervision_ms=int(column.number("supervision_ms")),
        late_s=column.span("late_s"),
        untold=column.number("untold"),
        stale=column.number("stale"),
        drops=column.number("drops"),
        mtu=int(column.number("mtu")),
        links=links,
        filter_s=filter_s,
        discover_s=discover_s,
        start_s=start_s,
    )


def _good_adapter():
    return 99, 0.0, (0.0, 0.0), 0.0


def _adapter(priced: dict[str, int]):
    """Return links, filter_s, discover_s and start_s of a system at its prices."""
    delay_ms, discover_ms = priced["pc_advert_delay_ms"], priced["pc_discover_ms"]
    filter_s = delay_ms / 1000 if delay_ms > _UNFILTERED_MS else 0.0
    return (
        priced["pc_links"],
        filter_s,
        (discover_ms / 6000, discover_ms / 1000),
        priced["pc_start_ms"] / 1000,
    )


def quirks(name: str) -> Quirks:
    """Return how the carrier deals with the system ``name``; one that never was is like none of
    them.
    """
    return SYSTEMS.get(name, Quirks())
