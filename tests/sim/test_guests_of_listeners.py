"""A board that listens to a beacon, and a guest who has left."""

import beaconhall
from stories import run_by

from firmware.core import listener


class Inbox:
    """The packets that wait, as a ``PacketBuffer``."""

    def __init__(self, packets):
        self._packets = packets

    def readinto(self, packet):
        if self._packets:
            packet[:] = self._packets.pop(0)
            return len(packet)
        return 0


@run_by(beaconhall.played, "tmp_path", tables=1)
async def test_what_a_guest_wrote_before_it_left_is_heard(hall):
    await hall.published()
    hall.air.pc.pull()
    app, heard, inbox = hall.apps[0], [], [b"\1" * 24, b"\2" * 24]
    await hall.until(lambda: not app.link.connected, 5)
    hall.link(1)._down = Inbox(inbox)
    app.sync.receive = lambda frame, uptime_ms: heard.append(frame)
    hall.tables[1].wake()
    await hall.until(lambda: not inbox, 5)
    assert [frame for frame in heard if frame != listener.WORK] == [b"\1" * 24, b"\2" * 24]
