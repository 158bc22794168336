"""Every quirk of a virtual PC befalls whoever uses it: a PC that is kinder than read is
found here.
"""

import asyncio
from dataclasses import replace

import pytest
from bleak import BleakClient, BleakScanner
from bleak.exc import BleakBluetoothNotAvailableError, BleakDeviceNotFoundError, BleakError
from hall import address, frame, play
from stories import run_by

from firmware.core import frames
from host.sim import bleak_backend, bluetooth_quirks


class Guest:
    """A PC with one quirk, in a hall with boards; adverts it hears are ``(second, address)``."""

    def __init__(self, hall, boards=1, **quirk):
        self.hall = hall
        self.pc = hall.air.computer(
            9, replace(bluetooth_quirks.profile(bluetooth_quirks.GOOD), **quirk)
        )
        self.backends, self.heard, self.found, self.gone = (
            bleak_backend.backends(self.pc),
            [],
            {},
            [],
        )
        for number in range(1, boards + 1):
            hall.board(number).advertise(frame(number))

    async def scan(self, seconds=3):
        scanner = BleakScanner(self._note, backend=self.backends[0])
        await scanner.start()
        await self.hall.run(seconds)
        return scanner

    def _note(self, device, _):
        self.heard.append((self.hall.loop.time(), device.address))
        self.found[device.address] = device

    async def client(self, number=1, timeout=8):
        made = BleakClient(
            self.found[address(number)], self.gone.append, timeout=timeout, backend=self.backends[1]
        )
        await self.during(made.connect())
        return made

    async def during(self, doing):
        return await self.hall._stepping(doing)


def story(told, **terms):
    async def main(hall):
        return await told(Guest(hall, **terms))

    return play(main)


@run_by(story, forgets_s=30.0)
async def test_a_device_unseen_for_long_is_unknown(guest):
    await guest.scan()
    guest.hall.air.power_off(1)
    del guest.hall.links[1]
    await guest.hall.run(31)
    with pytest.raises(BleakDeviceNotFoundError):
        await guest.client()


@pytest.mark.parametrize(("filter_s", "most"), [(10.24, 4), (float("inf"), 1)])
def test_an_address_is_told_of_once_until_the_scan_begins_anew(filter_s, most):
    async def told(guest):
        scanner = await guest.scan(30)
        first = len(guest.heard)
        await scanner.stop()
        await guest.scan(3)
        return first, len(guest.heard)

    first, all_told = story(told, filter_s=filter_s)
    assert 1 <= first <= most and first < all_told <= first + 1


def test_nothing_is_heard_while_it_connects():
    async def told(guest):
        await guest.scan()
        guest.hall.air.power_off(1)
        del guest.hall.links[1]
        began_s = guest.hall.loop.time()
        with pytest.raises((BleakError, TimeoutError)):
            await guest.client(1, timeout=5)
        return [
            at_s - began_s
            for at_s, who in guest.heard
            if who == address(2) and at_s > began_s + 0.1
        ]

    assert story(told, boards=2, deaf=True) == [] and story(told, boards=2) != []


@run_by(story, echoes=True, filter_s=float("inf"))
async def test_own_connecting_tells_the_last_advert_anew(guest):
    await guest.scan()
    before = len(guest.heard)
    await guest.client()
    assert (len(guest.heard) - before) == 1


@run_by(story, boards=3, links=2)
async def test_an_adapter_holds_so_many_links(guest):
    await guest.scan()
    await guest.client(1)
    await guest.client(2)
    with pytest.raises(BleakError):
        await guest.client(3)


@pytest.mark.parametrize("quirk", [{"aborts": 1.0}, {"discover_s": (9.0, 9.0)}])
def test_an_attempt_fails(quirk):
    async def told(guest):
        await guest.scan()
        with pytest.raises((BleakError, TimeoutError)):
            await guest.client()

    story(told, **quirk)


