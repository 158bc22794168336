"""Every pin, module, name and parameter that the firmware uses is in CircuitPython's stubs."""

import ast
import functools
import importlib.metadata
import pathlib
import re
import runpy
import sysconfig

import pytest
import tree

from firmware.board import pins
from host.boards.deploy import image, imports
from host.boards.models import BY_ID, MODELS, OLDEST_WORDS

STUBS = pathlib.Path(sysconfig.get_path("purelib"))
_INCLUDED = re.compile(r"Included modules: (.*)")


def board_text(board_id):
    """Return a board's stub; FileNotFoundError: there is no such board."""
    return (STUBS / "board_definitions" / board_id / "__init__.pyi").read_text("utf-8")


def board_names(board_id):
    """Return the attributes of ``board`` on that board: pins, buses, the display."""
    found = set()
    for node in ast.parse(board_text(board_id)).body:
        if isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
    return found


def board_modules(board_id):
    """Return the modules built into that board's CircuitPython."""
    return set(_INCLUDED.search(board_text(board_id)).group(1).split(", "))


@functools.cache
def module_tree(module):
    """Return the AST of a native module's stub, or None where there is no stub of it."""
    path = STUBS / f"{module}-stubs" / "__init__.pyi"
    return ast.parse(path.read_text("utf-8")) if path.is_file() else None


def module_members(module):
    """Return ``{name: AST node}`` of what a native module defines."""
    members = {}
    for node in module_tree(module).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            members[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            members[node.target.id] = node
    return members


def parameters(node):
    """Return the parameter names of a stub's function or of its class's constructor."""
    if isinstance(node, ast.ClassDef):
        makers = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
        return set().union(*(parameters(maker) for maker in makers))
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return {argument.arg for argument in every}


BOARDS = tuple(BY_ID)
# part of every CircuitPython, so in no board's list
ALWAYS = {"gc", "sys", "time", "builtins", "__future__", "micropython"}
TABLES = tuple(model.board_id for model in MODELS.values())
EITHER = {"hashlib.sha256"}  # core/digest falls back to hashlib.new, which boards have
FILES = [*tree.python_files("firmware"), tree.ROOT / "boot.py", tree.ROOT / "code.py"]


def pins_of(board_id):
    """Return every name that a row of the pin table asks of ``board``."""
    _, _, keys, _, buzzer, bar, _, gauge, wires, *_ = pins.row(board_id)
    display = (*wires, "SPI") if wires else ("DISPLAY",)
    return {name for name in (*keys, buzzer, bar, gauge and gauge[0], *display) if name}


def test_the_stubs_are_of_the_oldest_circuitpython_that_a_board_may_run():
    assert importlib.metadata.version("circuitpython-stubs") == OLDEST_WORDS
    assert boot_table("OLDEST") == pins.OLDEST


@pytest.mark.parametrize("board_id", BOARDS)
def test_every_pin_is_on_the_board(board_id):
    assert not pins_of(board_id) - board_names(board_id)


@pytest.mark.parametrize("board_id", BOARDS)
def test_no_two_parts_share_a_pin(board_id):
    _, _, keys, levels, buzzer, bar, _, gauge, wires, *_ = pins.row(board_id)
    used = [name for name in (*keys, buzzer, bar, gauge and gauge[0], *(wires or ())) if name]
    assert len(used) == len(set(used))
    assert len(keys) == len(levels)


def boot_table(name):
    """Read a literal of boot.py, which cannot be imported on a PC."""
    for node in tree.parsed(tree.ROOT / "boot.py").body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return ast.literal_eval(node.value)
    raise LookupError(name)


def test_boot_holds_the_same_keys_as_the_pin_table():
    assert tuple(boot_table("BOARDS")) == BOARDS
    for board_id, name in boot_table("BOARDS").items():
        keys, levels = pins.row(board_id)[2:4]
        judge = 2 if len(keys) == 3 else 0
        assert (name, 0) == (keys[judge], levels[judge])
        assert name in board_names(board_id)


def used_by(path):
    """Return ``{local name: native module}`` of a file's imports."""
    local = {}
    for node in ast.walk(tree.running(path)):
        if isinstance(node, ast.Import):
            local.update({alias.asname or alias.name: alias.name for alias in node.names})
        elif isinstance(node, ast.ImportFrom):
            local.update({alias.name: f"{node.module}:{alias.name}" for alias in node.names})
    foreign = ("firmware", "host", *image.LIBRARIES)
    return {
        key: name for key, name in local.items() if name.split(".")[0].split(":")[0] not in foreign
    }


def imported_tops(module):
    """Yield the first part of every absolute import of a library that a board does not skip."""
    for node in imports.statements(module):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif not node.level:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize("board_id", sorted({*TABLES}))
def test_every_native_module_is_built_in(board_id):
    wanted = {name.split(":")[0] for path in FILES for name in used_by(path).values()}
    for _, path in image.libraries(BY_ID[board_id]).values():
        wanted |= set(imported_tops(ast.parse(path.read_text("utf-8"))))
    wanted -= {*image.LIBRARIES} | ALWAYS
    assert not wanted - board_modules(board_id)


def test_every_name_and_parameter_of_a_native_module_exists():
    wrong = []
    for path in FILES:
        native = used_by(path)
        for node in tree.nodes(path):
            wrong += [f"{tree.name_of(path)}:{node.lineno}: {w}" for w in faults(native, node)]
    assert not wrong, "\n".join(wrong)


def faults(native, node):
    """Yield what one AST node asks of a native module in vain."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        module = native.get(node.value.id)
        if module and module != "board" and module_tree(module):
            known = module_members(module)
            if node.attr not in known and f"{module}.{node.attr}" not in EITHER:
                yield f"{module}.{node.attr}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        module = native.get(getattr(node.func.value, "id", None))
        if module and module_tree(module):
            target = module_members(module).get(node.func.attr)
            known = parameters(target) if target is not None else set()
            yield from (k.arg for k in node.keywords if target is not None and k.arg not in known)


def test_code_does_nothing_when_it_is_imported():
    assert "app" not in runpy.run_path(str(tree.ROOT / "code.py"), run_name="code")
