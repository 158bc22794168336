"""What all boards rolled, counted and weighed: per board, per event (the hall), and over all events where there are several.

Every roll that a board wrote down counts, whatever was ruled on it. Several flips at once, and those
until tails, count flip by flip. With so many p-values some are small by luck alone: each is made up
for their number by Holm's method, whatever they have to do with each other, and only then compared with ``LEVEL``.
"""

from dataclasses import dataclass, field

from firmware.core import events, frames, luck
from host.audit import p_values

RANDOMIZERS = ("coin", "die", "attack die", "defence die")
LEVEL = 0.01
BOARD, EVENT, ALL = "board", "event", "all"
_HEADS, _TAILS = 1, 2


@dataclass
class Sample:
    """The faces that one randomizer showed somewhere, in order; what was weighed and how."""

    level: str  # BOARD, EVENT or ALL
    name: str
    randomizer: str
    sides: int
    faces: list = field(default_factory=list)
    tests: dict = field(
        default_factory=dict
    )  # name -> [value, p, p made up for the number of tests]

    @property
    def counts(self):
        """How often each face came."""
        return [self.faces.count(face) for face in range(1, self.sides + 1)]

    @property
    def stands_out(self):
        """Whether even luck hardly ever brings this."""
        return any(made_up < LEVEL for _, _, made_up in self.tests.values())

    def told(self):
        """Return it as a dict for JSON."""
        tests = {
            name: dict(zip(("value", "p", "adjusted"), found, strict=True))
            for name, found in self.tests.items()
        }
        return {"level": self.level, "name": self.name, "randomizer": self.randomizer, "rolls": len(self.faces),
                "counts": self.counts, "tests": tests, "stands_out": self.stands_out}  # fmt: skip


def shown(event):
    """Return ``(randomizer, [face, ...])`` of a ROLLED."""
    _, _, a, b, _ = event
    many, face = b >> 8, b & 255
    if many == luck.UNTIL:
        return a & 15, [_HEADS] * face + [_TAILS]
    if many:
        return a & 15, [_HEADS if face >> i & 1 else _TAILS for i in range(many)]
    return a & 15, [face]


def samples(archives):
    """Return every Sample of open archives, weighed: boards first, then events, then all where there are several."""
    found = {}
    for archive in archives:
        names = {event.number: event.name for event in archive.roster.events}
        for entry in archive.records():
            event = frames.event_of(entry.frame)
            if (
                event[0] == events.ROLLED
                and event[2] & 15 < len(luck.SIDES)
                and entry.event in names
            ):
                for level, name in (
                    (BOARD, f"{names[entry.event]}, board {entry.device}"), (EVENT, names[entry.event]), (ALL, "all events"),
                ):  # fmt: skip
                    _add(found, level, name, event)
    if (
        len({name for level, name, _ in found if level == EVENT}) < 2
    ):  # the same faces would be weighed twice
        found = {key: one for key, one in found.items() if one.level != ALL}
    ordered = sorted(
        found.values(),
        key=lambda one: (one.level != BOARD, one.level == ALL, one.name, one.randomizer),
    )
    _weigh(ordered)
    return ordered


def _add(found, level, name, event):
    randomizer, faces = shown(event)
    key = level, name, randomizer
    if key not in found:
        found[key] = Sample(level, name, RANDOMIZERS[randomizer], luck.SIDES[randomizer])
    found[key].faces += [face for face in faces if 1 <= face <= found[key].sides]


def _weigh(found):
    weighed = []
    for one in found:
        for name, result in (
            ("faces", p_values.spread(one.counts)), ("pairs", p_values.pairs(one.faces, one.sides)),
            ("runs", p_values.runs(one.faces, one.sides)), ("serial", p_values.serial(one.faces, one.sides)),
        ):  # fmt: skip
            if result is not None:
                one.tests[name] = [*result, 1.0]
                weighed.append(one.tests[name])
    for test, made_up in zip(weighed, p_values.holm([test[1] for test in weighed]), strict=True):
        test[2] = made_up


def verdict(found):
    """Return the sentence that the report comes to."""
    count = sum(len(one.tests) for one in found)
    out = [one for one in found if one.stands_out]
    if not count:
        return "There are too few rolls to weigh anything."
    if not out:
        return f"Nothing stands out: {count} tests, none below {LEVEL} after Holm's correction."
    names = "; ".join(f"{one.name} ({one.randomizer})" for one in out)
    return f"Look at: {names}. {count} tests, below {LEVEL} after Holm's correction. This proves nothing by itself."
