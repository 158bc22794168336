"""Figures of each model on the virtual chip: its start, a minute without a press, and presses.

Everything is charged by ``prices.toml``; none of it was measured on a board.
"""

from __future__ import annotations

from pathlib import Path

from host.boards.deploy import bytecode
from host.boards.models import MODELS
from host.sim import costs
from host.sim.chip.flash import BLOCKS, PAGES
from host.sim.facts import percentile
from host.sim.figures.found import Found
from host.sim.figures.rows import Row
from host.sim.session import Session

MINUTES, PRESSES = 3, 100
STALLS = ("gc_ms", "flash_erase_us")  # nothing else runs meanwhile
MOST_START_MS, MOST_STALLED, MOST_ECHO_MS, MOST_RESULT_MS = 6000, 0.005, 60, 260
_LEAST_ECHO_MS, _LEAST_RESULT_MS = 30, 100  # a bump is no press; two erases
_MINUTE_US = 60_000_000


def stalled(session: Session, minutes: int) -> float:
    """Return the share of so many minutes without a press that collections and erases take."""
    before_us = sum(session.chip.spent[name] for name in STALLS)
    session.rest(60 * minutes)
    spent_us = sum(session.chip.spent[name] for name in STALLS) - before_us
    return spent_us / (minutes * _MINUTE_US)


def echoes_ms(session: Session) -> list[int]:
    """Return how long each press's echo took."""
    return [round(one.echo_us / 1000) for one in session.presses if one.echo_us is not None]


def results_ms(session: Session) -> list[int]:
    """Return how long each result took, of the presses that waited for no other write."""
    found = session.presses
    return [round(one.result_us / 1000) for one in found if one.alone and one.result_us is not None]


def quiet(seed: int, folder: Path) -> Found:
    """The figures of a board of each model, laid anew in ``folder``."""
    return Found([row for model in MODELS for row in _rows(model, seed, folder / model)])


def _rows(model: str, seed: int, folder: Path) -> list[Row]:
    laid, source = (
        costs.started(folder / form.__name__, model, form) for form in (bytecode.laid, dict)
    )
    session = Session(folder / "session", model, seed)
    share = stalled(session, MINUTES)
    session.press(PRESSES)
    echoes, results = echoes_ms(session), results_ms(session)
    whole = [round(one.result_us / 1000) for one in session.presses if one.result_us is not None]
    priced = session.chip.prices
    erase_share = 2 * priced["flash_erase_us"] / _MINUTE_US
    write_ms = 2 * (priced["flash_erase_us"] + PAGES * BLOCKS * priced["flash_program_us"]) / 1000
    lost = session.asked - session.turns
    return [
        Row(f"{model}: power to a usable screen", "ms", laid.usable_ms, source.usable_ms,
            priced["start_cold_ms"], "laid as source",
            "CircuitPython's own start; at the most 6000"),
        Row(f"{model}: collections, erases of a minute", "%", 100 * share,
            100 * (erase_share + 60 * priced["gc_ms"] / 60_000),
            100 * erase_share, "a collection each second",
            "two erases; at the most 0.5"),
        Row(f"{model}: echo of {PRESSES} presses, p99", "ms", percentile(echoes, 99),
            percentile(results, 99), _LEAST_ECHO_MS, "shown with its result alone",
            "a bump is no press; at the most 60"),
        Row(f"{model}: result behind two erases, p99", "ms", percentile(results, 99),
            percentile(results, 99) + write_ms, _LEAST_RESULT_MS, "a turn's end and the next one's"
            " beginning are two writes", "the erases alone; at the most 260"),
        Row(f"{model}: result of any press, p99", "ms", percentile(whole, 99),
            percentile(whole, 99) + write_ms, _LEAST_RESULT_MS, "as above",
            "as above; a CLOCK record may be under way"),
        Row(f"{model}: of {PRESSES} presses lost", "1", lost, PRESSES, 0, "none is read", "none"),
    ]  # fmt: skip
