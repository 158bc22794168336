"""The web desk over a virtual venue: real pages on a real socket; time passes when asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from starlette.responses import JSONResponse
from starlette.routing import Route

from host.archive.roles import ROLES
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


class WebStage:
    """A Stage with its DeskService on a socket; ``links`` are personal links by role."""

    def __init__(
        self,
        folder: Path,
        tables: int = 16,
        seed: int = 7,
        port: int = 0,
        packs: Mapping[str, Pack] | None = None,
        **terms: Unpack[StageOptions],
    ):
        self.stage = Stage(folder, tables, seed, **terms)
        self._socket = http_loop.bound(http_loop.LOOPBACK, port)
        self.url = f"http://{http_loop.LOOPBACK}:{self._socket.getsockname()[1]}"
        sessions = Sessions(key_beside(folder / ARCHIVE), False)
        known = shipped() if packs is None else packs
        self.service = DeskService(self.stage.station, sessions, self.stage.now_ms, known, self.url)
        self.service.virtual = True
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

    def told(self) -> None:
        """Send the pages what is new."""
        self.service.change_feed.step(self.service.now_ms)

    async def do(self, body: Mapping[str, Json]) -> dict[str, Json]:
        """Carry out ``{"do": word, …}`` and return its result. Raises UserError."""
        act = self._acts.get(str(body.get("do")))
        if act is None:
            raise UserError(f"a virtual venue does one of: {', '.join(self._acts)}")
        return await act(body) | {"now_ms": self.stage.now_ms()}

    async def _advance(self, body):
        seconds = body.get("seconds")
        if type(seconds) not in (int, float) or not 0 < seconds <= _MOST_S:
            raise UserError(f"seconds are from 0 to {_MOST_S}")
        await self.stage.advance(seconds, self.told)
        return {}

    async def _open(self, body):
        await self.stage.open_round(body.get("round", 1), self.told)
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
