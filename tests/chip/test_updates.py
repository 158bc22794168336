"""A laid drive plays a round, and one that an older deploy laid is updated with its journal whole.

``older/b3a0a842.tar.xz`` holds what commit b3a0a842 left: a FeatherS3's drive as its ``deploy`` had
laid it (rewritten by an optimiser), with the journal of the round that its program had played on
the virtual chip, and the PC's archive.
"""

import pathlib
import tarfile

import pytest
from commands import plusthree

from firmware.board import pins
from firmware.core import frames
from firmware.core.journal import Journal
from host.archive import master_key
from host.archive.roster import Board, Event, Format, Pairing, Player
from host.boards import provisioning
from host.boards.deploy import bytecode, drive, image
from host.boards.models import BOARDS, IMAGES
from host.desk.station import Station
from host.sim import stored_records
from host.sim.board import RamStore
from host.sim.chip.chip import Chip

MASTER = bytes(range(32))
BOARD = Board(7, 1, 12)
ADDRESS = "radio 7"
ROUND_MIN, WAIT_S = 30, 8
_STEP_S = 0.05
_HEARD_S = 0.5  # a PC hears an advert so often
_A, _B = 0, 1
_PRESS_S, _HOLD_S, _LISTENS_S = 0.15, 1.2, 0.6  # a new screen locks the keys for 0.3 s
_SEATS = ((_A, _HOLD_S), (_B, _HOLD_S))
# the starter; a result, ▲ has won; the loser confirms, then the winner
_PLAYED = ((_B, _PRESS_S), (_A, _PRESS_S), (_B, _PRESS_S), (_B, _HOLD_S), (_A, _HOLD_S))


def settings(model):
    return provisioning.settings(BOARD, MASTER, model=model)


class Room:
    """``chip`` on the board of table 12, and a Station over the archive at ``path``."""

    def __init__(self, path, chip):
        self.station = Station(path, MASTER)
        self._keys = pins.row(chip.board_id)[2]
        self._linked = False
        self.put(chip)

    def put(self, chip):
        self.chip, self._heard = chip, None
        self._origin_ms = self.station.collector.now_ms - chip.now_us // 1000
        if self._linked:
            self._leave()

    def prepare(self, number=1):
        """Open the event, or its next round, with one pairing."""
        roster = self.station.archive.roster
        if number == 1:
            roster.add_board(BOARD, 0)
            roster.open_event(Event(5, "Test Cup", 0))
        pairing = Pairing(number, 1, BOARD.table, Player("1", "Giulia B."), Player("2", "Kenji T."))
        roster.store_round(number, Format(0, 1 << 1, ROUND_MIN), [pairing])
        self.station.refresh()

    @property
    def now_ms(self):
        return self._origin_ms + self.chip.now_us // 1000

    def run(self, seconds, until=lambda: False):
        """Let time pass; stops early when ``until()`` holds. Returns whether it did."""
        for _ in range(round(seconds / _STEP_S)):
            self.chip.run(_STEP_S)
            self._hear()
            for action in self.station.collector.poll(self.now_ms):
                getattr(self, f"_{action[0]}")(*action[2:])
            if until():
                return True
        return False

    def _hear(self):
        collector, central = self.station.collector, self.chip.central
        if self._linked and not central.connections:
            self._leave()
        for frame in central.sent:
            collector.on_notification(ADDRESS, frame, self.now_ms)
        central.sent.clear()
        adverts = [told for told in self.chip.story if told.kind == "advert"][-1:]
        due = self._heard is None or self.now_ms - self._heard >= 1000 * _HEARD_S
        if due and adverts and central.adapter.advertising:
            collector.on_advert(ADDRESS, adverts[0].values[2][-frames.SIZE :], self.now_ms)
            self._heard = self.now_ms

    def _connect(self):
        self._linked = self.chip.central.connect()
        (
            self.station.collector.on_connected
            if self._linked
            else self.station.collector.on_disconnected
        )(ADDRESS)

    def _write(self, frame):
        assert len(frame) == frames.SIZE
        if self._linked:
            self.chip.central.write(frame)

    def _disconnect(self):
        self.chip.central.leave()
        self._leave()

    def _leave(self):
        self._linked = False
        self.station.collector.on_disconnected(ADDRESS)

    def press(self, key, held_s):
        """Press a key by its number, and wait until the screen listens again."""
        self.chip.fingers.add(self._keys[key])
        self.run(held_s)
        self.chip.fingers.remove(self._keys[key])
        self.run(_LISTENS_S)

    @property
    def drained(self):
        """Whether the board has done all that it was told, and the host has all that it said."""
        collector = self.station.collector
        return collector.idle and not self.station.archive.orders.pending

    def drain(self, seconds=120):
        """Run until ``drained``; fails when that takes too long."""
        assert self.run(seconds, lambda: self.drained), "it never drained"

    def play(self, number=1):
        """Play a round, from its set-up to a result that both have confirmed."""
        self.prepare(number)
        self.station.desk.publish(number)
        self.drain()
        self.station.desk.start(self.now_ms + 1000 * WAIT_S)
        self.drain()
        for press in _SEATS:
            self.press(*press)
        self.run(WAIT_S)
        for press in _PLAYED:
            self.press(*press)
        self.run(8)
        self.drain()

    @property
    def stored(self):
        """The board's records that the archive holds, in order."""
        return [entry.frame for entry in self.station.archive.records()]


