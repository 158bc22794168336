"""Currents and battery life by state of a match, from ``power.csv`` and the firmware's own light
tables.

What the bar shows in each phase is asked of ``firmware/ui/lights.py``, the code that lights it, so
the figures change when the firmware's policy does. Nothing was measured on a board: every current
is an estimate with its source.
"""

import csv
import pathlib

from firmware.core import phases
from firmware.ui import lights

HERE = pathlib.Path(__file__).resolve().parent
EXTRA = {
    "PLAYING soon": lights.SOON,
    "JUDGE": lights.WAITING,
}  # states of the lights that are no phase
ESP32_S3 = "chip of an ESP32-S3 running the program"
TURN = 3  # of the turns after time: the most pixels


def rows(kind):
    """Return the rows of power.csv of one ``kind``."""
    with open(HERE / "power.csv", encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["kind"] == kind]


def value(kind, item):
    """Return one figure."""
    return next(float(row["value"]) for row in rows(kind) if row["item"] == item)


CAPACITIES = tuple(int(row["value"]) for row in rows("cell") if row["item"] == "capacity")
HEAD = ("state", "mA", *(f"{capacity} mAh h" for capacity in CAPACITIES), "basis")


def light_levels(state):
    """Return the sum of all channels (0-255 each, before dimming) that a state shows, averaged over
    time.
    """
    number = EXTRA[state] if state in EXTRA else getattr(phases, state)
    times = range(0, lights.STEPS * lights.STEP_MS, lights.STEP_MS)
    pixels = bytearray(3 * lights.PIXELS)
    total = sum(sum(lights.colours(lights.bar(number, TURN, at_ms), pixels)) for at_ms in times)
    return total / len(times)


def pixels_ma(levels):
    """Return what the bar draws for a sum of channel values, dimmed as the firmware does."""
    dark = value("policy", "pixels") * value("current", "one pixel dark")
    dimmed = levels / value("policy", "pixel divider")
    return dark + dimmed / 255 * value("current", "one channel of a pixel full")


def steady_ma():
    """Return what a FeatherS3 build draws whatever it shows."""
    names = (
        ESP32_S3,
        "radio advertising every 0.14 s",
        "panel and backlight of the wing",
        "the rest of the board",
    )
    return sum(value("current", name) for name in names)


def state_ma(state):
    """Return the FeatherS3 build's current in one state."""
    return steady_ma() + pixels_ma(light_levels(state))


def brightest_ma():
    """Return the most that the regulator can be asked for: all pixels white at full, a
    link open.
    """
    levels = value("policy", "pixels") * 3 * 255
    return steady_ma() + value("current", "radio connected") + pixels_ma(levels)


def lilygo_ma():
    """Return the T-Display-S3's current, with nothing plugged in."""
    names = (ESP32_S3, "panel and backlight of the T-Display-S3", "the rest of the board")
    return sum(value("current", name) for name in names)


def day_ma():
    """Return the average over the day of power.csv."""
    minutes = [(row["item"], float(row["value"])) for row in rows("day")]
    return sum(state_ma(state) * many for state, many in minutes) / sum(many for _, many in minutes)


def hours(current_ma, capacity_mah):
    """Return the life of a cell."""
    return capacity_mah * value("cell", "usable part") / current_ma


def life():
    """Return the rows of power_life.csv."""
    day = [row["item"] for row in rows("day")]
    states = [(state, state_ma(state)) for state in day]
    states += [("the day of power.csv", day_ma()), ("brightest possible", brightest_ma()),
               ("switched off", value("current", "switched off"))]  # fmt: skip
    found = [HEAD]
    for state, current in states:
        lasts = [f"{hours(current, capacity):.1f}" for capacity in CAPACITIES]
        found.append((state, f"{current:.2f}", *lasts, "estimate"))
    lasts = [f"{hours(lilygo_ma(), capacity):.1f}" for capacity in CAPACITIES]
    found.append(("T-Display-S3 running", f"{lilygo_ma():.2f}", *lasts, "estimate"))
    return found


CHARGING_HEAD = (
    "boards", "A at 5 V switched off", "W", "A at 5 V running",
    *(f"h for {capacity} mAh" for capacity in CAPACITIES),
)  # fmt: skip
SLOW = 1.2  # a charger ends slowly: part of the time is at less than its full current


def charging():
    """Return the rows of charging.csv: what 1, 10 and 50 boards ask of their chargers, and how
    long.
    """
    each = value("current", "charging")
    found = [CHARGING_HEAD]
    for boards in (1, 10, 50):
        off, on = boards * each / 1000, boards * (each + round(day_ma(), -1)) / 1000
        lasts = [f"{capacity / each * SLOW:.1f}" for capacity in CAPACITIES]
        found.append((str(boards), f"{off:.2f}", f"{5 * off:.1f}", f"{on:.2f}", *lasts))
    return found
