"""The web desk over a virtual venue: real pages on a real socket, and time that can be hurried."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from starlette.responses import JSONResponse
from starlette.routing import Route

from host.archive.access_links import ROLES
from host.base.errors import UserError
from host.sim.stage import ARCHIVE, Stage
from host.tournament.rule_packs import shipped
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.sessions import Sessions, key_beside

if TYPE_CHECKING:
    from host.base.json_values import Json
    from host.sim.types import StageOptions
    from host.tournament.rule_packs import Pack


_MOST_S = 6 * 3600
_TICK_S = 0.1
_CAUGHT_UP_S = 2  # of real time at most: this computer may have slept


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
        self._socket = http_loop.bound(http_loop.LOOPBACK, port)
        self.url = f"http://{http_loop.LOOPBACK}:{self._socket.getsockname()[1]}"
        sessions = Sessions(key_beside(folder / terms.get("name", ARCHIVE)), False)
        known = shipped() if packs is None else packs
        self.service = DeskService(self.stage.station, sessions, self.stage.now_ms, known, self.url)
        self.service.speed, self._acting = speed, 0
        made = {
            role: self.service.links.make(role, role.capitalize(), "virtual", 0)[1]
            for role in ROLES
        }
        self.links = {role: f"{self.url}/l/{token}" for role, token in made.items()}
        self._acts = {
            "advance": self._advance,
            "open": self._open,
            "call": self._call,
            "rule": self._rule,
        }

    async def serve(self) -> None:
        """Serve until cancelled."""
        hosts = (self.url.partition("://")[2], f"localhost:{self._socket.getsockname()[1]}")
        await http_loop.serve(
            self.service,
            self._socket,
            hosts,
            more=(Route("/virtual", self._asked, methods=["POST"]),),
        )

    async def keep_time(
        self,
        real_s: Callable[[], float] = time.monotonic,
        rest: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Let time pass by itself until cancelled; ``real_s()`` is real time, ``rest(s)`` waits."""
        last_s = real_s()
        while True:
            await rest(_TICK_S)
            passed_s, last_s = real_s() - last_s, real_s()
            if not self._acting:  # an act lets time pass itself
                passed_s = min(passed_s, _CAUGHT_UP_S)
                await self.stage.advance(passed_s * self.service.speed, self.told)

    def told(self) -> None:
        """Send the pages what is new."""
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
        await self.stage.advance(seconds, self.told)
        return {}

    async def _open(self, body):
        rounds = self.stage.station.archive.roster.rounds
        await self.stage.open_round(body.get("round", rounds[-1]), self.told)
        return {}

    async def _call(self, body):
        if body.get("table") not in self.stage.venue.tables:
            raise UserError("there is no such table")
        self.stage.call_judge(body["table"])
        await self.stage.advance(20, self.told)
        return {}

    async def _rule(self, body):
        return {"tables": self.stage.rule_waiting()}

    async def _asked(self, request):
        try:
            return JSONResponse(await self.do(json.loads(await request.body())))
        except (UserError, ValueError, AttributeError) as mistake:
            return JSONResponse({"error": str(mistake)}, 409)

    def close(self) -> None:
        """Close the archive."""
        self._socket.close()
        self.stage.close()