@run_by(story, late_s=(6.0, 6.0), links=1)
async def test_a_link_lives_on_after_it_was_hung_up_and_counts(guest):
    await guest.scan()
    client = await guest.client()
    await guest.during(client.start_notify(frames.UP_UUID, lambda *_: None))
    await guest.during(client.disconnect())
    assert not client.is_connected and guest.pc.full
    await guest.hall.run(4)
    assert guest.hall.links[1].connected
    await guest.hall.run(3)
    assert (guest.hall.links[1].connected, guest.pc.full) == (False, False)


@pytest.mark.parametrize(("untold", "times"), [(1.0, 0), (0.0, 1)])
def test_an_end_is_not_always_told(untold, times):
    async def told(guest):
        await guest.scan()
        client = await guest.client()
        guest.hall.links[1].drop()
        await guest.hall.run(1)
        return client.is_connected, len(guest.gone)

    assert story(told, untold=untold) == (False, times)


def test_services_may_be_an_old_memory():
    async def told(guest):
        await guest.scan()
        return (await guest.client()).services.get_service(frames.SERVICE_UUID)

    assert story(told, stale=1.0) is None and story(told) is not None


@pytest.mark.parametrize(("again", "least_s", "most_s"), [(1.0, 4.0, 6.0), (0.25, 1.0, 3.0)])
def test_the_services_of_a_board_that_a_system_knows_take_it_less_time(again, least_s, most_s):
    async def told(guest):
        took_s, loop = [], guest.hall.loop
        await guest.scan()
        for _ in range(2):
            began_s = loop.time()
            client = await guest.client()
            took_s.append(loop.time() - began_s)
            await guest.during(client.disconnect())
            await guest.hall.run(1)
        return took_s

    first_s, second_s = story(told, discover_s=(4.0, 4.0), again=again)
    assert first_s >= 4 and least_s <= second_s <= most_s


@pytest.mark.parametrize(("response", "arrives"), [(False, 0), (True, 1)])
@run_by(story, drops=1.0)
async def test_writes_without_response_are_dropped(guest, response, arrives):
    await guest.scan()
    client = await guest.client()
    await guest.during(client.start_notify(frames.UP_UUID, lambda *_: None))
    await guest.during(client.write_gatt_char(frames.DOWN_UUID, frame(3), response=response))
    await guest.hall.run(1)
    assert len(guest.hall.got[1]) == arrives


def test_packets_are_as_long_as_both_sides_say():
    async def told(guest):
        await guest.scan()
        client = await guest.client()
        return client.services.get_characteristic(frames.DOWN_UUID).max_write_without_response_size

    assert story(told, mtu=23) == 20 and story(told) >= frames.SIZE


@pytest.mark.parametrize(("after_s", "from_s", "to_s"), [(0, 0.4, 1), (3, 3.5, 4.5)])
@run_by(story, supervision_ms=420, discover_s=(9.0, 9.0))
async def test_a_link_begins_with_the_systems_own_time_out_until_its_board_has_asked(
    guest, after_s, from_s, to_s
):
    await guest.scan()
    connecting = guest.hall.loop.create_task(guest.client())
    while guest.pc.link_to(address(1)) is None:
        await guest.hall.run(0.1)
    await guest.hall.run(after_s)
    guest.hall.air.power_off(1)
    del guest.hall.links[1]
    began_s = guest.hall.loop.time()
    while guest.pc.link_to(address(1)) is not None:
        await guest.hall.run(0.1)
    connecting.cancel()
    assert from_s <= (guest.hall.loop.time() - began_s) <= to_s


@run_by(story, start_off=("POWERED_OFF", "hangs"), stop_off=(EOFError, AssertionError))
async def test_while_there_is_no_radio_starting_and_stopping_do_what_was_read(guest):
    scanner = await guest.scan()
    guest.pc.pull()
    with pytest.raises(EOFError):
        await scanner.stop()
    with pytest.raises(BleakBluetoothNotAvailableError):
        await guest.scan()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(100):
            await guest.scan()
    guest.pc.plug()
    heard = len(guest.heard)
    with pytest.raises(AssertionError):  # what was started before is of no more use
        await scanner.stop()
    await guest.scan()
    assert (len(guest.heard) - heard) > 0
