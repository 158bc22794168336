"""``plusthree serve`` outlives its radio, a full disk and the stick for copies."""

import asyncio
import getpass

import pytest
from commands import plusthree
from fakechild import Fake
from unguarded import change

from host.archive.access_links import AccessLinks
from host.archive.store import Archive
from host.base import prompt
from host.base.sentences import Sentence
from host.cli import serve
from host.collector.alarms import Alarm
from host.collector.carriers import failure_words
from host.collector.carriers.radio_process import ProcessCarrier
from host.desk import troubles
from host.desk.troubles import Troubles
from host.event import event_log
from host.event.archive_view import view
from host.event.fold import Hall
from host.server import log_file, serving
from host.server.broadcast import Broadcast

MOST = 1000  # looks at the screen, a hundredth of a second apart
OFF = failure_words.HELP["NO_BLUETOOTH"]
GOOD = (
    "# event: Cup\n# format: p18 swiss bo1 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Ann,11,Bo\n"
)


class Typist:
    """Somebody who types each line once what was waited for stands on the screen."""

    def __init__(self, monkeypatch, capsys):
        self._capsys, self.seen = capsys, ""
        self._queue = None
        monkeypatch.setattr(prompt, "lines", self._lines)
        self.script = []

    def _lines(self, loop, file):
        self._queue = asyncio.Queue()
        self._type(loop, MOST)
        return self._queue

    def _type(self, loop, left):
        """Look at the screen again and again; quit after ``left`` looks in vain."""
        wanted, line = self.script[0]
        if wanted in self.look() or not left:
            self.script = self.script[1:] if left else []
            self._queue.put_nowait(line if left else "quit")
            left = MOST
        if self.script:
            loop.call_later(0.01, self._type, loop, left - 1)

    def look(self):
        self.seen += self._capsys.readouterr().out
        return self.seen


@pytest.fixture(autouse=True)
def quick(here, monkeypatch):
    """A desk in an empty folder with an event's file, which looks often."""
    monkeypatch.setattr(serving, "TICK_S", 0.02)
    monkeypatch.setattr(serving, "_DISK_RETRY_MS", 20)
    (here / "e.csv").write_text(GOOD)


@pytest.fixture
def typist(monkeypatch, capsys):
    return Typist(monkeypatch, capsys)


def served(*words):
    """Serve the event without pages; return the exit code."""
    return plusthree("serve", "e.csv", "--no-web", *map(str, words))


def test_without_an_adapter_typed_results_go_on(here, typist, monkeypatch):
    async def start():
        return Fake([("deaf", True), ("missing", OFF)], False)

    monkeypatch.setattr(
        serve, "_carrier", lambda adapter, *told: ProcessCarrier(*told, start=start)
    )
    typist.script = [("plug one in", "result 1 A slip"), ("Ann wins", "quit")]
    assert served() == 0
    with Archive("plusthree.db") as archive:
        assert Hall(archive, set()).results(1)[1].outcome == "A"


def fill(archive):
    """Fill the disk for a third of a second; what is written now fails."""
    pages = archive.query("PRAGMA page_count")[0][0]
    archive._db.execute(f"PRAGMA max_page_count = {pages}")
    make_room = "PRAGMA max_page_count = 100000"
    asyncio.get_running_loop().call_later(0.3, archive._db.execute, make_room)
    archive.notices.add("room", "0" * 100_000, "desk", 0)


class Failing:
    """A carrier whose first run does ``fail(archive)``; then it hears nothing."""

    delay_s, gateways, runs, fail = None, None, 0, staticmethod(fill)

    def __init__(self, collector, now_ms, report):
        self._archive, self._report = collector._archive, report

    async def run(self):
        Failing.runs += 1
        if Failing.runs > 1:
            self._report(Sentence("listening anew"))
            await asyncio.Event().wait()
        self.fail(self._archive)


@pytest.fixture
def failing(monkeypatch):
    monkeypatch.setattr(Failing, "runs", 0)
    monkeypatch.setattr(serve, "_carrier", lambda adapter, *told: Failing(*told))
    return Failing


