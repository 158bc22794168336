"""The fleet report as a page that a head judge can sign: tables, plots of our own, and what they mean."""

from host import fleet
from host.paper import sheet

_WIDE_PX, _HIGH_PX, _GAP_PX = 300, 120, 24
_BLUE, _RED, _GREY = "#0072B2", "#D55E00", "#888888"
_MEANS = (
    "Faces: chi-square of how often each came. Pairs: of each roll with the next. Runs: how often a face differs "
    "from the one before. Serial: correlation with the next roll. p is how often even luck strays as far; the "
    "corrected p takes the number of tests into account. A dash: too few rolls to say anything."
)


def page(found, title):
    """Return the HTML file of weighed samples (``fleet.samples``)."""
    plots = "".join(bars(one) for one in found if one.level != fleet.BOARD)
    values = [test[1] for one in found for test in one.tests.values()]
    body = (
        f"<p><strong>{sheet.text(fleet.verdict(found))}</strong></p>\n<p>{sheet.text(_MEANS)}</p>\n"
        f"<p>{plots}{ranks(values) if values else ''}</p>\n{_table(found)}"
        "<p>Seen by the head judge:</p>\n<p>Name ______________________ &nbsp; Date ______________ &nbsp; "
        "Signature ______________________</p>\n"
    )
    rolls = sum(len(one.faces) for one in found if one.level == fleet.ALL)
    return sheet.page("en", title, f"{rolls} faces", body)


def _table(found):
    heads = [("Where", ""), ("What", ""), ("Rolls", "n"), ("Each face", ""), *((name, "n") for name in _TESTS)]
    rows = []
    for one in found:
        cells = [sheet.text(one.name), sheet.text(one.randomizer), str(len(one.faces)), " ".join(map(str, one.counts))]
        rows.append(cells + [_cell(one.tests.get(name)) for name in _TESTS])
    return sheet.table(heads, rows)


_TESTS = ("faces", "pairs", "runs", "serial")


def _cell(test):
    if test is None:
        return "–"
    mark = "<strong>!</strong> " if test[2] < fleet.LEVEL else ""
    return f"{mark}p {test[1]:.3f} ({test[2]:.2f})"


def bars(one):
    """Return an SVG of the share of each face, a line where even luck puts them."""
    total, room = max(1, len(one.faces)), _HIGH_PX - _GAP_PX
    width = _WIDE_PX / one.sides
    highest = max([2 / one.sides, *(count / total for count in one.counts)])
    drawn = []
    for at, count in enumerate(one.counts):
        high = room * count / total / highest
        drawn.append(
            f'<rect x="{at * width + 4:.1f}" y="{room - high:.1f}" width="{width - 8:.1f}" height="{high:.1f}" fill="{_BLUE}"/>'
            f'<text x="{(at + 0.5) * width:.1f}" y="{_HIGH_PX - 8}" text-anchor="middle" font-size="11">{_face(one, at)}: {count}</text>'
        )
    even = room - room / one.sides / highest
    drawn.append(f'<line x1="0" x2="{_WIDE_PX}" y1="{even:.1f}" y2="{even:.1f}" stroke="{_RED}" stroke-dasharray="4 3"/>')
    return _figure(f"{one.name}: {one.randomizer}, {total} faces", drawn)


def _face(one, at):
    return ("heads", "tails")[at] if one.sides == 2 else str(at + 1)


def ranks(values):
    """Return an SVG of all p-values by rank: even luck lies along the line."""
    room, drawn = _HIGH_PX - _GAP_PX, []
    for rank, value in enumerate(sorted(values), 1):
        x, y = _WIDE_PX * rank / (len(values) + 1), room * (1 - value)
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{_BLUE}"/>')
    drawn.append(f'<line x1="0" y1="{room}" x2="{_WIDE_PX}" y2="0" stroke="{_GREY}"/>')
    return _figure(f"all {len(values)} p-values, smallest first", drawn)


def _figure(title, drawn):
    label = sheet.text(title)
    return (
        f'<svg role="img" aria-label="{label}" width="{_WIDE_PX}" height="{_HIGH_PX + 16}" viewBox="0 -16 {_WIDE_PX} {_HIGH_PX + 16}">'
        f'<text x="0" y="-4" font-size="12">{label}</text>{"".join(drawn)}</svg>\n'
    )
