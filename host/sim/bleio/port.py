"""The differences between the nordic and the espressif radio, one ``Port`` record for each.

Read in CircuitPython 10.2.1, ``ports/nordic/common-hal/_bleio`` and
``ports/espressif/common-hal/_bleio``. A check that is stricter than both ports has no field here.
"""

from dataclasses import dataclass

from host.boards.models import MODELS
from host.sim.bleio.names import BluetoothError


@dataclass(frozen=True)
class Port:
    """One port's radio.

    ``takes_early``: a packet buffer accepts packets written before anybody has subscribed.
    ``any_subscription``: subscribing to any characteristic, even Service Changed, subscribes to
    every packet buffer; unsubscribing from any unsubscribes from all. ``spins``: a full queue of
    notifications blocks; otherwise the newest is silently dropped. ``keeps_gone``: ``connections``
    is rebuilt only when a central connects, so until then it lists closed connections too.
    ``agreed_s``: seconds after connecting in which a central is not listed, while the MTU is
    negotiated. ``no_room``, ``no_room_text``: the exception of a connectable advert while all links
    are in use, and its message. ``adverts``: how many may begin until every further one raises that
    too, until the radio is restarted; None: any number. ``both_s``: the least and the most seconds
    of advertising with a link open after which the controller asserts; None: never.
    """

    name: str
    takes_early: bool
    any_subscription: bool
    spins: bool
    keeps_gone: bool
    agreed_s: float
    no_room: type[Exception]
    no_room_text: str
    adverts: int | None = None
    both_s: tuple[float, float] | None = None


# PacketBuffer.c:163-199, Characteristic.c:48, Adapter.c, __init__.c:27
NORDIC = Port(
    "nordic", True, False, True, False, 0.0,
    BluetoothError, "Unknown system firmware error: 0012",  # NRF_ERROR_CONN_COUNT
)  # fmt: skip
# PacketBuffer.c:27,140; Characteristic.c:196; Adapter.c:330,740,749; __init__.c:94. The MTU is
# known after two connection events
# Nobody has counted the adverts of circuitpython#10007: fewer than a long day needs. Ten minutes to
# two hours are those of NimBLE-Arduino #761. ``plusthree bringup --soak`` measures both.
ESPRESSIF = Port(
    "espressif", False, True, False, True, 0.06, MemoryError, "Nimble out of memory", 2000,
    (600.0, 7200.0),
)  # fmt: skip
ESPRESSIF_BOARDS = tuple(model.board_id for model in MODELS.values())  # tables


def of(model: str) -> Port:
    """Return the Port of a model."""
    return ESPRESSIF if model in MODELS else NORDIC
