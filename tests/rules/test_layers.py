"""What each part may import, of ours and of others: a table, read from every import statement.

The layers of the host's packages, and that no files import each other, are import-linter's
contracts in pyproject.toml.
"""

import ast
import json

import pytest
import tree
from commands import plusthree

from host.cli.dev import imports

NATIVE_UI = {"displayio", "fontio", "vectorio", "terminalio", "bitmaptools"}
LIBRARIES_UI = {"adafruit_display_text", "adafruit_bitmap_font"}
PLAIN = {"struct", "binascii", "collections"}
NATIVE_BOARD = {
    "espidf", "alarm", "analogio", "board", "digitalio", "displayio", "fourwire", "keypad",
    "microcontroller", "neopixel_write", "pwmio", "storage", "supervisor", "watchdog", "binascii",
    "collections", "os", "sys", "time", "adafruit_hx8357", "adafruit_ili9341",
}  # fmt: skip
NATIVE_ROOT = {
    "alarm", "board", "digitalio", "espidf", "microcontroller", "os", "storage", "supervisor",
    "sys", "time", "traceback", "usb_cdc", "usb_hid", "usb_midi", "watchdog",
}  # fmt: skip
# prefix of the file's module, what it may import of ours, what of others (None: anything)
TABLE = (
    ("firmware.core.digest", ("firmware.core",), {"hashlib"}),
    ("firmware.core", ("firmware.core",), PLAIN),
    ("firmware.ui.gestures", ("firmware.core",), PLAIN),
    ("firmware.ui.face", ("firmware.core", "firmware.ui"), PLAIN | {"json"}),
    ("firmware.ui.displayio_surface", ("firmware.core", "firmware.ui"), NATIVE_UI | LIBRARIES_UI | PLAIN),
    ("firmware.ui", ("firmware.core", "firmware.ui"), PLAIN),
    ("firmware.radio", ("firmware.core", "firmware.radio"), {"adafruit_ble", "_bleio", "struct"}),
    ("firmware.gateway", ("firmware.core", "firmware.board", "firmware.gateway"), NATIVE_ROOT | {"_bleio", "displayio", "os"}),
    ("firmware.board.safemode", (), NATIVE_ROOT),
    ("firmware.board.chip", (), NATIVE_BOARD | {"gc"}),
    ("firmware.board", ("firmware.board",), NATIVE_BOARD),
    ("firmware.app", ("firmware.core", "firmware.ui", "firmware.types"), set()),
    ("firmware.launch", ("firmware.core", "firmware.ui", "firmware.types"), {"gc", "traceback"}),
    ("boot", (), NATIVE_ROOT),
    # on a PC, where the standard module of this name is meant, it hands that on
    ("code", ("firmware.app", "firmware.board.service", "host.base.shadowed"), NATIVE_ROOT | {"binascii"}),
    # the unwrapping of the chip's counter names no pin and no chip: the very code is tortured
    ("host.sim.board", ("firmware.core", "firmware.board.clock", "host"), None),
    # the one table of board models: data, and no chip's
    ("host.boards.models", ("firmware.board.pins", "host.base"), None),
    ("host.sim.chip.pins", ("firmware.board.pins", "host"), None),
    ("host.sim", ("firmware.core", "firmware.ui", "firmware.radio", "firmware.app", "host"), None),
    ("host.boards.deploy", ("firmware", "host"), None),
    ("host", ("firmware.core", "host"), None),
    ("hw.bench", ("firmware", "hw.bench.types"), NATIVE_BOARD | {"gc", "_bleio", "hashlib", "struct"}),
    ("hw", ("firmware.board.pins", "firmware.core", "firmware.ui", "hw"), None),
)  # fmt: skip
OURS = ("firmware", "host", "hw")
ONLY_IN = {  # what a function may import beyond its module's row
    ("firmware.app", "main"): ("firmware.launch",),
    ("firmware.launch", "main"): ("firmware.radio",),
    ("firmware.launch", "open_board"): ("firmware.board",),
}


