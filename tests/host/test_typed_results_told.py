"""A result typed from paper is a result everywhere, named by its table, in the order it was typed."""

import json

import pytest
from webclient import Browser

from host.desk.station import Station
from host.server.console import Console
from host.web.desk_service import DeskService
from host.web.sessions import Sessions

HOUR_MS = 3_600_000
ROWS = [(9, 1, 2), (4, 3, 4), (7, 5, 6)]  # tables are no pairings


@pytest.fixture
def evening(evening):
    lines = [f"{table},{a},Player {a},{b},Player {b}" for table, a, b in ROWS]
    head = "# event: Cup\n# format: p18 swiss bo1 constructed 30\n"
    text = (
        head + "table,number_a,name_a,number_b,name_b\n" + "\n".join(lines) + "\n8,7,Player 7,,\n"
    )
    evening.done("import", evening.file("r1.csv", text))
    evening.typed("publish 1")
    return evening


def typed_at(evening, *told):
    """Type lines, each at its own event time in ms, and drop players beside them."""
    with Station(evening.archive) as station:
        console = Console(station, "Olga")
        for at_ms, line in told:
            station.collector.now_ms = at_ms
            said = list(map(str, console.run(line)))
            assert not any("not done" in one for one in said), said


def logged(evening):
    """Return the desk log as the organiser's page has it."""
    with Station(evening.archive) as station:
        service = DeskService(station, Sessions(bytes(32), False), lambda: 0)
        return Browser(service, "organiser").get("/api/log").json["lines"]


def test_the_audit_notes_it_by_its_table_and_misses_nothing(evening):
    evening.typed("result 9 A torn slip")
    code, out, _ = evening.command_on("audit")
    assert "noted: round 1, table 9: typed from paper by Olga (torn slip)" in out
    assert "pairing" not in out and not [one for one in out.splitlines() if "missing: round" in one]
    told = json.loads(evening.command_on("audit", "--json")[1])
    assert told["notes"] == ["round 1, table 9: typed from paper by Olga (torn slip)"]


def test_the_tables_have_it(evening):
    evening.typed("result 9 B slip", "result 4 A slip", "result 4 none wrong table")
    told = {one["table"]: one for one in evening.objects("show tables")}
    assert (told[9]["phase"], told[9]["games"]) == ("agreed", [0, 1])
    assert told[9]["result"]["outcome"] == "B"
    assert (told[4]["phase"], told[4]["result"]) == ("idle", None)
    lines = evening.done("show tables").splitlines()
    assert ["idle" in one for one in lines[:3]] == [True, True, False]  # at 4, 7 and 9


def test_after_the_clock_was_set_back_the_order_stays(evening):
    typed_at(
        evening, (2 * HOUR_MS, "result 9 A before"), (2 * HOUR_MS + 1, "drop 5 sure"),
        (HOUR_MS, "result 4 A after"), (HOUR_MS - 9, "drop 6 sure"),
        (HOUR_MS + 5, "result 9 B corrected"),
    )  # fmt: skip
    said = [str(one["value"]) for one in logged(evening)]
    order = ["before", "player 5", "after", "player 6", "corrected"]
    found = [next(at for at, one in enumerate(said) if word in one) for word in order]
    assert found == sorted(found), said
    out = evening.folder / "out"
    evening.done("export", "json", "--out", out)
    told = json.loads((out / "everything.json").read_text(encoding="utf-8"))["incidents"]
    assert [one["reason"] for one in told] == ["before", "after", "corrected"]
    evening.done("paper", "incidents", "--no-pdf", "--out", out)
    sheet = (out / "incidents-round-1.en.html").read_text(encoding="utf-8")
    at = [sheet.index(f"<bdi>{word}</bdi>") for word in ("before", "after", "corrected")]
    assert at == sorted(at)
