"""The contract of the chip has a row for every name that our files use, and no other."""

import ast
import builtins
import pathlib
import re
import tomllib

import tree

from host.boards.deploy.image import LIBRARIES

FILES = [
    *tree.python_files("firmware"), *tree.python_files("hw/bench"), tree.ROOT / "boot.py",
    tree.ROOT / "code.py",
]  # fmt: skip
NOT_LAID = ("hw/bench/selftest.py",)  # sent over the console, with a PC at the other end
OURS = ("firmware", "host", *LIBRARIES)
# of the language, not of the chip: docs/board.md's list of what breaks is held by
# tests/rules/test_language.py
LANGUAGE = {"struct", "binascii", "collections", "array", "math", "micropython"}
_TYPES = (str, bytes, bytearray, list, dict, tuple, set, int, Exception, memoryview)
PLAIN = {name for kind in _TYPES for name in dir(kind)}
# of adafruit_display_text's label, which lies on the drive, not in the chip
OF_A_LIBRARY = {"color"}
PURE = (
    "firmware/core/", "firmware/app.py",
)  # fmt: skip


def files():
    return [path for path in FILES if tree.name_of(path) not in NOT_LAID]


def imported(path):
    """Return ``{local name: dotted name}`` of a file's imports."""
    found = {}
    for node in ast.walk(tree.running(path)):
        if isinstance(node, ast.Import):
            found.update({alias.asname or alias.name: alias.name for alias in node.names})
        elif isinstance(node, ast.ImportFrom):
            found.update(
                {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            )
    return found


def natives(path):
    """Return ``{local name: dotted native name}`` of a file's imports."""
    others = {*OURS, *LANGUAGE}
    return {
        local: name for local, name in imported(path).items() if name.split(".")[0] not in others
    }


def dotted(node, local):
    """Return the dotted native name that an expression spells, or None."""
    if isinstance(node, ast.Name):
        return local.get(node.id)
    if isinstance(node, ast.Attribute):
        start = dotted(node.value, local)
        return start and f"{start}.{node.attr}"
    return None


def spelled():
    """Return ``{dotted native name: where}`` of everything reached from an imported module."""
    found = {}
    for path in files():
        local = natives(path)
        for name in local.values():
            if "." in name:
                found[name] = tree.name_of(path)
        for node in ast.walk(tree.running(path)):
            name = isinstance(node, ast.Attribute) and dotted(node, local)
            if name:
                found[name] = f"{tree.name_of(path)}:{node.lineno}"
    return found


def _defined():
    """Return every name that our own files give to something."""
    found = set()
    for path in FILES:
        for node in ast.walk(tree.running(path)):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                found |= (
                    {node.attr}
                    if isinstance(node.value, ast.Name) and node.value.id == "self"
                    else set()
                )
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            elif isinstance(node, ast.alias):
                found.add((node.asname or node.name).rpartition(".")[2])
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "namedtuple":
                found |= set(node.args[1].value.split())
            elif (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and PURE[0] in tree.name_of(path)
            ):
                # a match's and an event's fields stand in tables of words
                found |= set(re.findall(r"\w+", node.value))
    return found


def asked_of_objects():
    """Return ``{attribute: where}`` of what is asked of objects that are not ours."""
    known = _defined() | PLAIN | OF_A_LIBRARY | set(dir(builtins))
    return {name: at for name, at in attributes().items() if name not in known}


def attributes():
    """Return ``{attribute: where}`` of objects in the files that can hold one of the chip's."""
    found = {}
    for path in files():
        if tree.name_of(path).startswith(PURE):
            continue
        local = imported(path)
        for node in ast.walk(tree.running(path)):
            if isinstance(node, ast.Attribute) and not dotted(node, local):
                found[node.attr] = f"{tree.name_of(path)}:{node.lineno}"
    return found


CONTRACT = tree.ROOT / "host/sim/chip/contract.toml"
ROWS = tomllib.loads(CONTRACT.read_text("utf-8"))
KEYS = {
    "call", "raises", "blocks", "costs", "read", "espressif", "espressif_test", "double", "test",
}  # fmt: skip
# reached without being spelled as module.name
BY_OBJECT = {
    # through adafruit_ble
    "Characteristic.NOTIFY", "Characteristic.WRITE", "Characteristic.WRITE_NO_RESPONSE",
    "open", "file.write", "file.seek", "file.readinto", "file.read", "board.LED",
}  # fmt: skip
LAST = {name.rpartition(".")[2] for name in ROWS}


def prefixes(dotted):
    """Return a dotted name and all that it begins with, longest first."""
    parts = dotted.split(".")
    return {".".join(parts[:count]) for count in range(1, len(parts) + 1)}


def test_every_name_of_a_native_module_is_in_the_contract():
    begun = set().union(*map(prefixes, ROWS))
    missing = {name: at for name, at in spelled().items() if name not in begun}
    assert not missing, "read it in CircuitPython's sources and write its row"


def test_everything_asked_of_a_native_object_is_in_the_contract():
    missing = {name: at for name, at in asked_of_objects().items() if name not in LAST}
    assert not missing, "read it in CircuitPython's sources and write its row"


def test_no_row_is_of_a_name_that_nobody_uses():
    used = set().union(*map(prefixes, spelled())) | BY_OBJECT
    known = attributes()
    unused = [name for name in ROWS if name not in used and name.rpartition(".")[2] not in known]
    assert not unused


def test_a_row_says_what_it_must():
    for name, row in ROWS.items():
        assert {"call", "read", "double"} <= row.keys() <= KEYS, name
        assert all(isinstance(text, str) and text for text in row.values()), name
        assert ".c" in row["read"], f"{name}: which C file?"


def test_a_row_names_a_double_that_is_there():
    for name, row in ROWS.items():
        path = row["double"]
        assert not path.startswith("host/") or (tree.ROOT / path).is_file(), name


def held(name, where):
    """Whether the test at ``path:function`` is there, and its table has this row."""
    path, function = where.split(":")
    if not path:
        return False
    text = (tree.ROOT / path).read_text("utf-8")
    found = [one for one in ast.parse(text).body if getattr(one, "name", None) == function]
    decorators = " ".join(ast.unparse(one) for node in found for one in node.decorator_list)
    table = re.search(r"parametrize\('row, [^']*', (\w+)", decorators)
    rows = table and text.partition(f"\n{table[1]} = (")[2].partition("\n)")[0]
    return bool(found) and (not table or f'    ("{name}", ' in rows)


def test_every_rows_double_is_held_by_a_test():
    doubled = {name: row for name, row in ROWS.items() if not row["double"].startswith("none")}
    without = [
        name for name, row in doubled.items() if "test" not in row or not held(name, row["test"])
    ]
    assert not without, (
        "write a test that the double refuses, answers and waits as the row says, and name it"
    )
    assert not held("os.sync", "tests/chip/test_doubles.py:test_a_double_refuses_as_the_chip")
    assert not held("os.sync", "tests/chip/test_doubles.py:test_nothing")


def test_what_espressif_does_otherwise_is_held_by_a_test_too():
    without = [
        name
        for name, row in ROWS.items()
        if "espressif" in row and not held(name, row.get("espressif_test", ":"))
    ]
    assert not without


def test_a_name_that_is_not_read_yet_is_found(tmp_path, monkeypatch):
    """The collector itself: an import, an attribute of a module and a method of an object."""
    strange = tmp_path / "strange.py"
    strange.write_text(
        "import rtc\nfrom countio import Counter\nclock = rtc.RTC()\nclock.calibration = 1\n"
    )
    monkeypatch.setitem(globals(), "files", lambda: [pathlib.Path(strange)])
    monkeypatch.setattr(tree, "name_of", str)
    assert set(spelled()) == {"rtc.RTC", "countio.Counter"}
    assert set(asked_of_objects()) == {"calibration"}
