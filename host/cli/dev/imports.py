"""``plusthree dev rules imports``: print or draw the imports between the host's packages.

grimp reads the import statements. The drawing is in layers.
"""

import ast
import json
import pathlib
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TypeAlias

from host.base.private_files import write_whole
from host.cli import options

HOST = pathlib.Path(__file__).resolve().parents[2]
PAGE = HOST.parent / "docs" / "architecture.md"
BEGIN, END = "<!-- drawn by plusthree dev rules imports --page -->", "<!-- end of the drawing -->"
_BOX_PX, _GAP_PX, _ROW_PX, _HIGH_PX = 118, 22, 92, 30

Graph: TypeAlias = dict[str, set[str]]
"""The imports of each module, or of each package."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_path(parser, "--svg", "FILE", "write the drawing")
    options.add_flag(parser, "--page", "write the table of packages into docs/architecture.md")
    options.add_flag(parser, "--json", "print one object {package: [what it imports]}")


def run(args: Namespace) -> int:
    """Print or write the graph; ``make lint`` says whether it keeps to the layers."""
    graph = packages()
    if args.svg:
        write_whole(args.svg, draw(graph))
    if args.page:
        write_whole(PAGE, place(PAGE.read_text(encoding="utf-8"), graph))
    if args.json:
        print(json.dumps({name: sorted(found) for name, found in graph.items()}))
    elif not args.svg and not args.page:
        print(table(graph))
    return 0


def files() -> Graph:
    """Return the graph of the host's modules; imports from outside the host are left out."""
    import grimp  # which only developers have

    found = grimp.build_graph(HOST.name, cache_dir=None)
    return {module: found.find_modules_directly_imported_by(module) for module in found.modules}


def packages() -> Graph:
    """Return the graph of the host's packages; a module directly in ``host`` counts as one."""
    graph = {}
    for module, imported in files().items():
        if module != HOST.name:
            tops = {_top(other) for other in imported} - {_top(module), HOST.name}
            graph.setdefault(_top(module), set()).update(tops)
    return graph


def layers(graph: Graph) -> list[list[str]]:
    """Return the names in layers, the lowest first; a layer imports only lower ones, unless modules
    import each other.
    """
    rows: list[list[str]] = []
    left = set(graph)
    while left:
        unplaced = {name: len(graph[name] & left) for name in left}  # how many of its imports
        least = min(unplaced.values())  # 0, unless those that are left import each other
        rows.append(sorted(name for name in left if unplaced[name] == least))
        left.difference_update(rows[-1])
    return rows


def table(graph: Graph) -> str:
    """Return the layers as a Markdown table, the highest first."""
    return _table("imports", graph, lambda name: ", ".join(sorted(graph[name])) or "–")


def purposes(graph: Graph) -> str:
    """Return the layers as a Markdown table, the highest first, with each package's purpose: what
    its docstring says before the first semicolon.
    """
    return _table("what it is", graph, _purpose)


def _table(title: str, graph: Graph, said: Callable[[str], str]) -> str:
    """Return a line for each name, with what is ``said`` of it under ``title``."""
    lines = [f"| layer | package | {title} |", "|---|---|---|"]
    for number, names in reversed(list(enumerate(layers(graph), 1))):
        lines += [f"| {number} | `{name}` | {said(name)} |" for name in names]
    return "\n".join(lines)


def place(text: str, graph: Graph) -> str:
    """Return a page's ``text`` with a new table of purposes between its two marks."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{purposes(graph)}\n{END}{rest.partition(END)[2]}"


def draw(graph: Graph) -> str:
    """Return the graph as SVG: a box for each name, the lowest layer at the bottom."""
    rows = layers(graph)
    wide = max(map(len, rows)) * (_BOX_PX + _GAP_PX) + _GAP_PX
    high = len(rows) * _ROW_PX + _GAP_PX
    places = {}
    for number, names in enumerate(rows, 1):
        left = (wide - len(names) * (_BOX_PX + _GAP_PX) + _GAP_PX) // 2
        for place, name in enumerate(names):
            places[name] = left + place * (_BOX_PX + _GAP_PX), high - number * _ROW_PX
    parts = [
        _draw_line(places[name], places[other])
        for name in sorted(graph)
        for other in sorted(graph[name])
    ]
    parts += [_box(name, *places[name]) for name in sorted(places)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}"'
        ' font-family="sans-serif" font-size="13">'
    )
    return (
        "\n".join([head, f'<rect width="{wide}" height="{high}" fill="white"/>', *parts, "</svg>"])
        + "\n"
    )


def _draw_line(begin, end):
    """Draw an import as a line; red if it does not lead to a lower layer."""
    colour = "#0072b2" if end[1] > begin[1] else "#d55e00"
    ends = begin[0] + _BOX_PX // 2, begin[1] + _HIGH_PX, end[0] + _BOX_PX // 2, end[1]
    return '<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-opacity="0.45"/>'.format(
        *ends, colour
    )


def _box(name, x, y):
    rect = (
        f'<rect x="{x}" y="{y}" width="{_BOX_PX}" height="{_HIGH_PX}" rx="4" fill="#f4f4f4"'
        ' stroke="#333"/>'
    )
    return f'{rect}<text x="{x + _BOX_PX // 2}" y="{y + 20}" text-anchor="middle">{name}</text>'


def _purpose(package):
    text = (HOST / package / "__init__.py").read_text(encoding="utf-8")
    docstring = " ".join((ast.get_docstring(ast.parse(text)) or "").split())
    return docstring.partition(";")[0].replace("``", "`")


def _top(module):
    return ".".join(module.split(".")[1:2]) or HOST.name
