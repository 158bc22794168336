"""What a program comes to once some of its expressions are known: dead branches and stores go.

Known are the facts of ``host/boards/deploy/known.py``: how our one program uses a library. A branch
that they rule out is left out, and then what only that branch needed: stores that nobody reads,
parameters that nobody gives, imports that nobody asks.
"""

import ast
import operator
from collections.abc import Collection, Iterable, Mapping

from host.boards.deploy.syntax import walk

_COMPARED = {
    ast.Is: lambda a, b: a is b,
    ast.IsNot: lambda a, b: a is not b,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Gt: operator.gt,
    ast.In: lambda a, b: a in b,
}
_UNKNOWN = object()


def _value(node):
    """Return the plain value that an expression is, or _UNKNOWN."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        return _UNKNOWN


class _Facts(ast.NodeTransformer):
    """Puts constants in place of known expressions, and drops statements known to do nothing."""

    def __init__(self, known):
        self._known = {
            text: ast.parse(value, mode="eval").body for text, value in known.items() if value
        }
        self._idle = {text for text, value in known.items() if not value}
        self.met = set()

    def visit(self, node):
        if isinstance(node, ast.stmt):
            if self._text(node) in self._idle:
                return None
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                return self.generic_visit(node)
            node.decorator_list, kept = [], node.decorator_list
            self.generic_visit(node)
            node.decorator_list = kept
            return node
        if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), ast.Store):
            return self.generic_visit(node)
        if self._text(node) not in self._known:  # then perhaps once its parts are known
            node = self.generic_visit(node)
        return self._known.get(self._text(node), node)

    def _text(self, node):
        text = f"def {node.name}" if isinstance(node, ast.FunctionDef) else ast.unparse(node)
        if text in self._known or text in self._idle:
            self.met.add(text)
        return text


class _Folder(ast.NodeTransformer):
    """Works out what is known of conditions, and leaves the branches that they rule out."""

    def visit_Compare(self, node):
        self.generic_visit(node)
        sides = _value(node.left), _value(node.comparators[0])
        test = _COMPARED.get(type(node.ops[0]))
        if _UNKNOWN in sides or test is None or len(node.ops) > 1:
            return node
        return ast.Constant(test(*sides))

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        value = _value(node.operand)
        return (
            ast.Constant(not value)
            if isinstance(node.op, ast.Not) and value is not _UNKNOWN
            else node
        )

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        ends = isinstance(node.op, ast.Or)  # the value that decides the whole
        left = []
        for part in node.values:
            value = _value(part)
            if value is _UNKNOWN or bool(value) == ends:
                left.append(part)
            if value is not _UNKNOWN and bool(value) == ends:
                break
        if not left:
            return ast.Constant(not ends)
        return left[0] if len(left) == 1 else ast.BoolOp(node.op, left)

    def visit_IfExp(self, node):
        self.generic_visit(node)
        value = _value(node.test)
        return node if value is _UNKNOWN else node.body if value else node.orelse

    def visit_If(self, node):
        self.generic_visit(node)
        value = _value(node.test)
        if value is not _UNKNOWN:
            return node.body if value else node.orelse or None
        if not node.orelse and all(isinstance(part, ast.Pass) for part in node.body):
            return None  # only plain tests stand here
        node.body = node.body or [ast.Pass()]
        return node

    def visit_For(self, node):
        self.generic_visit(node)
        return None if _value(node.iter) == () else node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        for at, statement in enumerate(node.body):
            if isinstance(statement, (ast.Return, ast.Raise)):
                del node.body[at + 1 :]
        node.body = node.body or [ast.Pass()]
        return node


class _Unread(ast.NodeTransformer):
    """Drops stores that nobody reads: locals, attributes that begin with ``_``, and imports."""

    def __init__(self, read, harmless):
        self._read, self._harmless = read, harmless
        self._local = set()
        self.dropped = 0

    def visit_FunctionDef(self, node):
        before, self._local = self._local, _stored(node) - _loaded(node)
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        self._local = before
        return node

    def visit_If(self, node):
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_Assign(self, node):
        target = node.targets[0]
        if (
            len(node.targets) > 1
            or not self._is_unread(target)
            or not self._is_harmless(node.value)
        ):
            return node
        self.dropped += 1
        return None

    def visit_AugAssign(self, node):
        if self._is_unread(node.target) and self._is_harmless(node.value):
            self.dropped += 1
            return None
        return node

    def _is_unread(self, target):
        if isinstance(target, ast.Attribute):
            return target.attr.startswith("_") and "." + target.attr not in self._read
        return isinstance(target, ast.Name) and target.id in self._local

    def _is_harmless(self, value):
        calls = [ast.unparse(n.func) for n in walk(value) if isinstance(n, ast.Call)]
        return not set(calls) - self._harmless


def _stored(function):
    """Return the names that a function stores, its parameters among them."""
    found = {node.arg for node in walk(function.args) if isinstance(node, ast.arg)}
    return found | {
        n.id for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }


def _loaded(node, own=None):
    """Return the names that are loaded below a node, but not those to make the same name anew."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        own = node.targets[0].id
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) and node.id != own else set()
    return set().union(*(_loaded(child, own) for child in ast.iter_child_nodes(node)))


