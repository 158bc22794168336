"""A browser without a screen: speaks ASGI to the web desk in the test's own thread and loop."""

import asyncio
import json
from dataclasses import dataclass

from host.web.app import make
from host.web.desk_service import DeskService
from host.web.sessions import Sessions

HOST = "desk.test:8080"
KEY = bytes(range(32))


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


def office_of(venue, **more):
    """Return a DeskService over a tabletop Venue; its clock is the collector's."""
    return DeskService(
        venue.station,
        Sessions(KEY, False),
        lambda: venue.station.collector.now_ms,
        boot="boot",
        **more,
    )


def state(venue, service, role="staff"):
    """Let boards and host talk, and return what pages of a role are told."""
    for board in venue.boards:
        board.tick(venue.air.now_ms)
    venue.drain()
    service.change_feed.touch()
    service.change_feed.step(venue.air.now_ms)
    return service.change_feed.state(role, venue.air.now_ms)


class Browser:
    """One person's browser: keeps the cookie, sends Origin and CSRF token as pages do. The desk is
    below ``base``.
    """

    base = ""

    def __init__(self, service, role=None, name="Ada", app=None):
        self.service, self.app = service, app or make(service, (HOST,))
        self.cookie = self.csrf = self.language = None
        if role is not None:
            self.enter(service.links.make(role, name, "test", 0)[1])

    def enter(self, token):
        answer = self.get(f"/l/{token}")
        assert answer.status == 303 and answer.headers["location"] == f"{self.base}/in"
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        self.csrf = self.get("/api/me").json["csrf"]
        return answer

    def get(self, path, **headers):
        return self.ask("GET", path, b"", {"host": HOST} | _named(headers))

    def act(self, act, /, **body):
        return self.post(f"/api/acts/{act}", json.dumps(body).encode())

    def post(self, path, body=b"{}", **headers):
        """Post a body as a page does; ``headers`` replace what it sends, None leaves one out."""
        usual = {
            "host": HOST, "origin": f"http://{HOST}", "content-type": "application/json",
            "x-csrf-token": self.csrf or "",
        }  # fmt: skip
        told = {
            name: value for name, value in (usual | _named(headers)).items() if value is not None
        }
        return self.ask("POST", path, body, told)

    def ask(self, method, path, body, headers):
        return asyncio.run(self._ask(method, path, body, headers))

    async def _ask(self, method, path, body, headers):
        messages, asked = [], [{"type": "http.request", "body": body, "more_body": False}]
        over = asyncio.Event()

        async def receive():
            if asked:
                return asked.pop()
            await over.wait()  # nobody hangs up
            return {"type": "http.disconnect"}

        async def send(message):
            messages.append(message)

        await self.app(self.scope(method, path, headers), receive, send)
        start = messages[0]
        told = {name.decode(): value.decode("latin-1") for name, value in start["headers"]}
        return Answer(start["status"], told, b"".join(one.get("body", b"") for one in messages[1:]))

    def scope(self, method, path, headers):
        """Return the ASGI scope of a request; the cookie goes along."""
        plain, _, query = path.partition("?")
        if self.language:
            headers = {"accept-language": self.language} | headers
        if self.cookie and "cookie" not in headers:
            headers = headers | {"cookie": self.cookie}
        raw = [
            (name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()
        ]
        return {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "path": plain,
            "raw_path": plain.encode(), "query_string": query.encode(), "root_path": "",
            "scheme": "http",
            "headers": raw, "server": ("desk.test", 8080), "client": ("127.0.0.1", 1),
        }  # fmt: skip


def _named(headers):
    return {name.replace("_", "-"): value for name, value in headers.items()}
