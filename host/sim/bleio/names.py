"""``_bleio``'s small value types and exceptions: UUID, Address and Attribute."""

import uuid


class BluetoothError(Exception):
    """The radio refused an operation."""


class RoleError(BluetoothError):
    """The operation belongs to the other role, client or server."""


class SecurityError(BluetoothError):
    """The link's security level does not allow the operation."""


class Hung(BaseException):
    """The chip hangs, spins or faults here: no program catches this, only the watchdog ends it."""


class UUID:
    """A 16-bit or 128-bit UUID from an int, a string or 16 bytes (little-endian)."""

    def __init__(self, value: int | str | bytes):
        self.uuid16 = value if isinstance(value, int) else None
        self.size = 128 if self.uuid16 is None else 16
        if self.uuid16 is not None:
            self._value = uuid.UUID(f"0000{value:04x}-0000-1000-8000-00805f9b34fb")
        elif isinstance(value, str):
            self._value = uuid.UUID(value)
        else:
            self._value = uuid.UUID(bytes=bytes(value)[::-1])

    @property
    def uuid128(self) -> bytes:
        """Return the 16 bytes, little-endian."""
        return self._value.bytes[::-1]

    def __str__(self) -> str:
        return str(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UUID) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)


class Address:
    """A radio address of 6 bytes, little-endian, and its type."""

    PUBLIC, RANDOM_STATIC, RANDOM_PRIVATE_RESOLVABLE, RANDOM_PRIVATE_NON_RESOLVABLE = range(4)

    def __init__(self, address: bytes, address_type: int = RANDOM_STATIC):
        self.address_bytes, self.type = bytes(address), address_type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and self.address_bytes == other.address_bytes

    def __hash__(self) -> int:
        return hash(self.address_bytes)


class Attribute:
    """Security modes of an attribute."""

    NO_ACCESS, OPEN, ENCRYPT_NO_MITM, ENCRYPT_WITH_MITM = 0x00, 0x11, 0x21, 0x31
    LESC_ENCRYPT_WITH_MITM, SIGNED_NO_MITM, SIGNED_WITH_MITM = 0x41, 0x12, 0x22
