"""What the radio of an ESP32-S3 bears, a table's; an nRF52840's is a gateway's, and has no link.

Read in CircuitPython 10.2.1, ``ports/espressif/common-hal/_bleio``. The doubles are that port's; a
check that is stricter in nordic's is theirs, too.
"""

from dataclasses import dataclass

from host.boards.models import MODELS

AGREED_S = 0.06  # after connecting, until a central is listed: two events, for the MTU
NO_ROOM = "Nimble out of memory"  # a MemoryError: no free link, or no memory left (__init__.c:94)


@dataclass(frozen=True)
class Port:
    """One port's radio.

    ``adverts``: how many may begin until every further one raises MemoryError, until the radio is
    restarted; None: any number. ``both_s``: the least and the most seconds of advertising with a
    link open after which the controller asserts; None: never.
    """

    adverts: int | None
    both_s: tuple[float, float] | None


NORDIC = Port(None, None)
# Nobody has counted the adverts of circuitpython#10007: fewer than a long day needs. Ten minutes to
# two hours are those of NimBLE-Arduino #761. ``plusthree board bringup --soak`` measures both.
ESPRESSIF = Port(2000, (600.0, 7200.0))
ESPRESSIF_BOARDS = tuple(model.board_id for model in MODELS.values())  # tables
