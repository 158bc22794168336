"""Words put in place of others in a source, whose lines and whatever else is in them stay."""

import ast
import re

DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_KEYWORD = re.compile(rb"\b(?:def|class)\s+")


def applied(source, found):
    """Return ``source`` with each ``(line, column or None, old, new)``; None: a definition's name."""
    lines = [line.encode() for line in source.split("\n")]
    order = {(line, -1 if column is None else column, old, new) for line, column, old, new in found}
    for line, column, old, new in sorted(order, reverse=True):
        text = lines[line - 1]
        if column < 0:
            column = _KEYWORD.search(text).end()
        lines[line - 1] = text[:column] + new.encode() + text[column + len(old.encode()) :]
    return b"\n".join(lines).decode()


def definition(node, new):
    """Return the edit that gives a function or class another name."""
    return node.lineno, None, node.name, new


def name(node, new):
    """Return the edit of a plain name."""
    return node.lineno, node.col_offset, node.id, new


def attribute(node, new):
    """Return the edit of what follows an attribute's dot."""
    return node.end_lineno, node.end_col_offset - len(node.attr.encode()), node.attr, new


def modules(tree, known):
    """Return ``{local name: dotted module}`` of a tree's imports.

    ``known`` are our modules; all that comes out of a module of somebody else stands for that one.
    """
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = alias.name
        elif isinstance(node, ast.ImportFrom):
            ours = node.module in known and not any(other.startswith(node.module + ".") for other in known)
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in known or not ours:
                    found[alias.asname or alias.name] = full
    return found


def local_names(tree):
    """Return the names that functions keep to themselves: parameters, and what they store."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, (*DEFINED[:2], ast.Lambda)):
            for inner in ast.walk(node):
                if isinstance(inner, ast.arg):
                    found.add(inner.arg)
                elif isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
                    found.add(inner.id)
                elif isinstance(inner, ast.ExceptHandler) and inner.name:
                    found.add(inner.name)
                elif isinstance(inner, DEFINED) and inner is not node:
                    found.add(inner.name)
    return found


def spelled(tree):
    """Return every word that stands in a text of a tree, docstrings apart, or in an f-string."""
    found = set()
    idle = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in idle:
            found.update(re.findall(r"[A-Za-z_]\w*", node.value))
        elif isinstance(node, ast.JoinedStr):
            found |= mentioned(node)
    return found


def mentioned(tree):
    """Return every name, attribute, keyword and import in a tree."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, (ast.arg, ast.keyword)):
            found.add(node.arg)
        elif isinstance(node, DEFINED):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found |= {*node.name.split("."), node.asname}
    return found
