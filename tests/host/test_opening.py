"""Event files become events and rounds; their lengths are announced, locked and changed by a logged act."""

import types

import pytest
import tree
from typed_evening import TypedEvening

from firmware.core import intents
from host.archive.orders import NewOrder
from host.archive.roster import Event, Format, Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.collector.host_clock import HostClock, steady
from host.desk import round_lengths
from host.desk.event_import import import_file, remarks
from host.event import points
from host.event.match_results import Result
from host.formats import event_file
from host.formats.event_file import EventFile
from host.reports import exports
from host.systems import round_limits

pytestmark = pytest.mark.archives

BO3 = Format(0, 6, 50)


def file(event="Cup", number=1, name="Ann", other="2"):
    pairing = Pairing(number, 1, 1, Player("1", name), Player(other, "Bo"))
    return EventFile(event, number, BO3, [pairing])


@pytest.fixture
def archive(place):
    with Archive(place) as opened:
        yield opened


def test_a_file_opens_its_event_once(archive):
    assert import_file(archive, file(), 1000, lambda n: 41).round == 1
    assert import_file(archive, file(), 2000).round == 1
    assert archive.roster.events == [Event(42, "Cup", 1000)]


def test_a_next_round_joins_the_event(archive):
    import_file(archive, file(), 1000)
    assert import_file(archive, file(event=None, number=2), 2000).round == 2
    assert archive.roster.rounds == [1, 2] and len(archive.roster.events) == 1


def test_another_event_gets_a_number_of_its_own(archive):
    draws = iter([4, 4, 7])
    import_file(archive, file(), 1000, lambda n: next(draws))
    import_file(archive, file(event="Next"), 2000, lambda n: next(draws))
    assert [event.number for event in archive.roster.events] == [5, 8]
    assert archive.roster.event.name == "Next" and archive.roster.rounds == [1]
    with pytest.raises(UserError, match="followed by another"):
        import_file(archive, file(), 3000)


def test_a_round_that_says_something_else_is_refused(archive):
    import_file(archive, file(), 1000)
    archive.orders.add(NewOrder(1, 1, intents.SetRound(1, 1, 1, 1), "desk"), 1)
    with pytest.raises(UserError, match="says something else"):
        import_file(archive, file(other="3"), 2000)
    assert archive.roster.pairings_of(1) == file().pairings


def test_a_name_may_be_put_right(archive):
    import_file(archive, file(), 1000)
    import_file(archive, file(name="Anne"), 2000)
    assert archive.roster.pairings_of(1) == file(name="Anne").pairings


def test_host_time_starts_at_the_wall_and_runs_steadily():
    steady = [500]
    clock = HostClock(10_000, 14_000, lambda: steady[0])
    assert clock.now_ms() == 4000
    steady[0] += 250
    assert clock.now_ms() == 4250


def test_a_wall_that_was_set_back_does_not_take_the_event_with_it():
    assert HostClock(10_000, 9_000, lambda: 0, floor_ms=77_000).now_ms() == 77_000


class System:
    """A ``time`` module whose monotonic clock stands still while the PC sleeps."""

    CLOCK_BOOTTIME, CLOCK_MONOTONIC = 7, 1

    def __init__(self):
        self.ns = {7: 5_000_000_000, 1: 5_000_000_000}

    def sleep_for(self, ms):
        self.ns[7] += ms * 1_000_000

    def clock_gettime_ns(self, clock):
        return self.ns[clock]


def test_event_time_runs_on_while_the_laptop_sleeps():
    system = System()
    clock = HostClock(0, 1000, steady(system))
    system.sleep_for(3_600_000)
    assert clock.now_ms() == 3_601_000


def test_a_system_without_such_a_clock_has_its_monotonic_one():
    class Bare:
        monotonic_ns = staticmethod(lambda: 4_000_000)

    assert steady(Bare)() == 4


