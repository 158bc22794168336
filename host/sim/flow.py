"""Plays a ``.flow`` file (docs/flows.md): presses, time and the desk at one virtual board.

``read`` gives the steps of a file, ``Player`` does them one by one. What a line expects and does
not find is a ``Surprise``; a line that means nothing is a ``UserError``. Both name file and line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from firmware.core import events, frames, intents, outcome
from host.base.errors import UserError
from host.boards.models import NAMES
from host.formats.round_format import parse_format
from host.sim.lone import Lone
from host.systems import catalogue
from host.systems.match_facts import PHASES

if TYPE_CHECKING:
    from host.sim.types import MakeFace, MakeLone, TakePicture


class Step(NamedTuple):
    """A line of a flow: ``where`` is its file and line, ``words`` are what follows the ``verb``."""

    where: str
    verb: str
    words: list[str]


KEYS = {"▲": 0, "A": 0, "●": 1, "B": 1, "J": 2}
QUIET = (events.BOOTED, events.EPOCH_CLOSED, events.SEALED, events.CLOCK, events.TIME_SET,
         events.SEED_TOLD)  # fmt: skip
KINDS = {
    value: name for name, value in vars(events).items() if name.isupper() and isinstance(value, int)
}
MOST_LINES = 64  # of a menu
LISTENS_S = 0.4  # a screen that comes on locks the keys for 0.3 s


class Surprise(Exception):
    """Something else happened than a flow expects."""


def read(path: Path) -> list[Step]:
    """Return the Steps of the file at ``path``; raises UserError for a verb that there is not."""
    steps = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        words, where = line.partition("#")[0].split(), f"{path.name}:{number}"
        if words and words[0] not in VERBS:
            raise UserError(f"{where}: {words[0]!r} is none of {' '.join(VERBS)}")
        if words:
            steps.append(Step(where, words[0], words[1:]))
    return steps


class Player:
    """Does a flow's steps. ``faces(board)`` makes the face; ``shoot(name, app)`` takes a picture.

    ``made(model, rules, faces)`` gives the board, a ``Lone``.
    """

    def __init__(
        self, faces: MakeFace, shoot: TakePicture = lambda name, app: None, made: MakeLone = Lone
    ):
        self._faces, self._shoot, self._made = faces, shoot, made
        self._board_alone: Lone | None = None
        self._wanted: list[list[str]] = []
        self.shots = self.presses = 0

    def play(self, steps: Sequence[Step]) -> None:
        """Do all ``steps``; raises Surprise or UserError at the first that does not go."""
        for step in steps:
            self.do(step)
        self.finish(steps[-1].where if steps else "")

    def do(self, step: Step) -> None:
        """Do one Step."""
        try:
            if self._board_alone is None and step.verb != "board":
                raise ValueError("the first line says which board, such as: board feather p18")
            VERBS[step.verb](self, *step.words)
        except Surprise as surprise:
            raise Surprise(f"{step.where}: {surprise}") from None
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise UserError(f"{step.where}: {step.verb}: {error}") from error

    def finish(self, where: str) -> None:
        """Compare the journal with the lines that were expected of it, all of them."""
        told = self.journal
        if not self._wanted:
            return
        for number, (wanted, got) in enumerate(zip(self._wanted, told), 1):
            if got.split()[: len(wanted)] != wanted:
                raise Surprise(f"{where}: journal line {number} is {got}, not {' '.join(wanted)}")
        if len(told) != len(self._wanted):
            raise Surprise(f"{where}: the journal has {len(told)} lines, not {len(self._wanted)}")

    @property
    def journal(self) -> list[str]:
        """What the board wrote down, a line an event, without its own housekeeping."""
        ring = self._lone.app.journal.ring
        happened = [frames.event_of(record) for _, record in ring.walk(ring.oldest) if record]
        return [
            " ".join([KINDS[kind], *map(str, numbers)])
            for kind, _, *numbers in happened if kind not in QUIET
        ]  # fmt: skip

    @property
    def _lone(self):
        assert self._board_alone is not None
        return self._board_alone

    @property
    def _match(self):
        return self._lone.app.match

    # set-up

    def _board(self, model, system="p18"):
        if model not in NAMES:
            raise ValueError(f"a board is one of {' '.join(NAMES)}")
        self._board_alone = self._made(model, catalogue.built_in()[system], self._faces)

    def _names(self, *words):
        self._lone.call([name.strip() for name in " ".join(words).split(",")])

    def _round(self, number, table):
        self._desk("SET_ROUND", number, table, "1")

    def _format(self, *words):
        form = parse_format(" ".join(words))
        self._desk("SET_FORMAT", form.system, form.bits | self._match.round - 1 << 8
                   if self._match.rules.CAPS else form.bits, form.minutes)  # fmt: skip

    def _start(self, after):
        at_ms = self._lone.now_ms + _seconds(after) * 1000
        self._asked((intents.SET_START, at_ms, 0, 0, 0))

    # what happens

    def _press(self, *keys):
        for key in keys:
            self._lone.press(KEYS[key])
            self.presses += 1

    def _hold(self, *keys):
        self._lone.hold(*[KEYS[key] for key in keys])
        self.presses += 1

    def _choose(self, item):
        for _ in range(MOST_LINES):
            sight = self._lone.sight
            if sight.item == item:
                self._press_key(sight, "choose_key")
                return
            if not self._press_key(sight, "next_key"):
                break
        raise Surprise(f"no line {item} in {' '.join(self._lone.sight.items) or 'a menu'}")

    def _press_key(self, sight, label):
        key = sight.key(label) or sight.key(label + "_b") or sight.key(label + "_a")
        if key is None:
            return False
        do = self._lone.hold if key.gesture == "hold" else self._lone.press
        do(key.number)
        self.presses += 1
        return True

    def _wait(self, time):
        self._lone.run(_seconds(time))

    def _until(self, time):
        left_ms = _left_ms(self._lone) - _seconds(time) * 1000
        if left_ms < 0:
            raise Surprise(f"the clock is {-left_ms // 1000} s past that")
        self._lone.run(left_ms / 1000 + LISTENS_S)

    def _desk(self, name, *numbers):
        a, b, c = ([int(number) for number in numbers] + [0, 0, 0])[:3]
        self._asked((getattr(intents, name), self._lone.now_ms, a, b, c))

    def _asked(self, intent):
        if not self._lone.ask(intent):
            raise Surprise("the board refused it")

    def _reset(self):
        self._lone.boot(1)

    def _shot(self, name):
        self.shots += 1
        self._shoot(name, self._lone.app)

    # what is expected

    def _expect(self, what, *words):
        got = LOOKS[what](self._lone)
        if got != " ".join(words):
            raise Surprise(f"{what} is {got}, not {' '.join(words)}")

    def _says(self, *texts):
        shown = self._lone.sight.texts
        for text in texts:
            if text not in shown:
                raise Surprise(f"the screen says {' '.join(shown)}, not {text}")

    def _journal(self, *words):
        self._wanted.append(list(words))


VERBS: dict[str, Callable[..., None]] = {
    "board": Player._board, "names": Player._names, "round": Player._round,
    "format": Player._format, "start": Player._start, "press": Player._press,
    "hold": Player._hold, "choose": Player._choose, "wait": Player._wait, "until": Player._until,
    "desk": Player._desk, "reset": Player._reset, "shot": Player._shot,
    "expect": Player._expect, "says": Player._says, "journal": Player._journal,
}  # fmt: skip


def _seconds(text):
    """Return the seconds of ``M:SS``, ``-M:SS`` or ``12s``."""
    sign, text = (-1, text[1:]) if text.startswith("-") else (1, text)
    if text.endswith("s"):
        return sign * float(text[:-1])
    minutes, seconds = text.split(":")
    return sign * (int(minutes) * 60 + int(seconds))


def _left_ms(lone: Lone):
    left_ms = lone.app.match.remaining_ms(lone.now_ms)
    if left_ms is None:
        raise ValueError("no clock has been set")
    return left_ms


def _clock(lone: Lone):
    seconds = -(-_left_ms(lone) // 1000)
    return f"{'-' if seconds < 0 else ''}{abs(seconds) // 60}:{abs(seconds) % 60:02}"


def _pick(lone: Lone):
    draft = lone.app.ledger.draft
    if draft is None:
        raise ValueError("no draft runs")
    return str(draft.index + 1)


def _section(match):
    return match.rules.SECTIONS[match.section - 1] if match.section else "-"


LOOKS: dict[str, Callable[[Lone], str]] = {
    "screen": lambda lone: lone.sight.screen,
    "phase": lambda lone: PHASES[lone.app.match.phase],
    "clock": _clock,
    "turn": lambda lone: str(lone.app.match.turn),
    "game": lambda lone: str(lone.app.match.game),
    "games": lambda lone: "{}-{}".format(*lone.app.match.games),
    "outcome": lambda lone: str(outcome.NAMES[lone.app.match.outcome] or "none"),
    "section": lambda lone: _section(lone.app.match),
    "points": lambda lone: " ".join(str(x) for x in outcome.points(lone.app.match)),
    "margin": lambda lone: " ".join(str(x) for x in outcome.margin(lone.app.match) or ("-",)),
    "called": lambda lone: "yes" if lone.app.match.call is not None else "no",
    "seat": lambda lone: str(
        lone.app.ledger.draft.seat if lone.app.ledger.draft else lone.app.match.seat
    ),
    "pick": _pick,
    "line": lambda lone: str(lone.sight.item),
}
