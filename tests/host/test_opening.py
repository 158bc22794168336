"""Event files become events and rounds; time never goes back."""

import pytest
import tree
from typed_evening import TypedEvening

from firmware.core import intents
from host.archive.orders import NewOrder
from host.archive.roster import Event, Format, Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.collector.host_clock import HostClock, steady
from host.desk.event_import import import_file
from host.formats import event_file
from host.formats.event_file import EventFile

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
