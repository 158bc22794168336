"""Packs the table of what events write into a match: ``python -m host.cli.dev.match_writes``.

``firmware/core/writes.txt`` is for people, ``writes.py`` beside it for boards, where a text would
be kept in memory for ever (docs/board.md, Memory). ``match.py`` gets a declaration for each new
field.
"""

import pathlib
import re
from collections.abc import Sequence

from firmware.core import events, outcome, phases
from host.base.private_files import write_whole

FOLDER = pathlib.Path(events.__file__).parent
# in the order of ``match._values``, then the one that it does not hold
WORDS: Sequence[str] = (
    "n z at a b c a0 b0 b1 c0 c1 bc long e s g + p r tg tp tm ts w q a1 |".split()
)
NUMBER = 32
_TYPES = {  # of words that are not a number; of the others ``firmware.core.types`` has the names
    "n": ("None",), "w": ("int", "None"), "e": ("Event",),
    "z": ("Pair",), "bc": ("Pair",), "s": ("Pair",), "+": ("Pair",), "g": ("Pair",),
}  # fmt: skip
HEAD = '''"""What each event writes into a match.

Packed from writes.txt by ``python -m host.cli.dev.match_writes``.

``NAMES`` are the fields; a row is (place of the field, code of the word) each; ``ROWS`` holds
(kind, length, row) for every event that is a part of a match.
"""

'''


def rows_of(text: str) -> dict[str, list[tuple[str, str]]]:
    """Return ``{name: [(field, word), ...]}`` of the table's text, in its order."""
    rows: dict[str, list[tuple[str, str]]] = {}
    name = ""
    for line in text.split("---\n", 1)[1].splitlines():
        parts = line.split()
        if not line.startswith(" "):
            name = parts.pop(0)
            rows[name] = []
        for part in parts:
            field, _, word = part.partition("=")
            rows[name].append((field, word))
    return rows


def types_of(text: str) -> dict[str, str]:
    """Return ``{field: its type}`` as the table's words tell it; ``Match`` declares the same."""
    found = {}
    for row in rows_of(text).values():
        for field, word in row:
            found.setdefault(field, set()).update(_TYPES.get(word, ("int",)))
    order = ("int", "Pair", "Event", "None")
    return {
        field: " | ".join(one for one in order if one in kinds) for field, kinds in found.items()
    }


def packed(text: str) -> str:
    """Return the source of ``writes.py`` for the table's text."""
    rows = rows_of(text)
    names = [field for name in ("IDLE", "FRESH") for field, _ in rows[name]]
    if len(set(names)) != len(names):
        raise ValueError("a field is set twice")
    row = {name: _row(changes, names) for name, changes in rows.items()}
    both = row.pop("IDLE"), row.pop("FRESH")
    all_rows = b"".join(bytes((getattr(events, name), len(row[name]))) + row[name] for name in row)
    lines = [f"NAMES = (\n{''.join(f'    {field!r},' + chr(10) for field in names)})\n"]
    for name, data in zip(("IDLE", "FRESH", "ROWS"), (*both, all_rows)):
        pieces = [data[i : i + 20] for i in range(0, len(data), 20)]
        lines.append(f"{name} = {_literals(pieces)}\n")
    return HEAD + "".join(lines).replace("'", '"')


def _literals(pieces):
    """As the formatter writes them: one piece on the name's own line, several in brackets."""
    quoted = ['b"' + "".join(f"\\x{byte:02x}" for byte in piece) + '"' for piece in pieces]
    if len(quoted) == 1:
        return quoted[0]
    return "(\n" + "".join(f"    {one}\n" for one in quoted) + ")"


def _row(changes, names):
    row = []
    for field, word in changes:
        row += [names.index(field), _code(word)]
    return bytes(row)


def _code(word):
    if word.isupper():
        word = str(getattr(phases, word, None) or getattr(outcome, word, 0))
    return NUMBER + int(word) if word.isdigit() else WORDS.index(word)


def declared(source: str, text: str) -> str:
    """Return ``match.py`` with a declaration for every field that it lacks, after those that are
    there.
    """
    there = re.findall(r"^    (\w+): .*\n", source.partition("    def ")[0], re.MULTILINE)
    lacking = [(name, kind) for name, kind in types_of(text).items() if name not in there]
    lines = [f"    {name}: {kind if kind == 'int' else repr(kind)}\n" for name, kind in lacking]
    declaration = re.search(rf"^    {there[-1]}: .*\n", source, re.MULTILINE)
    assert declaration is not None
    end = declaration.end()
    return source[:end] + "".join(lines).replace("'", '"') + source[end:]


if __name__ == "__main__":
    table = (FOLDER / "writes.txt").read_text(encoding="utf-8")
    write_whole(FOLDER / "writes.py", packed(table))
    match = FOLDER / "match.py"
    write_whole(match, declared(match.read_text(encoding="utf-8"), table))
