"""The scenes for which every screen is drawn, each given by the events at the table.

Seats are 0 and 1; the round's clock is at zero at ``ZERO_MS``. ``ALL`` has all scenes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from firmware.core import events as e
from firmware.core import phases
from firmware.core.systems import d03, xw15
from firmware.ui.gestures import HOLD_A, HOLD_J, PRESS_A, PRESS_B
from firmware.ui.table import LIT, LOW, OLD, UNCERTAIN, UNSYNCED, WAITING

if TYPE_CHECKING:
    from firmware.core.types import Events
    from host.sim.types import Extra, Recalled


class Scene(NamedTuple):
    """What a screen shows at ``now_ms`` after ``events``, and then the ``gestures``.

    ``case`` tells a screen's scenes apart; ``extra``: what else is so at the table.
    """

    screen: str
    case: str
    events: Events
    now_ms: int
    gestures: tuple[int, ...] = ()
    extra: Extra = {}


START_MS = 10_000_000
MINUTE = 60_000
ZERO_MS = START_MS + 50 * MINUTE
NAMES = ("Giulia B.", "Kenji T.")
LONG = ("Wolfeschlegelstein M", "Maximiliana-Josefina")

BO3, SINGLE, CUT = 3 << 1, 1 << 1, 3 << 1 | 1


def seated(form: int = BO3, table: int = 12) -> Events:
    """Return the events of a table that has its pairing and format."""
    return (e.RoundSet(0, 3, table, 1), e.FormatSet(0, 0, form, 50))


def playing(form: int = BO3) -> Events:
    """Return the events of a table in a running round, game 1 started by seat 0."""
    return seated(form) + (
        e.StartSet(START_MS), e.PregameBegun(START_MS - 2 * MINUTE, 0),
        e.SeatConfirmed(0, 0, 0), e.SeatConfirmed(0, 1, 0),
        e.RoundBegun(START_MS),
    )  # fmt: skip


STARTER = (e.StarterSet(START_MS, 0, 1),)
WON_ONE = (e.GameWon(START_MS, 0, 0, 0, 0, 0),)
RUN = playing() + STARTER
UNTOUCHED = playing() + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 28, 0),)
STATE = (e.StateTold(ZERO_MS, 1, 0, 0, 0, 1, 0),)
TURN = (e.TurnTold(ZERO_MS, 0, 0, 1, 0, phases.OVERTIME, 0),)
OVERTIME = (e.TurnEnded(ZERO_MS, 1, 1, 0), e.TurnStarted(ZERO_MS, 1))
SECOND = (e.TurnEnded(ZERO_MS, 0, 2, 0), e.TurnStarted(ZERO_MS, 0))
CLAIMED = (e.ResultClaimed(ZERO_MS, 1, 2, 1),)
PROPOSED = (e.OutcomeProposed(ZERO_MS, 1, 4, 0, 0),)
TIED = (e.OutcomeProposed(ZERO_MS, 3, 4, 0, 0),)


def confirmed(seat: int) -> Events:
    """Return the event of a seat confirming the result."""
    return (e.ResultConfirmed(ZERO_MS, seat),)


def ended(happened: Events) -> Events:
    """Return ``happened`` followed by the end of the match."""
    return happened + confirmed(0) + confirmed(1) + (e.MatchEnded(ZERO_MS),)


def rolled(use: tuple[int, int], face: int, flips: int = 0) -> Events:
    """Return the events of a roll that is on the screen; ``use``: its randomizer and purpose."""
    return RUN + (e.Rolled(START_MS, *use, face, flips, 1),)


def at(minutes: int, seconds: int = 0) -> int:
    """Return the time (ms) at which the round has this much time left."""
    return ZERO_MS - minutes * MINUTE - seconds * 1000


ALLOWED = (e.PolicySet(0, 3), e.ConsentGiven(0, 0), e.ConsentGiven(0, 1))
AFTER = ZERO_MS + 5000

SCENES: tuple[Scene, ...] = (
    Scene("unset", "", (), 0, extra={"keyless": True}),
    Scene("crash", "", (), 0, extra={"failed": "MemoryError"}),
    Scene("no_table", "", (), 0),
    Scene("idle", "two_digits", seated() + (e.RoundCleared(0),), 0),
    Scene("idle", "one_digit", seated(table=7) + (e.RoundCleared(0),), 0),
    Scene("idle", "four_digits", seated(table=2048) + (e.RoundCleared(0),), 0),
    Scene("lit", "", seated(), 0, extra={"standing": LIT}),
    Scene("seated", "nobody", seated(), 0),
    Scene("seated", "one", seated() + (e.SeatConfirmed(0, 1, 0),), 0),
    Scene("seated", "long_names", seated(), 0, extra={"names": LONG}),
    Scene("seated", "no_names", seated(), 0, extra={"names": ("", "")}),
    Scene("pregame", "", playing()[:4], START_MS - 110_000),
    Scene("clock", "starter", playing(), at(49, 12)),
    Scene("clock", "running", RUN, at(37, 5)),
    Scene("clock", "long_names", RUN, at(20, 48), extra={"names": LONG}),
    Scene("clock", "game_two", RUN + WON_ONE + (e.PregameBegun(at(29, 13), 2),), at(28, 30)),
    Scene("clock", "one_up", RUN + WON_ONE + (e.StarterSet(0, 1, 2),), at(9, 59)),
    Scene("clock", "long_round", playing()[:1] + (e.FormatSet(0, 0, BO3, 120),) + RUN[2:],
          START_MS),
    Scene("clock", "unsynced", RUN, at(37, 5), extra={"standing": UNSYNCED}),
    Scene("clock", "low_battery", RUN, at(37, 5), extra={"standing": LOW}),
    Scene("clock", "judge_called", RUN + (e.JudgeCalled(0, 0),), at(37, 5)),
    Scene("uncertain", "", RUN, at(12, 34), extra={"standing": UNCERTAIN}),
    Scene("warning", "", RUN, at(4, 59)),
    Scene("last", "", RUN, at(0, 42)),
    Scene("frozen", "", RUN + (e.Frozen(at(4), phases.PLAYING),), at(2)),
    Scene("frozen", "before_the_round", seated() + (e.Frozen(0, phases.SEATED),), 0),
    Scene("extension", "neither", RUN + (e.Extended(at(9), 0, 300),), at(8)),
    Scene("extension", "one_seen", RUN + (e.Extended(at(9), 0, 300), e.ExtensionSeen(at(9), 0)),
          at(8)),
    Scene("result", "best_of_three", RUN, at(30), (PRESS_A,)),
    Scene("result", "second_line", RUN, at(30), (PRESS_A, PRESS_A)),
    Scene("result", "last_line", RUN, at(30), (PRESS_A,) * 14),
    Scene("result", "single", playing(SINGLE) + STARTER, at(30), (PRESS_A,)),
    Scene("result", "single_long", playing(SINGLE) + STARTER, at(30), (PRESS_A,), {"names": LONG}),
    Scene("result", "luck", playing(SINGLE) + STARTER + ALLOWED, at(30), (PRESS_A,) * 7),
    Scene("tell", "", UNTOUCHED, AFTER),
    Scene("tell", "third", UNTOUCHED, AFTER, (PRESS_A, PRESS_B)),
    Scene("tell_check", "", UNTOUCHED + (e.StateTold(AFTER, 1, 0, 1, 0, 1, 0),), AFTER),
    Scene("turn", "", UNTOUCHED + STATE, AFTER),
    Scene("turn_check", "", UNTOUCHED + STATE + (e.TurnTold(AFTER, 1, 2, 1, 0, 0, 0),), AFTER),
    Scene("finish", "", UNTOUCHED + STATE + TURN, AFTER),
    Scene("finish", "long_name", UNTOUCHED + STATE + TURN, AFTER, extra={"names": LONG}),
    Scene("overtime", "first", UNTOUCHED + STATE + TURN + OVERTIME, AFTER),
    Scene("overtime", "second", UNTOUCHED + STATE + TURN + OVERTIME + SECOND, AFTER),
    Scene("proposed", "claimed", RUN + CLAIMED, AFTER),
    Scene("proposed", "long_names", RUN + CLAIMED, AFTER, extra={"names": LONG}),
    Scene("proposed", "by_rule", UNTOUCHED + STATE + TURN + PROPOSED, AFTER),
    Scene("proposed", "tie", UNTOUCHED + STATE + TURN + TIED, AFTER),
    Scene("proposed", "loser_done", RUN + CLAIMED + confirmed(1), AFTER),
    Scene("refuse", "", RUN + CLAIMED, AFTER, (PRESS_B,)),
    Scene("resolving", "refused", RUN + CLAIMED + (e.ResultRefused(AFTER, 1),), AFTER),
    Scene("resolving", "reopened", ended(RUN + CLAIMED) + (e.ResultReopened(AFTER, 8, 0, 4),),
          AFTER),
    Scene("ruled", "", RUN + (e.ResultRuled(AFTER, 2, 0, 0, 2),), AFTER),
    Scene("agreed", "not_sent", ended(RUN + CLAIMED), AFTER, extra={"standing": WAITING}),
    Scene("agreed", "sent", ended(RUN + CLAIMED), AFTER),
    Scene("agreed", "by_rule", ended(UNTOUCHED + STATE + TURN + PROPOSED), AFTER),
    Scene("play_on", "", playing(CUT) + (e.OutcomeProposed(AFTER, 5, 7, 0, 0),), AFTER),
    Scene("tiebreaker", "", UNTOUCHED + STATE + TURN + (e.OutcomeProposed(AFTER, 4, 1, 0, 0),),
          AFTER),
    Scene("consent", "", playing(SINGLE) + STARTER + ALLOWED[:2], at(30), (PRESS_A,) * 7 + (PRESS_B,
          PRESS_B)),
)  # fmt: skip
CALL = (e.JudgeCalled(at(32), 0),)
ABSENT = (e.JudgeCalled(at(32), 4),)
HERE = CALL + (e.JudgeArrived(at(31)),)
HELD = UNTOUCHED + STATE + TURN + TIED + HERE
WAITED: Extra = {"waited_s": 155}
TO_CODE = (HOLD_J, PRESS_A)
CLEARED = seated() + (e.RoundCleared(0),)

STAFF: tuple[Scene, ...] = (
    Scene("judge", "waiting", RUN + CALL, at(30, 1), (HOLD_J,), WAITED),
    Scene("judge", "reasoned", RUN + ABSENT, at(30, 1), (HOLD_J,), WAITED),
    Scene("judge", "here", RUN + HERE, at(30, 1), (HOLD_J,), WAITED),
    Scene("judge_still", "waiting", RUN + CLAIMED + CALL, AFTER, (HOLD_J,), WAITED),
    Scene("judge_still", "reasoned", RUN + CLAIMED + ABSENT, AFTER, (HOLD_J,), WAITED),
    Scene("judge_still", "here", HELD, AFTER, (HOLD_J,), WAITED),
    Scene("reason", "", RUN + CALL, at(30, 1), TO_CODE),
    Scene("reason", "last_line", RUN + CALL, at(30, 1), TO_CODE + (PRESS_A,) * 5),
    Scene("code", "", RUN + HERE, at(30, 1), TO_CODE),
    Scene("code", "three_digits", RUN + HERE, at(30, 1), TO_CODE + (PRESS_A,) * 7 + (PRESS_B,) +
          (PRESS_A,) * 5 + (PRESS_B, PRESS_A)),
    Scene("transport", "sent", CLEARED, 0, (HOLD_A,)),
    Scene("transport", "not_sent", CLEARED, 0, (HOLD_A,), {"standing": WAITING}),
    Scene("low", "", CLEARED, 0, extra={"standing": LOW}),
    Scene("version", "", CLEARED, 0, extra={"standing": OLD}),
    Scene("not_sent", "", ended(RUN + CLAIMED), AFTER, extra={"standing": WAITING | UNSYNCED}),
    Scene("not_sent", "by_rule", ended(UNTOUCHED + STATE + TURN + TIED), AFTER, extra={"standing":
          UNSYNCED}),
    Scene("result", "turned", RUN, at(30), (PRESS_B,)),
)  # fmt: skip
VISIT: Extra = {"waited_s": 155, "pending": 4}
UNDONE: Extra = {**VISIT, "recalled": [("", "acted_32", {}, "")]}
NOTHING: Extra = {**VISIT, "recalled": [("", "undo_none", {}, "")]}
GIVEN = (e.Extended(at(32), 0, 180), e.ExtensionSeen(0, 0),
         e.ExtensionSeen(0, 1))  # fmt: skip
OVER = ended(RUN + CLAIMED)
APPROVING = playing(CUT | 1 << 15) + STARTER + CLAIMED + confirmed(0) + confirmed(1) + HERE
DISPUTED = rolled((0, 1), 2) + (e.RollDisputed(at(33), 1),) + HERE
# how far down the menu each is
TIME, RESULT, LOSS, LATE, UNDO, ROLL, APPROVE, REOPEN = 1, 3, 4, 5, 6, 0, 0, 2


def to(down: int) -> tuple[int, ...]:
    """Return the gestures that open the menu and choose a line of it."""
    return (HOLD_J, *(PRESS_A,) * down, PRESS_B)


JUDGE: tuple[Scene, ...] = (
    Scene("judge_menu", "", RUN + HERE, at(30, 1), (HOLD_J,), VISIT),
    Scene("judge_menu", "not_here", RUN + CALL, at(30, 1), (HOLD_J,), VISIT),
    Scene("judge_menu", "to_approve", APPROVING, AFTER, (HOLD_J,), VISIT),
    Scene("judge_menu", "to_reopen", OVER, AFTER, (HOLD_J, PRESS_A, PRESS_A), VISIT),
    Scene("judge_time", "", RUN + HERE, at(30, 1), to(TIME), VISIT),
    Scene("judge_time", "less", RUN + GIVEN + HERE, at(30, 1), (*to(TIME), *(PRESS_A,) * 6), VISIT),
    Scene("judge_result", "", RUN + HERE, at(30, 1), to(RESULT), VISIT),
    Scene("judge_result", "as_it_stands", RUN + HERE, at(30, 1), (*to(RESULT), *(PRESS_A,) * 9),
          VISIT),
    Scene("judge_sure", "", RUN + HERE, at(30, 1), (*to(RESULT), PRESS_B), VISIT),
    Scene("judge_late", "", RUN + HERE, at(30, 1), to(LATE), VISIT),
    Scene("judge_sure", "late", RUN + HERE, at(30, 1), (*to(LATE), PRESS_A, PRESS_A, PRESS_B),
          VISIT),
    Scene("judge_loss", "", RUN + HERE, at(30, 1), to(LOSS), VISIT),
    Scene("judge_why_a", "", RUN + HERE, at(30, 1), (*to(LOSS), PRESS_B), VISIT),
    Scene("judge_why_b", "", RUN + HERE, at(30, 1), (*to(LOSS), PRESS_A, PRESS_B), VISIT),
    Scene("judge_sure_a", "", RUN + HERE, at(30, 1), (*to(LOSS), PRESS_B, PRESS_A, PRESS_B), VISIT),
    Scene("judge_sure_b", "", RUN + HERE, at(30, 1), (*to(LOSS), PRESS_A, PRESS_B, PRESS_B), VISIT),
    Scene("judge_roll", "", DISPUTED, at(30, 1), to(ROLL), VISIT),
    Scene("judge_sure", "roll", DISPUTED, at(30, 1), (*to(ROLL), PRESS_A, PRESS_B), VISIT),
    Scene("judge_approve", "", APPROVING, AFTER, to(APPROVE), VISIT),
    Scene("judge_reopen", "", OVER, AFTER, to(REOPEN), VISIT),
    Scene("judge_undo", "", RUN + HERE, at(30, 1), to(UNDO), UNDONE),
    Scene("judge_undo", "nothing", RUN + HERE, at(30, 1), to(UNDO), NOTHING),
)  # fmt: skip
COIN, DIE, CARD = (0, 1), (1, 1), (0, 2)  # a randomizer and its purpose
BOTH_HERE = (e.SeatConfirmed(0, 0, 0), e.SeatConfirmed(0, 1, 0))
FLIPPED = (e.Rolled(0, *COIN, 1, 0, 1),)
CONTESTED = (e.RollDisputed(0, 1),)
CALLED = (e.JudgeCalled(0, 0),)
STOPPED = (e.Frozen(at(4), phases.PLAYING),)
TURNS = UNTOUCHED + STATE + TURN

ROLLED: tuple[Scene, ...] = (
    Scene("roll", "heads", rolled(COIN, 1), at(30)),
    Scene("roll", "tails", rolled(COIN, 2), at(30)),
    Scene("roll", "die", rolled(DIE, 5), at(30)),
    Scene("roll", "disputed", rolled(COIN, 2) + CONTESTED, at(30)),
    Scene("roll", "before_the_game", playing() + FLIPPED + CONTESTED, at(49, 10)),
    Scene("roll", "flips", rolled(CARD, 13, 5), at(30)),
    Scene("roll", "eight_flips", rolled(CARD, 200, 8), at(30)),
    Scene("roll", "flips_disputed", rolled(CARD, 200, 8) + CONTESTED, at(30)),
    Scene("roll", "streak", rolled(CARD, 4, 255), at(30)),
    Scene("roll_warn", "judge_called", rolled(COIN, 2) + CONTESTED + CALLED, at(4, 3)),
    Scene("roll", "uncertain", rolled(COIN, 2), at(12, 34), extra={"standing": UNCERTAIN}),
    Scene("roll_warn", "", rolled(COIN, 1), at(4, 3)),
    Scene("roll_warn", "last_minute", rolled(COIN, 2), at(0, 43)),
    Scene("roll_still", "", seated() + BOTH_HERE + FLIPPED, 0, extra={"names": LONG}),
    Scene("roll_pregame", "", playing()[:6] + FLIPPED, START_MS - 110_000),
    Scene("roll_pregame", "disputed", playing()[:6] + FLIPPED + CONTESTED, START_MS - 110_000),
    Scene("dispute", "coin", rolled(COIN, 2), at(30), (PRESS_A,)),
    Scene("dispute", "flips", rolled(CARD, 200, 8), at(30), (PRESS_A,)),
    Scene("dispute_start", "", playing()[:6] + FLIPPED, START_MS - 110_000, (PRESS_A,)),
    Scene("dispute_still", "", seated() + BOTH_HERE + FLIPPED, 0, (PRESS_A,), {"names": LONG}),
    Scene("dispute_turn", "", TURNS + OVERTIME + FLIPPED, AFTER, (PRESS_A,)),
    Scene("dispute_last", "", TURNS + FLIPPED, AFTER, (PRESS_B,)),
    Scene("overtime", "rolled", TURNS + OVERTIME + FLIPPED, AFTER),
    Scene("overtime", "disputed", TURNS + OVERTIME + FLIPPED + CONTESTED, AFTER),
    Scene("finish", "rolled", TURNS + FLIPPED, AFTER),
    Scene("lit_clock", "", RUN, at(12, 5), extra={"standing": LIT}),
    Scene("frozen", "rolled", rolled(COIN, 1) + STOPPED, at(2)),
    Scene("frozen", "lit", RUN + STOPPED, at(2), extra={"standing": LIT}),
    Scene("judge_still", "overtime", TURNS + OVERTIME + CALLED, AFTER, (10,), {"waited_s": 5}),
)  # fmt: skip
HIDDEN, JUDGED = 1 << 14, 1 << 15
SHIPS: Extra = {"system": xw15}
LEVEL = playing(CUT) + STARTER + (e.TimeCalled(ZERO_MS, phases.RESOLVING, 0, 1, 1),)
EVEN = (e.PrizesCounted(AFTER, 0, 3, 3), e.OutcomeProposed(AFTER, 5, 7, 0, 0))
BREAKER = (
    playing(CUT) + STARTER + (e.GameLevelled(at(9), 9, 0), e.OutcomeProposed(at(9), 4, 1, 0, 0))
)
LATER = LEVEL + (e.GameLevelled(AFTER, 8, 0), e.OutcomeProposed(AFTER, 4, 1, 0, 0))
BEGUN = (e.StarterSet(at(8), 0, 4),)


def docked(round_number: int = 1) -> Events:
    """Return the events of an X-Wing table that has its pairing."""
    form = SINGLE | ((round_number - 1) << 8)
    return (e.RoundSet(0, round_number, 12, 1), e.FormatSet(0, 2, form, 50))


ARMED = docked() + (e.StartSet(START_MS), e.PregameBegun(0, 0))
SQUADS, EQUALS = (e.SquadsSet(0, 0, 0, 97, 100),), (e.SquadsSet(0, 1, 0, 100, 100),)
OBSTACLE = (e.TurnEnded(0, 1, 4, 0),)
TOSSED = (  # both tosses agreed: B decides the initiative, A picks colours
    e.Rolled(0, 0, 3, 2, 0, 1), e.RollAgreed(0, 0, 1, 0), e.RollAgreed(0, 1, 2, 2),
    e.Rolled(0, 0, 4, 1, 0, 2), e.RollAgreed(0, 0, 1, 2), e.RollAgreed(0, 1, 2, 6),
)  # fmt: skip
FLYING = ARMED + (e.RoundBegun(START_MS),)
ON = (e.TurnStarted(at(40), 0),)
LEVEL_SHIPS = (
    docked(4)[:1]
    + (e.FormatSet(0, 2, SINGLE | 1 | 3 << 8, 120), e.StartSet(START_MS), e.RoundBegun(START_MS))
    + (e.DestroyedCounted(AFTER, 0, 40, 40), e.OutcomeProposed(AFTER, 6, 1, 0, 0))
)
OFF = ON + (e.TurnEnded(at(35), 0, 0, 0),)
SCORING = FLYING + OFF + (
    e.TimeCalled(ZERO_MS, phases.FINISHING, 0, 0, 1), e.OutcomeProposed(AFTER, 6, 1, 4, 0),
)  # fmt: skip
TENS = (PRESS_A,) * 3 + (PRESS_B,)
OF_D03: Extra = {"system": d03}
TEAM = playing(SINGLE | 128) + STARTER
LUCKY = playing(SINGLE) + STARTER + ALLOWED
BEFORE = playing(SINGLE) + ALLOWED  # who plays first may be flipped for
PLAYFUL = (e.PolicySet(0, 3),)
TO_LUCK = (PRESS_A,) * 7 + (PRESS_B,)
TO_TEAM = (PRESS_A,) * 4 + (PRESS_B,)
BEFORE_LUCK = (HOLD_A, *(PRESS_A,) * 6, PRESS_B)
TO_UNDO = (PRESS_A,) * 13 + (PRESS_B,)
TO_COUNT = (PRESS_A,) * 14 + (PRESS_B,)
COUNTED = RUN + (e.PolicySet(0, 16),)
JUDGED_SHIPS: Extra = {**VISIT, "system": xw15}
RULED_SHIPS = FLYING + ON + HERE
RULED_FIVE = playing(1 << 1 | 1 << 8) + STARTER + HERE
TO_POINTS = (*to(RESULT), PRESS_B)
TO_WON = (*TO_POINTS, *(PRESS_A,) * 4, PRESS_B, HOLD_A, PRESS_A, PRESS_A, HOLD_A)
# lines about past events: prefix, text, its values by letter, and suffix
DONE: list[Recalled] = [("–0:07  ", "did_23", {"who": "▲"}, ""),
        ("–3:40  ", "did_22", {"who": "▲"}, ""),
        ("–4:02  ", "did_22", {"who": "●"}, "")]  # fmt: skip
ROLLS: list[Recalled] = [("3  ", "rolled_many", {"heads": 3, "flips": 5}, " ✔"),
         ("2  ", "rolled_until", {"heads": 4}, " ✔"),
         ("1  ", "rolled_2", {}, " ✔")]  # fmt: skip

IDLE = (e.RoundSet(0, 3, 12, 1), e.RoundCleared(0))


def pod(kind: int, *steps: tuple[int, int, int]) -> Extra:
    """Return an extra: a draft of eight seats, 20 cards laid out if there are ``steps``."""
    told = [(0, kind | 16 | (96 if kind else 32), 0 if kind else 4000), *steps]
    return {"draft": [e.Drafted(1000 * i, *step) for i, step in enumerate(told)]}


OPENED, PICKING = (1, 20, 0), ((1, 20, 0), (2, 0, 0))
DRAFTS: tuple[Scene, ...] = (
    Scene("draft_lay", "", (), 1000, (PRESS_B, PRESS_B, PRESS_A), pod(0)),
    Scene("draft_review", "", (), 12_000, extra=pod(0, OPENED)),
    Scene("draft_review", "halted", (), 12_000, extra=pod(0, OPENED, (5, 0, 0))),
    Scene("draft_pick", "", (), 3500, extra=pod(0, *PICKING)),
    Scene("draft_pick", "missed", (), 5000, extra=pod(0, *PICKING, (4, 1, 1), (4, 2, 2))),
    Scene("draft_pick", "halted", (), 5000, extra=pod(0, *PICKING, (5, 0, 0))),
    Scene("draft_lay", "booster", (), 1000, extra=pod(1)),
    Scene("draft_pass", "left", (), 5000, extra=pod(1, (1, 15, 0), (3, 0, 0))),
    Scene("draft_pass", "right", (), 5000, extra=pod(1, (1, 1, 0), (3, 0, 0), (1, 15, 0))),
    Scene("draft_drawn", "", (), 1000, extra=pod(1, *[(1, 1, 0), (3, 0, 0)] * 3)),
    Scene("draft_over", "built", (), 100_000, extra=pod(1, (8, 1, 0), (9, 0, 0))),
    Scene("draft_build", "", (), 100_000, extra=pod(1, *[(1, 1, 0), (3, 0, 0)] * 3, (8, 0, 0))),
    Scene("draft_over", "", (), 1000, extra=pod(1, (9, 0, 0))),
)  # fmt: skip

SCENES_MORE: tuple[Scene, ...] = (
    Scene("said", "", IDLE + (e.OrganiserSaid(0, 0, 600),), 75_000),
    Scene("said_still", "", IDLE + (e.OrganiserSaid(0, 4, 0),), 75_000),
    Scene("frozen", "extended", RUN + (e.Extended(at(9), 0, 180), e.ExtensionSeen(at(9), 0),
          e.ExtensionSeen(at(9), 1), e.Frozen(at(4), phases.PLAYING)), at(1, 30)),
    Scene("frozen_hidden", "", playing(BO3 | HIDDEN) + STARTER + (e.Frozen(at(4), 3),), at(2)),
    Scene("seated", "team", TEAM[:2], 0, extra=OF_D03),
    Scene("seated", "swapped", seated() + (e.SeatConfirmed(0, 2, 1),), 0),
    Scene("frozen", "seats_open", seated() + (e.StartSet(START_MS), e.Frozen(START_MS - 9 * MINUTE,
          phases.SEATED)), START_MS + MINUTE),
    Scene("clock", "toss", playing(SINGLE), at(49), extra=OF_D03),
    Scene("clock", "team_toss", TEAM[:-1], at(49), extra=OF_D03),
    Scene("team_prize", "", TEAM, at(30), TO_TEAM, OF_D03),
    Scene("team_prize", "moved", TEAM + (e.PrizesCounted(at(40), 8, 1, 515), e.WipedOut(at(40), 4,
          0, 0)), at(30), TO_TEAM, OF_D03),
    Scene("team_out", "", TEAM + (e.WipedOut(at(40), 2, 0, 0),), at(30), (PRESS_A, *TO_TEAM),
          OF_D03),
    Scene("turn_team", "one_out", TEAM + (e.WipedOut(at(40), 1, 0, 0), e.TimeCalled(ZERO_MS,
          phases.TIME, 0, 2, 0)), AFTER, extra=OF_D03),
    Scene("turn_team", "", TEAM + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),), AFTER, (PRESS_A,),
          OF_D03),
    Scene("turn_check", "team", TEAM + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),
          e.TurnTold(AFTER, 2, 1, 1, 0, 7, 0)), AFTER, extra=OF_D03),
    Scene("finish", "team", TEAM + (e.TurnStarted(at(1), 3), e.TimeCalled(ZERO_MS, phases.FINISHING,
          0, 0, 0)), AFTER, extra=OF_D03),
    Scene("clock", "loser_chooses", RUN + WON_ONE, at(28), extra={"names": LONG}),
    Scene("clock", "two_hours", playing()[:1] + (e.FormatSet(0, 0, BO3, 125),) + RUN[2:], START_MS),
    Scene("hidden", "", playing(BO3 | HIDDEN) + STARTER, at(30)),
    Scene("hidden", "starter", playing(BO3 | HIDDEN), at(30)),
    Scene("judge_still", "hidden", playing(BO3 | HIDDEN) + STARTER + (e.JudgeCalled(at(30), 0),),
          at(30), (10,)),
    Scene("finish", "no_turns_after", UNTOUCHED + STATE + TURN, AFTER, extra=OF_D03),
    Scene("prizes", "", LEVEL, AFTER),
    Scene("prizes", "some_left", LEVEL, AFTER, (PRESS_A,) * 4 + (PRESS_B,) * 2),
    Scene("prizes_check", "", LEVEL + (e.PrizesCounted(AFTER, 1, 2, 4),), AFTER),
    Scene("prizes_check", "long_name", LEVEL + (e.PrizesCounted(AFTER, 2, 2, 4),), AFTER,
          extra={"names": LONG}),
    Scene("play_on", "equal", LEVEL + EVEN, AFTER),
    Scene("prizes", "in_play_on", LEVEL + EVEN, AFTER, (PRESS_A,)),
    Scene("tiebreaker", "starter", LATER, AFTER),
    Scene("tiebreaker", "begun", LATER + BEGUN, AFTER),
    Scene("tiebreaker_clock", "starter", BREAKER, at(8)),
    Scene("tiebreaker", "set_up", LATER + (e.PregameBegun(AFTER, 2),), AFTER),
    Scene("tiebreaker_clock", "set_up", BREAKER + (e.PregameBegun(at(9), 2),), at(8)),
    Scene("tiebreaker_clock", "begun", BREAKER + BEGUN, at(8)),
    Scene("waiting", "", playing(CUT | JUDGED) + STARTER + CLAIMED + confirmed(0) + confirmed(1),
          AFTER),
    Scene("concede", "", RUN, at(30), (PRESS_A,) + (PRESS_A,) * 11 + (PRESS_B,)),
    Scene("agreed", "one_reopens", ended(RUN + CLAIMED), AFTER, extra={"pending": 1}),
    Scene("setup", "", docked(), 0, extra=SHIPS),
    Scene("initiative", "squads", docked() + BOTH_HERE + SQUADS, 0, extra=SHIPS),
    Scene("initiative", "obstacle", docked() + BOTH_HERE + SQUADS + OBSTACLE, 0, extra=SHIPS),
    Scene("setup", "initiative", docked() + BOTH_HERE, 0, extra=SHIPS),
    Scene("pregame_ships", "obstacle", ARMED + BOTH_HERE + SQUADS + OBSTACLE, START_MS - 310_000,
          extra=SHIPS),
    Scene("initiative", "mirror", docked() + BOTH_HERE + EQUALS, 0, extra=SHIPS),
    Scene("roll_rounds", "", FLYING + ON + (e.Rolled(at(39), 0, 4, 2, 0, 1),), at(38), extra=SHIPS),
    Scene("roll_rounds", "disputed", FLYING + ON + (e.Rolled(at(39), 0, 4, 2, 0, 1),
          e.RollDisputed(at(39), 0)), at(38), extra=SHIPS),
    Scene("finish_round", "rolled", FLYING + ON + (e.Rolled(at(39), 3, 5, 7, 0, 1),
          e.TimeCalled(ZERO_MS, phases.FINISHING, 0, 0, 0)), AFTER, extra=SHIPS),
    Scene("roll_hidden", "", playing(BO3 | HIDDEN) + STARTER + (e.Rolled(at(39), 0, 1, 2, 0, 1),),
          at(38)),
    Scene("extension_hidden", "", playing(BO3 | HIDDEN) + STARTER + (e.Extended(at(9), 0, 300),),
          at(8)),
    Scene("extension", "ships", FLYING + ON + (e.Extended(at(9), 0, 300),), at(8), extra=SHIPS),
    Scene("play_on", "rolled", LEVEL + (e.Rolled(AFTER, 0, 2, 2, 0, 1),) + EVEN, AFTER),
    Scene("tiebreaker", "rolled", LATER + BEGUN + (e.Rolled(AFTER, 0, 1, 2, 0, 1),), AFTER),
    Scene("tiebreaker_clock", "rolled", BREAKER + (e.Rolled(at(8), 0, 1, 2, 0, 1),), at(8)),
    Scene("pregame_ships", "", ARMED, START_MS - 310_000, extra=SHIPS),
    Scene("pregame_ships", "squads", ARMED + SQUADS, START_MS - 310_000, extra=SHIPS),
    Scene("pregame_ships", "mirror", ARMED + EQUALS, START_MS - 310_000, extra=SHIPS),
    Scene("pregame_ships", "tossed", ARMED + EQUALS + TOSSED, START_MS - 310_000, extra=SHIPS),
    Scene("pregame_ships", "last_minute", ARMED + SQUADS, START_MS - 50_000, extra=SHIPS),
    Scene("rounds", "go", FLYING, at(49, 58), extra=SHIPS),
    Scene("rounds", "on", FLYING + ON, at(39), extra=SHIPS),
    Scene("rounds", "off", FLYING + OFF, at(34), extra=SHIPS),
    Scene("rounds_warn", "", FLYING + ON, at(4, 10), extra=SHIPS),
    Scene("rounds_last", "", FLYING + ON, at(0, 31), extra=SHIPS),
    Scene("result", "ships", FLYING + ON, at(30), (PRESS_B,), SHIPS),
    Scene("round_asked", "", FLYING + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),), AFTER,
          extra=SHIPS),
    Scene("turn_check", "ships", FLYING + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),
          e.TurnTold(AFTER, 0, 1, 1, 0, 7, 0)), AFTER, extra=SHIPS),
    Scene("finish_round", "", FLYING + ON + (e.TimeCalled(ZERO_MS, phases.FINISHING, 0, 0, 0),),
          AFTER, extra=SHIPS),
    Scene("resolving", "goes_on", LEVEL_SHIPS, AFTER, extra=SHIPS),
    Scene("destroyed", "", SCORING, AFTER, TENS, SHIPS),
    Scene("destroyed_ones", "", SCORING, AFTER, (*TENS, HOLD_A, PRESS_A, PRESS_A, PRESS_B), SHIPS),
    Scene("luck", "", BEFORE, at(30), BEFORE_LUCK),
    Scene("luck_first", "", BEFORE, at(30), BEFORE_LUCK + (PRESS_B,)),
    Scene("no_luck", "", LUCKY, at(30), TO_LUCK, {"ill": True}),
    Scene("luck_first", "team", TEAM[:-1], at(49), (HOLD_A, *(PRESS_A,) * 6, PRESS_B, PRESS_B),
          OF_D03),
    Scene("roll", "team", TEAM[:-1] + (e.Rolled(at(49), 0, 1, 1, 0, 1),), at(48), extra=OF_D03),
    Scene("roll_still", "team", TEAM[:2] + (e.Rolled(0, 0, 1, 1, 0, 1),), 0, extra=OF_D03),
    Scene("luck_card", "", LUCKY, at(30), TO_LUCK + (PRESS_B,)),
    Scene("luck_card", "until_tails", LUCKY, at(30), TO_LUCK + (PRESS_B,) + (PRESS_A,) * 8),
    Scene("luck", "ships", FLYING + PLAYFUL, at(30), (PRESS_B,) + (PRESS_A,) * 5 + (PRESS_B,),
          SHIPS),
    Scene("luck_starts", "", FLYING + PLAYFUL, at(30), (PRESS_B,) + (PRESS_A,) * 5 + (PRESS_B,) * 2,
          SHIPS),
    Scene("luck_colours", "", FLYING + PLAYFUL, at(30), (PRESS_B,) + (PRESS_A,) * 5 + (PRESS_B,
          PRESS_A, PRESS_B), SHIPS),
    Scene("luck_combat", "", FLYING + PLAYFUL, at(30), (PRESS_B,) + (PRESS_A,) * 5 + (PRESS_B,
          PRESS_A, PRESS_A, PRESS_B), SHIPS),
    Scene("undo", "", RUN, at(30), TO_UNDO, {"recalled": DONE}),
    Scene("undo", "one_held", RUN, at(30), TO_UNDO, {"recalled": DONE, "pending": 2}),
    Scene("count", "", RUN, at(30), TO_COUNT),
    Scene("count", "one_held", RUN, at(30), TO_COUNT, {"pending": 1}),
    Scene("clock", "counting", COUNTED, at(30)),
    Scene("clock", "counted", COUNTED + (e.TurnStarted(0, 1),), at(30)),
    Scene("last", "counted", COUNTED + (e.TurnStarted(0, 1),), at(0, 30)),
    Scene("rolls", "", LUCKY, at(30), TO_LUCK + (PRESS_A, PRESS_B), {"recalled": ROLLS}),
    Scene("destroyed_check", "", SCORING + (e.DestroyedCounted(AFTER, 1, 32, 11),), AFTER,
          extra=SHIPS),
    Scene("judge_result", "ships", RULED_SHIPS, at(30), to(RESULT), JUDGED_SHIPS),
    Scene("judge_points", "", RULED_SHIPS, at(30), (*TO_POINTS, PRESS_A, PRESS_A), JUDGED_SHIPS),
    Scene("judge_points", "games", RULED_FIVE, at(30), TO_POINTS, VISIT),
    Scene("judge_ones", "", RULED_SHIPS, at(30), (*TO_POINTS, PRESS_A, PRESS_A, HOLD_A),
          JUDGED_SHIPS),
    Scene("judge_won", "", RULED_SHIPS, at(30), TO_WON, JUDGED_SHIPS),
    Scene("judge_won", "games", RULED_FIVE, at(30), (*TO_POINTS, *(PRESS_A,) * 3, PRESS_B, HOLD_A),
          VISIT),
    Scene("judge_sure", "points", RULED_SHIPS, at(30), (*TO_WON, PRESS_B), JUDGED_SHIPS),
    Scene("judge_why_a", "ships", RULED_SHIPS, at(30), (*to(LOSS), PRESS_B), JUDGED_SHIPS),
)  # fmt: skip

ALL: tuple[Scene, ...] = SCENES + SCENES_MORE + DRAFTS + ROLLED + STAFF + JUDGE
