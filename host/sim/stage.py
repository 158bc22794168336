"""A virtual venue for a real program, such as the web desk: time passes only when it says so.

Its host has one adapter for each 50 tables, which no real one has: a round then comes to a thousand
boards in as much time as to fifty, and whoever tries the pages need not wait for it. The
venue has its own virtual loop, which is run from inside the real one while that stands still.
Everything is in one thread, because the archive needs that. ``WebStage`` is the web desk over it:
real pages on a real socket, and time that can be hurried.
"""

from __future__ import annotations

import asyncio
import time
from asyncio import events as loops
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from firmware.core import phases
from host.archive.access_links import ROLES
from host.base.errors import UserError
from host.collector.collector import MOST_CONNECTIONS
from host.sim.clock import VirtualLoop
from host.sim.people import HOLD_MS, who_play
from host.sim.programme import RandomProgramme
from host.sim.pure import TABLES_AN_ADAPTER, PureAir
from host.sim.staff import AGAIN_S
from host.sim.story import OUTCOME_NAMES
from host.sim.venue import Venue
from host.tournament.rule_packs import shipped_packs
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.sessions import Sessions, key_beside

if TYPE_CHECKING:
    from host.base.json_values import Json
    from host.desk.station import Station
    from host.sim.types import Holds, Notify, Programme, StageOptions
    from host.tournament.rule_packs import Pack

ARCHIVE = "virtual.plusthree"
_SLICE_S = 1
_NOTIFY_S = 20
_SEATING_S = 270
_JUDGE_KEY = 2
_PATIENCE_S = 4 * 3600
_MOST_S = 6 * 3600
_TICK_S = 0.1
_CAUGHT_UP_S = 2  # of real time at most: this computer may have slept