def test_a_full_disk_is_told_and_the_desk_goes_on_when_there_is_room(typist, failing):
    typist.script = [
        ("disk is full: make room", "tables"), ("can be written again", "tables"),
        ("listening anew", "result 1 B slip"), ("Bo wins", "quit"),
    ]  # fmt: skip
    assert served() == 0
    assert failing.runs == 2 and "Traceback" not in typist.look()
    with Archive("plusthree.db") as archive:
        assert Hall(archive, set()).results(1)[1].outcome == "B"


def test_a_database_that_restarts_is_told_and_the_desk_goes_on(
    postgres, typist, failing, monkeypatch
):
    def restart(archive):
        with archive.transaction():
            postgres.stop("fast")
            postgres.start()
            archive.notices.add("room", "0", "desk", 0)

    monkeypatch.setattr(failing, "fail", staticmethod(restart))
    typist.script = [
        ("was lost", "tables"), ("is back: nothing that was stored is lost", "tables"),
        ("listening anew", "result 1 B slip"), ("Bo wins", "quit"),
    ]  # fmt: skip
    address = postgres.database()
    assert served(address) == 0
    assert failing.runs == 2 and "Traceback" not in typist.look()
    assert "full" not in typist.look()
    with Archive(address) as archive:
        assert Hall(archive, set()).results(1)[1].outcome == "B"


class FillingBroadcast(Broadcast):
    """A beacon that fills the disk when it stores its first result."""

    runs = 0

    async def run(self, gateways):
        FillingBroadcast.runs += 1
        if FillingBroadcast.runs > 1:
            print("broadcasting anew", flush=True)
            await super().run(gateways)
        fill(self._station.archive)


def test_a_full_disk_ends_no_beacon(here, typist, monkeypatch):
    monkeypatch.setattr(FillingBroadcast, "runs", 0)
    monkeypatch.setattr(serving, "Broadcast", FillingBroadcast)
    typist.script = [
        ("disk is full: make room", "tables"),
        ("can be written again", "tables"),
        ("broadcasting anew", "quit"),
    ]
    assert served("--no-radio") == 0
    assert FillingBroadcast.runs == 2 and "Traceback" not in typist.look()


