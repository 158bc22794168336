"""Events and intents in the nine bytes of a record's payload (``frames``): where each field lies.

Each class has one line ``LAYOUT``, its own or that of the fields it shares with others. It names
the fields in the order of their bytes, which is the order in which ``__init__`` takes them, without
defaults::

    LAYOUT = "seat: 4, section: 5, penalty: 6, situation: 7-8"
    LAYOUT = "seat: 4.0-3, teller: 4.4-7, turning: 5-6"

``4`` is a byte, ``7-8`` are bytes (little-endian), ``4.1-3`` are bits of a byte, and ``bytes 2-8``
are those bytes as they are. Bytes 0-3 are ``at_ms`` and are not named, but where the line begins
with another field there. What no field covers is written as zero, and read by nobody. A line is
read when a payload with it is met first.
"""

import struct

from firmware.core import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Any, Bytes, FieldPlace, Reader, Self

SIZE = 9
_CODES = {1: "B", 2: "H", 4: "I"}  # of numbers, by bytes


class Layout:
    """What a ``LAYOUT`` line says.

    ``names``: the fields in order. ``fields``: for each, which number of the ``form`` (a struct's)
    holds it, from which bit on, and its largest value (of bytes their count, with None as the bit).
    """

    names: "tuple[str, ...]"
    fields: "tuple[FieldPlace, ...]"

    def __init__(self, text: str):
        names, fields = [], []
        self.form, self.whole = "<", True
        at = number = 0  # the next byte, and the next number of the form
        for entry in _entries(text):
            name, place = entry.split(": ")
            raw = place.startswith("bytes ")
            first, last, bits = _span(place[6:] if raw else place)
            if first >= at:  # else some more bits of the last byte
                count = last + 1 - first
                self.form += "x" * (first - at) + ("%ds" % count if raw else _CODES[count])
                at, number = last + 1, number + 1
            low, high = bits or (0, 8 * (last + 1 - first) - 1)
            self.whole = self.whole and bits is None
            most = last + 1 - first if raw else (1 << (high + 1 - low)) - 1
            names.append(name)
            fields.append((number - 1, None if raw else low, most))
        self.form += "x" * (SIZE - at)
        self.names, self.fields = tuple(names), tuple(fields)


def _span(place):
    """Return the first and last byte of a place, and the first and last bit or None."""
    if "." not in place:
        return _range(place) + (None,)
    byte, bits = place.split(".")
    return int(byte), int(byte), _range(bits)


def _range(text):
    ends = text.split("-")
    return int(ends[0]), int(ends[-1])


def _entries(text):
    """Return the fields of a line with their places, ``at_ms`` among them."""
    entries = text.split(", ") if text else []
    if entries and entries[0].split(": ")[1].split(" ")[-1].startswith("0"):
        return entries  # it names no time
    return ["at_ms: 0-3"] + entries


_LAYOUTS = {}  # by line


def layout(text: str) -> Layout:
    """Return the Layout of a line."""
    found = _LAYOUTS.get(text)
    if found is None:
        found = _LAYOUTS[text] = Layout(text)
    return found


class Fields:
    """The common part of events and intents: a kind and its fields, which compare by value.

    ``kind`` is the number in a frame's head, ``at_ms`` a time in u32 ms since the event's origin.
    """

    kind = 0
    at_ms: int
    LAYOUT = ""

    def __init__(self, at_ms: int):
        self.at_ms = at_ms

    @property
    def values(self) -> "list[Any]":
        """The values of its fields, in the order of ``__init__``."""
        return [getattr(self, name) for name in layout(self.LAYOUT).names]

    def __eq__(self, other):
        return type(self) is type(other) and self.values == other.values

    def __hash__(self):
        return hash((self.kind,) + tuple(self.values))

    def __repr__(self):
        said = ["%s=%r" % (name, getattr(self, name)) for name in layout(self.LAYOUT).names]
        return "%s(%s)" % (type(self).__name__, ", ".join(said))

    def at(self, at_ms: int) -> "Self":
        """Return the same at another time."""
        other = type(self)(*self.values)
        other.at_ms = at_ms
        return other

    @property
    def fits(self) -> bool:
        """Whether each field fits into its place."""
        for value, (_, low, most) in zip(self.values, layout(self.LAYOUT).fields):
            if low is None:
                if len(value) != most:
                    return False
            elif not 0 <= value <= most:
                return False
        return True


# fields that several of them have


class OfSeat(Fields):
    """Something of one ``seat``."""

    LAYOUT = "seat: 4"

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class OfSeats(Fields):
    """Something of ``seats``, as bits."""

    LAYOUT = "seats: 4"

    def __init__(self, at_ms: int, seats: int):
        self.at_ms, self.seats = at_ms, seats


class Count(Fields):
    """A number of each seat's, and who says so."""

    LAYOUT = "teller: 4.4-7, first: 5-6, second: 7-8"

    def __init__(self, at_ms: int, teller: int, first: int, second: int):
        self.at_ms, self.teller, self.first, self.second = at_ms, teller, first, second


