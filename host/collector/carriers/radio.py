"""This PC's radio: adverts and links over bleak, for whoever keeps the books.

It is told what to do (``do``) and tells what befell (``told``); it knows no keys and keeps nothing.
Told are ``("heard", address, frame)``, ``("received", address, frame)``, ``("opened", address)``,
``("closed", address)``, ``("deaf", whether)``, ``("delay", seconds)``, ``("said", sentence)`` and
``("missing", sentence)``; done are ``("connect", address)``, ``("write", address, frame)`` and
``("disconnect", address)``. Only bleak's public API is used, so that the virtual radio differs by its
``backend=`` classes.
"""

import asyncio

from firmware.core import frames
from host.collector.carriers import failure_words
from host.collector.carriers.link import Failed, Link
from host.collector.carriers.scan import Scan

LINKS = 4  # what every adapter holds, and keyboards and mice hold some, too
KNOWN = 6000
PAUSE_S = 2.0  # after a failed attempt, to hear again
ECHO_S = 3.0  # around own links a system tells old adverts anew
SEVERAL = 3


class Radio:
    """Hears and links boards. ``terms`` as in ``systems``; ``backends`` is bleak's (scanner, client)
    classes or None each; ``adapter`` names one where there are several (Linux); ``links`` are held
    at a time.
    """  # fmt: skip

    def __init__(self, told, terms, backends=(None, None), adapter=None, links=LINKS):
        self._told, self._terms, self._adapter = told, terms, adapter
        scanner, self._client = backends
        self._scan = Scan(
            self._heard, told, self._listening, self._connecting, terms, scanner, adapter
        )
        self._devices = {}  # address -> (device, the frame it last advertised)
        self._links, self._tasks, self._ended_s = {}, {}, {}
        self._one, self._room = asyncio.Lock(), asyncio.Semaphore(links)
        self._near = set()  # the addresses that our own connecting has woken
        self._deaf, self._failures = {"scan"}, {}
        self._attempting = self._ending = False
        self._doing = {"connect": self._open, "write": self._write, "disconnect": self._close}
        self._frames, self.connections = [0, 0], 0  # of links that have ended

    @property
    def frames(self):
        """How many frames came in by links, and how many went out."""
        live = [(link.frames_up, link.frames_down) for link in self._links.values()]
        return tuple(map(sum, zip(self._frames, *live, strict=True)))

    async def run(self):
        """Listen and hold links until cancelled."""
        self._told("deaf", True)
        try:
            await self._scan.run()
        finally:
            await self._stop()

    def do(self, action):
        """Do one thing."""
        self._doing[action[0]](*action[1:])

    async def _stop(self):
        self._ending = True
        for link in self._links.values():
            link.close()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # adverts

    def _heard(self, device, advertisement, now_s):
        address, frame = device.address, advertisement.manufacturer_data.get(frames.COMPANY_ID)
        before = self._devices.pop(address, (None, None))[1] if frame is not None else None
        if frame is not None:
            self._devices[address] = device, bytes(frame)
            if len(self._devices) > KNOWN:  # anybody can advertise
                del self._devices[next(iter(self._devices))]
        if frame == before and self._woken(address, now_s):
            return
        self._scan.fed(address, now_s, frame is not None)
        if frame is not None:
            self._told("heard", address, bytes(frame))

    def _woken(self, address, now_s):
        """Whether a report may come from our own connecting: the system tells what it last knew."""
        return address in self._near or now_s - self._ended_s.get(address, -ECHO_S) < ECHO_S

    def _connecting(self):
        return self._attempting and self._terms.deaf

    def _listening(self, whether):
        self._hears("scan", whether)

    def _hears(self, reason, whether):
        before = bool(self._deaf)
        (self._deaf.discard if whether else self._deaf.add)(reason)
        if bool(self._deaf) != before:
            self._told("deaf", bool(self._deaf))

    # links

    def _open(self, address):
        if address not in self._tasks and not self._ending:
            task = asyncio.get_running_loop().create_task(self._hold(address))
            self._tasks[address] = task
            task.add_done_callback(lambda done: self._ended(address))

    def _ended(self, address):
        self._tasks.pop(address, None)
        self._near.discard(address)
        self._ended_s.pop(address, None)
        self._ended_s[address] = asyncio.get_running_loop().time()
        if len(self._ended_s) > KNOWN:
            del self._ended_s[next(iter(self._ended_s))]
        self._told("closed", address)

    def _write(self, address, frame):
        if address in self._links:
            self._links[address].write(frame)

    def _close(self, address):
        if address in self._links:
            self._links[address].close()

    async def _hold(self, address):
        """Keep one link from its making to its end."""
        async with self._room:
            told = self._told_of(address)
            device = self._devices.get(address, (address,))[0]
            link = Link(device, self._terms, told, self._client, self._adapter)
            try:
                await self._connect(link, address)
                await self._carry(link, address)
                self._failures = {}
            except Failed as failure:
                self._failed(address, failure.args[0])
            finally:
                await link.hang_up()

    def _told_of(self, address):
        return lambda word, *said: self._told(word, address, *said)

    async def _carry(self, link, address):
        self._links[address] = link
        self.connections += 1
        try:
            await link.carry()
        finally:
            del self._links[address]
            self._frames = [self._frames[0] + link.frames_up, self._frames[1] + link.frames_down]

    async def _connect(self, link, address):
        """Make a link, one at a time; a failure leaves the receiver some time before the next."""
        async with self._one:
            self._near.add(address)
            try:
                await self._attempt(link)
            except Failed:
                await link.hang_up()
                await asyncio.sleep(PAUSE_S)
                raise

    async def _attempt(self, link):
        self._attempting = True
        self._hears("connect", not self._terms.deaf)
        try:
            await link.connect()
        finally:
            self._attempting = False
            self._hears("connect", True)

    def _failed(self, address, why):
        """One link failed: nothing new. Of several boards in a row, people are told once."""
        self._failures[address] = why
        if len(self._failures) == SEVERAL and not self._ending:
            whys = list(self._failures.values())
            self._told("said", failure_words.several(SEVERAL, max(whys, key=whys.count)))
