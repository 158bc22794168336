"""Runs a ``.flow`` file (docs/flows.md): key presses, time and desk acts on one virtual board.

``read`` returns a file's steps and ``Player`` runs them. A step that finds something else than it
expects raises ``FlowMismatch``; a line without meaning raises ``UserError``. Both name file and
line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from firmware.core import acts, code, events, intents, outcome, payload
from host.base import plain_text
from host.base.errors import UserError
from host.boards.models import NAMES
from host.formats.round_format import parse_format
from host.sim import stored_records
from host.sim.single_board import SingleBoard
from host.systems import catalogue
from host.systems.match_facts import PHASES, margins_of

if TYPE_CHECKING:
    from host.sim.types import MakeBoard, MakeFace, TakePicture


KEYS = {"▲": 0, "A": 0, "●": 1, "B": 1, "J": 2}
QUIET = (events.BOOTED, events.EPOCH_CLOSED, events.SEALED, events.CLOCK, events.TIME_SET,
         events.SEED_STORED)  # fmt: skip
MOST_LINES = 64  # in a menu
LISTENS_S = 0.4  # a new screen locks the keys for 0.3 s


class Step(NamedTuple):
    """A line of a flow: ``where`` is its file and line, ``words`` follow the ``verb``."""

    where: str
    verb: str
    words: list[str]


KINDS = {
    value: name for name, value in vars(events).items() if name.isupper() and isinstance(value, int)
}


class FlowMismatch(Exception):
    """Something else happened than the flow expects."""


def read(path: Path) -> list[Step]:
    """Return the Steps of the file at ``path``; raises UserError for an unknown verb."""
    steps = []
    for number, line in enumerate(plain_text.decode(path.read_bytes()).splitlines(), 1):
        words, where = line.partition("#")[0].split(), f"{path.name}:{number}"
        if words and words[0] not in VERBS:
            raise UserError(f"{where}: {words[0]!r} is none of {' '.join(VERBS)}")
        if words:
            steps.append(Step(where, words[0], words[1:]))
    return steps


class Player:
    """Runs a flow's steps; ``faces(board)`` makes the face, ``shoot(name, app)`` takes a picture.

    ``make_board(model, rules, faces)`` returns the board, a ``SingleBoard``.
    """

    def __init__(
        self,
        faces: MakeFace,
        shoot: TakePicture = lambda name, app: None,
        make_board: MakeBoard = SingleBoard,
    ):
        self._faces, self._shoot, self._make_board = faces, shoot, make_board
        self._opened: SingleBoard | None = None
        self._systems = catalogue.built_in()
        self._wanted: list[list[str]] = []
        self.shots = self.presses = 0

    def play(self, steps: Sequence[Step]) -> None:
        """Run all ``steps``; raises FlowMismatch or UserError at the first that fails."""
        for step in steps:
            self.do(step)
        self.finish(steps[-1].where if steps else "")

    def do(self, step: Step) -> None:
        """Run one Step."""
        try:
            if self._opened is None and step.verb != "board":
                raise ValueError("the first line says which board, such as: board feathers3 p18")
            VERBS[step.verb](self, *step.words)
        except FlowMismatch as mismatch:
            raise FlowMismatch(f"{step.where}: {mismatch}") from None
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise UserError(f"{step.where}: {step.verb}: {error}") from error

    def finish(self, where: str) -> None:
        """Compare the whole journal with the lines expected of it."""
        journal = self.journal
        if not self._wanted:
            return
        for number, (wanted, got) in enumerate(zip(self._wanted, journal), 1):
            if got.split()[: len(wanted)] != wanted:
                raise FlowMismatch(
                    f"{where}: journal line {number} is {got}, not {' '.join(wanted)}"
                )
        if len(journal) != len(self._wanted):
            raise FlowMismatch(
                f"{where}: the journal has {len(journal)} lines, not {len(self._wanted)}"
            )

    @property
    def journal(self) -> list[str]:
        """The board's journal, one line per event, without BOOTED, CLOCK and the like."""
        ring = self._board.app.journal.ring
        happened = [
            events.of_record(record)
            for _, record in stored_records.walk(ring, ring.oldest)
            if record
        ]
        return [
            " ".join([KINDS[event.kind], *map(str, payload.numbers(event)[1:])])
            for event in happened if event.kind not in QUIET
        ]  # fmt: skip

    @property
    def _board(self):
        assert self._opened is not None
        return self._opened

    @property
    def _match(self):
        return self._board.app.match

    # set-up

    def _open_board(self, model, system="p18"):
        if model not in NAMES:
            raise ValueError(f"a board is one of {' '.join(NAMES)}")
        try:
            name, rules = catalogue.choose(system)
        except UserError as failure:
            raise ValueError(failure) from None
        self._systems = catalogue.built_in() | {name: rules}
        self._opened = self._make_board(model, rules, self._faces)

    def _names(self, *words):
        self._board.show_names([name.strip() for name in " ".join(words).split(",")])

    def _round(self, number, table):
        self._desk("SET_ROUND", number, table, "1")

    def _format(self, *words):
        form = parse_format(" ".join(words), self._systems)
        bits = form.bits
        if self._match.rules.CAPS:  # the second byte of such a format is the round
            bits |= (self._match.round - 1) << 8
        self._desk("SET_FORMAT", form.system, bits, form.minutes)

    def _start(self, after):
        at_ms = self._board.now_ms + _seconds(after) * 1000
        self._ask(intents.SetStart(int(at_ms)))

    # what happens

    def _press(self, *keys):
        for key in keys:
            self._board.press(KEYS[key])
            self.presses += 1

    def _hold(self, *keys):
        self._board.hold(*[KEYS[key] for key in keys])
        self.presses += 1

    def _choose(self, item):
        for _ in range(MOST_LINES):
            reading = self._board.reading
            if reading.item == item:
                self._press_key(reading, "choose_key")
                return
            if not self._press_key(reading, "next_key"):
                break
        raise FlowMismatch(f"no line {item} in {' '.join(self._board.reading.items) or 'a menu'}")

    def _press_key(self, reading, label):
        key = reading.key(label) or reading.key(label + "_b") or reading.key(label + "_a")
        if key is None:
            return False
        do = self._board.hold if key.gesture == "hold" else self._board.press
        do(key.number)
        self.presses += 1
        return True

    def _code(self):
        """Enter the board's next judge's code, as from the printed list."""
        journal = self._board.app.journal
        key = code.judges_key(journal.key, journal.event)
        for digit in code.hotp(key, code.newest_entry(journal).number):
            self._press(*"A" * int(digit), "B")
        self._hold("B")

    def _wait(self, time):
        self._board.run(_seconds(time))

    def _until(self, time):
        left_ms = _left_ms(self._board) - _seconds(time) * 1000
        if left_ms < 0:
            raise FlowMismatch(f"the clock is {-left_ms // 1000} s past that")
        self._board.run(left_ms / 1000 + LISTENS_S)

    def _desk(self, name, *numbers):
        kind, values = getattr(intents, name), [int(number) for number in numbers]
        self._ask(intents.of_numbers(kind, self._board.now_ms, *values))

    def _ask(self, intent):
        if not self._board.ask(intent):
            raise FlowMismatch("the board refused it")

    def _reset(self):
        self._board.boot(1)

    def _shot(self, name):
        self.shots += 1
        self._shoot(name, self._board.app)

    # what is expected

    def _expect(self, what, *words):
        got = LOOKS[what](self._board)
        if got != " ".join(words):
            raise FlowMismatch(f"{what} is {got}, not {' '.join(words)}")

    def _says(self, *texts):
        shown = self._board.reading.texts
        for text in texts:
            if text not in shown:
                raise FlowMismatch(f"the screen says {' '.join(shown)}, not {text}")

    def _journal(self, *words):
        self._wanted.append(list(words))


