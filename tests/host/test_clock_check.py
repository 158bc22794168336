"""A PC whose clock was moved: what a round that is being played is told of it, and what is asked."""

import datetime
import json
import os
import time
import zoneinfo

import pytest
from commands import plusthree
from tabletop import MASTER, Venue

from firmware.core import intents
from host.archive import master_key
from host.archive.roster import Event, Format, Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.cli import serve
from host.collector.host_clock import LATEST_MS, HostClock, KeptTime
from host.desk import troubles
from host.desk.clock_check import ClockCheck
from host.desk.event_import import import_file
from host.desk.station import Station
from host.event import event_log
from host.formats import event_file
from host.reports import list_fortress
from host.server.console import Console

MIN, HOUR, DAY = 60_000, 3_600_000, 86_400_000
ORIGIN = 1_793_000_000_000
CUP = (
    "# event: Cup\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,1,Ann,2,Bo\n2,3,Cy,4,Di\n"
)


class Pc:
    """The organiser's PC in a round without boards: its clock, and one that nobody can set."""

    def __init__(self, folder):
        self.path, self.file = folder / "cup.db", folder / "cup.csv"
        self.file.write_text(CUP, encoding="utf-8")
        self.unix_ms, self.steady_ms = ORIGIN, 0

    def pass_ms(self, ms, clock_ms=None):
        """Let time pass; ``clock_ms`` is what the PC's clock makes of it."""
        self.steady_ms += ms
        self.unix_ms += ms if clock_ms is None else clock_ms

    def begin(self, minutes=2):
        """Start the evening's first round in some minutes."""
        with Station(self.path, MASTER) as station:
            import_file(station.archive, event_file.read(self.file), self.unix_ms)
            station.refresh()
            station.desk.publish(1)
            if minutes is not None:
                station.desk.start(minutes * MIN)

    def serve(self):
        station = Station(self.path, MASTER)
        self.kept = KeptTime(self.path)
        known_ms = max(station.archive.latest_ms, self.kept.read(ORIGIN))
        clock = HostClock(ORIGIN, self.unix_ms, lambda: self.steady_ms, known_ms)
        station.clock_check = ClockCheck(station, clock, lambda: self.unix_ms, known_ms)
        station.collector.now_ms = clock.now_ms()
        return station, clock

    def run(self, ms, station, clock):
        """Serve for a while, and end as a PC does whose battery is empty."""
        self.pass_ms(ms)
        self.kept.write(ORIGIN, clock.now_ms())
        station.close()


@pytest.fixture
def pc(tmp_path):
    """A PC whose round of 50 minutes began 20 minutes ago, when its battery was empty."""
    made = Pc(tmp_path)
    made.begin()
    made.run(22 * MIN, *made.serve())
    return made


def said(station, kind=troubles.CLOCK):
    """Return what a trouble says now, None without it."""
    station.clock_check.update()
    found = [one for one in station.troubles.now(0) if one.kind == kind]
    return str(found[0].why) if found else None


def left_ms(station, clock):
    return station.desk.start_ms + 50 * MIN - clock.now_ms()


@pytest.mark.parametrize(("gap_ms", "span"), [
    (HOUR, "1:00"), (2 * HOUR + 3 * MIN, "2:03"), (11 * MIN, "0:11"), (3 * DAY, "72:00"),
])  # fmt: skip
def test_a_long_gap_in_a_running_round_is_asked_about_and_takes_no_time(pc, gap_ms, span):
    pc.pass_ms(0, gap_ms)
    station, clock = pc.serve()
    with station:
        assert left_ms(station, clock) == 30 * MIN
        assert f"{span} h went by" in said(station)
        pc.pass_ms(5 * MIN)
        assert left_ms(station, clock) == 25 * MIN  # it goes on meanwhile


def test_a_clock_that_is_wrong_leaves_the_round_what_it_had(pc):
    pc.pass_ms(0, HOUR)
    station, clock = pc.serve()
    with station:
        assert Console(station, "Ada").run("clock wrong") == [
            "the rounds go on by the event's own time"
        ]
        pc.pass_ms(MIN)
        assert left_ms(station, clock) == 29 * MIN
        assert said(station) is None and said(station, troubles.CLOCK_OFF) is None
        line = event_log.lines(station.archive)[-1]
        assert (line["author"], str(line["value"])) == ("Ada", "60 min off: the clock is wrong")


def test_time_that_did_pass_is_gone_for_every_clock(pc):
    pc.pass_ms(HOUR)
    station, clock = pc.serve()
    with station:
        console = Console(station, "Ada")
        assert console.run("clock passed") == ["1:00 h have gone by for every clock"]
        assert left_ms(station, clock) == -30 * MIN and station.collector.now_ms == clock.now_ms()
        assert said(station) is None
        assert "nothing is asked" in console.run("clock passed")[0]