def module_of(path):
    parts = path.relative_to(tree.ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path):
    """Yield ``(line, dotted name, enclosing function's name)`` of every import statement."""

    def visit(node, function):
        for child in ast.iter_child_nodes(node):
            inside = child.name if isinstance(child, ast.FunctionDef) else function
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield child.lineno, alias.name, function
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{path}:{child.lineno}: imports are absolute"
                for alias in child.names:
                    yield child.lineno, f"{child.module}.{alias.name}", function
            yield from visit(child, inside)

    return visit(tree.parsed(path), None)


def under(name, prefixes):
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


def row_of(module):
    return next((row for row in TABLE if under(module, row[:1])), None)


def verdict(module, name, function):
    """Return why ``module`` may not import ``name`` there, or None."""
    _, ours, others = row_of(module)
    top = name.partition(".")[0]
    if top not in OURS:
        if others is None:
            return None
        return None if top in others else f"{top} is not among what it may use"
    if under(name, ONLY_IN.get((module, function), ())):
        return None
    package = ".".join(module.split(".")[:2])
    return (
        None if under(name, ours) or name in ("firmware", package) else f"{name} is another layer"
    )


FILES = [p for p in tree.python_files() if not tree.name_of(p).startswith("tests/")]


def test_every_module_has_its_row():
    empty = ("firmware",)
    assert not [m for m in map(module_of, FILES) if m not in empty and not row_of(m)]


def test_imports_keep_to_the_layers():
    broken = []
    for path in FILES:
        module = module_of(path)
        for line, name, function in imported(path):
            why = verdict(module, name, function)
            if why:
                broken.append(f"{tree.name_of(path)}:{line}: {name}: {why}")
    assert not broken, "\n".join(broken)


def test_a_command_imports_the_hall_when_it_is_asked_for_alone():
    """A machine's gateway is a hall's by itself; every other command does without until then."""
    for path in tree.python_files("host/cli"):
        if module_of(path) != "host.cli.gateway":
            at_once = [name for _, name, inside in imported(path) if inside is None]
            assert not [name for name in at_once if under(name, ("host.hall",))], path


@pytest.mark.parametrize("module, name, function", [
    ("firmware.core.match", "time", None),
    ("firmware.core.match", "hashlib", None),
    ("firmware.core.match", "firmware.ui.gestures", None),
    ("firmware.ui.screens.idle", "firmware.radio.link", None),
    ("firmware.board.keys", "firmware.core.frames", None),
    ("firmware.app", "firmware.board.hardware", "step"),
    ("firmware.app", "firmware.board.hardware", "main"),
    ("firmware.app", "firmware.launch", "step"),
    ("firmware.launch", "firmware.radio.link", "run"),
    ("host.collector.collector", "firmware.app", None),
    ("host.sim.venue", "firmware.board.keys", None),
    ("boot", "firmware.core", None),
])  # fmt: skip
def test_the_table_refuses_what_it_must(module, name, function):
    assert verdict(module, name, function)


CHAIN = {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a"}}


def test_a_layer_imports_lower_ones_alone():
    assert imports.layers(CHAIN) == [["a"], ["b", "d"], ["c"]]


def test_what_imports_each_other_is_drawn_in_layers_all_the_same():
    assert len(imports.layers(CHAIN | {"a": {"c"}})) >= 2


def test_the_statements_are_read():
    found = imports.files()
    assert "host.base.private_files" in found["host.cli.dev.imports"]
    assert "host.base.errors" in found["host.cli"]


def test_the_page_has_the_table_of_today():
    text = imports.PAGE.read_text(encoding="utf-8")
    packages = imports.packages()
    assert imports.place(text, packages) == text, "draw it anew: plusthree dev rules imports --page"
    assert imports.PAGE.with_name("imports.svg").read_text(encoding="utf-8") == imports.draw(
        packages
    ), "--svg docs/imports.svg"


def test_the_drawing_has_a_box_for_each_and_a_line_for_each_import():
    picture = imports.draw(CHAIN)
    assert picture.count("<text") == 4 and picture.count("<line") == 4


def test_the_command_says_it_all_as_one_object(capsys):
    plusthree("dev", "rules", "imports", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told == {name: sorted(found) for name, found in imports.packages().items()}