VERBS: dict[str, Callable[..., None]] = {
    "board": Player._open_board, "names": Player._names, "round": Player._round,
    "format": Player._format, "start": Player._start, "press": Player._press,
    "hold": Player._hold, "choose": Player._choose, "code": Player._code, "wait": Player._wait,
    "until": Player._until, "desk": Player._desk, "reset": Player._reset, "shot": Player._shot,
    "expect": Player._expect, "says": Player._says, "journal": Player._journal,
}  # fmt: skip


def _seconds(text):
    """Return the seconds of ``M:SS``, ``-M:SS`` or ``12s``."""
    if text.startswith("-"):
        return -_seconds(text[1:])
    if text.endswith("s"):
        return float(text[:-1])
    minutes, seconds = text.split(":")
    return int(minutes) * 60 + int(seconds)


def _left_ms(board: SingleBoard):
    left_ms = board.app.match.remaining_ms(board.now_ms)
    if left_ms is None:
        raise ValueError("no clock has been set")
    return left_ms


def _minutes(left_ms):
    """Return a time as ``M:SS``, rounded up to whole seconds."""
    seconds = -(-left_ms // 1000)
    sign = "-" if seconds < 0 else ""
    return f"{sign}{abs(seconds) // 60}:{abs(seconds) % 60:02}"


def _pregame(board: SingleBoard):
    left_ms = acts.pregame_left_ms(board.app.match, board.now_ms)
    return "none" if left_ms is None else _minutes(max(0, left_ms))


def _seat(board: SingleBoard):
    draft = board.app.ledger.draft
    return str(draft.seat if draft else board.app.match.seat)


def _pick(board: SingleBoard):
    draft = board.app.ledger.draft
    if draft is None:
        raise ValueError("no draft runs")
    return str(draft.index + 1)


def _section(match):
    return match.rules.SECTIONS[match.section - 1] if match.section else "-"


LOOKS: dict[str, Callable[[SingleBoard], str]] = {
    "screen": lambda board: board.reading.screen,
    "digits": lambda board: board.reading.digits,
    "phase": lambda board: PHASES[board.app.match.phase],
    "clock": lambda board: _minutes(_left_ms(board)),
    "turn": lambda board: str(board.app.match.turn),
    "game": lambda board: str(board.app.match.game),
    "games": lambda board: "{}-{}".format(*board.app.match.games),
    "outcome": lambda board: str(outcome.NAMES[board.app.match.outcome] or "none"),
    "section": lambda board: _section(board.app.match),
    "points": lambda board: " ".join(str(x) for x in outcome.points(board.app.match)),
    "margin": lambda board: " ".join(str(x) for x in margins_of(board.app.match) or ("-",)),
    "called": lambda board: "yes" if board.app.match.call is not None else "no",
    "seat": _seat,
    "pick": _pick,
    "pregame": _pregame,
    "line": lambda board: str(board.reading.item),
}