def test_a_laptop_that_died_for_three_minutes_is_no_question(pc):
    pc.pass_ms(3 * MIN)
    station, clock = pc.serve()
    with station:
        assert left_ms(station, clock) == 27 * MIN and said(station) is None


def test_an_evening_on_paper_with_nothing_typed_for_long_is_no_question(tmp_path):
    pc = Pc(tmp_path)
    pc.begin()
    pc.run(45 * MIN, *pc.serve())  # nothing is stored in the archive meanwhile
    pc.pass_ms(MIN)
    station, clock = pc.serve()
    with station:
        assert left_ms(station, clock) == 6 * MIN and said(station) is None


@pytest.mark.parametrize("until", ["published", "over", "ended"])
def test_where_no_clock_ran_nothing_is_asked(tmp_path, until):
    pc = Pc(tmp_path)
    pc.begin(None if until == "published" else 2)
    station, clock = pc.serve()
    if until == "ended":
        for table in (1, 2):
            Console(station, "Ada").run(f"result {table} A 2 0 slip")
    pc.run(5 * HOUR if until == "over" else 5 * MIN, station, clock)
    pc.pass_ms(2 * DAY)  # a round that nobody ended, days later
    station, clock = pc.serve()
    with station:
        assert said(station) is None and clock.now_ms() == pc.unix_ms - ORIGIN


def test_a_clock_that_is_behind_gives_no_time_back_and_is_told(pc):
    pc.pass_ms(0, -HOUR)
    station, clock = pc.serve()
    with station:
        assert left_ms(station, clock) == 30 * MIN
        assert "1:00 h behind" in said(station, troubles.CLOCK_OFF)
        console = Console(station, "Ada")
        assert "set this PC's clock right" in console.run("clock passed")[0]
        console.run("clock wrong")
        assert said(station, troubles.CLOCK_OFF) is None
        pc.pass_ms(0, HOUR)  # somebody sets it right
        assert said(station, troubles.CLOCK_OFF) is None and left_ms(station, clock) == 30 * MIN


@pytest.mark.parametrize(("step_ms", "told"), [
    (HOUR, "1:00 h ahead"), (-2 * HOUR, "2:00 h behind"), (20_000, None),
])  # fmt: skip
def test_a_clock_that_is_set_while_it_serves_moves_no_round(pc, step_ms, told):
    station, clock = pc.serve()
    with station:
        pc.pass_ms(0, step_ms)
        assert left_ms(station, clock) == 30 * MIN
        why = said(station, troubles.CLOCK_OFF)
        assert told in why if told else why is None
        pc.pass_ms(0, -step_ms)
        assert said(station, troubles.CLOCK_OFF) is None


def test_setting_the_clock_right_is_an_answer(pc):
    pc.pass_ms(0, HOUR)
    station, clock = pc.serve()
    with station:
        assert said(station)
        pc.pass_ms(2 * MIN, 2 * MIN - HOUR)
        assert said(station) is None and left_ms(station, clock) == 28 * MIN
        with pytest.raises(UserError, match="nothing is asked"):
            station.answer_clock(True, "Ada")


def test_a_clock_in_another_year_neither_ends_the_round_nor_the_program(pc):
    pc.pass_ms(0, 400 * DAY)
    station, clock = pc.serve()
    with station:
        assert left_ms(station, clock) == 30 * MIN and clock.now_ms() < LATEST_MS
        station.answer_clock(False, "Ada")
        pc.pass_ms(MIN)
        assert left_ms(station, clock) == 29 * MIN


def test_clocks_go_forward_and_back_with_the_season_and_nothing_is_asked(pc, monkeypatch):
    """The end of summer time in Rome: 3:00 becomes 2:00, and UTC goes on."""
    monkeypatch.setattr(serve.time, "time_ns", lambda: 1_792_976_400_000_000_000)
    found = set()
    for zone in ("Europe/Rome", "UTC", "America/New_York"):
        monkeypatch.setitem(os.environ, "TZ", zone)
        time.tzset()
        found.add(serve._unix_ms())
    monkeypatch.delitem(os.environ, "TZ")
    time.tzset()
    assert found == {1_792_976_400_000}


@pytest.mark.parametrize("text", ["", "x y", "1", f"{ORIGIN} -5", "1 999", "\x00", f"{ORIGIN} 1e9"])
def test_a_kept_time_that_is_none_counts_as_none(tmp_path, text):
    (tmp_path / "cup.db.time").write_text(text, encoding="utf-8")
    assert KeptTime(tmp_path / "cup.db").read(ORIGIN) == 0


@pytest.fixture
def boards(tmp_path):
    """A round with two boards whose host's PC was away for an hour by its own clock."""
    venue = Venue(tmp_path / "a.db", tables=2)
    venue.begin()
    venue.air.run(10 * MIN)
    venue.drain()
    yield venue
    venue.station.close()


