"""Statistics of all rolls: per board, per event, and over all events if there are several.

Every recorded roll counts, whatever was ruled on it. Several flips at once, and flips until tails,
are counted flip by flip. Among many p-values some are small by chance, so each is adjusted for
their number by Holm's method, which needs no independence, and compared with ``LEVEL``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TypeAlias

from firmware.core import events, luck
from host.archive.store import Archive
from host.audit import p_values
from host.base.json_values import Json

RANDOMIZERS = ("coin", "die", "attack die", "defence die")
LEVEL = 0.01
BOARD, EVENT, ALL = "board", "event", "all"
_HEADS, _TAILS = 1, 2


@dataclass
class Test:
    """A statistic, its p-value, and that p-value adjusted for the number of tests."""

    value: float
    p: float
    adjusted: float = 1.0


@dataclass
class Sample:
    """The faces that one randomizer showed somewhere, in order, and the tests on them by name."""

    level: str  # BOARD, EVENT or ALL
    name: str
    randomizer: str
    sides: int
    faces: list[int] = field(default_factory=list)
    tests: dict[str, Test] = field(default_factory=dict)

    @property
    def counts(self) -> list[int]:
        """How often each face was rolled."""
        return [self.faces.count(face) for face in range(1, self.sides + 1)]

    @property
    def stands_out(self) -> bool:
        """Whether an adjusted p-value is below ``LEVEL``."""
        return any(test.adjusted < LEVEL for test in self.tests.values())

    def as_json(self) -> dict[str, Json]:
        """Return the sample as a dict for JSON."""
        tests: dict[str, Json] = {name: asdict(test) for name, test in self.tests.items()}
        return {"level": self.level, "name": self.name, "randomizer": self.randomizer,
                "rolls": len(self.faces),
                "counts": self.counts, "tests": tests, "stands_out": self.stands_out}  # fmt: skip


Samples: TypeAlias = dict[tuple[str, str, int], Sample]  # by level, name and randomizer


def faces_of(rolled: events.Event) -> list[int]:
    """Return the faces of a roll as a list."""
    flips, face = rolled.flips, rolled.face
    if flips == luck.UNTIL:
        return [_HEADS] * face + [_TAILS]
    if flips:
        return [_HEADS if face >> index & 1 else _TAILS for index in range(flips)]
    return [face]


def samples(archives: Iterable[Archive]) -> list[Sample]:
    """Return every Sample of open archives, with tests: of boards, of events, and of all events if
    there are several.
    """
    by_key: Samples = {}
    for archive in archives:
        names = {event.number: event.name for event in archive.roster.events}
        for record in archive.records(kinds=[events.ROLLED]):
            rolled, name = record.board_event, names.get(record.event)
            assert isinstance(rolled, events.Rolled)
            if rolled.randomizer < len(luck.SIDES) and name is not None:
                _add(by_key, BOARD, f"{name}, board {record.device}", rolled)
                _add(by_key, EVENT, name, rolled)
                _add(by_key, ALL, "all events", rolled)
    event_names = {sample.name for sample in by_key.values() if sample.level == EVENT}
    levels = [BOARD, EVENT]
    if len(event_names) > 1:  # of a single event the same faces would be counted twice
        levels.append(ALL)
    chosen = [sample for sample in by_key.values() if sample.level in levels]
    chosen.sort(key=lambda sample: (levels.index(sample.level), sample.name, sample.randomizer))
    _test(chosen)
    return chosen


def _add(by_key: Samples, level: str, name: str, rolled: events.Event) -> None:
    randomizer = rolled.randomizer
    new = Sample(level, name, RANDOMIZERS[randomizer], luck.SIDES[randomizer])
    sample = by_key.setdefault((level, name, randomizer), new)
    sample.faces += [face for face in faces_of(rolled) if 1 <= face <= sample.sides]


def _test(tested: Iterable[Sample]) -> None:
    """Add the tests to samples, adjusted for the number of all tests."""
    done: list[Test] = []
    for sample in tested:
        for name, result in (
            ("faces", p_values.uniform(sample.counts)),
            ("pairs", p_values.pairs(sample.faces, sample.sides)),
            ("runs", p_values.runs(sample.faces, sample.sides)),
            ("serial", p_values.serial(sample.faces, sample.sides)),
        ):  # fmt: skip
            if result is not None:
                sample.tests[name] = Test(*result)
                done.append(sample.tests[name])
    for test, adjusted in zip(done, p_values.holm([test.p for test in done]), strict=True):
        test.adjusted = adjusted


def verdict(tested: Sequence[Sample]) -> str:
    """Return the report's conclusion in a sentence."""
    count = sum(len(sample.tests) for sample in tested)
    outstanding = [sample for sample in tested if sample.stands_out]
    if not count:
        return "There are too few rolls to weigh anything."
    if not outstanding:
        return f"Nothing stands out: {count} tests, none below {LEVEL} after Holm's correction."
    names = "; ".join(f"{sample.name} ({sample.randomizer})" for sample in outstanding)
    return (
        f"Look at: {names}. {count} tests, below {LEVEL} after Holm's correction. This proves"
        " nothing by itself."
    )
