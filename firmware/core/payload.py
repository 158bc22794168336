"""Events and intents in the nine bytes of a record's payload (``frames``): where each field lies.

Each class has one line ``LAYOUT`` that names its fields in the order of their bytes, which is the
order in which its ``__init__`` takes them::

    LAYOUT = payload.layout("seat: 4, section: 5, penalty: 6, situation: 7-8")
    LAYOUT = payload.layout("seat: 4.0-3, teller: 4.4-7, turning: 5-6")

``4`` is a byte, ``7-8`` are bytes (little-endian), ``4.1-3`` are bits of a byte, and ``bytes 2-8``
are those bytes as they are. Bytes 0-3 are ``at_ms`` and are not named, but where the line says
otherwise. What no field covers is written as zero, and read by nobody.
"""

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, FieldPlace, Self

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
        for entry in text.split(", "):
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


def layout(text: str = "", timed: bool = True) -> Layout:
    """Return the Layout of a line; it begins with ``at_ms`` if ``timed``."""
    time = "at_ms: 0-3" if timed else ""
    return Layout(", ".join([part for part in (time, text) if part]))


class Fields:
    """The common part of events and intents: a kind and its fields, which compare by value.

    ``kind`` is the number in a frame's head, ``at_ms`` a time in u32 ms since the event's origin.
    """

    kind = 0
    at_ms: int
    LAYOUT = layout()

    def __init__(self, at_ms: int):
        self.at_ms = at_ms

    def _values(self):
        return [getattr(self, name) for name in self.LAYOUT.names]

    # the form before: a tuple (kind, at_ms, a, b, c), as long as anybody uses it (issue 43)

    def __iter__(self):
        return iter((self.kind,) + struct.unpack("<IBHH", pack(self)))

    def __getitem__(self, place):
        return tuple(self)[place]

    def __eq__(self, other):
        if isinstance(other, tuple):
            return tuple(self) == other
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self):
        return hash((self.kind,) + tuple(self._values()))

    def __repr__(self):
        said = ["%s=%r" % (name, getattr(self, name)) for name in self.LAYOUT.names]
        return "%s(%s)" % (type(self).__name__, ", ".join(said))

    def at(self, at_ms: int) -> "Self":
        """Return the same at another time."""
        other = type(self)(*self._values())
        other.at_ms = at_ms
        return other

    @property
    def fits(self) -> bool:
        """Whether each field fits into its place."""
        for value, (_, low, most) in zip(self._values(), self.LAYOUT.fields):
            if low is None:
                if len(value) != most:
                    return False
            elif not 0 <= value <= most:
                return False
        return True


def pack(message: Fields) -> bytes:
    """Return an event's or intent's payload. Raises ValueError if a field does not fit."""
    if not message.fits:
        raise ValueError("payload")
    placed, values = message.LAYOUT, message._values()
    if not placed.whole:
        numbers = [0] * (1 + placed.fields[-1][0])
        for value, (number, low, _) in zip(values, placed.fields):
            numbers[number] = value if low is None else numbers[number] | value << low
        values = numbers
    return struct.pack(placed.form, *values)


def unpack(message: "type[Fields]", data: "Bytes", at: int = 0) -> Fields:
    """Return the event or intent of a class whose payload begins at ``at`` in ``data``."""
    placed = message.LAYOUT
    numbers = struct.unpack_from(placed.form, data, at)
    if placed.whole:
        return message(*numbers)
    return message(*[numbers[number] >> low & most for number, low, most in placed.fields])
