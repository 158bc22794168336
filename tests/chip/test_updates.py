"""A laid drive plays a round, and one that an older deploy laid is updated with its journal whole.

``older/b3a0a842.tar.xz`` holds what commit b3a0a842 left: a FeatherS3's drive as its ``deploy`` had
laid it (rewritten by an optimiser), with the journal of the round that its program had played on
the virtual chip, and the PC's archive.
"""

import pathlib
import tarfile

import chiproom
import pytest

from firmware.core import frames
from firmware.core.journal import Journal
from host import cli
from host.archive import master_key
from host.boards.deploy import bytecode, drive, image
from host.boards.models import BOARDS, IMAGES
from host.sim.board import RamStore
from host.sim.chip.chip import Chip

OLDER = pathlib.Path(__file__).parent / "older" / "b3a0a842.tar.xz"
BLOCK, MARGIN = 512, 8  # of a journal's file (firmware/board/store.py)
WON = "A", (1, 0), "agreed"


def chip_in(folder, model="feathers3"):
    sources = image.build(BOARDS[model].image)
    return Chip(folder, BOARDS[model].board_id, sources=sources)


def laid(folder):
    """Deploy over ``folder`` with what stands there; return the exit code."""
    return cli.main(["board", "deploy", str(folder)])


def unplug(chip):
    """Give the PC the drive as the chip leaves it."""
    for name, data in chip.drive.journals().items():
        (chip.drive.folder / name).write_bytes(data)


def history(folder, copy):
    """Return the records in one copy of the journal on a drive."""
    data, store = (folder / drive.JOURNALS[copy]).read_bytes(), RamStore()
    assert len(data) == drive.JOURNAL_BYTES
    for block in range(store.blocks):
        at = BLOCK * (MARGIN + block)
        if data[at : at + BLOCK].strip(b"\xff"):
            store.write(0, block, data[at : at + BLOCK])
            store.write(1, block, data[at : at + BLOCK])
    device, generation = chiproom.BOARD.device, chiproom.BOARD.generation
    journal = Journal(store, device, frames.board_key(chiproom.MASTER, device, generation))
    journal.recover()
    return [bytes(record) for _, record in journal.ring.walk(journal.ring.oldest) if record]


def results(room):
    """Return who won each round, and how it was found."""
    rounds = room.station.archive.roster.rounds
    found = [room.station.hall.results(number)[1] for number in rounds]
    return [(one.outcome, one.games, one.by) for one in found]


@pytest.fixture
def older(tmp_path):
    """The older drive's folder; its archive is beside it."""
    with tarfile.open(OLDER) as packed:
        packed.extractall(tmp_path, filter="data")
    master_key.keep(master_key.beside(tmp_path / "cup.plusthree"), chiproom.MASTER)
    return tmp_path / "drive"


@pytest.mark.parametrize("model", [*IMAGES, pytest.param("feathers3-35", marks=pytest.mark.prove)])
def test_a_laid_drive_plays_a_round(tmp_path, model):
    settings = tmp_path / "settings.toml"
    settings.write_text(chiproom.settings(model), encoding="utf-8")
    folder = tmp_path / "drive"
    folder.mkdir()
    words = ["board", "deploy", str(folder), "--board", model, "--settings", str(settings)]
    assert cli.main(words) == 0
    chip = chip_in(folder, model)
    room = chiproom.Room(tmp_path / "a.db", chip)
    chip.power(8)
    room.play()
    assert results(room) == [WON]
    unplug(chip)
    assert {*room.stored} <= {*history(folder, 0)} and history(folder, 0) == history(folder, 1)
    assert len(chip.times("reset")) == 1 and chip.drive.flushed == 0
    room.station.close()


def test_an_older_drive_is_updated_with_its_journal_whole(older, capsys):
    before = [history(older, copy) for copy in (0, 1)]
    room = chiproom.Room(older.parent / "cup.plusthree", chip := chip_in(older))
    assert results(room) == [WON] and {*room.stored} <= {*before[0]}
    assert laid(older) == 0
    assert "journals kept as they are: journal0.bin, journal1.bin" in capsys.readouterr().out
    assert not drive.changed(older, bytecode.laid(image.build("feathers3")))
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
    key = chiproom.settings("feathers3").splitlines()[-5]
    changes = drive.changed(older, bytecode.laid(image.build("feathers3")))
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
