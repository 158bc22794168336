"""The report on all boards' rolls: tables, plots and their meaning, for a head judge to sign."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from host.audit import roll_statistics
from host.audit.roll_statistics import Sample
from host.reports.paper import sheet

_WIDE_PX, _HIGH_PX, _GAP_PX = 300, 120, 24
_BLUE, _RED, _GREY = "#0072B2", "#D55E00", "#888888"
_MEANS = (
    "Rolled: a roll of several flips counts each. Faces: chi-square of how often each came. Pairs:"
    " of each roll with the next. Runs: how often a face differs from the one before. Serial:"
    " correlation with the next roll. p is how often even luck strays as far; the p in brackets is"
    " corrected for the number of tests. A dash: too few rolls to say anything."
)

Checked: TypeAlias = tuple[str, str, list[str]]
"""Event name and date, the result of recomputing its rolls, one sentence per contradiction."""
_SEEN = (
    "Seen by the head judge, who knows by it what was rolled and what this program found, and"
    " judges nobody by it alone."
)
_HEAD = '<h2 style="font-size: 12pt; margin-bottom: 1mm">'
_LINE = '<span class="line" style="width: {}mm"></span>'


def page(samples: Sequence[Sample], title: str, checked: Iterable[Checked] = ()) -> str:
    """Return the HTML file for samples (``roll_statistics.samples``).

    ``checked``: each archive's result of recomputing its rolls.
    """
    plots = "".join(bars(sample) for sample in samples if sample.level != roll_statistics.BOARD)
    values = [test.p for sample in samples for test in sample.tests.values()]
    body = (
        f"<p><strong>{sheet.text(roll_statistics.verdict(samples))}</strong></p>\n"
        f"{''.join(map(_check_section, checked))}<p>{sheet.text(_MEANS)}</p>\n"
        f"<p>{plots}{ranks(values) if values else ''}</p>\n{_tables(samples)}"
        f'<div style="break-inside: avoid"><p>{_SEEN}</p>\n<p style="margin-top: 12mm">'
        f"Name {_LINE.format(48)} &nbsp; Date {_LINE.format(24)} &nbsp; Signature"
        f" {_LINE.format(48)}</p></div>\n"
    )
    faces = sum(len(sample.faces) for sample in samples if sample.level == roll_statistics.EVENT)
    boards = len({sample.name for sample in samples if sample.level == roll_statistics.BOARD})
    return sheet.page("en", title, f"{faces} faces of {boards} boards", body)


def _check_section(entry):
    event, result, faults = entry
    section = f"<p>{sheet.name(event)}: {sheet.text(result)}</p>\n"
    if faults:
        items = "".join(f"<li>{sheet.text(sentence)}</li>" for sentence in faults)
        section += f"<ul>{items}</ul>\n"
    return section


def _tables(samples):
    """Return a table of all events with their sum, and for each event a table of its boards."""
    sums, boards = [], {}
    for sample in samples:
        if sample.level == roll_statistics.BOARD:
            event, board = sample.name.rsplit(", ", 1)
            boards.setdefault(event, []).append((board, sample))
        else:
            sums.append((sample.name, sample))
    return _table(sums) + "".join(
        f"{_HEAD}{sheet.name(event)}</h2>\n{_table(rows)}" for event, rows in boards.items()
    )


def _table(named):
    heads = [
        ("Where", ""),
        ("What", ""),
        ("Rolled", "n"),
        ("Each", "n"),
        *((name, "n") for name in _TESTS),
    ]
    rows = []
    for name, sample in named:
        cells = [
            sheet.text(name),
            sheet.text(sample.randomizer),
            str(len(sample.faces)),
            " · ".join(map(str, sample.counts)),
        ]
        rows.append(cells + [_cell(sample.tests.get(name)) for name in _TESTS])
    return f'<div style="font-size: 9pt">{sheet.table(heads, rows)}</div>'


_TESTS = ("faces", "pairs", "runs", "serial")


def _cell(test):
    if test is None:
        return "–"
    mark = "<strong>!</strong> " if test.adjusted < roll_statistics.LEVEL else ""
    adjusted = _adjusted_p(test.adjusted)
    return f'<span style="white-space: normal">{mark}{_p(test.p)} ({adjusted})</span>'


def _adjusted_p(value):
    if value < 0.01:
        return _p(value)
    return "1" if value > 0.994 else f"{value:.2f}"


def _p(value):
    return "&lt;0.001" if value < 0.001 else f"{value:.3f}"


def bars(sample: Sample) -> str:
    """Return an SVG bar chart of each face's share, with a line at the expected share."""
    total, room = max(1, len(sample.faces)), _HIGH_PX - _GAP_PX
    width = _WIDE_PX / sample.sides
    highest = max([2 / sample.sides, *(count / total for count in sample.counts)])
    drawn = []
    for face, count in enumerate(sample.counts):
        height = room * count / total / highest
        drawn.append(
            f'<rect x="{face * width + 4:.1f}" y="{room - height:.1f}" width="{width - 8:.1f}"'
            f' height="{height:.1f}" fill="{_BLUE}"/><text x="{(face + 0.5) * width:.1f}"'
            f' y="{_HIGH_PX - 8}" text-anchor="middle" font-size="11">{_face_name(sample, face)}:'
            f" {count}</text>"
        )
    even = room - room / sample.sides / highest
    drawn.append(
        f'<line x1="0" x2="{_WIDE_PX}" y1="{even:.1f}" y2="{even:.1f}" stroke="{_RED}"'
        ' stroke-dasharray="4 3"/>'
    )
    return _figure(f"{sample.name}: {sample.randomizer}, {total} faces", drawn)


def _face_name(sample, face):
    return ("heads", "tails")[face] if sample.sides == 2 else str(face + 1)


def ranks(values: Sequence[float]) -> str:
    """Return an SVG plot of all p-values by rank; fair rolls lie along the line."""
    room, drawn = _HIGH_PX - _GAP_PX, []
    for rank, value in enumerate(sorted(values), 1):
        x, y = _WIDE_PX * rank / (len(values) + 1), room * (1 - value)
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{_BLUE}"/>')
    drawn.append(f'<line x1="0" y1="{room}" x2="{_WIDE_PX}" y2="0" stroke="{_GREY}"/>')
    return _figure(f"all {len(values)} p-values, smallest first", drawn)


def _figure(title, drawn):
    label = sheet.text(title)
    return (
        f'<svg role="img" aria-label="{label}" width="{_WIDE_PX}" height="{_HIGH_PX + 16}"'
        f' viewBox="0 -16 {_WIDE_PX} {_HIGH_PX + 16}"><text x="0" y="-4"'
        f' font-size="12">{label}</text>{"".join(drawn)}</svg>\n'
    )
