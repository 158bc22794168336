"""Draws the state diagram in ``firmware/README.md`` from the machine's transitions (``explore``).

``python -m host.systems.diagram`` (or ``plusthree dev rules --diagram``) writes it into the file.
"""

import pathlib
import sys
from collections.abc import Iterable

import firmware
from firmware.core import events
from host.base.private_files import write_whole
from host.systems import catalogue, explore
from host.systems.explore import Move
from host.systems.match_facts import PHASES
from host.systems.rules import Rules

BEGIN, END = "<!-- drawn by plusthree dev rules --diagram -->", "<!-- end of the drawing -->"
README = pathlib.Path(firmware.__file__).parent / "README.md"
# Swiss single games; elimination best of three, approved by a judge
_FORMATS = (0b010, 1 << 15 | 0b111)
_MINUTES = 2
_MANY = 5  # an event with the same target from this many phases is written as text
EVENTS = {
    value: name for name, value in vars(events).items() if name.isupper() and isinstance(value, int)
}


def moves_of(systems: Iterable[Rules]) -> set[Move]:
    """Return all transitions of the systems."""
    moves = set()
    for rules in systems:
        for bits in _FORMATS:
            moves |= explore.explore(rules, bits, _MINUTES).moves
    return moves


def words_of(event: int) -> str:
    """Return an event's name as words."""
    return EVENTS[event].lower().replace("_", " ")


def draw(moves: Iterable[Move]) -> str:
    """Return the diagram as Mermaid in Markdown, with a line for each event of many phases."""
    before_by: dict[tuple[int, int], set[int]] = {}  # phases, by the event and the phase after it
    for before, event, after in moves:
        before_by.setdefault((event, after), set()).add(before)
    of_many = {key: phases for key, phases in before_by.items() if len(phases) >= _MANY}
    edges: dict[tuple[int, int], list[str]] = {}  # the events' words, by the phases
    for before, event, after in sorted(moves):
        if (event, after) not in of_many:
            edges.setdefault((before, after), []).append(words_of(event))
    lines = ["```mermaid", "stateDiagram-v2", "    [*] --> idle"]
    lines += [
        f"    {PHASES[before]} --> {PHASES[after]}: {', '.join(words)}"
        for (before, after), words in sorted(edges.items())
    ]
    lines += ["```", ""]
    for (event, after), phases in sorted(of_many.items()):
        names = ", ".join(PHASES[phase] for phase in sorted(phases))
        lines.append(f"* *{words_of(event)}* leads to **{PHASES[after]}** from {names}.")
    return "\n".join(lines) + "\n"


def section() -> str:
    """Return the text between the file's two markers."""
    return draw(moves_of(catalogue.built_in().values()))


def place(text: str, drawing: str) -> str:
    """Return a README's text with the drawing between its markers. Raises ValueError without
    them.
    """
    head, mark, rest = text.partition(BEGIN)
    _, closing, tail = rest.partition(END)
    if not mark or not closing:
        raise ValueError(f"the file lacks the lines {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{drawing}{END}{tail}"


def main() -> int:
    """Write a new diagram into the file; return 0."""
    text = README.read_text(encoding="utf-8")
    write_whole(README, place(text, section()))
    print(f"drawn into {README}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
