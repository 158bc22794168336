"""A syntax tree as text of few lines: a board keeps a byte for each line of a function that runs.

Plain statements stand side by side, as far as a block lets them. Comments, docstrings that are not
in the tree, and where lines once stood are gone.
"""

import ast

_COMPOUND = (ast.FunctionDef, ast.ClassDef, ast.If, ast.For, ast.While, ast.With, ast.Try)


def printed(tree):
    """Return the source of a module's ``tree``; "" for an empty one."""
    lines = []
    _suite(tree.body, 0, lines)
    return "".join(line + "\n" for line in lines)


def _suite(body, depth, lines):
    plain = []
    for node in body:
        if not isinstance(node, _COMPOUND):
            plain.append(ast.unparse(node))
            continue
        _flush(plain, depth, lines)
        _BLOCKS[type(node)](node, depth, lines)
    _flush(plain, depth, lines)


def _flush(plain, depth, lines):
    if plain:
        lines.append("\t" * depth + ";".join(plain))
        plain.clear()


def _block(head, body, depth, lines):
    """Write ``head:`` and its body, on the same line where nothing in it needs lines of its own."""
    if any(isinstance(node, _COMPOUND) for node in body):
        lines.append("\t" * depth + head + ":")
        _suite(body, depth + 1, lines)
    else:
        lines.append("\t" * depth + head + ":" + ";".join(map(ast.unparse, body)))


def _function(node, depth, lines):
    _decorated(node, depth, lines)
    _block(f"def {node.name}({ast.unparse(node.args)})", node.body, depth, lines)


def _class(node, depth, lines):
    _decorated(node, depth, lines)
    above = ", ".join(map(ast.unparse, [*node.bases, *node.keywords]))
    _block(f"class {node.name}" + (f"({above})" if above else ""), node.body, depth, lines)


def _decorated(node, depth, lines):
    for decorator in node.decorator_list:
        lines.append("\t" * depth + "@" + ast.unparse(decorator))


def _if(node, depth, lines):
    word = "if"
    while True:
        _block(f"{word} {ast.unparse(node.test)}", node.body, depth, lines)
        if len(node.orelse) != 1 or not isinstance(node.orelse[0], ast.If):
            break
        node, word = node.orelse[0], "elif"
    _else(node, depth, lines)


def _else(node, depth, lines):
    if node.orelse:
        _block("else", node.orelse, depth, lines)


def _for(node, depth, lines):
    _block(f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}", node.body, depth, lines)
    _else(node, depth, lines)


def _while(node, depth, lines):
    _block(f"while {ast.unparse(node.test)}", node.body, depth, lines)
    _else(node, depth, lines)


def _with(node, depth, lines):
    _block("with " + ", ".join(map(ast.unparse, node.items)), node.body, depth, lines)


def _try(node, depth, lines):
    _block("try", node.body, depth, lines)
    for handler in node.handlers:
        caught = f" {ast.unparse(handler.type)}" if handler.type else ""
        name = f" as {handler.name}" if handler.name else ""
        _block(f"except{caught}{name}", handler.body, depth, lines)
    _else(node, depth, lines)
    if node.finalbody:
        _block("finally", node.finalbody, depth, lines)


_BLOCKS = {
    ast.FunctionDef: _function, ast.ClassDef: _class, ast.If: _if, ast.For: _for, ast.While: _while,
    ast.With: _with, ast.Try: _try,
}  # fmt: skip