OLDER = pathlib.Path(__file__).parent / "older" / "b3a0a842.tar.xz"
BLOCK, MARGIN = 512, 8  # of a journal's file (firmware/board/store.py)
WON = "A", (1, 0), "agreed"


def chip_in(folder, model="feathers3"):
    sources = image.build(BOARDS[model].image)
    return Chip(folder, BOARDS[model].board_id, sources=sources)


def laid(folder):
    """Deploy over ``folder`` with what stands there; return the exit code."""
    return plusthree("board", "deploy", folder)


def unplug(chip):
    """Give the PC the drive as the chip leaves it."""
    for name, data in chip.drive.journals().items():
        (chip.drive.folder / name).write_bytes(data)


def history(folder, copy):
    data, store = (folder / drive.JOURNALS[copy]).read_bytes(), RamStore()
    assert len(data) == drive.JOURNAL_BYTES
    for block in range(store.blocks):
        at = BLOCK * (MARGIN + block)
        if data[at : at + BLOCK].strip(b"\xff"):
            store.write(0, block, data[at : at + BLOCK])
            store.write(1, block, data[at : at + BLOCK])
    device, generation = BOARD.device, BOARD.generation
    journal = Journal(store, device, frames.board_key(MASTER, device, generation))
    journal.recover()
    return [
        bytes(record)
        for _, record in stored_records.walk(journal.ring, journal.ring.oldest)
        if record
    ]


def results(room):
    rounds = room.station.archive.roster.rounds
    found = [room.station.hall.results(number)[1] for number in rounds]
    return [(one.outcome, one.games, one.by) for one in found]


@pytest.fixture
def older(tmp_path):
    """The older drive's folder; its archive is beside it."""
    with tarfile.open(OLDER) as packed:
        packed.extractall(tmp_path, filter="data")
    master_key.keep(master_key.path_of(tmp_path / "cup.plusthree"), MASTER)
    return tmp_path / "drive"


@pytest.mark.parametrize("model", [*IMAGES, pytest.param("feathers3-35", marks=pytest.mark.prove)])
def test_a_laid_drive_plays_a_round(tmp_path, model):
    given = tmp_path / "settings.toml"
    given.write_text(settings(model), encoding="utf-8")
    folder = tmp_path / "drive"
    folder.mkdir()
    words = ["board", "deploy", str(folder), "--board", model, "--settings", str(given)]
    assert plusthree(*words) == 0
    chip = chip_in(folder, model)
    room = Room(tmp_path / "a.db", chip)
    chip.power(8)
    room.play()
    assert results(room) == [WON]
    unplug(chip)
    assert {*room.stored} <= {*history(folder, 0)} and history(folder, 0) == history(folder, 1)
    assert len(chip.times("reset")) == 1 and chip.drive.flushed == 0
    room.station.close()


def test_an_older_drive_is_updated_with_its_journal_whole(older, capsys):
    before = [history(older, copy) for copy in (0, 1)]
    room = Room(older.parent / "cup.plusthree", chip := chip_in(older))
    assert results(room) == [WON] and {*room.stored} <= {*before[0]}
    assert laid(older) == 0
    assert "journals kept as they are: journal0.bin, journal1.bin" in capsys.readouterr().out
    assert not drive.changed_paths(older, bytecode.compile_image(image.build("feathers3")))
    room.put(chip := chip_in(older))
    chip.power(8)
    room.play(2)
    assert results(room) == [WON, WON]
    unplug(chip)
    for copy in (0, 1):
        after = history(older, copy)
        assert after[: len(before[copy])] == before[copy] and {*room.stored} <= {*after}
    room.station.close()


def cut_at(monkeypatch, place):
    """Let the cable be pulled in the middle of the ``place``-th file that is written."""
    whole, left = drive.write, [place]

    def write(path, data):
        if not left[0]:
            path.write_bytes(data[: len(data) // 2])
            raise OSError("the cable was pulled")
        left[0] -= 1
        whole(path, data)

    monkeypatch.setattr(drive, "write", write)


@pytest.mark.parametrize("place", (0, 1, 40, 90, -4, -3, -2, -1))
def test_a_cut_update_of_an_older_drive_is_finished_by_the_next(older, capsys, monkeypatch, place):
    before = [history(older, copy) for copy in (0, 1)]
    key = settings("feathers3").splitlines()[-5]
    changes = drive.changed_paths(older, bytecode.compile_image(image.build("feathers3")))
    with monkeypatch.context() as patched:
        cut_at(patched, place % len(changes))
        assert laid(older) == 2
    assert "run the same again" in capsys.readouterr().err
    assert key in (older / "settings.toml").read_text("utf-8").splitlines()
    chip = chip_in(older)
    chip.power(20)
    unplug(chip)  # what it shows is another test's: of older modules there are no sources
    assert laid(older) == 0
    chip = chip_in(older)
    chip.power(12)
    assert chip.glass.lit and not chip.glass.on_terminal and len(chip.times("reset")) == 1
    unplug(chip)
    for copy in (0, 1):
        after = history(older, copy)
        assert after[: len(before[copy])] == before[copy] and len(after) > len(before[copy])
