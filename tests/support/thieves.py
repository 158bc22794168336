"""Thieves of frames on the real BLE air: they relay and replay, and have no key."""

import asyncio
from contextlib import suppress

from bleak import BleakClient, BleakScanner
from siege import _TROUBLE, ADDRESS, Siege

from firmware.core import events, frames
from host.sim import bleak_backend

_STEP_S = 0.05
_FAR = 200  # a false board's address minus its table's
_HELD_S = 15  # how long a relay waits for the true board


class Thieves(Siege):
    """A Siege in which ``overheard`` frames are said again."""

    def __init__(self, loop, path, tables=1, seed=3, loss=0.05):
        super().__init__(loop, path, tables, seed, loss)
        self.up, self.down, self.written = [], [], set()
        self.false = {}
        self._overhear(self.station.collector)

    def _overhear(self, collector):
        heard, received, poll = collector.on_advert, collector.on_notification, collector.poll

        def noting(take):
            def taken(address, frame, now_ms):
                if frame not in self.up:
                    self.up.append(bytes(frame))
                take(address, frame, now_ms)

            return taken

        def polled(now_ms):
            actions = poll(now_ms)
            for action in actions:
                if action[0] == "write":
                    self.written.add(bytes(action[2][:7]))
                    self.down.append(bytes(action[2]))
            return actions

        collector.on_advert, collector.on_notification = noting(heard), noting(received)
        collector.poll = polled

    def garbage(self):
        """Return what a phone writes: a frame that the host once sent."""
        return self.luck.choice(self.down) if self.down else super().garbage()

    def of(self, table):
        """Return the frames that were heard of a table's board, oldest first."""
        device = self.tables[table].app.journal.device
        return [one for one in self.up if frames.head(one)[1] == device]

    # false boards

    def replay(self, table):
        """Let a false board say what the table's board once said, in adverts and on its links."""
        self._lie(table, self._replaying)

    def relay(self, table, delay_s):
        """Let a false board carry what the host and the table's board say, late."""
        self._lie(table, lambda table, link: self._relaying(table, link, delay_s))

    def _lie(self, table, act):
        address = _FAR + table
        link = self.false.get(address)
        if link is None:
            link = self.false[address] = self.air.link(address)
        self.phones.append(self.loop.create_task(act(table, link)))

    def _poll(self, link):
        link._answered, link._in_flight = True, []  # it keeps no law of ours
        link.poll(round(self.loop.time() * 1000))

    async def _replaying(self, table, link):
        while True:
            said = self.of(table)
            if said:
                link.advertise(self.luck.choice(said))
                self._poll(link)
                if link.connected:
                    link.send(self.luck.choice(said))
            await asyncio.sleep(_STEP_S * self.luck.randrange(1, 10))

    async def _relaying(self, table, link, delay_s):
        radio = self.air.computer(60 + len(self.radios))
        self.radios.append(radio)
        while True:
            said = [one for one in self.of(table) if frames.head(one)[0] == frames.STATUS]
            if said:
                link.advertise(said[-1])
            self._poll(link)
            if link.connected:
                with suppress(*_TROUBLE):
                    await self._carry(table, link, radio, delay_s)
                link.drop()
            await asyncio.sleep(_STEP_S)

    async def _carry(self, table, link, radio, delay_s):
        """Carry frames both ways for as long as both hold."""
        scanner, backend = bleak_backend.backends(radio)
        address = ADDRESS.format(table)
        found = await BleakScanner.find_device_by_address(address, timeout=_HELD_S, backend=scanner)
        client = BleakClient(found, timeout=_HELD_S, backend=backend)
        await client.connect()
        try:
            later = self.loop.call_later
            await client.start_notify(
                frames.UP_UUID, lambda _, data: later(delay_s, link.send, bytes(data))
            )
            while client.is_connected and link.connected:
                self._poll(link)
                frame = link.receive()
                if frame is not None:
                    await asyncio.sleep(delay_s)
                    await client.write_gatt_char(frames.DOWN_UUID, frame, response=False)
                else:
                    await asyncio.sleep(_STEP_S)
        finally:
            with suppress(*_TROUBLE):
                await client.disconnect()

    def leave(self):
        """Let everybody go, false boards too."""
        for phone in self.phones:
            phone.cancel()
        for radio in self.radios:
            radio.pull()
        for address in self.false:
            self.air.power_off(address)
        self.false = {}

    # what came of it

    def done_twice(self):
        """Return the orders that boards carried out more than once."""
        done, archive = [], self.station.archive
        answers = {
            (*one.boot, answer.counter)
            for one in archive.records()
            if isinstance(answer := one.board_event, events.Answered) and not answer.refusal
        }
        for command, *place in archive.query(
            "SELECT command, device, generation, epoch, counter FROM sends"
        ):
            done += [command] * (tuple(place) in answers)
        return sorted({one for one in done if done.count(one) > 1})
