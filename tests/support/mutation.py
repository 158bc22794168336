"""A passage of a function written otherwise, found in its syntax tree and not in its text.

A passage is an expression, or one or more statements, written as Python. It is compared with the
function node by node, so quotes, brackets, line breaks and comments do not matter. ``...`` in it
stands for anything: an expression, all arguments of a call, or the body of a block; in what is
written instead it stands for what was there. To take an operand of ``or`` away, write ``False``, of
``and`` ``True``; for a statement, write ``pass``. A text may be a part of a longer text.

A name that the function has no more may have been renamed: it then stands for another name, the
same one everywhere, and a warning says which. A passage must be found exactly once.
"""

import ast
import builtins
import warnings

_ASIDE = ("ctx", "type_comment", "kind")  # fields that do not show in what is written
_NAMES = ("id", "attr", "arg", "name", "asname", "module")
_TYPED = ("annotation", "returns")  # fields that hold an annotation
_BLOCKS = ("body", "orelse", "finalbody")


def mutate(tree, passage, instead, where):
    """Write one passage of ``tree``, a function's, otherwise; ``where`` names the function in
    messages.

    LookupError: the passage is not there, is there twice, or stays as it is.
    """
    wanted, new = _parsed(passage, instead)
    before = ast.dump(tree)
    found = list(_found(tree, wanted)) or list(_found(tree, wanted, names(tree)))
    if len(found) != 1:
        raise LookupError(f"{where} has {passage!r} {len(found)} times, not once: the row is stale")
    holder, field, at, match = found[0]
    if match.renamed:
        told = ", ".join(f"{old} to {now}" for (_, old), now in match.renamed.items())
        warnings.warn(f"{where}: {passage!r} was found as if renamed: {told}", stacklevel=2)
    written = _Written(match).visit(new)
    if match.text:
        written = ast.Constant(match.text.replace(wanted.value, new.value))
    if at is None:
        setattr(holder, field, written)
    elif isinstance(written, ast.Module):
        getattr(holder, field)[at : at + len(wanted)] = written.body
    else:
        getattr(holder, field)[at] = written
    ast.fix_missing_locations(tree)
    if ast.dump(tree) == before:
        raise LookupError(f"{where} is not changed by {instead!r} for {passage!r}")


def names(tree):
    """Return (kind, name) for every name in a tree: an attribute's, a keyword's or any other."""
    return {
        (_kind(node), getattr(node, field))
        for node in ast.walk(tree)
        for field in _NAMES
        if hasattr(node, field)
    }


def unknown(tree, known):
    """Return the names that a function reads and nobody has, annotations left out."""
    typed = {id(name) for note in _annotations(tree) for name in ast.walk(note)}
    read = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in typed
    }
    own = {
        getattr(node, field, None)
        for node in ast.walk(tree)
        for field in _NAMES
        if not isinstance(getattr(node, "ctx", None), ast.Load)
    }
    return read - own - set(known) - set(dir(builtins))


def _annotations(tree):
    found = [getattr(node, field, None) for node in ast.walk(tree) for field in _TYPED]
    return [note for note in found if note is not None]


def _kind(node):
    return {ast.Attribute: "attribute", ast.keyword: "keyword"}.get(type(node), "name")


def _parsed(passage, instead):
    """Return a passage as an expression or a list of statements, and what replaces it as a node."""
    wanted, new = ast.parse(passage), ast.parse(instead)
    if all(len(one.body) == 1 and isinstance(one.body[0], ast.Expr) for one in (wanted, new)):
        return wanted.body[0].value, new.body[0].value
    return wanted.body, new


def _found(tree, wanted, known=None):
    """Yield (node, field, index or None, match) wherever ``wanted`` stands in a tree."""
    for holder in ast.walk(tree):
        for field, value in ast.iter_fields(holder):
            for at, node in enumerate(value) if isinstance(value, list) else ((None, value),):
                here = node
                if isinstance(wanted, list):
                    here = (
                        value[at : at + len(wanted)]
                        if field in _BLOCKS and at is not None
                        else None
                    )
                match = _Match(known)
                if here is not None and match.begins(wanted, here):
                    yield holder, field, at, match


def _is_any(part):
    """Say whether a part of a passage is ``...``."""
    if isinstance(part, list):
        return len(part) == 1 and _is_any(part[0])
    return (
        isinstance(part, ast.Constant)
        and part.value is ...
        or isinstance(part, ast.Expr)
        and _is_any(part.value)
    )


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


class _Match:
    """A comparison with one place; ``known`` names cannot have been renamed."""

    def __init__(self, known):
        self.known = known  # None: none can
        self.renamed = {}  # (kind, name in the passage) -> name of now
        self.held = []  # what stands where the passage says ..., first come first
        self.text = ""  # the whole text, where the passage is a part of one

    def begins(self, wanted, node):
        """Say whether a whole passage stands at ``node``."""
        if _is_text(wanted) and _is_text(node) and wanted.value in node.value:
            self.text = node.value
        return bool(self.text) or self.fits(wanted, node)

    def fits(self, wanted, node):
        if _is_any(wanted):
            self.held.append(node)
            return isinstance(node, (ast.AST, list))
        if type(wanted) is not type(node):
            return False
        if isinstance(wanted, list):
            return len(wanted) == len(node) and all(map(self.fits, wanted, node))
        if not isinstance(wanted, ast.AST):
            return wanted == node
        if isinstance(wanted, ast.Call) and _is_any(wanted.args):
            self.held.append((node.args, node.keywords))
            return self.fits(wanted.func, node.func)
        return all(
            self._field(wanted, node, field) for field in wanted._fields if field not in _ASIDE
        )

    def _field(self, wanted, node, field):
        old, now = getattr(wanted, field), getattr(node, field)
        if field not in _NAMES or not isinstance(old, str) or not isinstance(now, str):
            return self.fits(old, now)
        kind = _kind(wanted)
        if self.known is None or (kind, old) in self.known:
            return old == now
        if (kind, now) not in [(one, new) for (one, _), new in self.renamed.items()]:
            self.renamed.setdefault((kind, old), now)
        return self.renamed.get((kind, old)) == now


class _Written(ast.NodeTransformer):
    """What is written instead: with what stood where it says ``...``, and with the names of now."""

    def __init__(self, match):
        self._renamed, self._held = match.renamed, iter(match.held)

    def visit(self, node):
        if _is_any(node):
            return next(self._held)
        for field in _NAMES:
            renamed = self._renamed.get((_kind(node), getattr(node, field, None)))
            if renamed:
                setattr(node, field, renamed)
        if isinstance(node, ast.Call) and _is_any(node.args):
            node.func = self.visit(node.func)
            node.args, node.keywords = next(self._held)
            return node
        return self.generic_visit(node)
