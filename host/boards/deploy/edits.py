"""Words put in place of others in a source, whose lines and whatever else is in them stay."""

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterable
from typing import NamedTuple, Protocol, TypeAlias

from host.boards.deploy.syntax import walk

DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
KEYWORD = re.compile(rb"\b(?:def|class)\s+")
# a line from 1 on, a column in bytes (None: of the name behind ``def`` or ``class``), the word
# that stands there, the word that is to stand there
Edit: TypeAlias = tuple[int, int | None, str, str]
Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Place(Protocol):
    """Where something stands in a source: lines from 1 on, columns in bytes."""

    @property
    def lineno(self) -> int:
        """Its first line."""
        ...

    @property
    def col_offset(self) -> int:
        """The column at which it begins."""
        ...

    @property
    def end_lineno(self) -> int | None:
        """Its last line."""
        ...

    @property
    def end_col_offset(self) -> int | None:
        """The column behind its end."""
        ...


class Span(NamedTuple):
    """A piece of a source that is no node of its tree."""

    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


def end_of(place: Place) -> tuple[int, int]:
    """Return the line and the column, in bytes, at which a place of a parsed source ends."""
    assert place.end_lineno is not None and place.end_col_offset is not None
    return place.end_lineno, place.end_col_offset


def applied(source: str, found: Iterable[Edit]) -> str:
    """Return ``source`` with each ``(line, column or None, old, new)``; None: a
    definition's name.
    """
    lines = [line.encode() for line in source.split("\n")]
    order = {(line, -1 if column is None else column, old, new) for line, column, old, new in found}
    for line, column, old, new in sorted(order, reverse=True):
        text = lines[line - 1]
        if column < 0:
            keyword = KEYWORD.search(text)
            assert keyword is not None, "a definition begins with a keyword"
            column = keyword.end()
        lines[line - 1] = text[:column] + new.encode() + text[column + len(old.encode()) :]
    return b"\n".join(lines).decode()


def definition(node: Definition, new: str) -> Edit:
    """Return the edit that gives a function or class another name."""
    return node.lineno, None, node.name, new


def name(node: ast.Name, new: str) -> Edit:
    """Return the edit of a plain name."""
    return node.lineno, node.col_offset, node.id, new


def attribute(node: ast.Attribute, new: str) -> Edit:
    """Return the edit of what follows an attribute's dot."""
    line, column = end_of(node)
    return line, column - len(node.attr.encode()), node.attr, new


def modules(tree: ast.AST, known: Collection[str]) -> dict[str, str]:
    """Return ``{local name: dotted module}`` of a tree's imports.

    ``known`` are our modules; all that comes out of a module of somebody else stands for that one.
    """
    found = {}
    for node in walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = alias.name
        elif isinstance(node, ast.ImportFrom):
            inside = f"{node.module}."
            ours = node.module in known and not any(other.startswith(inside) for other in known)
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in known or not ours:
                    found[alias.asname or alias.name] = full
    return found


def local_names(tree: ast.AST) -> set[str]:
    """Return the names that functions keep to themselves: parameters, and what they store."""
    found = set()
    for node in walk(tree):
        if isinstance(node, (*DEFINED[:2], ast.Lambda)):
            for inner in walk(node):
                if isinstance(inner, ast.arg):
                    found.add(inner.arg)
                elif isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
                    found.add(inner.id)
                elif isinstance(inner, ast.ExceptHandler) and inner.name:
                    found.add(inner.name)
                elif isinstance(inner, DEFINED) and inner is not node:
                    found.add(inner.name)
    return found


def said(node: ast.AST) -> str:
    """Return the text that a literal is, or ""."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def field_names(tree: ast.AST) -> list[ast.expr]:
    """Return the texts of a module's ``NAMES``: attributes, for ``setattr`` and ``getattr``."""
    return [
        text
        for node in getattr(tree, "body", ())
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "NAMES"
        for text in getattr(node.value, "elts", ())
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    ]


def spelled(tree: ast.AST, apart: Collection[ast.expr] = ()) -> set[str]:
    """Return every word that stands in a text of a tree or in an f-string.

    Not those of docstrings, of ``field_names``, and of the nodes ``apart``.
    """
    found = set()
    idle = {id(n.value) for n in walk(tree) if isinstance(n, ast.Expr)}
    idle |= {id(node) for node in [*field_names(tree), *apart]}
    for node in walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in idle:
            found.update(re.findall(r"[A-Za-z_]\w*", node.value))
        elif isinstance(node, ast.JoinedStr):
            found |= mentioned(node)
    return found


def mentioned(tree: ast.AST) -> set[str]:
    """Return every name, attribute, keyword and import in a tree."""
    found = set()
    for node in walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.arg) or (isinstance(node, ast.keyword) and node.arg):
            found.add(node.arg)
        elif isinstance(node, DEFINED):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found |= {*node.name.split("."), *([node.asname] if node.asname else [])}
    return found


def text(node: ast.expr, new: str) -> Edit:
    """Return the edit of a text that stands on one line; its quotation marks stay."""
    return node.lineno, node.col_offset + 1, said(node), new


def replaced(source: str, found: Iterable[tuple[Place, str]]) -> str:
    """Return ``source`` with each ``(node or span, text)``; what spanned several lines leaves
    blanks.
    """
    lines = [line.encode() for line in source.split("\n")]
    for node, text in sorted(
        found, key=lambda edit: (edit[0].lineno, edit[0].col_offset), reverse=True
    ):
        (end, column), first = end_of(node), node.lineno - 1
        last = end - 1
        tail = lines[last][column:]
        lines[first] = lines[first][: node.col_offset] + text.encode() + tail
        for at in range(first + 1, last + 1):
            lines[at] = b""
    return b"\n".join(lines).decode()


def is_text(node: ast.AST) -> bool:
    """Say whether a statement is nothing but a literal, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def untexted(source: str) -> str:
    """Return ``source`` without comments and docstrings; its lines stay where they are."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            (line, _), text = token.start, token.line
            column = len(text[: token.start[1]].rstrip().encode())
            found.append((Span(line, column, line, len(text.rstrip("\n").encode())), ""))
    for node in walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            found += [(n, "pass" if len(body) == 1 else "") for n in body if is_text(n)]
    return replaced(source, found)