def _read_anywhere(trees):
    """Return the words that anything loads: names, ``.attributes``, and both for words in texts."""
    found = set()
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                found.add(node.id if isinstance(node, ast.Name) else "." + node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value, "." + node.value}
    return found


def _given(trees):
    """Return ``(keywords, {name: how many plain arguments})`` of all calls; of a class,
    its name.
    """
    words, most = set(), {}
    for tree in trees:
        for node in walk(tree):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
                most[name] = max(most.get(name, 0), len(node.args))
                words |= {keyword.arg for keyword in node.keywords}
    return words, most


def _ungiven(function, owner, words, most):
    """Drop a function's parameters that have a default, are not read and are never given."""
    read = {node.id for part in function.body for node in walk(part) if isinstance(node, ast.Name)}
    read |= words
    plain, every = function.args, function.args.args
    begun = function.name == "__init__"
    given = max(most.get(function.name, 0), most.get(owner, 0) if begun else 0) + (
        owner is not None
    )
    first = max(len(every) - len(plain.defaults), given)
    kept = every[:first] + [a for a in every[first:] if a.arg in read]
    defaults = dict(zip(every[len(every) - len(plain.defaults) :], plain.defaults))
    plain.args, plain.defaults = kept, [defaults[a] for a in kept if a in defaults]
    pairs = [(a, d) for a, d in zip(plain.kwonlyargs, plain.kw_defaults) if a.arg in read]
    plain.kwonlyargs, plain.kw_defaults = [a for a, _ in pairs], [d for _, d in pairs]


def _unimported(tree):
    """Drop imports whose names the module does not read."""
    read = _read_anywhere([tree])
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            node.names = [a for a in node.names if (a.asname or a.name).partition(".")[0] in read]
    tree.body = [node for node in tree.body if getattr(node, "names", True)]


def told(tree: ast.Module, facts: Mapping[str, str | None]) -> tuple[ast.Module, list[str]]:
    """Return ``(AST, texts not met)``: an AST in which the facts stand for what they tell."""
    teller = _Facts(facts)
    teller.generic_visit(tree)
    return ast.fix_missing_locations(tree), [text for text in facts if text not in teller.met]


def simplified(
    trees: dict[str, ast.Module], others: Iterable[ast.Module], harmless: Collection[str]
) -> dict[str, ast.Module]:
    """Return ``{module: AST}`` without what its conditions and stores make needless.

    ``others`` are the ASTs of whoever uses these modules.
    """
    dropped, outer = True, _read_anywhere(others)
    while dropped:
        dropped = False
        for name in trees:
            tree = ast.fix_missing_locations(_Folder().visit(trees[name]))
            unread = _Unread(_read_anywhere(trees.values()) | outer, harmless)
            trees[name] = ast.fix_missing_locations(unread.visit(tree))
            dropped = dropped or unread.dropped > 0
    words, most = _given([*trees.values(), *others])
    for tree in trees.values():
        owners = {id(f): c.name for c in walk(tree) if isinstance(c, ast.ClassDef) for f in c.body}
        for node in walk(tree):
            if isinstance(node, ast.FunctionDef) and (
                node.name == "__init__" or node.name[:2] != "__"
            ):
                _ungiven(node, owners.get(id(node)), words, most)
        _unimported(tree)
    return trees
