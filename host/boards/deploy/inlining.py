"""Private functions that are called from one place, put into that place.

Short functions are how people read a program; on a board each costs some 90 bytes for itself and a
frame when it is called. So what only one statement calls stands in its caller there: as the
statements it is where the call is a statement, as an expression where it is one. Anything doubtful
(a closure, a default that is no constant, a name that a text spells) stays a function.
"""

import ast
import copy
import itertools
from collections.abc import Collection, Iterator, Mapping
from typing import TypeGuard

from host.boards.deploy import drawn
from host.boards.deploy.syntax import walk

# of a function that others were put into: its code is one piece of memory, of nearly as many bytes
MOST_NODES = 1000
MOST_LATE_NODES = 345
_BARRED = (
    ast.FunctionDef, ast.Lambda, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal,
    ast.ClassDef, ast.NamedExpr,
)  # fmt: skip
_PLAIN = (ast.Name, ast.Constant)


def inline(sources: Mapping[str, str], late: Collection[str] = ()) -> dict[str, str]:
    """Return ``{dotted name: source}`` where private functions that are called once stand in their
    callers; ``late`` are modules that are loaded for a moment.
    """
    trees = {name: ast.parse(text) for name, text in sources.items()}
    spelled = _spelled(trees.values())
    asked = {name: _asked(tree) for name, tree in trees.items()}
    for name, tree in trees.items():
        kept = spelled.union(*(words for module, words in asked.items() if module != name))
        most = MOST_LATE_NODES if name in late else MOST_NODES
        while _one(tree, _mentions(tree), kept, most=most):
            pass
        asked[name] = _asked(tree)
    return {name: ast.unparse(ast.fix_missing_locations(tree)) for name, tree in trees.items()}


def settle(tree: ast.Module, kept: Collection[str]) -> None:
    """Put functions of a linked part that one place calls into that place, public ones too, and
    classes into the only ones that stand on them.

    ``kept`` are the names that others ask of it. The AST is changed.
    """
    flatten(tree, kept)
    while _one(tree, _mentions(tree, linked=True), kept, linked=True):
        pass


def flatten(tree: ast.Module, kept: Collection[str]) -> None:
    """Put a class of a linked part that only one other stands on into that one.

    ``kept`` are the names that others ask of it. The AST is changed.
    """
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for kind in classes.values():
        base = classes.get(getattr(kind.bases[0], "id", "")) if len(kind.bases) == 1 else None
        if base is None or base.bases or base.name in kept:
            continue
        theirs, ours = ({getattr(one, "name", None) for one in node.body} for node in (base, kind))
        if theirs & ours <= {"__init__"} and None not in theirs and _begun(tree, kind, base):
            kind.body[:0] = [n for n in base.body if getattr(n, "name", "") != "__init__"]
            kind.bases = []
            tree.body.remove(base)


def _begun(tree, kind, base):
    """Put what begins a ``base`` into what begins the ``kind`` on it; return whether that is all
    that asks for the base.
    """
    begin = next((one for one in base.body if one.name == "__init__"), None)
    if begin is None or _mentions(tree, linked=True)[base.name] != 2:
        return False
    for call, site in sites(kind):
        if ast.unparse(call.func) == f"{base.name}.__init__":
            call.func = ast.Name(base.name, ast.Load())
            return site.put(begin)
    return False


def _mentions(tree, linked=False):
    """Return how often a module mentions each name, as a name or after a dot.

    In a ``linked`` one what follows a dot is never a function of its own: those of other parts have
    the same words.
    """
    found = {}
    for node in walk(tree):
        word = node.id if isinstance(node, ast.Name) else getattr(node, "attr", None)
        if linked and isinstance(node, ast.Attribute):
            continue
        if isinstance(word, str):
            found[word] = found.get(word, 0) + 1
    return found