EXAMPLES = sorted((tree.ROOT / "examples").glob("*.csv"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_imported_without_a_remark(path, tmp_path, capsys):
    assert event_file.read(path).pairings
    out = TypedEvening(tmp_path, capsys).done("import", path)
    assert out.count("\n") == 1, out


def test_the_judges_of_the_example_are_asked_about_once_they_play(tmp_path, capsys):
    evening = TypedEvening(tmp_path, capsys)
    text = (tree.ROOT / "examples" / "escalation.csv").read_text(encoding="utf-8")
    out = evening.done("import", evening.file("cup.csv", text.replace("Gaia Longo", '"Blu, Ugo"')))
    assert "player 2007 judges, and no judge plays at a Premier event" in out


HEAD = "table,number_a,name_a,number_b,name_b\n1,1,Ann,2,Bo\n"


@pytest.fixture
def take(archive, tmp_path):
    """A function that admits an event file of these lines."""

    def admitted(*lines):
        path = tmp_path / "round.csv"
        path.write_text(
            "".join(f"# {line}\n" for line in ("event: Cup", *lines)) + HEAD, encoding="utf-8"
        )
        return import_file(archive, event_file.read(path), 1000).round

    return admitted


def begin(archive):
    archive.orders.add(NewOrder(1, 1, intents.SetStart(5000), "desk"), 1)
    assert round_lengths.begun(archive)


def test_escalation_is_announced_and_locked(archive, take):
    take("format: xw15 50", "rounds: 50 60 90 130")
    assert round_lengths.announced_minutes(archive) == (50, 60, 90, 130)
    take("format: xw15 50", "rounds: 50 60 90 120")  # not begun yet
    begin(archive)
    take("round: 2", "format: xw15 60")
    assert archive.roster.format_of(2).bits >> 8 & 3 == 1
    with pytest.raises(UserError, match="round 3 was announced with 90 minutes, not 80"):
        take("round: 3", "format: xw15 80")
    with pytest.raises(UserError, match="the event has begun"):
        take("round: 3", "format: xw15 80", "rounds: 50 60 80 120")
    assert archive.roster.rounds == [1, 2]


def test_escalation_without_an_announcement_has_its_usual_lengths(archive, take):
    take("format: xw15 60")
    begin(archive)
    with pytest.raises(UserError, match="round 2 lasts 70 minutes"):
        take("round: 2", "format: xw15 75")
    take("round: 2", "format: xw15 70")


@pytest.mark.parametrize(
    "lines", [("format: xw15 61",), ("format: xw15 50", "rounds: 50 70 90 131")]
)
def test_more_than_ten_minutes_are_refused(archive, take, lines):
    with pytest.raises(UserError, match="too long: at most"):
        take(*lines)
    assert archive.roster.event is None, "nothing was stored"


def test_a_short_round_is_remarked_upon(archive, take):
    take("format: p18 bo3 40")
    assert remarks(archive, 1) == ["round 1: 40 minutes are too short: at least 50 (8.3)"]


def test_a_change_is_logged_and_the_file_still_counts(archive, take):
    take("format: p18 bo3 50")
    with pytest.raises(UserError, match="say why"):
        round_lengths.change(archive, 1, 60, "Ann", "", 5)
    round_lengths.change(archive, 1, 60, "Ann", "late hall", 5)
    assert archive.roster.format_of(1).minutes == 60
    assert archive.notices.all[-1] == {
        "id": 2, "what": "length of round 1", "value": "50 60 late hall", "author": "Ann", "unix_ms": 5,
    }  # fmt: skip
    take("format: p18 bo3 50")
    with pytest.raises(UserError, match="says something else"):
        take("format: p18 bo3 55")
    begin(archive)
    with pytest.raises(UserError, match="has its start already"):
        round_lengths.change(archive, 1, 70, "Ann", "again", 6)


def result(outcome, given=(None, None), narrow=False):
    return Result(1, 1, outcome, (1, 0), None, "agreed", 9, False, narrow=narrow, points=given)


def test_points_are_unknown_until_the_organiser_says(archive, take):
    take("format: d03 30")
    assert points.in_words(result("tie"), points.of_event(archive)) == "points unknown"
    assert points.in_words(result("A", (3, None)), {}) == "points 3–unknown"
    take("format: d03 30", "points: draw 1, loss 0")
    said = points.of_event(archive)
    assert said == {"draw": 1, "loss": 0}
    assert points.of(result("tie"), said) == (1, 1)
    assert points.of(result("B", (None, 2), narrow=True), said) == (0, 2)
    assert points.of(result("A"), said) == (None, 0), "a match-play win is still open"


def test_an_unknown_point_is_said_in_the_spreadsheet():
    line = dict.fromkeys(exports.COLUMNS) | {"outcome": "tie", "points_a": None, "points_b": 1}
    assert [exports._cell(line, f"points_{seat}") for seat in "ab"] == ["unknown", 1]


def test_sums_are_unknown_with_one_part():
    line = {"number_a": "1", "number_b": "2", "points_a": 3, "points_b": None, "state": "final"}
    assert points.sums([line, line]) == {"1": 6, "2": None}


@pytest.mark.parametrize(("line", "told"), [
    ("rounds: 50 x", "no rounds' minutes"),
    ("points: win", "no points"),
    ("points: prize 3", "no points"),
])  # fmt: skip
def test_a_wrong_line_is_named(take, line, told):
    with pytest.raises(UserError, match=told):
        take("format: p18 50", line)


@pytest.mark.parametrize(("shorter", "least"), ((5, 25), (29, 1), (30, 1), (45, 1)))
def test_no_round_is_shorter_than_a_minute(shorter, least):
    rules = types.SimpleNamespace(MINUTES=(30,) * 4, SLACK=(shorter, 10, "", False), CAPS=())
    assert round_limits.bounds(rules, 1 << 1) == (least, 30, 40)


COLUMNS = "table,number_a,name_a,number_b,name_b\n"
SAID = "this had to be announced before the event began (D03 211)"


def imported(evening, number, words):
    text = f"# event: Cup\n# round: {number}\n# format: {words}\n{COLUMNS}1,1,Ann,2,Bo\n"
    return evening.done("import", evening.file(f"round{number}.csv", text))


@pytest.mark.parametrize(("first", "later", "remark"), [
    ("d03 swiss bo1 30", "d03 swiss bo3 30", "best of 3, where round 1 had single games"),
    ("d03 swiss bo3 30", "d03 swiss bo1 30", "single games, where round 1 had best of 3"),
    ("d03 swiss bo1 30", "d03 elimination bo3 30", "best of 3, where round 1 had single games"),
    ("d03 swiss bo3 30", "d03 swiss bo3 40", None),
    ("d03 swiss bo1 30", "d03 elimination bo1 30", None),
    ("p18 swiss bo1 30", "p18 elimination bo3 50", None),
    ("xw15 swiss bo1 50", "xw15 swiss bo1 70", None),
])  # fmt: skip
def test_another_length_of_match_is_remarked_on(evening, first, later, remark):
    assert "211" not in imported(evening, 1, first)
    out = imported(evening, 2, later)
    assert (f"round 2: {remark}: {SAID}" in out) if remark else "211" not in out


def test_the_third_round_is_compared_with_the_first(evening):
    imported(evening, 1, "d03 bo1 30")
    assert SAID in imported(evening, 2, "d03 bo3 30")
    assert SAID in imported(evening, 3, "d03 bo3 30")
    assert SAID not in imported(evening, 4, "d03 bo1 30")