def away(venue, passed_ms):
    """Have the host's clock say that an hour passed while ``passed_ms`` did; return the clock."""
    station, known_ms = venue.station, venue.air.now_ms
    origin_ms = station.archive.roster.event.origin_unix_ms
    clock = HostClock(origin_ms, origin_ms + known_ms + HOUR, lambda: venue.air.now_ms, known_ms)
    began_ms = venue.air.now_ms
    unix_ms = lambda: origin_ms + HOUR + venue.air.now_ms  # noqa: E731
    station.clock_check = ClockCheck(station, clock, unix_ms, known_ms)
    assert clock.now_ms() == began_ms and "1:00 h went by" in said(station)
    board = venue.boards[0]
    assert board.ask(venue.air.now_ms + passed_ms, intents.CALL_JUDGE)
    venue.drain()
    return clock


@pytest.mark.parametrize(("passed_ms", "asked"), [
    (HOUR, None), (HOUR - 40_000, None),  # a board writes its clock once a minute
    (55 * MIN, None),  # what is left is a gap as after any start
    (MIN, "0:59"), (25 * MIN, "0:35"),
])  # fmt: skip
def test_boards_say_what_did_pass(boards, passed_ms, asked):
    before_ms = boards.air.now_ms
    clock = away(boards, passed_ms)
    passed_ms = clock.now_ms() - before_ms
    if asked is None:
        assert said(boards.station) is None and passed_ms >= HOUR
    else:
        assert f"{asked} h went by" in said(boards.station)
        assert boards.air.now_ms - before_ms < passed_ms < HOUR
    assert clock.now_ms() >= boards.station.archive.latest_ms


PLACES = [  # where, when it began there by the wall's clock
    ("America/Los_Angeles", datetime.datetime(2026, 6, 5, 19, 0)),  # the next day in UTC
    ("Pacific/Auckland", datetime.datetime(2026, 6, 6, 9, 0)),  # the day before in UTC
    ("Europe/Rome", datetime.datetime(2026, 10, 25, 0, 30)),  # the night that the clocks go back
    ("UTC", datetime.datetime(2026, 1, 1, 0, 0)),
]


@pytest.fixture
def zone(monkeypatch):
    """Return ``zone(name)``: this PC stands there from then on."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system sets its zone otherwise")

    def zone(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield zone
    monkeypatch.undo()
    time.tzset()


def event(place, wall):
    unix_s = wall.replace(tzinfo=zoneinfo.ZoneInfo(place)).timestamp()
    return Event(1, "Friday Night", int(unix_s * 1000))


@pytest.mark.parametrize(("place", "wall"), PLACES)
def test_an_export_has_the_local_day(zone, place, wall):
    zone(place)
    for export in (list_fortress.to_json, list_fortress.written):  # by its earlier name, too
        assert export(event(place, wall), None, (), {})["date"] == wall.date().isoformat()


def opened(path, place, wall):
    with Archive(path) as archive:
        archive.roster.open_event(event(place, wall))
        for number in (1, 2):
            pairing = Pairing(number, 1, 1, Player("1", "Ann Lee"), Player("2", "Bo Day"))
            archive.roster.store_round(number, Format(0, 6, 50), [pairing])
    return path


def exported(path, tmp_path):
    words = ["export", "listfortress", str(path), "--out", str(tmp_path)]
    assert plusthree(*words) == 0
    return json.loads((tmp_path / "listfortress.json").read_text(encoding="utf-8"))["date"]


def begin(path, now_ms, number=1):
    master_key.load_or_make(master_key.path_of(path))
    with Station(path) as station:
        station.refresh()
        station.collector.now_ms = now_ms
        station.desk.publish(number)
        station.desk.start(now_ms + 150_000)


def test_an_event_keeps_the_day_on_which_it_began(zone, tmp_path):
    """It was opened the evening before, and began in the morning."""
    zone("America/Los_Angeles")
    path = opened(tmp_path / "e.db", "America/Los_Angeles", datetime.datetime(2026, 6, 5, 23, 0))
    assert exported(path, tmp_path) == "2026-06-05"
    begin(path, 10 * 3_600_000)
    assert exported(path, tmp_path) == "2026-06-06"
    begin(path, 9 * 3_600_000)  # set anew
    assert exported(path, tmp_path) == "2026-06-06"


def test_past_midnight_it_is_still_the_first_day(zone, tmp_path):
    zone("Europe/Rome")
    path = opened(tmp_path / "e.db", "Europe/Rome", datetime.datetime(2026, 6, 5, 23, 0))
    begin(path, 0)
    begin(path, 2 * 3_600_000, 2)
    assert exported(path, tmp_path) == "2026-06-05"
