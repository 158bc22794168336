"""A board that listens to a beacon loads what talks over a link for each guest, and lets go of it."""

import beaconhall

from firmware.core import frames, listener, talk


class Cramped:
    """Has no room for what talks over a link, until it is ``over``."""

    def __init__(self, app):
        self.sync, self._talking = app.sync, app.sync.talking
        self.over, self.tries = False, 0
        app.sync.talking = self

    def __call__(self):
        if not self.over:
            self.tries += 1
            raise MemoryError
        return self._talking()


class Inbox:
    """The packets that wait, as a ``PacketBuffer``."""

    def __init__(self, packets):
        self._packets = packets

    def readinto(self, packet):
        if self._packets:
            packet[:] = self._packets.pop(0)
            return len(packet)
        return 0


def test_what_talks_is_there_while_a_guest_is(tmp_path):
    async def script(hall):
        seen, publishing = [], hall.loop.create_task(hall.published())

        def noted():
            seen.extend((app.link.connected, app.sync.talk) for app in hall.apps)
            return publishing.done()

        await hall.until(noted, 400)
        hall.air.pc.pull()
        left_s = await hall.until(lambda: not any(app.sync.talk for app in hall.apps), 10)
        return seen, left_s

    seen, left_s = beaconhall.played(script, tmp_path, tables=2)
    assert {talking for linked, talking in seen if linked} == {talk}
    assert left_s is not None


def test_a_guest_for_whom_there_is_no_room_comes_again(tmp_path):
    """Nothing else of the board suffers: its program goes on, and takes all once there is room."""

    async def script(hall):
        await hall.until(lambda: len(hall.apps) == 1, 30)
        cramped = Cramped(hall.apps[0])
        await hall.published(seconds=30)
        before = cramped.tries, hall.apps[0].link.guests, hall.apps[0].match.round
        cramped.over = True
        told_s = await hall.until(lambda: hall.listener(1).tick and hall.apps[0].match.round, 60)
        return before, told_s, hall.apps[0].sync is cramped.sync

    before, told_s, same = beaconhall.played(script, tmp_path, tables=1)
    tries, guests, number = before
    assert tries and guests > 1 and not number
    assert told_s is not None and same


def test_a_guest_who_was_quick_to_subscribe_is_none_without_room(tmp_path):
    async def script(hall):
        await hall.published()
        hall.air.pc.pull()
        app, ear = hall.apps[0], hall.link(1)
        await hall.until(lambda: app.sync.talk is None, 5)
        cramped = Cramped(app)
        ear.adapter, ear._watch = Guest(ear.adapter), Subscribed()
        ear.poll(app.board.clock.now_ms())
        return cramped.tries, ear.connected, ear.adapter.dropped

    tries, linked, dropped = beaconhall.played(script, tmp_path, tables=1)
    assert tries == 1 and not linked and dropped


class Subscribed:
    """The watch of ``up`` that somebody has subscribed to."""

    outgoing_packet_length = frames.SIZE


class Guest:
    """A radio to which a guest has connected and subscribed since the last look."""

    connected, connections, dropped = True, (), False

    def __init__(self, adapter):
        self._adapter = adapter
        self.connections = (self,)
        self.paired = False

    def disconnect(self):
        self.dropped = True

    def __getattr__(self, name):
        return getattr(self._adapter, name)


def test_what_a_guest_wrote_before_it_left_is_heard(tmp_path):
    async def script(hall):
        await hall.published()
        hall.air.pc.pull()
        app, heard, inbox = hall.apps[0], [], [b"\1" * 24, b"\2" * 24]
        await hall.until(lambda: app.sync.talk is None, 5)
        app.sync.talking()
        hall.link(1)._down = Inbox(inbox)
        app.sync.receive = lambda frame, uptime_ms: heard.append(frame)
        hall.tables[1].wake()
        await hall.until(lambda: app.sync.talk is None, 5)
        return [frame for frame in heard if frame != listener.WORK], app.sync.talk

    heard, talking = beaconhall.played(script, tmp_path, tables=1)
    assert heard == [b"\1" * 24, b"\2" * 24] and talking is None
