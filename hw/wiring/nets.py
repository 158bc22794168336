"""The wiring files read as nets, the firmware's pin table as what they must be, and
``pinout.csv``.
"""

import pathlib
from dataclasses import dataclass

import yaml

HERE = pathlib.Path(__file__).resolve().parent
# a drawing's board
BUILDS = {"feathers3": "unexpectedmaker_feathers3", "lilygo": "lilygo_tdisplay_s3"}
BOARD = {"feathers3": "FEATHER", "lilygo": "LILYGO"}
PLUGGED = {  # of a build with its own keys and display: what is plugged in
    "lilygo": {
        ("CELL", "plus"): "BAT_PLUS", ("CELL", "minus"): "BAT_GND", ("PIEZO", "ground"): "GND",
        ("BAR", "GND"): "GND", ("BAR", "5VDC"): "3V",
    },
}  # fmt: skip
KEYS = ("KEY_TRIANGLE", "KEY_CIRCLE", "KEY_JUDGE")
# what every build of a Feather needs besides signals: (connector, its pin) -> pin of the board
SUPPLY = {
    ("KEY_TRIANGLE", "ground"): "GND", ("KEY_CIRCLE", "ground"): "GND",
    ("KEY_JUDGE", "ground"): "GND",
    ("PIEZO", "ground"): "GND", ("BAR", "GND"): "GND", ("BAR", "5VDC"): "3V",
    ("SWITCH", "enable"): "EN", ("SWITCH", "ground"): "GND",
    ("WING", "SD_CS"): "D5", ("WING", "TOUCH_IRQ"): "D6",
    **{("WING", name): name for name in ("SCK", "MOSI", "MISO", "SDA", "SCL", "RST", "3V", "GND")},
}  # fmt: skip
WITHOUT_LIGHT = (
    "lilygo_tdisplay_s3",
)  # its own display and keys, but piezo and bar are plugged in
HEAD = ("board", "part", "pin", "reads when pressed", "on the board itself")


@dataclass(frozen=True)
class Wire:
    """One wire: the board's pin, the other end's connector and pin, and the line it is
    written in.
    """

    pin: str
    connector: str
    label: str
    line: int


def wires(build, text=None):
    """Return the wires that end at the board of a build; ``text`` in place of the
    committed file.
    """
    text = (HERE / f"{build}.yml").read_text(encoding="utf-8") if text is None else text
    found = []
    for connection in _value(yaml.compose(text), "connections").value:
        ends = [_end(part) for part in connection.value]
        (first, pins), (last, labels) = ends[0], ends[-1]
        if first == BOARD[build]:
            pairs = zip(pins, labels, strict=True)
            found += [Wire(pin, last, label, line) for (pin, line), (label, _) in pairs]
    return found


def _value(node, key):
    return next(value for name, value in node.value if name.value == key)


def _end(part):
    """Return a connection's end: its name, and (label, line) of its pins."""
    ((name, pins),) = part.value
    return name.value, [(pin.value, pin.start_mark.line + 1) for pin in pins.value]


def signals(row):
    """Return ``{(connector, its pin): pin of the board}`` that a row of firmware/board/pins.py asks
    for.
    """
    keys, display = row[2], row[8]
    asked = {(KEYS[at], "signal"): pin for at, pin in enumerate(keys)} | _lit(row)
    if display:
        asked.update({("WING", "DC"): display[0], ("WING", "CS"): display[1]})
    return asked


def _lit(row):
    """Return where sound and light are wired."""
    return {("PIEZO", "signal"): row[4], ("BAR", "DIN"): row[5]}


def faults(build, row, text=None):
    """Return one sentence for every wire that is not as the pin table says, and for what is
    missing.
    """
    asked = PLUGGED[build] | _lit(row) if build in PLUGGED else {**SUPPLY, **signals(row)}
    name, found, said = f"hw/wiring/{build}.yml", set(), []
    for wire in wires(build, text):
        end = (wire.connector, wire.label)
        found.add(end)
        if end not in asked:
            said.append(
                f"{name}:{wire.line}: nobody asked for {wire.connector} {wire.label} at {wire.pin}"
            )
        elif asked[end] != wire.pin:
            said.append(
                f"{name}:{wire.line}: {wire.connector} {wire.label} is wired to {wire.pin}, "
                f"but firmware/board/pins.py says {asked[end]}"
            )
    said += [f"{name}: no wire to {' '.join(end)}" for end in asked if end not in found]
    return said


def pinout(rows):
    """Return the lines of pinout.csv from ``{board id: row of the pin table}``."""
    lines = [HEAD]
    for board_id, row in rows.items():
        _, _, keys, levels, buzzer, bar, count, gauge, display, *_ = row
        own = "" if display else "yes"  # a board with its own display has its own keys
        lit = "" if board_id in WITHOUT_LIGHT else own
        for at, pin in enumerate(keys):
            lines.append((board_id, KEYS[at], pin, "high" if levels[at] else "low", own))
        lines.append((board_id, "PIEZO", buzzer, "", lit))
        lines.append((board_id, f"BAR ({count})", bar, "", lit))
        lines.append(
            (board_id, "CELL gauge", gauge[0] if gauge else "none", "", "yes" if gauge else "")
        )
        for part, pin in zip(("WING DC", "WING CS"), display or ()):
            lines.append((board_id, part, pin, "", ""))
        if not display:
            lines.append((board_id, "display", "DISPLAY", "", "yes"))
    return lines
