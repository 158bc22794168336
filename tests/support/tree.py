"""The project's own files as the rules on ourselves read them."""

import ast
import functools
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("firmware", "host", "tests", "hw")
AT_ROOT = ("boot.py", "code.py")


@functools.cache
def python_files(*folders):
    """Return the Python files below ``folders`` (all of ours where none is named), sorted."""
    found = [ROOT / name for name in AT_ROOT if not folders and (ROOT / name).is_file()]
    for folder in folders or FOLDERS:
        found += (p for p in sorted((ROOT / folder).rglob("*.py")) if "__pycache__" not in p.parts)
    return found


def name_of(path):
    """Return a path as it is written in messages: from the root, with slashes."""
    return path.relative_to(ROOT).as_posix()


@functools.cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@functools.cache
def nodes(path):
    """Return every node of a file's AST, as ``ast.walk`` does: a dozen rules look at all of them."""
    return tuple(ast.walk(parsed(path)))


class _Run(ast.NodeTransformer):
    """Takes out what only the type checker reads."""

    def visit_If(self, node):
        for_types = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if for_types else self.generic_visit(node)


@functools.cache
def running(path):
    """Return the AST of what a board runs of its file; it may be the one of ``parsed``."""
    text = path.read_text(encoding="utf-8")
    if "TYPE_CHECKING" not in text:
        return parsed(path)
    return _Run().visit(ast.parse(text, filename=str(path)))


def functions(path):
    for node in nodes(path):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def is_pure(path):
    """Say whether a file is of the pure part (docs/architecture.md, Layers)."""
    name = name_of(path)
    return name.startswith("firmware/core/") or name in (
        "firmware/ui/gestures.py",
        "firmware/ui/font.py",
    )