def _asked(tree):
    """Return the names that a module imports, or mentions without binding them itself."""
    own = bound(tree.body) | {getattr(node, "name", None) for node in walk(tree)}
    stored = {
        n.attr for n in walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
    }
    taken = {
        alias.name
        for node in walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return (_mentions(tree).keys() - own - stored) | taken


def _spelled(trees):
    """Return the texts of all trees, in which a name could be spelled."""
    nodes = (node for tree in trees for node in walk(tree))
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _one(tree, mentions, kept, linked=False, most=MOST_NODES):
    """Put one function of a module into its caller; return whether there was one."""
    for owner in [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]:
        for function in owner.body:
            if linked and owner is not tree:  # other files may call methods, in short words
                continue
            if not _is_candidate(function, tree, mentions, kept, linked):
                continue
            site = _site(tree, owner, function)
            if site is not None and site.put(function, most):
                owner.body.remove(function)
                owner.body = owner.body or [ast.Pass()]
                return True
    return False


def _is_candidate(node, tree, mentions, kept, public):
    if not plain(node) or not (public or node.name.startswith("_")):
        return False
    if node.name in kept or mentions.get(node.name) != 1:
        return False
    return sum(getattr(other, "name", None) == node.name for other in walk(tree)) == 1


def plain(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Whether a statement defines a function that could stand elsewhere."""
    if not isinstance(node, ast.FunctionDef) or node.name.endswith("__"):
        return False
    arguments = node.args
    odd = (
        node.decorator_list
        or arguments.vararg
        or arguments.kwarg
        or arguments.kwonlyargs
        or arguments.posonlyargs
    )
    constant = all(isinstance(one, ast.Constant) for one in arguments.defaults)
    barred = any(isinstance(inner, _BARRED) for one in node.body for inner in walk(one))
    return not odd and constant and not barred


def _site(tree, owner, function):
    """Return the Site of the only call of ``function``, or None where it is no plain call of it."""
    method = isinstance(owner, ast.ClassDef)
    for call, site in sites(owner if method else tree):
        if _calls_it(call, function, method) and site.caller is not function:
            return site
    return None


def sites(tree: ast.Module | ast.ClassDef) -> "Iterator[tuple[ast.Call, Site]]":
    """Yield each call in the functions of a module or class, with its Site."""
    groups = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    for group in groups:
        for caller in group.body:
            if not isinstance(caller, ast.FunctionDef):
                continue
            for block in _blocks(caller.body):
                for statement in block:
                    for call in _calls(statement):
                        yield call, Site(caller, block, statement, call)


def _blocks(body):
    """Yield a list of statements and all lists within, not those of functions inside."""
    yield body
    for statement in body:
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and not isinstance(
                statement, (ast.FunctionDef, ast.ClassDef)
            ):
                yield from _blocks(inner)
        for handler in getattr(statement, "handlers", ()):
            yield from _blocks(handler.body)


def _calls(statement):
    """Yield the calls in a statement's own expressions, those of lambdas and inner
    functions apart.
    """
    waiting = [
        value
        for field, value in ast.iter_fields(statement)
        if field not in ("body", "orelse", "finalbody", "handlers")
    ]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, ast.AST) and not isinstance(
            node, (ast.Lambda, ast.FunctionDef, ast.ClassDef)
        ):
            if isinstance(node, ast.Call):
                yield node
            waiting += ast.iter_child_nodes(node)


def _calls_it(call, function, method):
    asked = call.func
    if method:
        return (
            isinstance(asked, ast.Attribute)
            and asked.attr == function.name
            and getattr(asked.value, "id", "") == "self"
        )
    return isinstance(asked, ast.Name) and asked.id == function.name


class Site:
    """The one place that calls a function: ``call`` in ``statement`` of a ``block`` of
    ``caller``.
    """

    def __init__(
        self, caller: ast.FunctionDef, block: list[ast.stmt], statement: ast.stmt, call: ast.Call
    ):
        self.caller, self.call, self._block, self._statement = caller, call, block, statement

    def put(self, function: ast.FunctionDef, most: int = MOST_NODES) -> bool:
        """Put ``function`` here; return whether that could be done in ``most`` nodes."""
        passed = _passed(function, self.call)
        own = bound(function.body)
        imports = any(
            isinstance(n, (ast.Import, ast.ImportFrom)) for one in function.body for n in walk(one)
        )
        clash = own & words(self.caller)
        if passed is None or (imports and clash):
            return False
        if sum(1 for _ in walk(self.caller)) + sum(1 for _ in walk(function)) > most:
            return False
        body = _renamed(function, self.caller, passed)
        return body is not None and self._settle(*body)

    def _settle(self, before, body):
        """Replace the statement, or the call in it, by what the function does."""
        returns = [node for one in body for node in walk(one) if isinstance(node, ast.Return)]
        last = body[-1] if body else None
        value = last.value if isinstance(last, ast.Return) and returns == [last] else None
        whole = getattr(self._statement, "value", None) is self.call
        told = None if before else drawn.as_value(body)
        if told is not None:
            return self._exchange(told)
        if isinstance(self._statement, ast.Return) and whole:
            fallen = [] if isinstance(last, (ast.Return, ast.Raise)) else [ast.Return(None)]
            return self._replace([*before, *body, *fallen])
        if isinstance(self._statement, ast.Expr) and whole and not returns:
            return self._replace([*before, *body])
        if value is not None and isinstance(self._statement, (ast.Assign, ast.Expr)) and whole:
            self._statement.value = value
            return self._replace([*before, *body[:-1], self._statement])
        return drawn.asked_first(self._statement, self.call) and self._draw(before, body, whole)

    def _draw(self, before, body, whole):
        """Put the function before the statement, and what it returns in the place of the call."""
        taken = words(self.caller).union(*map(words, [*before, *body]))
        name = next(w for w in map("drawn_{}".format, itertools.count()) if w not in taken)
        aim = _aim(self._statement) if whole else None
        told = drawn.ended(body, name if aim is None else aim)
        if told is None:
            return False
        if aim is not None:
            return self._replace([*before, *told])
        self._exchange(ast.Name(name, ast.Load()))
        return self._replace([*before, *told, self._statement])

    def _replace(self, statements):
        at = self._block.index(self._statement)
        self._block[at : at + 1] = [one for one in statements if not isinstance(one, ast.Pass)] or [
            ast.Pass()
        ]
        return True

    def _exchange(self, value):
        """Put an expression in the place of the call."""
        for node in walk(self._statement):
            for field, inner in ast.iter_fields(node):
                if inner is self.call:
                    setattr(node, field, value)
                    return True
                if isinstance(inner, list) and any(one is self.call for one in inner):
                    inner[[one is self.call for one in inner].index(True)] = value
                    return True
        return False


def _aim(statement):
    """Return the name that a statement binds alone, "" where it binds nothing, None otherwise."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return getattr(statement.targets[0], "id", None)
    return "" if isinstance(statement, ast.Expr) else None


def words(tree: ast.AST) -> set[str]:
    """Return every name that a function mentions or binds."""
    found = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    found |= {node.arg for node in walk(tree) if isinstance(node, ast.arg)}
    found |= {node.name for node in walk(tree) if isinstance(node, ast.ExceptHandler) and node.name}
    return found | {
        (n.asname or n.name).partition(".")[0] for n in walk(tree) if isinstance(n, ast.alias)
    }


def bound(body: list[ast.stmt]) -> set[str]:
    """Return the names that statements bind, those of comprehensions and imports included."""
    found = set()
    for one in body:
        for node in walk(one):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.add(node.id)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                found.add(node.name)
            elif isinstance(node, ast.alias):
                found.add((node.asname or node.name).partition(".")[0])
    return found


def _passed(function, call):
    """Return ``[(parameter, what is passed)]`` of a call, or None where that is not plain
    to see.
    """
    parameters = [one.arg for one in function.args.args]
    given = list(call.args)
    if isinstance(call.func, ast.Attribute):
        given.insert(0, call.func.value)
    if any(isinstance(one, ast.Starred) for one in given) or any(
        k.arg not in parameters for k in call.keywords
    ):
        return None
    found = dict(zip(parameters, given)) | {keyword.arg: keyword.value for keyword in call.keywords}
    defaults = function.args.defaults
    for name, value in zip(parameters[len(parameters) - len(defaults) :], defaults):
        found.setdefault(name, value)
    return (
        list(found.items())
        if len(found) == len(parameters) and len(given) <= len(parameters)
        else None
    )


def _renamed(function, caller, passed):
    """Return (statements that bind parameters, the body) in names that the caller does not use."""
    taken, body = words(caller) | words(function), [copy.deepcopy(one) for one in function.body]
    own = bound(body)
    fresh = (f"{function.name.strip('_')}_{number}" for number in itertools.count())
    names, before = {}, []
    for word in sorted(own & words(caller)):
        names[word] = ast.Name(next(w for w in fresh if w not in taken))
    for name, value in passed:
        if name not in own and isinstance(value, _PLAIN):
            names[name] = value
            continue
        if name in words(caller) and name not in names:
            names[name] = ast.Name(next(word for word in fresh if word not in taken))
        before.append(
            ast.Assign([ast.Name(names[name].id if name in names else name, ast.Store())], value)
        )
    _lifted_once(before, body, names)
    return before, [_Names(names).visit(one) for one in body]


def _lifted_once(before, body, names):
    """Drop a binding whose name is asked for once, first of all, where the value asks nothing of
    anybody.
    """
    if len(body) != 1 or not isinstance(body[0], ast.Return):
        return
    for binding in list(before):
        quiet = not any(
            isinstance(n, (ast.Call, *_BARRED, ast.Subscript)) for n in walk(binding.value)
        )
        name = next(
            (
                old
                for old, new in names.items()
                if getattr(new, "id", None) == binding.targets[0].id
            ),
            binding.targets[0].id,
        )
        asked = sum(isinstance(n, ast.Name) and n.id == name for n in walk(body[0]))
        if quiet and asked == 1:
            names[name] = binding.value
            before.remove(binding)


class _Names(ast.NodeTransformer):
    """Puts other names, or values, in the place of names."""

    def __init__(self, names):
        self._names = names

    def visit_Name(self, node):
        new = self._names.get(node.id)
        if new is None:
            return node
        if isinstance(new, ast.Name):
            return ast.Name(new.id, node.ctx)
        return copy.deepcopy(new)

    def visit_ExceptHandler(self, node):
        if node.name in self._names:
            node.name = self._names[node.name].id
        return self.generic_visit(node)
