"""How long packets last on the air at 1 Mbit/s, in us, and how an advertising event is laid out.

Bluetooth Core 5.4, Vol 6 Part B: 2.1 (packet), 2.3 (advertising PDUs), 4.1.1 (inter frame space),
4.4.2 (advertising events).
"""

CHANNELS = 3  # 37, 38 and 39, here 0, 1 and 2
DELAY_US = 10_000  # the most by which the next advertising event comes late, at random
IFS_US = 150
_BYTE_US = 8
_AROUND = 10  # bytes: preamble 1, access address 4, header 2, CRC 3
_ADDRESS = 6
_REQUEST = 34  # bytes of a connection request's payload
_RAMP_US = 100  # from one channel to the next
_ANSWER_US = 200  # in which a connectable advert waits for the beginning of a request
ADVERT_MOST = 31  # bytes of data in a legacy advert


def advert_us(size: int) -> int:
    """Return how long an advert with ``size`` bytes of data lasts: 376 us for 31."""
    return (_AROUND + _ADDRESS + size) * _BYTE_US


def request_us() -> int:
    """Return how long a connection request lasts: 352 us."""
    return (_AROUND + _REQUEST) * _BYTE_US


def data_us(size: int) -> int:
    """Return how long a packet of a connection with ``size`` bytes lasts: 80 us if it is empty."""
    return (_AROUND + size) * _BYTE_US


def step_us(size: int, connectable: bool) -> int:
    """Return the time between the starts of one event's adverts on two channels."""
    return advert_us(size) + (IFS_US + _ANSWER_US if connectable else _RAMP_US)
