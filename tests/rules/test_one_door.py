"""The host writes files by one door; what does not is named here with its reason."""

import ast

import pytest
import tree

DOOR = "host/base/private_files.py"
OWN_FOLDER = "a temporary folder that is ours alone"
SQLITE = "SQLite writes its files itself"
FAT = "a board's drive: FAT knows no links, and has no room for two"
EXCEPT = {
    ("host/web/registration_page.py", "touch"): "no file: pages are told that the state changed",
    ("host/hall/postgres/postgres_backend.py", "sqlite3.connect"): SQLITE,
    ("host/archive/schema_check.py", "sqlite3.connect"): SQLITE,
    ("host/archive/sqlite_backend.py", "sqlite3.connect"): SQLITE,
    ("host/archive/sqlite_backend.py", "os.open"): "makes an archive for SQLite to fill",
    ("host/archive/store.py", "os.open"): "makes a copy for SQLite to fill",
    ("host/archive/table_shapes.py", "sqlite3.connect"): SQLITE,
    ("host/audit/examination.py", "sqlite3.connect"): SQLITE,
    ("host/audit/examination.py", "shutil.copyfile"): OWN_FOLDER,
    ("host/backup/copy_seal.py", "open"): "a seal at the end of a copy that has no name yet",
    ("host/backup/restore.py", "sqlite3.connect"): SQLITE,
    ("host/base/hold.py", "filelock.FileLock"): "a lock has no content; filelock follows no link",
    ("host/base/standard_streams.py", "open"): "the null device",
    ("host/boards/deploy/drive.py", "open"): FAT,
    ("host/boards/deploy/drive.py", "os.replace"): FAT,
    ("host/cli/demo.py", "save"): "an album, which goes through the door",
    ("host/cli/dev/simulate.py", "sqlite3.connect"): SQLITE,
    ("host/cli/dev/tether.py", "os.open"): "the null device",
    ("host/cli/virtual_desk.py", "touch"): "no file: the pages' changes",
    ("host/collector/carriers/radio_child.py", "fdopen"): "the pipe to serve",
    ("host/event/archive_view.py", "sqlite3.connect"): SQLITE,
    ("host/reports/paper/letters.py", "save"): OWN_FOLDER,
    ("host/reports/paper/pdf.py", "--print-to-pdf"): OWN_FOLDER,
    ("host/server/log_file.py", "RotatingFileHandler"): "its files are opened by the door",
    ("host/sim/chip/world.py", "open"): "a virtual board's drive, in memory",
    ("host/sim/bench_figures.py", "sqlite3.connect"): SQLITE,
    ("host/sim/faces.py", "save"): "a picture, in memory",
    ("host/sim/torture/laptop.py", "shutil.copy"): OWN_FOLDER,
    ("host/web/desk_service.py", "touch"): "no file: the pages' changes",
}  # fmt: skip
ANY = {
    "write_text", "write_bytes", "save", "symlink_to", "hardlink_to", "chmod", "touch",
    "os.replace", "os.rename", "os.link", "os.symlink", "os.mkfifo", "os.mknod", "os.truncate",
    "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.move",
    "shutil.make_archive", "shutil.unpack_archive", "tarfile.open", "sqlite3.connect",
    "tempfile.NamedTemporaryFile", "tempfile.mkstemp", "filelock.FileLock", "logging.FileHandler",
    "RotatingFileHandler", "TimedRotatingFileHandler",
}  # fmt: skip


def writes(node):
    """Return what a node of a syntax tree writes a file with, None for one that writes none."""
    if isinstance(node, ast.Constant) and "--print-to-pdf" in str(node.value):
        return "--print-to-pdf"
    if isinstance(node, ast.ClassDef):
        return next((name for base in node.bases if (name := ast.unparse(base)) in ANY), None)
    if not isinstance(node, ast.Call):
        return None
    whole = ast.unparse(node.func)
    short = whole.rpartition(".")[2]
    if whole in ANY or short in ANY:
        return whole if whole in ANY else short
    given = {one.arg: one.value for one in node.keywords}
    if whole == "os.open":
        return whole if "O_RDONLY" not in ast.unparse(node) else None
    if short in ("open", "fdopen", "ZipFile"):
        at = 0 if short == "open" and "." in whole and len(node.args) == 1 else 1
        mode = given.get("mode", node.args[at] if len(node.args) > at else None)
        return short if is_written(mode, node.args[:1]) else None
    if short == "replace" and "." in whole and len(node.args) == 1 and not node.keywords:
        return short
    return None


def is_written(mode, named):
    """Say whether a file that is opened with this mode (a node) is written."""
    if mode is None or ast.unparse(*named) == "packed":  # to read; a package in memory
        return False
    if isinstance(mode, ast.Constant) and isinstance(mode.value, str):
        return len(mode.value) < 5 and any(letter in mode.value for letter in "wax+")
    return isinstance(mode, ast.Name) and mode.id == "mode"


def found():
    """Return every ``(file, what it writes with)`` of the host beside the door."""
    return {
        (tree.name_of(path), name)
        for path in tree.python_files("host")
        if tree.name_of(path) != DOOR
        for node in tree.nodes(path)
        if (name := writes(node))
    }


def test_nothing_else_writes_a_file():
    assert found() - set(EXCEPT) == set()


def test_every_exception_is_needed():
    assert set(EXCEPT) - found() == set()


@pytest.mark.parametrize(("code", "name"), [
    ("path.write_text('x')", "write_text"),
    ("(folder / 'x').write_bytes(b'')", "write_bytes"),
    ("open(path, 'w')", "open"),
    ("io.open(path, mode='ab')", "open"),
    ("path.open('x')", "open"),
    ("open(path, 'rb+')", "open"),
    ("os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)", "os.open"),
    ("os.fdopen(handle, 'wb')", "fdopen"),
    ("zipfile.ZipFile(path, 'w')", "ZipFile"),
    ("shutil.copy(a, b)", "shutil.copy"),
    ("os.replace(a, b)", "os.replace"),
    ("part.replace(path)", "replace"),
    ("image.save(path)", "save"),
    ("path.chmod(0o600)", "chmod"),
    ("f'--print-to-pdf={target}'", "--print-to-pdf"),
    ("logging.FileHandler(path)", "logging.FileHandler"),
])  # fmt: skip
def test_a_file_that_is_written_is_seen(code, name):
    assert name in {writes(node) for node in ast.walk(ast.parse(code))}


@pytest.mark.parametrize(
    "code", ["open(path)", "open(path, 'rb')", "path.open()", "path.open('rb')",
             "os.open(folder, os.O_RDONLY)", "zipfile.ZipFile(path)", "text.replace('a', 'b')",
             "replace(form, minutes=1)", "air.links[address].open(session)"],
)  # fmt: skip
def test_a_file_that_is_read_is_none(code):
    assert {writes(node) for node in ast.walk(ast.parse(code))} == {None}
