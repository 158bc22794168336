"""Which part of the firmware imports which, drawn from the import statements.

``.venv/bin/python tests/support/importgraph.py`` writes the drawing into docs/architecture.md.
"""

import ast

import tree

PAGE = tree.ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- drawn by tests/support/importgraph.py -->", "<!-- end of the drawing -->"
NEVER_IN_THE_PROGRAM = ("selftest", "gauge")  # sent to a board by ``plusthree bringup``
TYPES = "types"  # names for checkers, beside the modules; no part of the program


def part_of(module):
    """Return the part of a dotted module name of ours (``ui``, ``app``, ``boot``), or None."""
    words = module.split(".")
    if words[0] in ("boot", "code"):
        return words[0]
    return words[1] if words[0] == "firmware" and len(words) > 1 else None


def imports(path):
    """Yield the dotted names that a file imports, inside functions too."""
    for node in ast.walk(tree.parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def edges():
    """Return the set of ``(part, part it imports)``."""
    files = [tree.ROOT / name for name in tree.AT_ROOT] + list(tree.python_files("firmware"))
    found = set()
    for path in files:
        if path.stem in NEVER_IN_THE_PROGRAM:
            continue
        own = part_of(tree.name_of(path).removesuffix(".py").replace("/", "."))
        found |= {(own, part_of(name)) for name in imports(path)}
    return {(own, other) for own, other in found if own and other not in (None, own, TYPES)}


def drawn():
    """Return the drawing, as Mermaid in Markdown."""
    lines = [f"    {own} --> {other}" for own, other in sorted(edges())]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```"])


def placed(text):
    """Return ``text`` with the drawing between its two marks."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{drawn()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(placed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
