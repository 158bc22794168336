"""``plusthree serve`` sends the hall's beacon by its gateways: both real programs, and a table."""

import random

from acknowledged import acked_of
from gatewayline import on_air

from firmware.core import beacon, intents
from firmware.core.beacon_receiver import BeaconReceiver
from host.collector.beacon_sender import BeaconSender


class Ear:
    """A table's own receiver beside a gateway's chip: it hears each advert that leaves it."""

    def __init__(self, room, chip, table=1, round_number=1):
        self._room, self._chip, self._at = room, chip, len(chip.story)
        self.receiver = BeaconReceiver(random.Random(table).randbytes)
        self.receiver.table, self.receiver.round, self.receiver.milestone = table, round_number, 2
        station = room.station
        sender = BeaconSender(station.keyring.beacons, station.archive.roster.event.number)
        self.receiver.follow_chain(sender.anchor(room.clock_ms()))
        self.proven, self.heard = [], 0

    def listen(self):
        """Hear what has left the gateway since the last time; keep what is proven."""
        now_ms = self._room.clock_ms()
        for told in self._chip.story[self._at :]:
            if told.kind == "advert":
                ago_ms = self._chip.now_us // 1000 - told.at_ms
                self.heard += 1
                self.receiver.hear(told.values[2][4:], now_ms - ago_ms, now_ms - ago_ms, 30)
                self._work(now_ms - ago_ms)
        self._at = len(self._chip.story)
        return self

    def _work(self, now_ms):
        for _ in range(8):
            frame = self.receiver.step(now_ms, 30)
            if frame is not None:
                self.proven.append(bytes(frame))

    def of(self, kind):
        return [one for one in self.proven if beacon.kind_of(one) == kind]


def test_a_start_that_is_typed_leaves_the_gateway_and_a_board_takes_it(evening, plugged):
    evening.station.desk.publish(1)
    evening.drain()
    evening.station.close()

    async def story(room):
        await room.hub.run(3)
        ear = Ear(room, room.hub.chips["usb0"])
        room.type("start 1")
        await room.hub.run(6)
        start_ms = room.station.desk.start_ms
        ear.listen()
        told = [beacon.tick_of(one) for one in ear.of(beacon.TICK)]
        of_round, state, tables, told_ms = told[-1][1:5]
        assert (of_round, state & 3, tables, told_ms) == (1, beacon.PUBLISHED, 2, start_ms)
        (command,) = ear.of(beacon.COMMAND)
        assert beacon.command_of(command)[2] == intents.SetStart(start_ms)

    assert evening.served(story, usb0=plugged()) == 0


def test_a_result_that_a_gateway_hears_is_acknowledged_by_it(evening, plugged):
    evening.begin()
    evening.drain()
    for board in evening.boards:
        evening.win(board)
    known = {entry.frame for entry in evening.archive.records()}
    news = [one for board in evening.boards for one in board.history() if one not in known]
    news += [board.status(evening.air.now_ms) for board in evening.boards]
    evening.station.close()

    async def story(room):
        chip = room.hub.chips["usb0"]
        await room.hub.run(2)
        ears = [Ear(room, chip, table) for table in (1, 2)]
        await room.hub.run(2)
        assert not any(ear.listen().of(beacon.ACKED) for ear in ears)
        luck = random.Random(1)
        for _ in range(10):  # it hears half of the time
            for record in luck.sample(news, len(news)):
                on_air(chip, record, 0.05)
                await room.hub.run(0.03)
        await room.hub.run(4)
        assert len(room.station.hall.results(1)) == 2
        for ear in ears:
            acked = ear.listen().of(beacon.ACKED)
            assert acked and acked_of(acked[-1], ear.receiver.table) == (1, 2 | beacon.WHOLE)

    assert evening.served(story, usb0=plugged()) == 0


def test_it_says_by_whom_it_goes_out_and_ends_when_it_is_told(
    evening, plugged, monkeypatch, capsys
):
    evening.station.close()

    async def story(room):
        first, second = room.hub.chips.values()
        await room.hub.run(3)
        assert room.station.beacon == "the beacon goes out by these gateways: usb0, usb1"
        sent = [chip.times("advert") for chip in (first, second)]
        assert all(len(times) >= 15 for times in sent)
        room.type("beacon")
        room.type("beacon off")
        await room.hub.run(1)
        quiet = [len(chip.times("advert")) for chip in (first, second)]
        await room.hub.run(1)
        assert quiet == [len(chip.times("advert")) for chip in (first, second)]
        assert "switched off" in room.station.beacon
        room.type("beacon on")
        await room.hub.run(1)
        assert quiet < [len(chip.times("advert")) for chip in (first, second)]

    assert evening.served(story, usb0=plugged(), usb1=plugged()) == 0
    assert "\nthe beacon goes out by these gateways: usb0, usb1\n" in capsys.readouterr().out


def test_each_listens_between_two_parts_and_some_parts_are_one_gateways_alone(evening, plugged):
    evening.station.close()

    async def story(room):
        chips = list(room.hub.chips.values())
        await room.hub.run(5)
        for chip in chips:
            ends = {one.at_ms for one in chip.story if one.kind == "silence"}
            begun = {one.at_ms for one in chip.story if one.kind == "advert"}
            pauses = [min(b for b in begun if b >= a) - a for a in ends if a < max(begun)]
            assert max(pauses) >= 80, "it listens for a while, and not between two frames alone"

    assert evening.served(story, usb0=plugged(), usb1=plugged()) == 0


def test_without_a_gateway_nothing_of_it_is_there(evening, capsys):
    evening.station.close()

    async def story(room):
        await room.hub.run(2)
        room.type("beacon")
        await room.hub.run(1)
        assert room.station.beacon is None and not room.station.listeners

    assert evening.served(story) == 0
    assert "no gateway hears boards" in capsys.readouterr().out
