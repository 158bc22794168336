"""What an ESP32-S3's radio runs into in time, and that a table loses nothing by it."""

import asyncio
import dataclasses
import os

import pytest
from hall import frame, play
from stories import run_by

from firmware.core import frames, phases, upkeep
from host.sim import bleio, clock
from host.sim.bleio import BOARD, ESPRESSIF, RADIO
from host.sim.ether.air import EtherAir
from host.sim.evening import Evening
from host.sim.programme import RandomProgramme

SEED = 3
MUTE_S = 5


def port(**limits):
    return dataclasses.replace(ESPRESSIF, **limits)


async def connected(hall, link):
    client = await hall.connected(1)
    await hall.run(0.2)
    assert link.adapter.connected
    return client


# the chip alone, as the contract has it


@pytest.mark.parametrize("advert", [True, False], ids=["with an advert", "without"])
def test_a_controller_that_advertises_with_a_link_open_asserts(advert):
    async def story(hall):
        link = hall.board(1, port=port(both_s=(60, 60)))
        link.advertise(frame(1))
        await connected(hall, link)
        del hall.links[1]  # the program looks no more
        adapter = link.adapter
        if advert:
            adapter.start_advertising(bytes(31), connectable=False, interval=0.1)
        await asyncio.sleep(59)
        assert adapter.connected
        await asyncio.sleep(2)
        if not advert:
            return adapter.connected
        with pytest.raises(bleio.Hung):
            adapter.connected
        return True

    assert play(story)


@run_by(play)
async def test_memory_is_used_up_by_adverts_until_the_radio_is_restarted(hall):
    link = hall.board(1, port=port(adverts=3))
    adapter = link.adapter
    for _ in range(3):
        adapter.start_advertising(bytes(31), connectable=False)
        adapter.stop_advertising()
    for _ in range(2):
        with pytest.raises(MemoryError):
            adapter.start_advertising(bytes(31), connectable=False)
    adapter.enabled = False
    adapter.enabled = True
    adapter.start_advertising(bytes(31), connectable=False)


@run_by(play)
async def test_a_radio_that_was_off_has_no_service_and_no_link(hall):
    link = hall.shown(1)
    client = await connected(hall, link)
    adapter = link.adapter
    adapter.enabled = False
    assert not adapter.connected and not adapter.advertising and adapter.services == []
    adapter.enabled = True
    await asyncio.sleep(5)
    assert not client.is_connected


@run_by(play)
async def test_a_link_that_dies_between_the_check_and_the_call_is_a_hard_fault(hall):
    link = hall.shown(1)
    await connected(hall, link)
    link.adapter.faults.dies_next = True
    with pytest.raises(bleio.Hung):
        link.drop()


@run_by(play)
async def test_a_value_may_be_lost_without_a_word(hall):
    link, came = hall.board(1), []
    link.advertise(frame(1))
    client = await connected(hall, link)
    await client.start_notify(frames.UP_UUID, lambda _, data: came.append(bytes(data)))
    await hall.run(0.2)
    link.adapter.faults.drops = 0.5
    for number in range(40):
        link._up.value = frame(number)
        await hall.run(0.1)
    assert 10 < len(came) < 30


@run_by(play)
async def test_a_buffer_without_use_takes_no_more_packets(hall):
    link = hall.shown(1)
    client = await connected(hall, link)
    await client.start_notify(frames.UP_UUID, lambda *what: None)
    await client.write_gatt_char(frames.DOWN_UUID, frame(2))
    await hall.run(0.2)
    link._down.deinit()
    await client.write_gatt_char(frames.DOWN_UUID, frame(3))
    await hall.run(0.2)
    assert hall.got[1] == [frame(2)]


# what the board's Link does about it


@run_by(play)
async def test_there_is_no_advert_while_a_link_is_open(hall):
    link = hall.shown(1)
    await hall.run(1)
    client = await connected(hall, link)
    await client.start_notify(frames.UP_UUID, lambda *what: None)
    for number in range(50):
        link.advertise(frame(number))
        await hall.run(0.1)
        assert not link.adapter.advertising and link.audible
    await client.disconnect()
    await hall.run(0.2)
    shown = link.adapter.station
    assert (link.adapter.advertising and shown.connectable and shown.data[7:]) == frame(49)


@run_by(play)
async def test_an_advert_that_began_as_a_guest_came_is_taken_back(hall):
    link = hall.shown(1)
    await connected(hall, link)
    link.adapter.start_advertising(bytes(31), connectable=False, interval=0.1)
    await hall.run(0.04)
    assert not link.adapter.advertising


