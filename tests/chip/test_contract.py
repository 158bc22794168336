"""The contract of the chip has a row for every name that our files use, and none that
nobody uses.
"""

import ast
import pathlib
import re
import tomllib

import chipnames as names
import tree

CONTRACT = tree.ROOT / "host/sim/chip/contract.toml"
ROWS = tomllib.loads(CONTRACT.read_text("utf-8"))
KEYS = {
    "call",
    "raises",
    "blocks",
    "costs",
    "read",
    "espressif",
    "espressif_test",
    "double",
    "test",
}
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
    missing = {name: at for name, at in names.spelled().items() if name not in begun}
    assert not missing, "read it in CircuitPython's sources and write its row"


def test_everything_asked_of_a_native_object_is_in_the_contract():
    missing = {name: at for name, at in names.asked_of_objects().items() if name not in LAST}
    assert not missing, "read it in CircuitPython's sources and write its row"


def test_no_row_is_of_a_name_that_nobody_uses():
    spelled = set().union(*map(prefixes, names.spelled()))
    used = spelled | BY_OBJECT
    attributes = names.attributes()
    unused = [
        name for name in ROWS if name not in used and name.rpartition(".")[2] not in attributes
    ]
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
    """Whether the test at ``path:function`` is there and, where it runs over a table, the table has
    this row.
    """
    path, function = where.split(":")
    if not path:
        return False
    text = (tree.ROOT / path).read_text("utf-8")
    found = [
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and node.name == function
    ]
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
    monkeypatch.setattr(names, "files", lambda: [pathlib.Path(strange)])
    monkeypatch.setattr(names.tree, "name_of", str)
    assert set(names.spelled()) == {"rtc.RTC", "countio.Counter"}
    assert set(names.asked_of_objects()) == {"calibration"}
