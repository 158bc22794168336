"""Which of a library's modules a program needs, read from import statements, deepest first.

Optional imports (under ``try`` with an ``except ImportError``, or ``if TYPE_CHECKING``) are left
out: on the board they are for typing alone. A package's own ``__init__`` is needed only where a
name is taken from it: a board imports from a folder without one just as well.
"""

import ast
import functools
import pathlib
from collections.abc import Collection, Iterable, Iterator


def is_optional(node: ast.AST) -> bool:
    """Say whether an AST node guards imports that a board does without."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Try) and any(
        isinstance(handler.type, ast.Name) and handler.type.id == "ImportError"
        for handler in node.handlers
    )


def statements(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import statements under an AST ``node`` that are not optional."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child
        elif not is_optional(child):
            yield from statements(child)


@functools.lru_cache(1024)  # an image is built of the same files each time
def imports_of(source: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return the import statements of a ``source`` that are not optional."""
    return tuple(statements(ast.parse(source)))


def locate(name: str, roots: Iterable[str | pathlib.Path]) -> pathlib.Path | None:
    """Return the path of a module below one of the folders ``roots``, or None."""
    for root in roots:
        stem = pathlib.Path(root, *name.split("."))
        for path in (stem / "__init__.py", stem.with_suffix(".py")):
            if path.is_file():
                return path
    return None


def module_of(path: str) -> str:
    """Return the dotted name of the module that lies at a relative ``path``."""
    parts = pathlib.PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def needs(
    written: Iterable[ast.Import | ast.ImportFrom],
    package: str,
    roots: Iterable[str | pathlib.Path],
) -> list[str]:
    """Return the dotted names of the modules that import statements within ``package`` name."""
    names = []
    for statement in written:
        if isinstance(statement, ast.Import):
            names += [alias.name for alias in statement.names]
            continue
        parts = package.split(".") if statement.level else []
        parts = parts[: len(parts) + 1 - statement.level]  # each dot but the first leads one up
        base = ".".join(parts + ([statement.module] if statement.module else []))
        for alias in statement.names:
            inner = f"{base}.{alias.name}"
            names.append(inner if locate(inner, roots) else base)
    return list(dict.fromkeys(names))


def closure(
    wanted: Iterable[str], roots: Iterable[str | pathlib.Path], allowed: Collection[str]
) -> dict[str, pathlib.Path]:
    """Return ``{name: path}`` of the modules that ``wanted`` (dotted names) need, deepest first.

    Only names whose first part is in ``allowed`` are followed.
    """
    done, order = set(), {}

    def visit(name):
        path = locate(name, roots)
        if name in done or path is None or name.partition(".")[0] not in allowed:
            return
        done.add(name)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for needed in needs(imports_of(path.read_text("utf-8")), package, roots):
            visit(needed)
        order[name] = path

    for name in wanted:
        visit(name)
    return order
