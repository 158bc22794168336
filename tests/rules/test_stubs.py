"""Every pin, native module, name and parameter that the firmware uses, against CircuitPython's
stubs.
"""

import ast
import runpy

import pytest
import stubs
import tree

from firmware.board import pins
from host.boards.deploy import image, imports
from host.boards.models import BY_ID, MODELS

BOARDS = tuple(BY_ID)
# part of every CircuitPython, so in no board's list
ALWAYS = {"gc", "sys", "time", "builtins", "__future__", "micropython"}
# a board and each release that it may run
PROVED = [(release, board_id) for release in sorted(stubs.RELEASES) for board_id in BOARDS
          if tuple(map(int, release.split("."))) >= MODELS[BY_ID[board_id]].oldest]  # fmt: skip
EITHER = {"hashlib.sha256"}  # core/digest falls back to hashlib.new, which boards have
FILES = [*tree.python_files("firmware"), tree.ROOT / "boot.py", tree.ROOT / "code.py"]


@pytest.fixture(params=sorted(stubs.RELEASES))
def release(request):
    """A release of CircuitPython that there are stubs of."""
    found = (stubs.RELEASES[request.param] / "board_definitions").is_dir()
    assert found, f"no stubs of CircuitPython {request.param}: make setup"
    return request.param


def pins_of(board_id):
    """Return every name that a row of the pin table asks of ``board``."""
    _, _, keys, _, buzzer, bar, _, gauge, wires, *_ = pins.row(board_id)
    display = (*wires, "SPI") if wires else ("DISPLAY",)
    return {name for name in (*keys, buzzer, bar, gauge and gauge[0], *display) if name}


@pytest.mark.parametrize("board_id", BOARDS)
def test_every_board_is_proved_against_its_oldest_circuitpython(board_id):
    oldest = MODELS[BY_ID[board_id]].oldest
    assert ".".join(map(str, oldest)) in stubs.RELEASES


@pytest.mark.parametrize("release, board_id", PROVED, indirect=["release"])
def test_every_pin_is_on_the_board(release, board_id):
    assert not pins_of(board_id) - stubs.board_names(release, board_id)


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


def test_boot_holds_the_same_keys_as_the_pin_table(release):
    assert tuple(boot_table("BOARDS")) == BOARDS
    for board_id, (name, level, oldest) in boot_table("BOARDS").items():
        row = pins.row(board_id)
        keys, levels = row[2:4]
        judge = 2 if len(keys) == 3 else 0
        assert (name, int(level)) == (keys[judge], levels[judge])
        assert oldest == row[10]
        if (release, board_id) in PROVED:
            assert name in stubs.board_names(release, board_id)


def used_by(path):
    """Return ``{local name: native module}`` of a file's imports that are neither ours nor a
    library.
    """
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


@pytest.mark.parametrize("release, board_id", PROVED, indirect=["release"])
def test_every_native_module_is_built_in(release, board_id):
    wanted = {name.split(":")[0] for path in FILES for name in used_by(path).values()}
    for _, path in image.libraries(BY_ID[board_id]).values():
        wanted |= set(imported_tops(ast.parse(path.read_text("utf-8"))))
    wanted -= {*image.LIBRARIES} | ALWAYS
    assert not wanted - stubs.board_modules(release, board_id)


def test_every_name_and_parameter_of_a_native_module_exists(release):
    wrong = []
    for path in FILES:
        native = used_by(path)
        for node in ast.walk(tree.parsed(path)):
            wrong += [
                f"{tree.name_of(path)}:{node.lineno}: {w}" for w in faults(release, native, node)
            ]
    assert not wrong, "\n".join(wrong)


def faults(release, native, node):
    """Yield what one AST node asks of a native module in vain."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        module = native.get(node.value.id)
        if module and module != "board" and stubs.module_tree(release, module):
            known = stubs.module_members(release, module)
            if node.attr not in known and f"{module}.{node.attr}" not in EITHER:
                yield f"{module}.{node.attr}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        module = native.get(getattr(node.func.value, "id", None))
        if module and stubs.module_tree(release, module):
            target = stubs.module_members(release, module).get(node.func.attr)
            known = stubs.parameters(target) if target is not None else set()
            yield from (k.arg for k in node.keywords if target is not None and k.arg not in known)


def test_code_does_nothing_when_it_is_imported():
    assert "app" not in runpy.run_path(str(tree.ROOT / "code.py"), run_name="code")
