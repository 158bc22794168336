"""Which of a library's modules a program needs, read from import statements, deepest first.

Optional imports (under ``try`` with an ``except ImportError``, or ``if TYPE_CHECKING``) are left
out: on the board they are for typing alone.
"""

import ast
import pathlib


def _optional(node):
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Try) and any(
        isinstance(handler.type, ast.Name) and handler.type.id == "ImportError"
        for handler in node.handlers
    )


def statements(node):
    """Yield the import statements under an AST ``node`` that are not optional."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child
        elif not _optional(child):
            yield from statements(child)


def names(source, package):
    """Return the dotted names a module's ``source`` imports, candidates included.

    ``from a import b`` gives a and a.b, since b may be a module; ``package`` resolves dots.
    """
    found = []
    for statement in statements(ast.parse(source)):
        if isinstance(statement, ast.Import):
            found += [alias.name for alias in statement.names]
            continue
        parts = package.split(".")[: 1 - statement.level or None] if statement.level else []
        base = ".".join(parts + ([statement.module] if statement.module else []))
        found += [base] + [f"{base}.{alias.name}" for alias in statement.names]
    return found


def locate(name, roots):
    """Return ``(path, package)`` of a module below one of the folders ``roots``, or None."""
    for root in roots:
        stem = pathlib.Path(root, *name.split("."))
        if (stem / "__init__.py").is_file():
            return stem / "__init__.py", name
        if stem.with_suffix(".py").is_file():
            return stem.with_suffix(".py"), name.rpartition(".")[0]
    return None


def closure(wanted, roots, allowed):
    """Return ``{name: path}`` of the modules that ``wanted`` (dotted names) need, deepest first.

    Only names whose first part is in ``allowed`` are followed; the packages a module lies in
    belong to it.
    """
    done, order = set(), {}

    def visit(name):
        parent = name.rpartition(".")[0]
        if name in done or name.partition(".")[0] not in allowed:
            return
        done.add(name)
        found = locate(name, roots)
        if found is None:
            return
        if parent:
            visit(parent)
        path, package = found
        for needed in names(path.read_text(encoding="utf-8"), package):
            visit(needed)
        order[name] = path

    for name in wanted:
        visit(name)
    return order
