"""The day that an event is dated by: the PC's own, on which it began."""

import datetime
import json
import time
import zoneinfo

import pytest

from host import cli
from host.archive import master_key
from host.archive.roster import Event, Format, Pairing, Player
from host.archive.store import Archive
from host.desk.station import Station
from host.reports import list_fortress

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
    assert (
        list_fortress.to_json(event(place, wall), None, (), {})["date"] == wall.date().isoformat()
    )


def opened(path, place, wall):
    with Archive(path) as archive:
        archive.roster.open_event(event(place, wall))
        for number in (1, 2):
            pairing = Pairing(number, 1, 1, Player("1", "Ann Lee"), Player("2", "Bo Day"))
            archive.roster.store_round(number, Format(0, 6, 50), [pairing])
    return path


def exported(path, tmp_path):
    words = ["export", "listfortress", str(path), "--out", str(tmp_path)]
    assert cli.main(words) == 0
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
