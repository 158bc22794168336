"""Plays a match case on the board's own state machine (docs/cases.md).

Also runs under MicroPython, so that a case file gives the same answers on every interpreter. Room
time ``0:00`` is ``START_MS`` of event time. Each event is packed and unpacked as in a frame, and at
the end a second match, replayed from the events alone, must have the same state.
"""

from firmware.core import acts, events, intents, outcome, payload, phases
from firmware.core.match import FIELDS, Match
from host.systems.match_facts import PHASES, games_bits, margins_of, usual_minutes

TYPE_CHECKING = False  # MicroPython has no typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from host.cases.need import Events, FormatWords, Got, MatchCase
    from host.systems.rules import Rules

START_MS = 3600000
MISSING = (
    ("score", phases.SCORE),
    ("starter", phases.STARTER),
    ("whose_turn", phases.TURN),
    ("prizes", phases.PRIZES),
    ("destroyed", phases.DESTROYED),
)
SIDES = ("A", "B")
TEAM_SEATS = ("1A", "2B", "2A", "1B")
_WON = ("", "A", "B", "tie")
TURNLESS = (phases.TIME, phases.RESOLVING, phases.PROPOSED, phases.AGREED)


def format_bits(wanted: "FormatWords", rules: "Rules") -> int:
    """Return SET_FORMAT's bits for a case's format. Raises ValueError if the system lacks it."""
    bits = games_bits(wanted.get("best_of", 1), rules)
    if wanted.get("stage") == "elimination":
        bits |= 1
    if wanted.get("class") == "limited":
        bits |= 1 << 3
    if wanted.get("team"):
        bits |= 1 << 7
    if wanted.get("approval"):
        bits |= 1 << 15
    if rules.CAPS:
        bits |= (wanted.get("round", 1) - 1) << 8
    turns = wanted.get("overtime_turns")
    if "overtime_clock" in wanted:
        option = (turns, wanted["overtime_clock"] * 60)
        if option not in rules.OVERTIME:
            raise ValueError("no such overtime in this system")
        bits |= rules.OVERTIME.index(option) << 4
    elif turns is not None:
        bits |= (turns + 1) << 10
    return bits


def milliseconds(room_time: str) -> int:
    """Return a step's room time ``M:SS`` in ms."""
    minutes, seconds = room_time.split(":")
    return int(minutes) * 60000 + int(seconds) * 1000


