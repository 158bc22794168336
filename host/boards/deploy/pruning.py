"""What nothing on a board can reach, left out: the PC shares the firmware and asks it for more.

Reachable is a function, method, class or table whose name is mentioned by anything that is itself
reachable; so a name that only a test or the host uses costs a board nothing. A method must be
mentioned after a dot (``.name``) or in a string. What a module defines itself must be mentioned
there, after the module's own name (``module.name``), in an import or in a string; where somebody
hands the module around, after any dot. What is left keeps its lines.
"""

import ast
import re
from collections.abc import Collection, Iterable, Mapping

from host.boards.deploy import edits, publics
from host.boards.deploy.syntax import walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WORD = re.compile(r"[A-Za-z_]\w*")


class Definition:
    """Something with a name that can be left out; ``words`` are those that it mentions itself."""

    def __init__(
        self, name: str, node: ast.stmt, words: set[str], owner: "Definition | None" = None
    ):
        self.name, self.node, self.words, self.owner = name, node, words, owner
        self.reached = False

    def wanted(self, module: "Module", mentioned: set[str]) -> bool:
        """Whether any of the ``mentioned`` words may mean this, which is defined in ``module``."""
        if self.owner is None:
            return not mentioned.isdisjoint((f"{module.name}:{self.name}", module.any + self.name))
        if not self.owner.reached:
            return False
        if self.name.startswith("__"):
            return self.owner.name + "()" in mentioned
        return "." + self.name in mentioned


class Module:
    """A module by its dotted ``name``; ``any`` comes before a word that may mean what it defines.

    ``aliases`` are the modules by the names that it has for them. A ``handed`` one may be asked for
    its names by anybody, the others by their aliases alone.
    """

    def __init__(self, name: str, tree: ast.Module, known: Collection[str], handed: bool):
        self.name, self.any = name, "" if handed else "="
        self.aliases = edits.modules(tree, known)
        ours = {alias for alias, full in self.aliases.items() if full in known}
        self._ours, self._modules = ours, ours - edits.local_names(tree)

    def words_of(self, node: ast.AST) -> set[str]:
        """Return the words that an AST of this module mentions, and what they mean."""
        found = words_of(node, self._modules)
        for inner in walk(node):
            if isinstance(inner, ast.Name):
                found.add(f"{self.name}:{inner.id}")
            elif isinstance(inner, ast.Attribute):
                root = ast.unparse(inner.value).partition(".")[0]
                if root in self.aliases:
                    ours = isinstance(inner.value, ast.Name) and root in self._ours
                    found.add(f"{self.aliases[root]}:{inner.attr}" if ours else "=" + inner.attr)
        return found

    def function_words(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
        """Return a function's words without those of its docstring."""
        body = node.body[1:] if edits.is_text(node.body[0]) else node.body
        parts = [node.args, *node.decorator_list, *body]
        return set().union(*(self.words_of(part) for part in parts))


def words_of(node: ast.AST, modules: Collection[str] = ()) -> set[str]:
    """Return the words that an AST mentions: names as they are, what follows a dot with its dot.

    An attribute, an import and a word in a string may mean either, so they count as both. A name
    that is there for more than its attributes has brackets, too; an import and a word in a string
    may mean what any module defines, so they have a "=" as well. Names in ``modules`` have no
    methods.
    """
    found = set()
    bases = {id(inner.value) for inner in walk(node) if isinstance(inner, ast.Attribute)}
    for inner in walk(node):
        if isinstance(inner, ast.Name):
            found |= {inner.id} if id(inner) in bases else {inner.id, inner.id + "()"}
        elif isinstance(inner, ast.Attribute):
            method = getattr(inner.value, "id", None) not in modules
            found |= {inner.attr, "." + inner.attr} if method else {inner.attr}
            found |= set() if id(inner) in bases else {inner.attr + "()"}
        elif isinstance(inner, ast.alias):
            found.update(inner.name.split("."), ["=" + inner.name])
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            for word in _WORD.findall(inner.value):
                found |= {word, "." + word, "=" + word}
    return found


def _name_of(node):
    if (
        isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
    ):
        return node.targets[0].id
    return node.name if isinstance(node, (*_FUNCTIONS, ast.ClassDef)) else None


def _read(module, tree):
    """Return a module's definitions, and the words that it mentions whatever happens."""
    definitions, certain = [], set()
    for node in tree.body:
        name = _name_of(node)
        if isinstance(node, ast.ClassDef):
            definitions += _read_class(module, node)
        elif isinstance(node, _FUNCTIONS):
            definitions.append(Definition(node.name, node, module.function_words(node)))
        elif name and isinstance(node, ast.Assign):
            definitions.append(Definition(name, node, module.words_of(node.value)))
        elif not edits.is_text(node):
            certain |= module.words_of(node)
    return definitions, certain


def _read_class(module, node):
    parts = {part: name for part in node.body if (name := _name_of(part))}
    others = [part for part in node.body if part not in parts and not edits.is_text(part)]
    others += [*node.bases, *node.decorator_list]
    found = [Definition(node.name, node, set().union(*map(module.words_of, others)))]
    for part, name in parts.items():
        own = isinstance(part, _FUNCTIONS)
        words = module.function_words(part) if own else module.words_of(part)
        found.append(Definition(name, part, words, found[0]))
    return found


def _reach(definitions, mentioned):
    """Mark what the mentioned words lead to in ``definitions``, (module, Definition) each."""
    grown = True
    while grown:
        grown = False
        for module, definition in definitions:
            if not definition.reached and definition.wanted(module, mentioned):
                definition.reached = grown = True
                mentioned |= definition.words


def prune(
    sources: Mapping[str, str], entry_words: Iterable[str] = (), kept: Iterable[str] = ()
) -> dict[str, str]:
    """Return ``{dotted name: source}`` without what ``entry_words`` and the modules cannot reach.

    Names in modules that begin with one of ``kept`` all count as mentioned.
    """
    trees = {name: ast.parse(source) for name, source in sources.items()}
    handed, read, every = publics.held(trees), {}, []
    mentioned = {"=" + word for word in entry_words}
    for name, tree in trees.items():
        module = Module(name, tree, trees.keys(), name in handed)
        definitions, certain = read[name] = _read(module, tree)
        every += [(module, definition) for definition in definitions]
        mentioned |= certain
        if name.startswith(tuple(kept)):
            mentioned |= {module.any + definition.name for definition in definitions}
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
    for node in walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef):
            at = node.body[0].lineno - 1
            if all(not lines[part.lineno - 1] for part in node.body) and lines[node.lineno - 1]:
                lines[at] = " " * node.body[0].col_offset + "pass"
    return "\n".join(lines)