class Stage:
    """``tables`` virtual tables whose people play by themselves.

    The archive is ``name`` in ``folder``.
    """

    def __init__(
        self,
        folder: Path,
        tables: int = 16,
        seed: int = 7,
        loss: float = 0.05,
        programme: Programme | None = None,
        spares: int = 0,
        name: str = ARCHIVE,
    ):
        self.loop, self._seed = VirtualLoop(), seed
        self._programme = programme or RandomProgramme(tables, seed)
        adapters = -(-tables // TABLES_AN_ADAPTER)
        self.venue = Venue(
            self.loop, PureAir(self.loop, seed, loss, adapters), folder / name, self._programme,
            seed, spares=spares, links=adapters * MOST_CONNECTIONS,
        )  # fmt: skip
        self.station, self.people, self._failures, self._ruled_s = self.venue.station, {}, [], {}
        self.loop.set_exception_handler(lambda loop, context: self._failures.append(context))
        self._tasks = [self.loop.create_task(self.venue.carrier.run())]
        if self._programme.event and not self.station.archive.roster.rounds:
            self.store(1)

    def store(self, number: int) -> None:
        """Store a round of the programme, as an organiser would import it."""
        self.station.archive.roster.store_round(
            number, self._programme.format, self._programme.pairings(number)
        )
        self.station.refresh()

    def now_ms(self) -> int:
        """Return the event time."""
        return self.venue.now_ms()

    def pass_time(self, seconds: float) -> None:
        """Let virtual time pass; raises what a program of the venue raised."""
        self.station.collector.now_ms = self.now_ms()
        self._run(asyncio.sleep(seconds))
        if self._failures:
            first = self._failures[0]
            raise first.get("exception") or RuntimeError(first["message"])

    def _run(self, work):
        """Run the venue's loop until ``work`` is done, from inside the real one."""
        outside = loops._get_running_loop()
        loops._set_running_loop(None)
        try:
            self.loop.run_until_complete(work)
        finally:
            loops._set_running_loop(outside)

    async def advance(self, seconds: float, notify: Notify = lambda: None) -> None:
        """Let time pass second by second, the real loop running in between; ``notify()`` is called
        every ``_NOTIFY_S`` seconds and at the end, as pages need no update for each second.
        """
        left_s = seconds
        while left_s > 0:
            self.pass_time(min(_SLICE_S, left_s))
            left_s -= _SLICE_S
            if left_s <= 0 or left_s % _NOTIFY_S < _SLICE_S:
                notify()
            await asyncio.sleep(0)

    async def until(self, holds: Holds, notify: Notify = lambda: None) -> bool:
        """Let time pass until ``holds(station)``; return False if it does not within four hours."""
        for second in range(_PATIENCE_S):
            if holds(self.station):
                notify()
                return True
            await self.advance(_SLICE_S, notify if second % _NOTIFY_S == 0 else lambda: None)
        notify()
        return False

    async def open_round(self, number: int = 1, notify: Notify = lambda: None) -> None:
        """Publish a stored round, wait until every table has it, start it and let people sit
        down.
        """
        self.sit(number)
        self.station.desk.publish(number)
        await self.until(_answered, notify)
        self.station.desk.start(self.now_ms() + _SEATING_S * 1000)
        await self.until(_answered, notify)

    def sit(self, number: int = 1) -> None:
        """Let people play round ``number`` by themselves as soon as their boards show it."""
        for pairing in self.station.archive.roster.pairings_of(number):
            if pairing.table in self.venue.tables:  # no bye, and no table without a board
                story = self._programme.story(number, pairing.table)
                table, form = self.venue.tables[pairing.table], self._programme.format
                people = who_play(table, story, form, self.venue.rules)
                self.people[pairing.table] = people
                self._tasks.append(self.loop.create_task(people.play_round(number)))

    def call_judge(self, table: int) -> None:
        """Hold the judge's key at a table; the board shows the call after a second or two."""
        board = self.station.archive.roster.board_at(table)  # a spare may lie there now
        by_device = self.venue.tables | self.venue.spares
        by_device[board.device if board else table].press(_JUDGE_KEY, max(HOLD_MS))

    def rule_waiting(self) -> list[int]:
        """Rule each table that waits for a ruling as its players know the result; return those
        tables.
        """
        ruled = []
        for table, people in self.people.items():
            fold = self.station.hall.fold_at(table)
            if fold is None or fold.match.missing:
                continue  # the players are counting still
            due = self.loop.time() - self._ruled_s.get(table, -AGAIN_S) >= AGAIN_S
            if due and fold.match.phase == phases.RESOLVING:
                self._ruled_s[table] = self.loop.time()
                outcome, a, b = people.truth.paired(fold.match.swapped)
                self.station.desk.rule(table, OUTCOME_NAMES[outcome], (a, b), author="judge")
                ruled.append(table)
        return ruled

    def close(self) -> None:
        """Stop all players and close the archive."""
        for task in self._tasks:
            task.cancel()
        self._failures = []
        self._run(asyncio.gather(*self._tasks, return_exceptions=True))
        self.loop.close()
        self.venue.close()


def _answered(station: Station) -> bool:
    return not station.archive.orders.waiting


class WebStage:
    """A Stage with its DeskService on a socket; ``links`` are personal links by role.

    Its time passes in ``keep_time``, ``speed`` times as fast as real time, and in acts.
    """

    def __init__(
        self,
        folder: Path,
        tables: int = 16,
        seed: int = 7,
        port: int = 0,
        packs: Mapping[str, Pack] | None = None,
        speed: float = 1,
        **terms: Unpack[StageOptions],
    ):
        self.stage = Stage(folder, tables, seed, **terms)
        self._socket = http_loop.bind(http_loop.LOOPBACK, port)
        self.url = f"http://{http_loop.LOOPBACK}:{self._socket.getsockname()[1]}"
        sessions = Sessions(key_beside(folder / terms.get("name", ARCHIVE)), secure=False)
        packs = shipped_packs() if packs is None else packs
        self.service = DeskService(self.stage.station, sessions, self.stage.now_ms, packs, self.url)
        self.service.speed, self._acting = speed, 0
        self.links = {}
        for role in ROLES:
            _, token = self.service.links.make(role, role.capitalize(), "virtual", 0)
            self.links[role] = f"{self.url}/l/{token}"
        self._acts = {"advance": self._advance, "open": self._open, "call": self._call,
                      "rule": self._rule}  # fmt: skip

    async def serve(self) -> None:
        """Serve until cancelled."""
        hosts = (self.url.partition("://")[2], f"localhost:{self._socket.getsockname()[1]}")
        await http_loop.serve(self.service, self._socket, hosts)

    async def keep_time(
        self,
        real_s: Callable[[], float] = time.monotonic,
        rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Let time pass by itself until cancelled; ``real_s()`` is real time, ``rest(s)`` waits."""
        last_s = real_s()
        while True:
            await rest(_TICK_S)
            now_s = real_s()
            passed_s = now_s - last_s
            last_s = now_s
            if not self._acting:  # an act lets time pass itself
                passed_s = min(passed_s, _CAUGHT_UP_S)
                await self.stage.advance(passed_s * self.service.speed, self.notify)

    def notify(self) -> None:
        """Send the pages their updates."""
        self.service.change_feed.step(self.service.now_ms)

    async def do(self, body: Mapping[str, Json]) -> dict[str, Json]:
        """Carry out ``{"do": word, …}`` and return its result. Raises UserError."""
        act = self._acts.get(str(body.get("do")))
        if act is None:
            raise UserError(f"a virtual venue does one of: {', '.join(self._acts)}")
        self._acting += 1
        try:
            return await act(body) | {"now_ms": self.stage.now_ms()}
        finally:
            self._acting -= 1

    async def _advance(self, body):
        seconds = body.get("seconds")
        if type(seconds) not in (int, float) or not 0 < seconds <= _MOST_S:
            raise UserError(f"seconds are from 0 to {_MOST_S}")
        await self.stage.advance(seconds, self.notify)
        return {}

    async def _open(self, body):
        rounds = self.stage.station.archive.roster.rounds
        await self.stage.open_round(body.get("round", rounds[-1]), self.notify)
        return {}

    async def _call(self, body):
        if body.get("table") not in self.stage.venue.tables:
            raise UserError("there is no such table")
        self.stage.call_judge(body["table"])
        await self.stage.advance(20, self.notify)
        return {}

    async def _rule(self, body):
        return {"tables": self.stage.rule_waiting()}

    def close(self) -> None:
        """Close the archive."""
        self._socket.close()
        self.stage.close()
