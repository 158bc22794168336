"""What nothing on a board can reach, left out: the PC shares the firmware and asks it for more.

Reachable is a function, method, class or table whose name is mentioned by anything that is itself
reachable; so a name that only a test or the host uses costs a board nothing. A method must be
mentioned after a dot (``.name``) or in a string. What is left keeps its lines.
"""

import ast
import re

from host.boards.deploy import edits

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WORD = re.compile(r"[A-Za-z_]\w*")


class Definition:
    """Something with a name that can be left out; ``words`` are those that it mentions itself."""

    def __init__(self, name, node, words, owner=None):
        self.name, self.node, self.words, self.owner = name, node, words, owner
        self.reached = False


def words_of(node):
    """Return the words that an AST mentions: names as they are, what follows a dot with its dot.

    An attribute, an import and a word in a string may mean either, so they count as both. A name
    that is there for more than its attributes has brackets, too.
    """
    found = set()
    bases = {id(inner.value) for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            found |= {inner.id} if id(inner) in bases else {inner.id, inner.id + "()"}
        elif isinstance(inner, ast.Attribute):
            found |= {inner.attr, "." + inner.attr}
            found |= set() if id(inner) in bases else {inner.attr + "()"}
        elif isinstance(inner, ast.alias):
            found.update(inner.name.split("."))
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            for word in _WORD.findall(inner.value):
                found |= {word, "." + word}
    return found


def _name_of(node):
    if (
        isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
    ):
        return node.targets[0].id
    return node.name if isinstance(node, (*_FUNCTIONS, ast.ClassDef)) else None


def _function_words(node):
    """Return a function's words without those of its docstring."""
    body = node.body[1:] if edits.is_text(node.body[0]) else node.body
    return set().union(*(words_of(part) for part in [node.args, *node.decorator_list, *body]))


def _read(tree):
    """Return a module's definitions, and the words that it mentions whatever happens."""
    definitions, certain = [], set()
    for node in tree.body:
        name = _name_of(node)
        if isinstance(node, ast.ClassDef):
            definitions += _read_class(node)
        elif isinstance(node, _FUNCTIONS):
            definitions.append(Definition(name, node, _function_words(node)))
        elif name:
            definitions.append(Definition(name, node, words_of(node.value)))
        elif not edits.is_text(node):
            certain |= words_of(node)
    return definitions, certain


def _read_class(node):
    parts = [part for part in node.body if _name_of(part)]
    others = [part for part in node.body if part not in parts and not edits.is_text(part)]
    words = set().union(*(words_of(part) for part in [*others, *node.bases, *node.decorator_list]))
    owner = Definition(node.name, node, words)
    return [owner, *(Definition(_name_of(part), part, _part_words(part), owner) for part in parts)]


def _part_words(part):
    return _function_words(part) if isinstance(part, _FUNCTIONS) else words_of(part)


def _reach(definitions, mentioned):
    """Mark what the mentioned words lead to."""
    grown = True
    while grown:
        grown = False
        for definition in definitions:
            owner, name = definition.owner, definition.name
            wanted = ("." + name if owner else name) in mentioned
            if owner and name.startswith("__"):
                wanted = owner.name + "()" in mentioned
            if not definition.reached and wanted and (owner is None or owner.reached):
                definition.reached = grown = True
                mentioned |= definition.words


def prune(sources, entry_words=(), kept=()):
    """Return ``{dotted name: source}`` without what ``entry_words`` and the modules cannot reach.

    Names in modules that begin with one of ``kept`` all count as mentioned.
    """
    trees = {name: ast.parse(source) for name, source in sources.items()}
    read = {name: _read(tree) for name, tree in trees.items()}
    mentioned = set(entry_words).union(*(certain for _, certain in read.values()))
    for name, (definitions, _) in read.items():
        if name.startswith(tuple(kept)):
            mentioned |= {definition.name for definition in definitions}
    every = [definition for definitions, _ in read.values() for definition in definitions]
    _reach(every, mentioned)
    return {
        name: _without([d.node for d in read[name][0] if not d.reached], source)
        for name, source in sources.items()
    }


def _without(nodes, source):
    """Blank the lines of statements; a block that loses all it had gets a ``pass``."""
    lines = source.split("\n")
    for node in nodes:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        for at in range(first - 1, node.end_lineno):
            lines[at] = ""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            at = node.body[0].lineno - 1
            if all(not lines[part.lineno - 1] for part in node.body) and lines[node.lineno - 1]:
                lines[at] = " " * node.body[0].col_offset + "pass"
    return "\n".join(lines)