class Step(Fields):
    """A ``step`` of a draft; what ``first`` and ``second`` are depends on it (``draft``)."""

    LAYOUT = "step: 4, first: 5-6, second: 7-8"

    def __init__(self, at_ms: int, step: int, first: int, second: int):
        self.at_ms, self.step, self.first, self.second = at_ms, step, first, second


class OfRound(Fields):
    """A round and its pairing at a table."""

    LAYOUT = "round: 4, table: 5-6, pairing: 7-8"

    def __init__(self, at_ms: int, round: int, table: int, pairing: int):
        self.at_ms, self.round, self.table, self.pairing = at_ms, round, table, pairing


class OfFormat(Fields):
    """A round's system, its format bits (see ``systems``) and minutes."""

    LAYOUT = "system: 4, format: 5-6, minutes: 7-8"

    def __init__(self, at_ms: int, system: int, format: int, minutes: int):
        self.at_ms, self.system, self.format, self.minutes = at_ms, system, format, minutes


class Pair(Fields):
    """A number of each seat's."""

    LAYOUT = "first: 5-6, second: 7-8"

    def __init__(self, at_ms: int, first: int, second: int):
        self.at_ms, self.first, self.second = at_ms, first, second


class Extension(Fields):
    """``total_s`` more for a table in all."""

    LAYOUT = "reason: 4, total_s: 5-6"

    def __init__(self, at_ms: int, reason: int, total_s: int):
        self.at_ms, self.reason, self.total_s = at_ms, reason, total_s


class Claim(Fields):
    """An outcome and the games won."""

    LAYOUT = "outcome: 4, first: 5-6, second: 7-8"

    def __init__(self, at_ms: int, outcome: int, first: int, second: int):
        self.at_ms, self.outcome, self.first, self.second = at_ms, outcome, first, second


class OfPress(Fields):
    """A press by its epoch and counter; ``by`` 0 a judge, 3 both seats."""

    LAYOUT = "by: 4, epoch: 5-6, counter: 7-8"

    def __init__(self, at_ms: int, by: int, epoch: int, counter: int):
        self.at_ms, self.by, self.epoch, self.counter = at_ms, by, epoch, counter


class Call(Fields):
    """A call for a judge; ``call`` says what for."""

    LAYOUT = "call: 4"

    def __init__(self, at_ms: int, call: int):
        self.at_ms, self.call = at_ms, call


class Switches(Fields):
    """A table's ``switches``, as bits."""

    LAYOUT = "switches: 4"

    def __init__(self, at_ms: int, switches: int):
        self.at_ms, self.switches = at_ms, switches


class Squads(Fields):
    """Squad totals as paired; ``mirror`` 1: both sides have the same faction."""

    LAYOUT = "mirror: 4.0-3, tossed: 4.4-7, first: 5-6, second: 7-8"

    def __init__(self, at_ms: int, mirror: int, tossed: int, first: int, second: int):
        self.at_ms, self.mirror, self.tossed = at_ms, mirror, tossed
        self.first, self.second = first, second


class Message(Fields):
    """A ``message`` by its number, and the seconds until the next round."""

    LAYOUT = "message: 4, next_round_s: 5-6"

    def __init__(self, at_ms: int, message: int, next_round_s: int):
        self.at_ms, self.message, self.next_round_s = at_ms, message, next_round_s


class ByWhom(Fields):
    """``by`` 0 a judge, 3 both seats."""

    LAYOUT = "by: 4"

    def __init__(self, at_ms: int, by: int):
        self.at_ms, self.by = at_ms, by


def pack(message: Fields) -> bytes:
    """Return an event's or intent's payload. Raises ValueError if a field does not fit."""
    if not message.fits:
        raise ValueError("payload")
    placed, values = layout(message.LAYOUT), message.values
    if not placed.whole:
        numbers = [0] * (1 + placed.fields[-1][0])
        for value, (number, low, _) in zip(values, placed.fields):
            numbers[number] = value if low is None else numbers[number] | value << low
        values = numbers
    return struct.pack(placed.form, *values)


def numbers(message: Fields) -> "tuple[int, int, int, int]":
    """Return an event's or intent's payload as numbers."""
    return frames.fields(pack(message), 0)


def reader(message: "type[Fields]") -> "Reader":
    """Return how ``unpack`` reads a class: itself, what reads its numbers, and its fields if some
    are bits.
    """
    placed = layout(message.LAYOUT)
    return message, _reading(placed.form), None if placed.whole else placed.fields


def _reading(form):
    """Return ``unpack_from`` of a form; a PC's struct has a quicker one, and folds archives."""
    if hasattr(struct, "Struct"):
        return struct.Struct(form).unpack_from
    return lambda data, at: struct.unpack_from(form, data, at)


def unpack(by: "Reader", data: "Bytes", at: int = 0) -> "Any":
    """Return the event or intent that ``by`` is the reader of, whose payload begins at ``at``."""
    message, read, bits = by
    numbers = read(data, at)
    if bits is None:
        return message(*numbers)
    return message(*[numbers[number] >> low & most for number, low, most in bits])
