"""Numbers that the firmware and the compiled screens share: each stands once, in the firmware's own
files.

A constant whose comment begins with ``text NAME`` is that text's number: ``renumbered`` writes it
anew when texts have moved.
"""

import ast
import pathlib
import re

from host.boards.screens.words import UI, SourceError, number_of

_OF_TEXT = re.compile(r"^(_?[A-Z_]+) = \d+(?=  # text (\w+))", re.MULTILINE)


def constants(path: pathlib.Path) -> dict[str, int]:
    """Return ``{name: number}`` of a module's constants, in their order."""
    found = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            if isinstance(node.targets[0], ast.Name) and type(node.value.value) is int:
                found[node.targets[0].id] = node.value.value
    return found


def facts() -> list[str]:
    """Return the names of the facts in the order of their numbers; SourceError: they are not 0, 1,
    2 …
    """
    found = constants(UI / "fact.py")
    for expected, (name, number) in enumerate(found.items()):
        if number != expected:
            raise SourceError(f"fact.py: {name} is {number}, and its place is {expected}")
    if list(found)[-1:] != ["COUNT"]:
        raise SourceError("fact.py: COUNT is not last")
    return [name.lower() for name in found if name != "COUNT"]


def renumbered(names: list[str]) -> dict[pathlib.Path, str]:
    """Return ``{path: text}`` of the modules of the face whose numbers of texts are not those of
    ``names``.
    """
    found = {}
    for path in sorted(UI.glob("*.py")):
        text = path.read_text("utf-8")
        fresh = text
        for name, of in _OF_TEXT.findall(text):
            number = number_of(path.name, "text", of, names)
            fresh = re.sub(rf"^{name} = \d+(?=  # text )", f"{name} = {number}", fresh, flags=re.M)
        if fresh != text:
            found[path] = fresh
    return found