def minutes_text(left_ms: int) -> str:
    """Return a table's remaining time, given in ms, as ``M:SS``; negative after zero."""
    left_s = -(-left_ms // 1000)
    minutes, seconds = divmod(abs(left_s), 60)
    return f"{'-' if left_s < 0 else ''}{minutes}:{seconds:02}"


def _seat(match, name):
    if name in TEAM_SEATS:
        return TEAM_SEATS.index(name)
    return SIDES.index(name) if match.rules.SEATS else 0


def _side(match, name):
    return match.rules.SEATS[TEAM_SEATS.index(name)] if name in TEAM_SEATS else SIDES.index(name)


def _turn(match, now_ms, name):
    return [intents.StartTurn(now_ms, _seat(match, name))] if match.rules.SEATS else []


def _round(match, now_ms):
    return [] if match.rules.SEATS else [intents.StartTurn(now_ms, 0)]


def _late(match, now_ms, name):
    return [intents.StampLate(now_ms, match.late | 1 << _side(match, name))]


def _extend(match, now_ms, minutes):
    return [intents.Extend(now_ms, 0, match.extension_s + minutes * 60)]


def _adjust(match, now_ms, first, second):
    first, second = match.adjusted[0] + first, match.adjusted[1] + second
    return [intents.AdjustPrizes(now_ms, first, second)] if min(first, second) >= 0 else []


def _wipe_out(match, now_ms, names):
    return [intents.WipeOut(now_ms, ("A" in names) | ("B" in names) << 1)]


def _agree(match, now_ms):
    a_has_won = match.outcome == 1
    loser_first = (1, 0) if a_has_won else (0, 1)
    return [intents.ConfirmResult(now_ms, seat) for seat in loser_first]


def _rule(match, now_ms, won, first=None, second=None):
    """A judge's final ruling, as in a visit at the table: with games or points, or as it stands."""
    are_points = bool(match.cap)
    if first is None or second is None:
        are_points, (first, second) = False, match.score
    return [intents.RuleResult(now_ms, _WON.index(won), int(are_points), 1, first, second)]


def _state(match, now_ms, first, second, started):
    return [intents.TellState(now_ms, int(started == "started"), 0, first, second)]


# each verb's intents, from a match, the time in ms and the verb's arguments
VERBS = {
    "starter": lambda m, t, s: [intents.SetStarter(t, _seat(m, s))],
    "turn": _turn,
    "round": _round,
    "end": lambda m, t: [intents.EndTurn(t)],
    "won": lambda m, t, s: [intents.WinGame(t, _side(m, s))],
    "level": lambda m, t: [intents.LevelGame(t)],
    "prizes": lambda m, t, a, b: [intents.CountPrizes(t, 0, a, b)],
    "adjust": _adjust,
    "late": _late,
    "freeze": lambda m, t: [intents.Freeze(t)],
    "resume": lambda m, t: [intents.Resume(t)],
    "extend": _extend,
    "loss": lambda m, t, s: [intents.LoseGame(t, _side(m, s), 0)],
    "concede": lambda m, t, s: [intents.Concede(t, _side(m, s))],
    "rule": _rule,
    "reopen": lambda m, t: [intents.ReopenResult(t, 0)],
    "approve": lambda m, t: [intents.ApproveResult(t)],
    "destroyed": lambda m, t, a, b: [intents.CountDestroyed(t, 0, a, b)],
    "wiped": _wipe_out,
    "out": lambda m, t, s: [intents.WipeOut(t, 1 << _seat(m, s))],
    "agree": _agree,
    "whose": lambda m, t, s: [intents.TellTurn(t, _seat(m, s), 0, 1)],
    "next": lambda m, t, s: [intents.TellTurn(t, _seat(m, s), 0, 0)],
    "state": _state,
}


class Story:
    """A match case being played: the live ``match`` and the ``events`` written so far."""

    def __init__(self, rules: "Rules", wanted: "FormatWords"):
        """Set up a table at its start under ``rules`` and a case's ``format``, both seats taken."""
        self.match = Match(rules)
        self.events = []
        bits = format_bits(wanted, rules)
        minutes = wanted.get("minutes", usual_minutes(bits, rules))
        self._ask(intents.SetRound(1, 1, 1, 1), 1)
        self._ask(intents.SetFormat(1, rules.NUMBER, bits, minutes), 1)
        self._ask(intents.SetStart(START_MS), 1)
        for seat in (0, 1):
            self._ask(intents.ConfirmSeat(1, seat), 1)
        self.tick(START_MS)

    def write(self, made: "Events") -> "Events":
        """Record and apply events, as a journal does; return them."""
        for event in made:
            read = events.unpack(event.kind, payload.pack(event))
            assert read == event, event
            self.events.append(read)
            self.match.apply(read)
        return made

    def _ask(self, intent, now_ms):
        return self.write(self.match.decide(intent, now_ms))

    def tick(self, now_ms: int) -> None:
        """Advance the match to a time, in ms."""
        self._ask(intents.Tick(now_ms), now_ms)

    def step(self, room_time: str, verb: str, *words: "str | int") -> bool:
        """Do one step; return False if it was refused."""
        now_ms = START_MS + milliseconds(room_time)
        self.tick(now_ms)
        if verb == "look":
            return True
        wanted = VERBS[verb](self.match, now_ms, *words)
        # each is decided, also after one that is refused
        decided = [bool(self._ask(intent, now_ms)) for intent in wanted]
        return bool(decided) and all(decided)

    def replay(self) -> Match:
        """Return a new match with the same events applied."""
        copy = Match(self.match.rules)
        for event in self.events:
            copy.apply(event)
        return copy


def state_of(match: Match) -> dict:
    """Return a match's whole state as a dict, for comparison."""
    return {name: getattr(match, name) for name in FIELDS}


def play(case: "MatchCase", rules: "Rules") -> "Got":
    """Play a checked case under ``rules``; return all its actual values."""
    story = Story(rules, case["format"])
    refused = []
    for i, step in enumerate(case["steps"]):
        if not story.step(*step):
            refused.append(i)
    assert state_of(story.match) == state_of(story.replay()), "replay differs"
    room_time = case["steps"][-1][0] if case["steps"] else "0:00"
    return summary(story.match, START_MS + milliseconds(room_time), refused)


def summary(match: Match, now_ms: int, refused: "Sequence[int]" = ()) -> "Got":
    """Return a match's state at ``now_ms`` under the keys that ``expect`` may name.

    ``refused``: the places of the refused steps, from 0.
    """
    names = TEAM_SEATS if match.team else SIDES
    has_turns = match.rules.SEATS and match.phase not in TURNLESS
    seat = match.seat if has_turns else None
    left_ms = match.remaining_ms(now_ms)
    got = {
        "phase": PHASES[match.phase],
        "game": match.game,
        "games": list(match.games),
        "turn": match.turn,
        "seat": None if seat is None else names[seat],
        "clock": None if left_ms is None else minutes_text(left_ms),
        "outcome": outcome.NAMES[match.outcome],
        "section": match.rules.SECTIONS[match.section - 1] if match.section else None,
        "missing": [name for name, bit in MISSING if match.missing & bit],
        "points": list(outcome.points(match)),
        "refused": list(refused),
    }
    pregame_ms = acts.pregame_left_ms(match, now_ms)
    if pregame_ms is not None:
        got["pregame"] = minutes_text(max(0, pregame_ms))
    if match.cap:
        margins = margins_of(match)
        got["margin"] = None if margins is None else list(margins)
    return got
