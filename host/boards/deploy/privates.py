"""Private names (``_name``) by short words that every module uses again.

A private name means something in its own module alone (in a library: in its own package), so all
of them can share a few words, each of which a board interns only once. Lines do not move; a
traceback on a board shows file and line as ever, and for a private function its short word.
"""

import ast
import re
import string
from collections.abc import Mapping

from host.boards.deploy import edits
from host.boards.deploy.syntax import walk

_LETTERS = string.ascii_lowercase
_SHORT = ["_" + word for word in [*_LETTERS, *(x + y for x in _LETTERS for y in _LETTERS)]]
_PRIVATE = re.compile(r"_[^_]\w*$")
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def shorten(groups: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return ``{name: source}`` for ``{group: {name: source}}``, private names short by group."""
    trees = {
        group: {name: ast.parse(source) for name, source in sources.items()}
        for group, sources in groups.items()
    }
    fixed = _fixed(trees)
    laid = {}
    for group, sources in groups.items():
        places = {name: list(_places(tree)) for name, tree in trees[group].items()}
        wanted = dict.fromkeys(word for found in places.values() for word, _, _ in found)
        wanted = [word for word in wanted if word not in fixed]
        short = dict(zip(wanted, (word for word in _SHORT if word not in fixed)))
        for name, source in sources.items():
            laid[name] = _edited(source, places[name], short)
    return laid


def _places(tree):
    """Yield ``(private name, line, column)`` of every mention; a column of None is a
    definition's.
    """
    for node in walk(tree):
        if isinstance(node, ast.Name) and _PRIVATE.match(node.id):
            yield node.id, node.lineno, node.col_offset
        elif isinstance(node, ast.Attribute) and _PRIVATE.match(node.attr):
            line, column = edits.end_of(node)
            yield node.attr, line, column - len(node.attr)
        elif isinstance(node, _DEFINED) and _PRIVATE.match(node.name):
            yield node.name, node.lineno, None


def _fixed(trees):
    """Return the private names that must stay: imported, spelled in text, or of another group."""
    fixed = set()
    for modules in trees.values():
        defined, used = set(), set()
        for tree in modules.values():
            for node in walk(tree):
                if isinstance(node, ast.alias):
                    fixed |= {*node.name.split("."), node.asname}
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    fixed.update(re.findall(r"\b_\w+", node.value))
                elif isinstance(node, ast.JoinedStr):
                    fixed |= {word for word, _, _ in _places(node)}
                elif isinstance(node, (ast.arg, ast.keyword)):
                    fixed.add(node.arg)
                used |= _mentioned(node, ast.Load)
                defined |= _mentioned(node, ast.Store)
        fixed |= used - defined
    return fixed


def _mentioned(node, context):
    """Return the name that a node mentions in a context; a definition stores its name."""
    if isinstance(node, _DEFINED) and context is ast.Store:
        return {node.name}
    if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, context):
        return {node.id if isinstance(node, ast.Name) else node.attr}
    return set()


def _edited(source, places, short):
    lines = [line.encode() for line in source.split("\n")]
    order = sorted(
        places, key=lambda place: (place[1], -1 if place[2] is None else place[2]), reverse=True
    )
    for word, line, column in order:
        text = lines[line - 1]
        if word not in short:
            continue
        if column is None:
            keyword = edits.KEYWORD.search(text)
            assert keyword is not None, "a definition begins with a keyword"
            column = keyword.end()
        lines[line - 1] = text[:column] + short[word].encode() + text[column + len(word) :]
    return b"\n".join(lines).decode()