class ForgedBroadcast(Broadcast):
    """A beacon of which more boards hear forged frames after a look."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self._looks = iter([[12], [1, 3, 7, 9, 12], [1, 3, 7, 9]])

    @property
    def forged_at(self):
        return next(self._looks, [])


def test_forged_frames_of_the_beacon_are_told_with_what_to_do(here, typist, monkeypatch):
    monkeypatch.setattr(serving, "Broadcast", ForgedBroadcast)
    end = Troubles.end

    def ended(self, kind):
        if end(self, kind):
            print("over:", kind)

    monkeypatch.setattr(Troubles, "end", ended)
    typist.script = [("over: beacon", "quit")]
    assert served("--no-radio") == 0
    seen = typist.look().replace("\n", " ")
    assert "heard at tables 12: no board believes them" in seen
    assert "heard at tables 1, 3, 7, 9, …: no board" in seen
    assert "tables 1, 3, 7, 9:" not in seen  # fewer are no news
    assert "revoke it" in seen and "Traceback" not in seen


def test_no_board_heard_is_a_trouble_after_a_while_and_ends_when_one_is(venue):
    told, collector = venue.station.troubles, venue.station.collector
    assert told.now(collector.now_ms) == []
    began_ms = collector.now_ms
    collector.set_radio_down(True, began_ms)
    assert told.now(began_ms + 14_000) == []  # a scan begins anew
    collector.alarms.append(Alarm(began_ms, None, OFF))
    assert told.now(began_ms + 15_000) == [(troubles.RADIO, began_ms, OFF)]
    collector.set_radio_down(False, began_ms + 20_000)
    assert told.now(began_ms + 21_000) == []


@pytest.mark.venue(begun=True)
def test_silence_of_every_board_is_a_trouble_while_somebody_plays(venue):
    told, collector = venue.station.troubles, venue.station.collector
    heard_ms = collector.heard_ms
    assert heard_ms is not None
    assert told.now(heard_ms + 59_000) == []
    assert told.now(heard_ms + 60_000) == [(troubles.RADIO, heard_ms, None)]


def test_a_trouble_is_as_old_as_its_beginning(venue):
    told = Troubles(venue.station.collector, venue.station.desk)
    assert told.begin(troubles.BACKUP, 5, Sentence("a"))
    assert not told.begin(troubles.BACKUP, 6, Sentence("a"))
    assert told.begin(troubles.BACKUP, 7, Sentence("b"))
    assert told.now(8) == [(troubles.BACKUP, 5, Sentence("b"))]
    assert told.end(troubles.BACKUP) and not told.end(troubles.BACKUP)


WHILE_OPEN = {
    "UPDATE players SET name = 'Eve' WHERE number = '10'": "number 10: changed by another program",
    "INSERT INTO links VALUES (9, 'judge', 'Eve', X'00', 'Eve', 0)": "links, id 9: changed by another",
    "CREATE TABLE IF NOT EXISTS notes (text)": "the table notes is none of this program's",
    "DELETE FROM counterfoils WHERE id = (SELECT max(id) FROM counterfoils)": "its audit log does not",
    "REINDEX": "another program has written to the archive",
}  # fmt: skip


@pytest.mark.parametrize("sql", WHILE_OPEN)
def test_what_another_program_writes_meanwhile_is_said_at_once(typist, sql):
    writing(typist, sql, "plusthree.db")
    typist.script = [("round 1", "tables"), (WHILE_OPEN[sql], "quit")]
    assert served("--no-radio") == 0
    assert WHILE_OPEN[sql] in typist.seen and "plusthree " in typist.seen
    assert typist.seen.count(WHILE_OPEN[sql]) == 1


def writing(typist, sql, archive, then=None):
    """Have another program write as soon as the round is shown, and again once ``then`` is."""
    look, todo = typist.look, [("round 1", sql), *([then] if then else [])]

    def look_and_write():
        seen = look()
        if todo and todo[0][0] in seen:
            change(archive, todo.pop(0)[1])
        return seen

    typist.look = look_and_write


LINK = "INSERT INTO links SELECT 9, 'judge', 'Eve', mark, 'Eve', 0 FROM counterfoils LIMIT 1"


@pytest.mark.archives(always=True)
def test_what_another_program_wrote_counts_once_somebody_here_says_that_it_is_right(
    here, typist, place
):
    writing(typist, LINK, place)
    typist.script = [
        ("type here: archive mine", "result 1 A slip"),
        ("nothing is done until", "archive yours"),
        ("say: archive mine", "archive mine"),
        ("taken as right: links, id 9", "archive mine"),
        ("nothing is asked", "result 1 B slip"),
        ("Bo wins", "quit"),
    ]
    assert served("--no-radio", place) == 0
    assert "Ann wins" not in typist.seen
    assert plusthree("audit", place) == 0
    with Archive(place) as archive:
        said = {one["value"]: one["author"] for one in event_log.lines(archive)}
        assert said["links, id 9: taken as right"] == getpass.getuser()
        assert [one.name for one in AccessLinks(archive).every] == ["Eve"]


@pytest.mark.archives(always=True)
def test_nothing_is_exported_copied_or_believed_before(here, typist, place):
    (here / "stick").mkdir()
    before = []
    writing(typist, "UPDATE players SET name = 'Eve' WHERE number = '10'", place)
    typist.script = [("type here: archive mine", "results"), ("Eve", "quit")]
    look = typist.look

    def look_once():
        if not before and "round 1" in typist.seen:
            before.append(stored(here))
        return look()

    typist.look = look_once
    options = ("--backup", "stick", "--passphrase-file", "phrase")
    (here / "phrase").write_text("a long enough phrase")
    assert served("--no-radio", place, *options) == 0
    assert stored(here) == before[0] and "type here: archive mine" in typist.seen
    assert served("--no-radio", place) == 2


@pytest.mark.archives(always=True)
def test_what_is_put_back_is_forgotten_and_said(here, typist, place):
    back = "DELETE FROM links WHERE id = 9"
    writing(typist, LINK, place, then=("type here: archive mine", back))
    typist.script = [("has written to the archive", "result 1 A slip"), ("Ann wins", "quit")]
    assert served("--no-radio", place) == 0
    assert "type here: archive mine" in typist.seen and "Ann wins" in typist.seen
    assert plusthree("audit", place) == 0


@pytest.mark.archives(always=True)
@pytest.mark.parametrize("sql", (
    "ALTER TABLE links ADD COLUMN more TEXT",
    "DELETE FROM counterfoils WHERE id = (SELECT max(id) FROM counterfoils)",
))  # fmt: skip
def test_a_change_of_schema_or_log_is_nobodys_to_take_as_right(here, typist, place, sql):
    writing(typist, sql, place)
    typist.script = [("end serve, keep the archive", "archive mine"), ("not done: ", "quit")]
    assert served("--no-radio", place) == 0
    assert "end serve, keep the archive" in typist.seen and "not done: " in typist.seen
    assert "taken as right" not in typist.seen
    assert served("--no-radio", place) == 2


@pytest.mark.parametrize("act", ("tables", "people", "result 1 A slip"))
def test_rows_that_no_plusthree_writes_end_it_with_what_to_do(here, typist, capsys, act):
    look = typist.look

    def look_and_write():
        seen = look()
        if "round 1" in seen and not written:
            written.append(change("plusthree.db", "UPDATE players SET name = X'00'"))
            written.append(stored(here))
        return seen

    written, typist.look = [], look_and_write
    typist.script = [("round 1", act), ("never seen", "quit")]
    assert served("--no-radio") == 2
    said = capsys.readouterr().err
    assert "plusthree.db was changed by another program" in said and "plusthree restore" in said
    assert written[1] == stored(here)


def stored(folder):
    return {
        path.name: path.read_bytes()
        for path in folder.rglob("*")
        if path.suffix in (".csv", ".json", ".html", ".backup")
    }


def test_what_this_program_writes_or_another_reads_is_none_of_anothers(here, typist):
    look = typist.look

    def look_and_read():
        with view("plusthree.db") as (archive, *_):
            assert archive.roster.rounds == [1]
        return look()

    typist.look = look_and_read
    typist.script = [("round 1", "result 1 A slip"), ("Ann wins", "quit")]
    assert served("--no-radio") == 0
    assert "another program" not in typist.look()


def held(path):
    """Let another program hold a file, so that it cannot be replaced (Excel, on Windows)."""
    path.mkdir()


@pytest.mark.parametrize("name", ("results.csv", "results.json"))
@pytest.mark.parametrize("since", ("the start", "a result"))
def test_a_file_that_another_program_holds_is_written_once_it_is_let_go(
    here, typist, monkeypatch, name, since
):
    monkeypatch.setattr(serving, "_FILES_MS", 20)
    look, steps, path = typist.look, [], here / name
    if since == "the start":
        held(path)

    def look_and_hold():
        seen = look()
        if since == "a result" and "round 1" in seen and not steps:
            steps.append("held")
            path.unlink()
            held(path)
        if f"{name} cannot be written" in seen and "Ann wins" in seen and not steps[1:]:
            steps[:] = "held", "let go"
            path.rmdir()
        if steps[1:] and path.is_file():
            typist.seen += "let go"
        return typist.seen

    typist.look = look_and_hold
    typist.script = [
        ("round 1", "result 1 A slip"),
        (f"{name} cannot", "results"),
        ("let go", "quit"),
    ]
    assert served("--no-radio") == 0
    assert "Traceback" not in typist.seen and typist.seen.count(f"{name} cannot be") == 1
    assert "close the program that has it open" in typist.seen
    for other in ("results.csv", "results.json"):
        assert "final" in (here / other).read_text("utf-8-sig")


def test_a_file_that_is_held_at_the_end_is_said_with_what_to_do(here, typist, capsys):
    held(here / "results.csv")
    typist.script = [("results.csv cannot be written", "result 1 A slip"), ("Ann wins", "quit")]
    assert served("--no-radio") == 0
    assert "is not up to date" in typist.look() and "plusthree export csv" in typist.look()
    assert "Ann" in (here / "results.json").read_text("utf-8")
    (here / "results.csv").rmdir()
    assert plusthree("export", "csv") == 0
    assert "final" in (here / "results.csv").read_text("utf-8-sig")


def test_a_log_that_is_held_goes_on_in_the_same_file(here, typist, monkeypatch):
    monkeypatch.setattr(log_file, "BYTES", 100)
    for number in (2, 3):  # none of them can be renamed
        held(here / f"plusthree.db.log.{number}")
    typist.script = [("round 1", "tables"), ("idle", "results"), ("idle", "quit")]
    assert served("--no-radio") == 0
    told = (here / "plusthree.db.log").read_text("utf-8")
    assert "begins: round 1" in told and "typed: show tables" in told
    assert told.rstrip().endswith("ends")
