"""What a person with a meter, the PC's radio and the PC's drive can add to what a board says of
itself.
"""

from collections.abc import Iterator, Mapping

from host.base.errors import UserError
from host.boards.bringup.figures import Figure
from host.boards.bringup.ports import Air, Console, Operator, number
from host.boards.deploy import extents
from host.boards.deploy.drive import JOURNALS

FLAGS = 0x06  # general discovery, no classic Bluetooth (firmware/radio/advertiser.py)
NEAR_MV = 60


def asked(
    console: Console,
    operator: Operator,
    air: Air,
    prices: Mapping[str, int],
    found: dict[str, int],
    drive: str | None,
) -> Iterator[Figure]:
    """Yield the Figures; ``found`` takes the prices. ``drive`` is a device or an image, or None."""
    yield _flags(air)
    yield from _battery(console, operator)
    yield _current(operator, prices, found)
    yield from _journals(drive)


def _flags(air):
    flags = air.flags
    note = "" if flags is not None else "this PC does not tell"
    return Figure("the advert's flags", flags, FLAGS, "", note)


def _battery(console, operator):
    said = console.call("gauge.millivolts()")
    if said is None:
        yield Figure("the battery's voltage", None, None, "mV", "there is no gauge")
        return
    gauge = number(said)
    meter = operator.measured("What does a voltmeter read at the battery, in mV?", "battery")
    note = "" if meter is None or abs(meter - gauge) <= NEAR_MV else f"more than {NEAR_MV} mV off"
    yield Figure("the battery's voltage, the meter's as model", gauge, meter, "mV", note)


def _current(operator, prices, found):
    told = operator.measured(
        "What does the board draw at the battery while nobody plays, in mA?", "current"
    )
    if told is not None:
        found["idle_ma"] = told
    return Figure("current while nobody plays", told, prices["idle_ma"], "mA")


def _journals(drive):
    try:
        if drive is None:
            raise UserError("give its drive with --drive")
        counts = extents.pieces(drive, JOURNALS)
    except UserError as error:
        yield Figure("pieces that the journals lie in", None, 1, "", str(error))
        return
    for name, count in counts.items():
        note = {0: "it is not there", 1: ""}.get(count, "erase the drive and deploy anew")
        yield Figure(f"pieces that {name} lies in", count, 1, "", note)
