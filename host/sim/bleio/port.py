"""What the two ports' radios do differently, as read in CircuitPython 10.2.1: a record a port.

The files are those of ``ports/nordic/common-hal/_bleio`` and ``ports/espressif/common-hal/_bleio``.
Where the double is harder than the chip on both, it has no field here.
"""

from dataclasses import dataclass

from host.boards.models import MODELS
from host.sim.bleio.names import BluetoothError


@dataclass(frozen=True)
class Port:
    """One port's radio.

    ``takes_early``: a packet buffer keeps what is written before anybody has subscribed.
    ``any_subscription``: a subscription to any characteristic, Service Changed too, counts as one
    to each packet buffer; the end of any counts as the end of each. ``spins``: a full queue of
    notifications blocks; else the newest is dropped without a word. ``keeps_gone``: ``connections``
    is made anew only when a central comes, so it keeps who has gone. ``agreed_s``: so long after it
    came a central is not shown, until its MTU is known. ``no_room``: what a connectable advert
    raises while all links are taken, and its words.
    """

    name: str
    takes_early: bool
    any_subscription: bool
    spins: bool
    keeps_gone: bool
    agreed_s: float
    no_room: type[Exception]
    no_room_text: str


# PacketBuffer.c:163-199, Characteristic.c:48, Adapter.c, __init__.c:27
NORDIC = Port(
    "nordic", True, False, True, False, 0.0,
    BluetoothError, "Unknown system firmware error: 0012",  # NRF_ERROR_CONN_COUNT
)  # fmt: skip
# PacketBuffer.c:27,140; Characteristic.c:196; Adapter.c:330,740,749; __init__.c:94. Two connection
# events bring the MTU
ESPRESSIF = Port(
    "espressif", False, True, False, True, 0.06, MemoryError, "Nimble out of memory"
)  # fmt: skip
ESPRESSIF_BOARDS = tuple(model.board_id for model in MODELS.values() if model.espressif)


def of(model: str) -> Port:
    """Return the Port of a model of ``host.boards.models``."""
    return ESPRESSIF if MODELS[model].espressif else NORDIC
