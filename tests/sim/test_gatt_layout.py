"""The layout of the service is frozen: a PC that once met a board connects by what it remembers.

BlueZ keeps the layout of devices that it never paired with, and asks no more (bluez 191, bleak
882); Windows keeps it, too. A board whose update moved anything would be spoken to at wrong
handles, for good.
"""

from hall import frame, play
from stories import run_by

BASE = "7284{:04x}-f359-4dd0-b4b6-c0d678cdc321"
OF_THE_STACK = ("1800", "1801")  # GAP and GATT: the chip's own, before ours
LAYOUT = [  # in the order of their handles
    (BASE.format(1), [
        (BASE.format(2), ["write-without-response", "write"], 24),
        (BASE.format(3), ["notify"], 24),
    ]),
]  # fmt: skip


@run_by(play)
async def test_a_board_offers_what_it_always_offered(hall):
    hall.board(1).advertise(frame(7))
    await hall.run(3)
    client = await hall.visit(1)
    await client.connect()
    services = sorted(client.services, key=lambda service: service.handle)
    ours = [one for one in services if one.uuid[4:8] not in OF_THE_STACK]
    found = [(one.uuid, one.handle, one.characteristics) for one in ours]
    assert [(uuid, [(c.uuid, c.properties) for c in inside]) for uuid, _, inside in found] == [
        (uuid, [(one, properties) for one, properties, _ in inside]) for uuid, inside in LAYOUT
    ]
    handles = [handle for _, at, inside in found for handle in (at, *(c.handle for c in inside))]
    assert handles == sorted(handles)


def test_a_frame_is_as_long_as_ever():
    from firmware.core import frames

    sizes = {size for _, inside in LAYOUT for _, _, size in inside}
    assert sizes == {frames.SIZE}
    uuids = [LAYOUT[0][0], *(uuid for uuid, _, _ in LAYOUT[0][1])]
    assert uuids == [frames.SERVICE_UUID, frames.DOWN_UUID, frames.UP_UUID]
