"""The web desk over a virtual venue, over a real socket (host.sim)."""

import http.client
import json

from virtualdesk import VirtualDesk


class Visitor:
    """A plain HTTP client with one person's cookie."""

    def __init__(self, desk, role):
        self._host = desk.url.partition("://")[2]
        self.cookie = None
        status, headers, _ = self.ask("GET", desk.links[role].removeprefix(desk.url))
        assert status == 303
        self.cookie = headers["set-cookie"].partition(";")[0]
        self.csrf = self.get("/api/me")["csrf"]

    def ask(self, method, path, body=None, **headers):
        link = http.client.HTTPConnection(self._host, timeout=30)
        told = headers | ({"Cookie": self.cookie} if self.cookie else {})
        link.request(method, path, body, told)
        answer = link.getresponse()
        found = (
            answer.status,
            {name.lower(): value for name, value in answer.getheaders()},
            answer.read(),
        )
        link.close()
        return found

    def get(self, path):
        return json.loads(self.ask("GET", path)[2])

    def act(self, name, **body):
        told = {
            "Origin": "http://" + self._host,
            "X-CSRF-Token": self.csrf,
            "Content-Type": "application/json",
        }
        status, _, raw = self.ask("POST", f"/api/acts/{name}", json.dumps(body), **told)
        assert status == 200, raw
        return json.loads(raw)

    def stream(self):
        link = http.client.HTTPConnection(self._host, timeout=30)
        link.request("GET", "/api/events", headers={"Cookie": self.cookie})
        return link.getresponse()


def event_of(response):
    """Read one server-sent event: its kind and its data."""
    kind = None
    while True:
        line = response.readline().decode().rstrip("\n")
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            data = json.loads(line.removeprefix("data: "))
        elif not line and kind:
            return kind, data


def test_a_judge_deals_with_a_call_while_pages_listen(tmp_path):
    with VirtualDesk(tmp_path, tables=2, seed=3) as desk:
        judge, viewer = Visitor(desk, "judge"), Visitor(desk, "viewer")
        stream = judge.stream()
        kind, state = event_of(stream)
        assert kind == "state" and state["round"]["state"] == "draft"
        desk.open_round()
        desk.advance(280)
        assert judge.get("/api/state")["round"]["state"] == "running"
        desk.call_judge(2)
        assert judge.get("/api/state")["calls"]["2"]["type"] == "other"
        assert set(viewer.get("/api/state")["calls"]["2"]) == {"table", "since_ms", "arrived_ms"}
        judge.act("arrive", table=2)
        made = judge.act("freeze", table=2)["orders"][0]
        desk.advance(20)
        assert judge.get("/api/state")["orders"][str(made)]["state"] == "done"
        told = []
        while ["orders", str(made), "done"] not in told:
            kind, delta = event_of(stream)
            told += [[s, k, v["state"]] for s, k, v in delta.get("set", ()) if s == "orders" and v]
        judge.act("resume", table=2)
        judge.act("resolve", table=2)
        assert desk.advance_until(lambda station: desk_done(desk, station))


def desk_done(desk, station):
    """Whether every result is in; what waits for a ruling is ruled."""
    desk._web.stage.rule_waiting()
    return len(station.hall.results(1)) == 2