@run_by(play)
async def test_a_radio_without_memory_is_restarted_and_its_service_is_there_again(hall):
    link, came = hall.board(1, port=port(adverts=4)), []
    for number in range(6):
        link.advertise(frame(number))
        await hall.run(0.1)
    assert not link.audible, "so the watchdog is not fed"
    await hall.run(MUTE_S + 0.2)
    assert link.audible and link.adapter.faults.restarts == 1
    client = await connected(hall, link)
    await client.start_notify(frames.UP_UUID, lambda _, data: came.append(bytes(data)))
    await client.write_gatt_char(frames.DOWN_UUID, frame(7))
    await hall.run(0.2)
    assert link.connected
    link._up.value = frame(8)
    await hall.run(0.2)
    assert (hall.got[1], came) == ([frame(7)], [frame(8)])


@run_by(play)
async def test_a_radio_that_takes_no_connectable_advert_is_restarted_too(hall):
    """#11304: without a free descriptor only adverts that nobody can answer begin."""
    link = hall.board(1)
    adapter, begin = link.adapter, link.adapter.start_advertising

    def full(data, *, connectable=True, **options):
        if connectable and not adapter.faults.restarts:
            raise MemoryError("Nimble out of memory")
        begin(data, connectable=connectable, **options)

    adapter.start_advertising = full
    link.advertise(frame(1))
    await hall.run(MUTE_S + 0.2)
    assert adapter.faults.restarts == 1
    assert adapter.station.connectable is True


@run_by(play)
async def test_a_radio_that_does_not_come_on_again_is_left_to_the_watchdog(hall):
    link = hall.board(1, port=port(adverts=1))
    kept = type(link.adapter).enabled.fset

    class Lost(type(link.adapter)):
        @property
        def enabled(self):
            return self._enabled

        @enabled.setter
        def enabled(self, on):
            if on:
                raise RuntimeError("Update failed")
            kept(self, on)

    link.adapter.__class__ = Lost
    link.advertise(frame(1))
    link.advertise(frame(2))
    for _ in range(20):
        await hall.run(1)
        assert not link.audible and link.receive() is None


# a round


# `make prove` has a neighbour whose radio is well
TABLES = 2 if os.environ.get("PLUSTHREE_PROVE") else 1


class Faulty:
    """A round on the modelled air, in which table 1's radio has a fault."""

    def __init__(self, folder):
        self.folder, self.agreed_s, self.late_s, self.resets = folder, None, None, []
        self.restarts, self.facts, self.reboot_s = 0, None, []

    def play(self, minute, fault):
        async def main():
            loop = asyncio.get_running_loop()
            air, programme = EtherAir(loop, SEED, TABLES), RandomProgramme(TABLES, SEED)
            evening = Evening(loop, air, self.folder / "a.sqlite", programme, SEED)
            table = evening.venue.tables[1]
            self.adapters = [table.link._link.adapter]
            table.changed.append(self._look)
            passed = [0]

            def each(number):
                passed[0] += 1
                if passed[0] == minute:
                    fault(table.link._link.adapter)

            evening.minute = each
            self.facts = await evening.play((1,))
            self.resets = table.resets
            self.restarts = table.link._link.adapter.faults.restarts
            evening.venue.close()
            return self

        return clock.run(main())

    def _look(self, table):
        if table.app.match.phase == phases.AGREED:
            self.agreed_s = self.agreed_s or table.now_s
            if table.settled:
                self.late_s = table.now_s - self.agreed_s

    @property
    def whole(self):
        facts = self.facts
        return facts.archived == TABLES and facts.sound


FAULTS = {  # from which minute on, how the radio fails, then: restarts of the radio, resets of the board
    "deaf": (10, lambda adapter: adapter.fall_silent(RADIO), range(1, 9), 0),
    "deaf until the board resets": (10, lambda adapter: adapter.fall_silent(BOARD), range(9), 1),
    "a hard fault": (10, lambda adapter: setattr(adapter.faults, "_left_s", 0), range(9), 1),
    "every fourth notification lost": (1, lambda adapter: setattr(adapter.faults, "drops", 0.25), range(9), 0),
    "memory used up by adverts": (10, lambda adapter: setattr(adapter.faults, "adverts_left", 5), [1], 0),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_round_is_whole_whatever_the_radio_does(fault, tmp_path):
    minute, act, restarts, resets = FAULTS[fault]
    played = Faulty(tmp_path).play(minute, act)
    assert played.whole and played.restarts in restarts and len(played.resets) == resets
    if fault == "deaf until the board resets":
        assert played.late_s < 2 * upkeep.BOARD_MS / 1000
