"""A plot as SVG: formulae as lines with simulated figures as dots on them, or lines alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from host.sim.ether.trials import Trial

_WIDE_PX, _HIGH_PX, _LEFT_PX, _TOP_PX, _TEXT_PX = 620, 300, 60, 34, 46
_COLOURS = ("#0072b2", "#d55e00", "#009e73")
_TICKS = 5


class Axis:
    """From 0 in equal steps, or from ``least`` by powers of ten."""

    def __init__(self, values: Iterable[float], least: float | None = None):
        self._least, most = least, max(values)
        if least is None:
            self._most = round_up(most)
            self.ticks = [self._most * tick / _TICKS for tick in range(_TICKS + 1)]
        else:
            self._most = most
            powers = range(math.ceil(math.log10(least)), math.floor(math.log10(most)) + 1)
            self.ticks = [10.0**power for power in powers]

    def share(self, value: float) -> float:
        """Return where ``value`` is on the axis, 0 to 1."""
        if self._least is None:
            return value / self._most
        return math.log(max(value, self._least) / self._least) / math.log(self._most / self._least)


def round_up(value: float) -> float:
    """Return the next of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * one for one in (1, 2, 5, 10) if power * one >= value)


def drawn(
    title: str,
    across: str,
    up: str,
    curves: Sequence[tuple[str, Sequence[Trial]]],
    least: float | None = None,
) -> str:
    """Return the SVG of named curves; ``across`` and ``up`` name the axes with their units.

    ``least``: the upward axis goes by powers of ten, from there.
    """
    every = [trial for _, trials in curves for trial in trials]
    x, y = Axis(one.x for one in every), Axis((max(one[1:3]) for one in every), least)
    parts = [_axes(f"{title}: {up}", across, x, y)]
    for place, (name, trials) in enumerate(curves):
        colour = _COLOURS[place % len(_COLOURS)]
        parts.append(_curve(x, y, colour, [(one.x, one.told) for one in trials]))
        for one in trials:
            left, top = _at(x.share(one.x), y.share(one.simulated))
            dot = f'cx="{left:.1f}" cy="{top:.1f}" r="4" fill="none" stroke="{colour}"'
            parts.append(f"<circle {dot}/>")
        parts.append(_name(place, name, colour))
    return _whole(parts)


def lines(
    title: str,
    across: str,
    up: str,
    curves: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    least: float | None = None,
) -> str:
    """Return the SVG of named lines through points; the rest as ``drawn``."""
    every = [point for _, points in curves for point in points]
    x, y = Axis(one[0] for one in every), Axis((one[1] for one in every), least)
    parts = [_axes(f"{title}: {up}", across, x, y)]
    for place, (name, points) in enumerate(curves):
        colour = _COLOURS[place % len(_COLOURS)]
        parts += [_curve(x, y, colour, points), _name(place, name, colour)]
    return _whole(parts)


def _curve(x: Axis, y: Axis, colour: str, points: Iterable[tuple[float, float]]) -> str:
    places = (_at(x.share(across), y.share(up)) for across, up in points)
    told = " ".join(f"{left:.1f},{top:.1f}" for left, top in places)
    return f'<polyline points="{told}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _name(place: int, name: str, colour: str) -> str:
    return _text(_WIDE_PX - 10, _TOP_PX + 18 * (place + 1), "end", name, f' fill="{colour}"')


def _whole(parts: Sequence[str]) -> str:
    size = f'width="{_WIDE_PX + 20}" height="{_HIGH_PX + _TOP_PX + _TEXT_PX}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif"'
    white = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([f'{head} font-size="13">', white, *parts, "</svg>"]) + "\n"


def _at(x: float, y: float) -> tuple[float, float]:
    """Return the place (px) of a point whose coordinates are shares of the axes."""
    return _LEFT_PX + x * (_WIDE_PX - _LEFT_PX), _TOP_PX + (1 - y) * _HIGH_PX


def _text(left: float, top: float, anchor: str, text: str, more: str = "") -> str:
    place = f'x="{left:.0f}" y="{top:.0f}" text-anchor="{anchor}"'
    return f"<text {place}{more}>{escape(text)}</text>"


def _axes(title: str, across: str, x: Axis, y: Axis) -> str:
    bottom = _TOP_PX + _HIGH_PX
    parts = [
        _text(_LEFT_PX, 16, "start", title),
        _text(_WIDE_PX, bottom + 38, "end", across),
    ]
    for tick in y.ticks:
        _, top = _at(0, y.share(tick))
        parts.append(f'<path d="M{_LEFT_PX} {top:.1f}H{_WIDE_PX}" stroke="#ddd"/>')
        parts.append(_text(_LEFT_PX - 6, top + 4, "end", f"{tick:g}"))
    for tick in x.ticks:
        left, _ = _at(x.share(tick), 0)
        parts.append(f'<path d="M{left:.1f} {_TOP_PX}V{bottom}" stroke="#ddd"/>')
        parts.append(_text(left, bottom + 18, "middle", f"{tick:g}"))
    return "\n".join(parts)
