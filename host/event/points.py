"""Tournament points of a result: from the text of the rules, or else from the organiser.

docs/rules.md: D03 has no points for a draw, a loss or a match-play win, P18 none at all. The
organiser's points are a notice of the event (``# points:`` in its file) without a default; until
there is one they are unknown.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from host.archive.store import Archive
from host.base.json_values import Json
from host.event.match_results import Result

POINTS = "points"  # the notice's name
UNKNOWN = "unknown"

PointsByWord: TypeAlias = Mapping[str, int]  # win, narrow, draw, loss; a pack's bye, too


def of_event(archive: Archive) -> dict[str, int]:
    """Return the points of win, narrow, draw and loss that the organiser has set."""
    found = archive.notices.understood(POINTS, read)
    return found[-1] if found else {}


def read(value: str) -> dict[str, int]:
    """Return the points that a notice holds. Raises ValueError."""
    words = value.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def store(archive: Archive, points: PointsByWord, author: str, unix_ms: int) -> None:
    """Store an organiser's points; words that are missing keep their points."""
    before = of_event(archive)
    after = {**before, **points}
    if after != before:
        value = " ".join(f"{word} {number}" for word, number in after.items())
        archive.notices.add(POINTS, value, author, unix_ms)


def of(result: Result, organisers: PointsByWord) -> tuple[int | None, int | None]:
    """Return both players' points of a Result, None if neither text nor organiser defines them."""
    win = "narrow" if result.narrow else "win"
    words_by_outcome = {
        "A": (win, "loss"),
        "B": ("loss", win),
        "tie": ("draw", "draw"),
        "neither": ("loss", "loss"),
    }
    word_a, word_b = words_by_outcome.get(result.outcome, ("", ""))
    a, b = result.points
    if a is None:
        a = organisers.get(word_a)
    if b is None:
        b = organisers.get(word_b)
    return a, b


def in_words(result: Result, organisers: PointsByWord) -> str:
    """Return both players' points of a Result as ``3–0``, ``unknown`` for undefined ones."""
    worth = of(result, organisers)
    if worth == (None, None):
        return f"points {UNKNOWN}"
    return "points " + "–".join(UNKNOWN if number is None else str(number) for number in worth)


def sums(lines: Iterable[Mapping[str, Json]]) -> dict[str, int | None]:
    """Return each player's points summed over result lines (``host.reports.exports``), by number.

    None if those of any match are unknown.
    """
    totals: dict[str, int | None] = {}
    for line in lines:
        for seat in "ab":
            number, worth = line[f"number_{seat}"], line[f"points_{seat}"]
            if not isinstance(number, str) or line["state"] == "open":
                continue
            before = totals.get(number, 0)
            if before is not None and isinstance(worth, int):
                totals[number] = before + worth
            else:
                totals[number] = None
    return totals
