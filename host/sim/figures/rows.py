"""One table of figures: what is reached, what a naive program would reach, and what nobody can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from host.base.json_values import Json

_HEAD = ("figure", "unit", "reached", "naive", "limit", "of naive", "of limit")
_WIDTHS = (46, 8, 10, 10, 10, 9, 9)


class Row(NamedTuple):
    """One figure, in ``unit``; ``naively`` and ``at_best`` say what the other two stand for."""

    what: str
    unit: str
    reached: float
    naive: float
    limit: float
    naively: str
    at_best: str

    @property
    def of_naive(self) -> float | None:
        """How many times the naive figure is reached; None beside a naive 0."""
        return self.reached / self.naive if self.naive else None

    @property
    def of_limit(self) -> float | None:
        """How many times the limit is reached; None beside a limit of 0."""
        return self.reached / self.limit if self.limit else None

    def as_object(self) -> dict[str, Json]:
        """Return the row with both ratios, as JSON has it."""
        return {**self._asdict(), "of_naive": self.of_naive, "of_limit": self.of_limit}


def table(rows: Sequence[Row]) -> list[str]:
    """Return the table's lines: under each figure what its baseline and its limit are."""
    lines = [_line(_HEAD)]
    for row in rows:
        numbers = (row.reached, row.naive, row.limit, row.of_naive, row.of_limit)
        lines.append(_line((row.what, row.unit, *map(_number, numbers))))
        lines.append(f"    naive: {row.naively}; limit: {row.at_best}")
    return lines


def _line(cells: Sequence[str]) -> str:
    first, *others = zip(cells, _WIDTHS, strict=True)
    return f"{first[0]:{first[1]}}" + "".join(f"{cell:>{width}}" for cell, width in others)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
