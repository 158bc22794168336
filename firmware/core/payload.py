"""Events and intents in the nine bytes of a record's payload (``frames``): where each field lies.

Each class has one line ``LAYOUT``. It names the fields in the order of their bytes, in which
``__init__`` takes them, without defaults::

    LAYOUT = "seat: 4, section: 5, penalty: 6, situation: 7-8"
    LAYOUT = "seat: 4.0-3, teller: 4.4-7, turning: 5-6"

``4`` is a byte, ``7-8`` are bytes (little-endian), ``4.1-3`` are bits of a byte, and ``bytes 2-8``
are those bytes as they are. Bytes 0-3 are ``at_ms`` and are not named, unless another field lies
there. What no field covers is written as zero, and read by nobody.
"""

import struct

from firmware.core import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Any, Bytes, FieldPlace, Reader, Self

SIZE = 9
_NUMBERS = {1: "B", 2: "H", 4: "I"}  # how ``struct`` writes a number of so many bytes


class Layout:
    """What a ``LAYOUT`` line says.

    ``names``: the fields in order. ``fields``: for each, the place of its number in the struct
    ``form``, its first bit there, and its largest value; of bytes None and their count. ``whole``:
    no field is bits, so each has a number of its own.
    """

    def __init__(self, text: str):
        self.names: "tuple[str, ...]" = ()
        self.fields: "tuple[FieldPlace, ...]" = ()
        self.form, self.whole = "<", True
        next_byte, index = 0, -1  # ``index``: of the form's last number so far
        for entry in _entries(text):
            name, place = entry.split(": ")
            self.names += (name,)
            is_bytes = place.startswith("bytes ")
            if is_bytes:
                place = place[len("bytes ") :]
            byte, *bits = place.split(".")  # of ``4.1-3``: 4, 1-3
            first, last = _range(byte)
            size = last + 1 - first
            if first >= next_byte:  # else the field is more bits of the last number
                self.form += "x" * (first - next_byte)
                self.form += "%ds" % size if is_bytes else _NUMBERS[size]
                next_byte, index = last + 1, index + 1
            if is_bytes:
                first_bit, largest = None, size
            else:
                first_bit, last_bit = _range(bits[0]) if bits else (0, 8 * size - 1)
                largest = (1 << (last_bit + 1 - first_bit)) - 1
            self.fields += ((index, first_bit, largest),)
            self.whole = self.whole and not bits
        self.form += "x" * (SIZE - next_byte)


def _range(text):
    """Return the first and the last number of ``3-5``, or of ``3``."""
    ends = text.split("-")
    return int(ends[0]), int(ends[-1])


def _entries(text):
    """Return the fields of a line with their places, ``at_ms`` among them."""
    entries = text.split(", ") if text else []
    if entries and (": 0" in entries[0] or ": bytes 0" in entries[0]):
        return entries  # its first field lies where the time would be
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
    at_ms = 0  # of what names no time
    LAYOUT = ""
    if TYPE_CHECKING:  # the other fields, which LAYOUT names

        def __getattr__(self, name: str) -> "Any": ...
        def __setattr__(self, name: str, value: "Any") -> None: ...

    def __init__(self, *values: "Any"):
        """Take the values of the fields in the order of LAYOUT; TypeError for fewer or more."""
        names = layout(self.LAYOUT).names
        if len(values) != len(names):
            raise TypeError("%s: %s" % (type(self).__name__, ", ".join(names)))
        for name, value in zip(names, values):
            setattr(self, name, value)

    @property
    def values(self) -> "list[Any]":
        """The values of its fields, in the order of LAYOUT."""
        return [getattr(self, name) for name in layout(self.LAYOUT).names]

    def __eq__(self, other):
        return type(self) is type(other) and self.values == other.values

    def __hash__(self):
        return hash((self.kind,) + tuple(self.values))

    def __repr__(self):
        fields = ["%s=%r" % (name, getattr(self, name)) for name in layout(self.LAYOUT).names]
        return "%s(%s)" % (type(self).__name__, ", ".join(fields))

    def at(self, at_ms: int) -> "Self":
        """Return the same at another time."""
        other = type(self)(*self.values)
        other.at_ms = at_ms
        return other

    @property
    def fits(self) -> bool:
        """Whether each field fits into its place."""
        for value, (_, first_bit, most) in zip(self.values, layout(self.LAYOUT).fields):
            if first_bit is None:  # bytes
                if len(value) != most:
                    return False
            elif not 0 <= value <= most:
                return False
        return True


def data_of(message: Fields) -> bytes:
    """Return the eight bytes of a SEED_STORED or a SET_NONCE."""
    return message.early + message.late


def pack(message: Fields) -> bytes:
    """Return an event's or intent's payload. Raises ValueError if a field does not fit."""
    if not message.fits:
        raise ValueError("payload")
    place = layout(message.LAYOUT)
    if place.whole:
        return struct.pack(place.form, *message.values)
    last_number = place.fields[-1][0]
    numbers = [0] * (last_number + 1)
    for value, (number, first_bit, _) in zip(message.values, place.fields):
        numbers[number] = value if first_bit is None else numbers[number] | value << first_bit
    return struct.pack(place.form, *numbers)


def numbers(message: Fields) -> "tuple[int, int, int, int]":
    """Return an event's or intent's payload as numbers."""
    return frames.fields(pack(message), 0)


class Kinds:
    """The kinds of events, or of intents: their ``classes``, and how each one's payload is read."""

    def __init__(self, base: "type[Fields]", names: "dict[str, Any]"):
        """Take the classes of a ``base`` among a module's ``names``."""
        self.base = base
        classes = [c for c in names.values() if isinstance(c, type) and issubclass(c, base)]
        self._by_kind = {c.kind: c for c in classes}
        kinds = sorted([kind for kind in self._by_kind if kind])  # 0 is the base's
        self.classes: "tuple[Any, ...]" = tuple([self._by_kind[kind] for kind in kinds])
        self._readers: "dict[int, Reader]" = {}  # of kinds that were met

    def unpack(self, kind: int, data: "Bytes", at: int = 0) -> "Any":
        """Return the event or intent with the payload at ``at``; for no known kind, of the base."""
        message, unpack_from, fields = self._readers.get(kind) or self._reader(kind)
        numbers = unpack_from(data, at)
        if fields is not None:
            numbers = [numbers[number] >> first_bit & most for number, first_bit, most in fields]
        return message(*numbers)

    def _reader(self, kind):
        """Store and return how a kind is read: its class, what unpacks its numbers, its fields if
        some are bits.
        """
        message = self._by_kind.get(kind, self.base)
        place = layout(message.LAYOUT)
        fields = None if place.whole else place.fields
        self._readers[kind] = message, _unpacker(place.form), fields
        return self._readers[kind]

    def of_numbers(self, kind: int, at_ms: int, a: int = 0, b: int = 0, c: int = 0) -> "Any":
        """Return the one with these numbers: u32, u8, u16, u16; ValueError for one too large."""
        return self.unpack(kind, frames.plain(at_ms, a, b, c))


def _unpacker(form):
    """Return ``unpack_from`` of a form: on a PC, which folds archives, that of a ``Struct``."""
    if hasattr(struct, "Struct"):
        return struct.Struct(form).unpack_from
    return lambda data, at: struct.unpack_from(form, data, at)
