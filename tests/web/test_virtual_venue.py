"""``serve --virtual``, and the web desk over its venue: what is asked is honoured or refused, time runs by itself."""

import asyncio
import http.client
import io
import json
import sys

import pytest
from commands import plusthree
from virtualdesk import VirtualDesk

from host.archive.store import Archive
from host.base import installation
from host.sim.stage import WebStage

EXAMPLE = installation.file("examples/winter-cup.csv")


@pytest.fixture
def venue(here, monkeypatch, capsys):
    """A function: exit code, and what was printed, of ``serve --virtual`` with lines typed."""

    def serve(*words, typed="quit\n"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = plusthree("serve", *map(str, words))
        return code, *capsys.readouterr()

    return serve


def test_an_event_file_is_what_the_venue_plays(venue):
    code, said, _ = venue(EXAMPLE, "--virtual", 8, typed="open\nadvance 300\nshow tables\nquit\n")
    assert code == 0
    assert "Zoë Müller-Lüdenscheidt (1004)" in said and "playing" in said
    assert "José Ángel" in said


def test_an_archive_is_kept_where_it_was_asked_for(venue, tmp_path, capsys):
    code, _, said = venue("--virtual", 2, "v.db", typed="open\nquit\n")
    assert code == 0 and "v.db" in said
    with Archive("v.db") as archive:
        assert archive.roster.rounds == [1] and len(archive.roster.boards) == 4
    assert plusthree("show", "status", "v.db") == 0
    assert "of 2" in capsys.readouterr().out
    code, _, said = venue("--virtual", 2, "v.db")
    assert code == 2 and "v.db is there already" in said


def test_without_one_nothing_is_left_and_that_is_said(venue, tmp_path):
    code, _, said = venue("--virtual", 1)
    assert code == 0 and "serve --virtual N NEW.db" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words, said", [
    (["--lan"], "leave --lan away"),
    (["--backup", "."], "leave --backup away"),
    (["--no-radio"], "leave --no-radio away"),
    (["--gateways-only"], "leave --gateways-only away"),
    (["--draft"], "leave --draft away"),
    (["--out", "x"], "leave --out away"),
    (["--system", "x.toml"], "x.toml: No such file"),
    (["--no-web"], "leave --no-web away"),
    (["--host", "desk"], "leave --host away"),
    (["--standby"], "leave --standby away"),
    (["--speed", "0"], "--speed is from 1 to"),
    (["--speed", "0.5"], "--speed is from 1 to"),
    (["--speed", "nan"], "--speed is from 1 to"),
    (["postgresql://ada@db/cup"], "is a file"),
    ([EXAMPLE], "--virtual 8"),
    (["nothing.csv"], "nothing.csv"),
])  # fmt: skip
def test_what_it_cannot_do_is_refused_in_a_sentence(venue, words, said):
    code, out, refusal = venue("--virtual", 2, *words)
    assert code == 2 and out == "" and refusal.count("\n") == 1
    assert said in refusal


def test_help_lists_what_only_a_virtual_venue_does(venue):
    _, said, _ = venue(
        "--virtual", 1, typed="help\nhelp call\nhelp show\nadvance\ncall\ncall x\nquit\n"
    )
    lines = said.splitlines()[1:]
    words = [line.split()[0] for line in lines]
    assert {"open", "advance", "call", "settle", "rule", "start", "extend", "swap", "quit"} <= set(
        words
    )
    assert sum(line.startswith("call TABLE  ") for line in lines) == 2
    assert "not done: say: advance SECONDS" in lines and "not done: say: call TABLE" in lines
    assert any(line.startswith("not done: 'x' is not a number; say: call TABLE") for line in lines)


class Hours:
    """A clock that a test moves: each rest lasts as long as the next of ``rests``."""

    def __init__(self, *rests):
        self.now_s, self._rests = 1000.0, list(rests)

    async def rest(self, seconds):
        if not self._rests:
            raise asyncio.CancelledError
        self.now_s += self._rests.pop(0)


def passed(tmp_path, speed, *rests, act=None):
    """Return the ms of virtual time that pass, and all that the pages are told meanwhile."""

    async def run():
        web, hours, told = WebStage(tmp_path, 1, 3, speed=speed), Hours(*rests), []
        step = web.notify
        web.notify = lambda: (told.append(web.stage.now_ms()), step())
        began_ms = web.stage.now_ms()
        try:
            await web.keep_time(lambda: hours.now_s, hours.rest)
        except asyncio.CancelledError:
            if act:
                await web.do(act)
        web.close()
        return web.stage.now_ms() - began_ms, told

    return asyncio.run(run())


@pytest.mark.parametrize("speed, rests, ms", [(1, (0.25,) * 8, 2000), (10, (0.1,) * 5, 5000)])
def test_time_runs_by_itself_and_never_back(tmp_path, speed, rests, ms):
    found, told = passed(tmp_path, speed, *rests)
    assert found == ms and told == sorted(told) and len(told) >= len(rests)


def test_advance_skips_ahead_from_there(tmp_path):
    found, told = passed(tmp_path, 1, 0.5, 0.5, act={"do": "advance", "seconds": 60})
    assert found == 61_000 and told == sorted(told)


def test_a_computer_that_slept_is_not_caught_up_with(tmp_path):
    found, _ = passed(tmp_path, 1, 0.5, 3600)
    assert found <= 3000


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
        assert judge.get("/api/state")["calls"]["2"]["type"] == "judge"
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
