"""An event's close: once, and then no board of it keeps a name."""

import json
import re
from dataclasses import replace

import pytest
from webclient import Browser

from firmware.core import frames, phases
from host.desk.station import Station
from host.server.console import Console
from host.web.desk_service import DeskService
from host.web.sessions import Sessions

pytestmark = [pytest.mark.venue(begun=True), pytest.mark.archives]


def nameless(board):
    return not any(any(names) for names in board.sync.names)


def test_names_are_forgotten_at_the_events_close_for_good(venue, console):
    board, given = venue.boards[0], []
    assert not nameless(board)
    assert console.run("close") == ["not done: results are missing: table 1, 2"]
    assert console.run("close anyway") == ["close: asked of 2 tables"]
    venue.drain()
    assert board.match.phase == phases.IDLE
    put = venue.air._put
    venue.air._put = lambda address, frame: (
        given.append(frames.head(frame)[0]),
        put(address, frame),
    )
    venue.air.run(60_000)
    assert all(map(nameless, venue.boards)) and frames.NAME not in given
    assert not any(
        status.has(frames.NAMES_WANTED) for status in venue.station.collector.statuses.values()
    )


def test_the_close_reaches_tables_that_a_cut_left_out_and_boards_that_were_moved(venue, console):
    roster = venue.archive.roster
    roster.store_round(2, roster.format_of(1), [replace(roster.pairing_at(1, 1), round=2)])
    venue.station.desk.publish(2)
    roster.move(102, 0, "judge")  # its table is not needed any more
    venue.station.refresh()
    venue.drain()
    assert not nameless(venue.boards[1])
    assert console.run("close anyway") == ["close: asked of 2 tables"]
    venue.drain()
    venue.air.run(60_000)
    assert all(map(nameless, venue.boards))
    assert [board.match.phase for board in venue.boards] == [phases.IDLE] * 2


def test_names_on_their_way_stay_behind_when_the_event_closes(venue, console):
    board = venue.boards[0]
    board.sync.forget()  # it asks for them again
    sent, write = [], venue.air._write

    def first_name(address, frame):
        if frames.head(frame)[0] == frames.NAME and not sent:
            sent.append(console.run("close anyway"))
        write(address, frame)

    venue.air._doing["write"] = first_name
    venue.drain()
    venue.air.run(60_000)
    assert sent and board.match.phase == phases.IDLE and nameless(board)


HEAD = (
    "# event: Cup\n# format: p18 swiss bo1 constructed 30\ntable,number_a,name_a,number_b,name_b\n"
)
AT_MS = 5_400_000


@pytest.fixture
def evening(evening):
    evening.done("import", evening.file("r1.csv", f"{HEAD}1,1,Ann,2,Bo\n2,3,Cy,4,Di\n"))
    evening.typed("publish 1", "result 1 A slip", "result 2 B slip")
    return evening


def audit(evening, *words):
    code, out, error = evening.command_on("audit", *words)
    return code, out + error


def test_without_boards_it_is_closed_and_says_so_once(evening):
    assert evening.desk("close") == ["the event is closed"]
    (words,) = evening.desk("receipt")
    (again,) = evening.desk("close anyway")
    assert re.fullmatch(
        r"not done: the event was closed at \d\d:\d\d on \d{4}-\d\d-\d\d by Olga: its receipt is on"
        r" Packing up", again,
    ), again  # fmt: skip
    assert evening.desk("receipt") == [words]
    code, out = audit(evening, "--final", "--receipt", words)
    assert code == 0 and "the event is closed and this is all of it" in out
    assert "changed" not in out


def test_beside_a_running_host_the_audit_knows_that_it_is_closed(evening):
    with Station(evening.archive) as station:
        console = Console(station, "Olga")
        assert console.run("close") == ["the event is closed"]
        (words,) = console.run("receipt")
        code, out = audit(evening, "--receipt", words)
        assert code == 0 and "the event is closed, and its program had not ended" in out
        assert "not closed" not in out and "changed" not in out
        assert json.loads(audit(evening, "--json")[1])["closed"] is True
    assert "the event is closed and this is all of it" in audit(evening)[1]


def test_the_page_says_when_and_offers_it_no_more(evening):
    with Station(evening.archive) as station:
        service = DeskService(station, Sessions(bytes(32), False), lambda: AT_MS)
        organiser = Browser(service, "organiser")
        told = organiser.get("/api/packing").json
        assert told["may_close"] and told["closed"] is None
        assert organiser.act("close_event").status == 200
        told = organiser.get("/api/packing").json
        origin = station.archive.roster.event.origin_unix_ms
        assert told["closed"] == {"author": "Ada", "unix_ms": origin + AT_MS}
        assert not told["may_close"] and len(told["receipt"]["words"].split()) == 12
        refused = organiser.act("close_event", anyway=True)
        assert refused.status == 409 and "was closed at" in refused.json["error"]
        lines = organiser.get("/api/log").json["lines"]
        assert [one["author"] for one in lines if one["what"] == "event closed"] == ["Ada"]


def test_what_is_played_after_a_close_may_be_closed_anew(evening):
    evening.typed("close")
    (first,) = evening.desk("receipt")
    evening.typed("result 1 B misread")
    assert evening.desk("close") == ["the event is closed"]
    (second,) = evening.desk("receipt")
    assert second != first
    assert "changed" not in audit(evening, "--receipt", second)[1]
    code, out = audit(evening, "--receipt", first)
    assert "paper result" in out and code == 1
    assert "was closed at" in evening.desk("close")[0]


def test_a_link_made_after_the_close_opens_nothing(evening):
    evening.typed("close")
    with Station(evening.archive) as station:
        service = DeskService(station, Sessions(bytes(32), False), lambda: AT_MS)
        assert (
            Browser(service, "organiser").act("make_link", role="viewer", name="Bo").status == 200
        )
    assert "was closed at" in evening.desk("close")[0]
