"""The scenes for which every screen is drawn, each given by the events at the table.

A scene is ``(screen, case, events, now_ms, gestures, extra)``: ``gestures`` follow at ``now_ms``,
after ``events``. ``extra`` is a dict of ``standing`` (facts of the board), ``names``, ``failed``
(an error), ``keyless`` and ``system``. Seats are 0 and 1; the event's clock starts at ``ZERO_MS``.
``ALL`` has all scenes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.core import events as e
from firmware.core import phases
from firmware.core.systems import d03, xw15
from firmware.ui.gestures import HOLD_A, HOLD_J, PRESS_A, PRESS_B
from firmware.ui.table import LIT, LOW, OLD, UNCERTAIN, UNSYNCED, WAITING

if TYPE_CHECKING:
    from firmware.core.types import Events
    from host.sim.types import Extra, Recalled, Scene

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
    ("unset", "", (), 0, (), {"keyless": True}),
    ("crash", "", (), 0, (), {"failed": "MemoryError"}),
    ("no_table", "", (), 0, (), {}),
    ("idle", "two_digits", seated() + (e.RoundCleared(0),), 0, (), {}),
    ("idle", "one_digit", seated(table=7) + (e.RoundCleared(0),), 0, (), {}),
    ("idle", "four_digits", seated(table=2048) + (e.RoundCleared(0),), 0, (), {}),
    ("lit", "", seated(), 0, (), {"standing": LIT}),
    ("seated", "nobody", seated(), 0, (), {}),
    ("seated", "one", seated() + (e.SeatConfirmed(0, 1, 0),), 0, (), {}),
    ("seated", "long_names", seated(), 0, (), {"names": LONG}),
    ("seated", "no_names", seated(), 0, (), {"names": ("", "")}),
    ("pregame", "", playing()[:4], START_MS - 110_000, (), {}),
    ("clock", "starter", playing(), at(49, 12), (), {}),
    ("clock", "running", RUN, at(37, 5), (), {}),
    ("clock", "long_names", RUN, at(20, 48), (), {"names": LONG}),
    ("clock", "game_two", RUN + WON_ONE + (e.PregameBegun(at(29, 13), 2),), at(28, 30), (), {}),
    ("clock", "one_up", RUN + WON_ONE + (e.StarterSet(0, 1, 2),), at(9, 59), (), {}),
    ("clock", "long_round", playing()[:1] + (e.FormatSet(0, 0, BO3, 120),) + RUN[2:], START_MS, (),
     {}),
    ("clock", "unsynced", RUN, at(37, 5), (), {"standing": UNSYNCED}),
    ("clock", "low_battery", RUN, at(37, 5), (), {"standing": LOW}),
    ("clock", "judge_called", RUN + (e.JudgeCalled(0, 0),), at(37, 5), (), {}),
    ("uncertain", "", RUN, at(12, 34), (), {"standing": UNCERTAIN}),
    ("warning", "", RUN, at(4, 59), (), {}),
    ("last", "", RUN, at(0, 42), (), {}),
    ("frozen", "", RUN + (e.Frozen(at(4), phases.PLAYING),), at(2), (), {}),
    ("frozen", "before_the_round", seated() + (e.Frozen(0, phases.SEATED),), 0, (), {}),
    ("extension", "neither", RUN + (e.Extended(at(9), 0, 300),), at(8), (), {}),
    ("extension", "one_seen", RUN + (e.Extended(at(9), 0, 300), e.ExtensionSeen(at(9), 0)), at(8),
     (), {}),
    ("result", "best_of_three", RUN, at(30), (PRESS_A,), {}),
    ("result", "second_line", RUN, at(30), (PRESS_A, PRESS_A), {}),
    ("result", "last_line", RUN, at(30), (PRESS_A,) * 14, {}),
    ("result", "single", playing(SINGLE) + STARTER, at(30), (PRESS_A,), {}),
    ("result", "single_long", playing(SINGLE) + STARTER, at(30), (PRESS_A,), {"names": LONG}),
    ("result", "luck", playing(SINGLE) + STARTER + ALLOWED, at(30), (PRESS_A,) * 7, {}),
    ("tell", "", UNTOUCHED, AFTER, (), {}),
    ("tell", "third", UNTOUCHED, AFTER, (PRESS_A, PRESS_B), {}),
    ("tell_check", "", UNTOUCHED + (e.StateTold(AFTER, 1, 0, 1, 0, 1, 0),), AFTER, (), {}),
    ("turn", "", UNTOUCHED + STATE, AFTER, (), {}),
    ("turn_check", "", UNTOUCHED + STATE + (e.TurnTold(AFTER, 1, 2, 1, 0, 0, 0),), AFTER, (), {}),
    ("finish", "", UNTOUCHED + STATE + TURN, AFTER, (), {}),
    ("finish", "long_name", UNTOUCHED + STATE + TURN, AFTER, (), {"names": LONG}),
    ("overtime", "first", UNTOUCHED + STATE + TURN + OVERTIME, AFTER, (), {}),
    ("overtime", "second", UNTOUCHED + STATE + TURN + OVERTIME + SECOND, AFTER, (), {}),
    ("proposed", "claimed", RUN + CLAIMED, AFTER, (), {}),
    ("proposed", "long_names", RUN + CLAIMED, AFTER, (), {"names": LONG}),
    ("proposed", "by_rule", UNTOUCHED + STATE + TURN + PROPOSED, AFTER, (), {}),
    ("proposed", "tie", UNTOUCHED + STATE + TURN + TIED, AFTER, (), {}),
    ("proposed", "loser_done", RUN + CLAIMED + confirmed(1), AFTER, (), {}),
    ("refuse", "", RUN + CLAIMED, AFTER, (PRESS_B,), {}),
    ("resolving", "refused", RUN + CLAIMED + (e.ResultRefused(AFTER, 1),), AFTER, (), {}),
    ("resolving", "reopened", ended(RUN + CLAIMED) + (e.ResultReopened(AFTER, 8, 0, 4),), AFTER,
     (), {}),
    ("ruled", "", RUN + (e.ResultRuled(AFTER, 2, 0, 0, 2),), AFTER, (), {}),
    ("agreed", "not_sent", ended(RUN + CLAIMED), AFTER, (), {"standing": WAITING}),
    ("agreed", "sent", ended(RUN + CLAIMED), AFTER, (), {}),
    ("agreed", "by_rule", ended(UNTOUCHED + STATE + TURN + PROPOSED), AFTER, (), {}),
    ("play_on", "", playing(CUT) + (e.OutcomeProposed(AFTER, 5, 7, 0, 0),), AFTER, (), {}),
    ("tiebreaker", "", UNTOUCHED + STATE + TURN + (e.OutcomeProposed(AFTER, 4, 1, 0, 0),), AFTER,
     (), {}),
    ("consent", "", playing(SINGLE) + STARTER + ALLOWED[:2], at(30),
     (PRESS_A,) * 7 + (PRESS_B, PRESS_B), {}),
)  # fmt: skip
CALL = (e.JudgeCalled(at(32), 0),)
ABSENT = (e.JudgeCalled(at(32), 4),)
HERE = CALL + (e.JudgeArrived(at(31)),)
HELD = UNTOUCHED + STATE + TURN + TIED + HERE
WAITED: Extra = {"waited_s": 155}
TO_CODE = (HOLD_J, PRESS_A)
CLEARED = seated() + (e.RoundCleared(0),)

STAFF: tuple[Scene, ...] = (
    ("judge", "waiting", RUN + CALL, at(30, 1), (HOLD_J,), WAITED),
    ("judge", "reasoned", RUN + ABSENT, at(30, 1), (HOLD_J,), WAITED),
    ("judge", "here", RUN + HERE, at(30, 1), (HOLD_J,), WAITED),
    ("judge_still", "waiting", RUN + CLAIMED + CALL, AFTER, (HOLD_J,), WAITED),
    ("judge_still", "reasoned", RUN + CLAIMED + ABSENT, AFTER, (HOLD_J,), WAITED),
    ("judge_still", "here", HELD, AFTER, (HOLD_J,), WAITED),
    ("reason", "", RUN + CALL, at(30, 1), TO_CODE, {}),
    ("reason", "last_line", RUN + CALL, at(30, 1), TO_CODE + (PRESS_A,) * 5, {}),
    ("code", "", RUN + HERE, at(30, 1), TO_CODE, {}),
    ("code", "three_digits", RUN + HERE, at(30, 1),
     TO_CODE + (PRESS_A,) * 7 + (PRESS_B,) + (PRESS_A,) * 5 + (PRESS_B, PRESS_A), {}),
    ("transport", "sent", CLEARED, 0, (HOLD_A,), {}),
    ("transport", "not_sent", CLEARED, 0, (HOLD_A,), {"standing": WAITING}),
    ("low", "", CLEARED, 0, (), {"standing": LOW}),
    ("version", "", CLEARED, 0, (), {"standing": OLD}),
    ("not_sent", "", ended(RUN + CLAIMED), AFTER, (), {"standing": WAITING | UNSYNCED}),
    ("not_sent", "by_rule", ended(UNTOUCHED + STATE + TURN + TIED), AFTER, (),
     {"standing": UNSYNCED}),
    ("result", "turned", RUN, at(30), (PRESS_B,), {}),
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
    ("judge_menu", "", RUN + HERE, at(30, 1), (HOLD_J,), VISIT),
    ("judge_menu", "not_here", RUN + CALL, at(30, 1), (HOLD_J,), VISIT),
    ("judge_menu", "to_approve", APPROVING, AFTER, (HOLD_J,), VISIT),
    ("judge_menu", "to_reopen", OVER, AFTER, (HOLD_J, PRESS_A, PRESS_A), VISIT),
    ("judge_time", "", RUN + HERE, at(30, 1), to(TIME), VISIT),
    ("judge_time", "less", RUN + GIVEN + HERE, at(30, 1), (*to(TIME), *(PRESS_A,) * 6), VISIT),
    ("judge_result", "", RUN + HERE, at(30, 1), to(RESULT), VISIT),
    ("judge_result", "as_it_stands", RUN + HERE, at(30, 1), (*to(RESULT), *(PRESS_A,) * 9),
     VISIT),
    ("judge_sure", "", RUN + HERE, at(30, 1), (*to(RESULT), PRESS_B), VISIT),
    ("judge_late", "", RUN + HERE, at(30, 1), to(LATE), VISIT),
    ("judge_sure", "late", RUN + HERE, at(30, 1), (*to(LATE), PRESS_A, PRESS_A, PRESS_B), VISIT),
    ("judge_loss", "", RUN + HERE, at(30, 1), to(LOSS), VISIT),
    ("judge_why_a", "", RUN + HERE, at(30, 1), (*to(LOSS), PRESS_B), VISIT),
    ("judge_why_b", "", RUN + HERE, at(30, 1), (*to(LOSS), PRESS_A, PRESS_B), VISIT),
    ("judge_sure_a", "", RUN + HERE, at(30, 1), (*to(LOSS), PRESS_B, PRESS_A, PRESS_B), VISIT),
    ("judge_sure_b", "", RUN + HERE, at(30, 1), (*to(LOSS), PRESS_A, PRESS_B, PRESS_B), VISIT),
    ("judge_roll", "", DISPUTED, at(30, 1), to(ROLL), VISIT),
    ("judge_sure", "roll", DISPUTED, at(30, 1), (*to(ROLL), PRESS_A, PRESS_B), VISIT),
    ("judge_approve", "", APPROVING, AFTER, to(APPROVE), VISIT),
    ("judge_reopen", "", OVER, AFTER, to(REOPEN), VISIT),
    ("judge_undo", "", RUN + HERE, at(30, 1), to(UNDO), UNDONE),
    ("judge_undo", "nothing", RUN + HERE, at(30, 1), to(UNDO), NOTHING),
)  # fmt: skip
COIN, DIE, CARD = (0, 1), (1, 1), (0, 2)  # a randomizer and its purpose
BOTH_HERE = (e.SeatConfirmed(0, 0, 0), e.SeatConfirmed(0, 1, 0))
FLIPPED = (e.Rolled(0, *COIN, 1, 0, 1),)
CONTESTED = (e.RollDisputed(0, 1),)
CALLED = (e.JudgeCalled(0, 0),)
STOPPED = (e.Frozen(at(4), phases.PLAYING),)
TURNS = UNTOUCHED + STATE + TURN

ROLLED: tuple[Scene, ...] = (
    ("roll", "heads", rolled(COIN, 1), at(30), (), {}),
    ("roll", "tails", rolled(COIN, 2), at(30), (), {}),
    ("roll", "die", rolled(DIE, 5), at(30), (), {}),
    ("roll", "disputed", rolled(COIN, 2) + CONTESTED, at(30), (), {}),
    ("roll", "before_the_game", playing() + FLIPPED + CONTESTED, at(49, 10), (), {}),
    ("roll", "flips", rolled(CARD, 13, 5), at(30), (), {}),
    ("roll", "eight_flips", rolled(CARD, 200, 8), at(30), (), {}),
    ("roll", "flips_disputed", rolled(CARD, 200, 8) + CONTESTED, at(30), (), {}),
    ("roll", "streak", rolled(CARD, 4, 255), at(30), (), {}),
    ("roll_warn", "judge_called", rolled(COIN, 2) + CONTESTED + CALLED, at(4, 3), (), {}),
    ("roll", "uncertain", rolled(COIN, 2), at(12, 34), (), {"standing": UNCERTAIN}),
    ("roll_warn", "", rolled(COIN, 1), at(4, 3), (), {}),
    ("roll_warn", "last_minute", rolled(COIN, 2), at(0, 43), (), {}),
    ("roll_still", "", seated() + BOTH_HERE + FLIPPED, 0, (), {"names": LONG}),
    ("roll_pregame", "", playing()[:6] + FLIPPED, START_MS - 110_000, (), {}),
    ("roll_pregame", "disputed", playing()[:6] + FLIPPED + CONTESTED, START_MS - 110_000, (), {}),
    ("dispute", "coin", rolled(COIN, 2), at(30), (PRESS_A,), {}),
    ("dispute", "flips", rolled(CARD, 200, 8), at(30), (PRESS_A,), {}),
    ("dispute_start", "", playing()[:6] + FLIPPED, START_MS - 110_000, (PRESS_A,), {}),
    ("dispute_still", "", seated() + BOTH_HERE + FLIPPED, 0, (PRESS_A,), {"names": LONG}),
    ("dispute_turn", "", TURNS + OVERTIME + FLIPPED, AFTER, (PRESS_A,), {}),
    ("dispute_last", "", TURNS + FLIPPED, AFTER, (PRESS_B,), {}),
    ("overtime", "rolled", TURNS + OVERTIME + FLIPPED, AFTER, (), {}),
    ("overtime", "disputed", TURNS + OVERTIME + FLIPPED + CONTESTED, AFTER, (), {}),
    ("finish", "rolled", TURNS + FLIPPED, AFTER, (), {}),
    ("lit_clock", "", RUN, at(12, 5), (), {"standing": LIT}),
    ("frozen", "rolled", rolled(COIN, 1) + STOPPED, at(2), (), {}),
    ("frozen", "lit", RUN + STOPPED, at(2), (),
     {"standing": LIT}),
    ("judge_still", "overtime", TURNS + OVERTIME + CALLED, AFTER, (10,), {"waited_s": 5}),
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
    form = SINGLE | round_number - 1 << 8
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
    ("draft_lay", "", (), 1000, (PRESS_B, PRESS_B, PRESS_A), pod(0)),
    ("draft_review", "", (), 12_000, (), pod(0, OPENED)),
    ("draft_review", "halted", (), 12_000, (), pod(0, OPENED, (5, 0, 0))),
    ("draft_pick", "", (), 3500, (), pod(0, *PICKING)),
    ("draft_pick", "missed", (), 5000, (), pod(0, *PICKING, (4, 1, 1), (4, 2, 2))),
    ("draft_pick", "halted", (), 5000, (), pod(0, *PICKING, (5, 0, 0))),
    ("draft_lay", "booster", (), 1000, (), pod(1)),
    ("draft_pass", "left", (), 5000, (), pod(1, (1, 15, 0), (3, 0, 0))),
    ("draft_pass", "right", (), 5000, (), pod(1, (1, 1, 0), (3, 0, 0), (1, 15, 0))),
    ("draft_drawn", "", (), 1000, (), pod(1, *[(1, 1, 0), (3, 0, 0)] * 3)),
    ("draft_over", "built", (), 100_000, (), pod(1, (8, 1, 0), (9, 0, 0))),
    ("draft_build", "", (), 100_000, (), pod(1, *[(1, 1, 0), (3, 0, 0)] * 3, (8, 0, 0))),
    ("draft_over", "", (), 1000, (), pod(1, (9, 0, 0))),
)  # fmt: skip

SCENES_MORE: tuple[Scene, ...] = (
    ("said", "", IDLE + (e.OrganiserSaid(0, 0, 600),), 75_000, (), {}),
    ("said_still", "", IDLE + (e.OrganiserSaid(0, 4, 0),), 75_000, (), {}),
    ("frozen", "extended",
     RUN + (e.Extended(at(9), 0, 180), e.ExtensionSeen(at(9), 0),
     e.ExtensionSeen(at(9), 1), e.Frozen(at(4), phases.PLAYING)), at(1, 30), (),
     {}),
    ("frozen_hidden", "", playing(BO3 | HIDDEN) + STARTER + (e.Frozen(at(4), 3),), at(2),
     (), {}),
    ("seated", "team", TEAM[:2], 0, (), OF_D03),
    ("seated", "swapped", seated() + (e.SeatConfirmed(0, 2, 1),), 0, (), {}),
    ("frozen", "seats_open", seated() + (e.StartSet(START_MS),
     e.Frozen(START_MS - 9 * MINUTE, phases.SEATED)), START_MS + MINUTE, (), {}),
    ("clock", "toss", playing(SINGLE), at(49), (), OF_D03),
    ("clock", "team_toss", TEAM[:-1], at(49), (), OF_D03),
    ("team_prize", "", TEAM, at(30), TO_TEAM, OF_D03),
    ("team_prize", "moved", TEAM + (e.PrizesCounted(at(40), 8, 1, 515),
     e.WipedOut(at(40), 4, 0, 0)), at(30), TO_TEAM, OF_D03),
    ("team_out", "", TEAM + (e.WipedOut(at(40), 2, 0, 0),), at(30), (PRESS_A, *TO_TEAM), OF_D03),
    ("turn_team", "one_out", TEAM + (e.WipedOut(at(40), 1, 0, 0),
     e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0)), AFTER, (), OF_D03),
    ("turn_team", "", TEAM + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),), AFTER, (PRESS_A,),
     OF_D03),
    ("turn_check", "team", TEAM + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),
     e.TurnTold(AFTER, 2, 1, 1, 0, 7, 0)), AFTER, (), OF_D03),
    ("finish", "team", TEAM + (e.TurnStarted(at(1), 3),
     e.TimeCalled(ZERO_MS, phases.FINISHING, 0, 0, 0)), AFTER, (), OF_D03),
    ("clock", "loser_chooses", RUN + WON_ONE, at(28), (), {"names": LONG}),
    ("clock", "two_hours", playing()[:1] + (e.FormatSet(0, 0, BO3, 125),) + RUN[2:], START_MS,
     (), {}),
    ("hidden", "", playing(BO3 | HIDDEN) + STARTER, at(30), (), {}),
    ("hidden", "starter", playing(BO3 | HIDDEN), at(30), (), {}),
    ("judge_still", "hidden", playing(BO3 | HIDDEN) + STARTER + (e.JudgeCalled(at(30), 0),), at(30),
     (10,), {}),
    ("finish", "no_turns_after", UNTOUCHED + STATE + TURN, AFTER, (), OF_D03),
    ("prizes", "", LEVEL, AFTER, (), {}),
    ("prizes", "some_left", LEVEL, AFTER, (PRESS_A,) * 4 + (PRESS_B,) * 2, {}),
    ("prizes_check", "", LEVEL + (e.PrizesCounted(AFTER, 1, 2, 4),), AFTER, (), {}),
    ("prizes_check", "long_name", LEVEL + (e.PrizesCounted(AFTER, 2, 2, 4),), AFTER, (),
     {"names": LONG}),
    ("play_on", "equal", LEVEL + EVEN, AFTER, (), {}),
    ("prizes", "in_play_on", LEVEL + EVEN, AFTER, (PRESS_A,), {}),
    ("tiebreaker", "starter", LATER, AFTER, (), {}),
    ("tiebreaker", "begun", LATER + BEGUN, AFTER, (), {}),
    ("tiebreaker_clock", "starter", BREAKER, at(8), (), {}),
    ("tiebreaker", "set_up", LATER + (e.PregameBegun(AFTER, 2),), AFTER, (), {}),
    ("tiebreaker_clock", "set_up", BREAKER + (e.PregameBegun(at(9), 2),), at(8), (), {}),
    ("tiebreaker_clock", "begun", BREAKER + BEGUN, at(8), (), {}),
    ("waiting", "", playing(CUT | JUDGED) + STARTER + CLAIMED + confirmed(0) + confirmed(1), AFTER,
     (), {}),
    ("concede", "", RUN, at(30), (PRESS_A,) + (PRESS_A,) * 11 + (PRESS_B,), {}),
    ("agreed", "one_reopens", ended(RUN + CLAIMED), AFTER, (), {"pending": 1}),
    ("setup", "", docked(), 0, (), SHIPS),
    ("initiative", "squads", docked() + BOTH_HERE + SQUADS, 0, (), SHIPS),
    ("initiative", "obstacle", docked() + BOTH_HERE + SQUADS + OBSTACLE, 0, (), SHIPS),
    ("setup", "initiative", docked() + BOTH_HERE, 0, (), SHIPS),
    ("pregame_ships", "obstacle", ARMED + BOTH_HERE + SQUADS + OBSTACLE, START_MS - 310_000, (),
     SHIPS),
    ("initiative", "mirror", docked() + BOTH_HERE + EQUALS, 0, (), SHIPS),
    ("roll_rounds", "", FLYING + ON + (e.Rolled(at(39), 0, 4, 2, 0, 1),), at(38), (), SHIPS),
    ("roll_rounds", "disputed", FLYING + ON + (e.Rolled(at(39), 0, 4, 2, 0, 1),
     e.RollDisputed(at(39), 0)), at(38), (), SHIPS),
    ("finish_round", "rolled", FLYING + ON + (e.Rolled(at(39), 3, 5, 7, 0, 1),
     e.TimeCalled(ZERO_MS, phases.FINISHING, 0, 0, 0)), AFTER, (), SHIPS),
    ("roll_hidden", "", playing(BO3 | HIDDEN) + STARTER + (e.Rolled(at(39), 0, 1, 2, 0, 1),),
     at(38), (), {}),
    ("extension_hidden", "", playing(BO3 | HIDDEN) + STARTER + (e.Extended(at(9), 0, 300),),
     at(8), (), {}),
    ("extension", "ships", FLYING + ON + (e.Extended(at(9), 0, 300),), at(8), (), SHIPS),
    ("play_on", "rolled", LEVEL + (e.Rolled(AFTER, 0, 2, 2, 0, 1),) + EVEN, AFTER, (), {}),
    ("tiebreaker", "rolled", LATER + BEGUN + (e.Rolled(AFTER, 0, 1, 2, 0, 1),), AFTER, (), {}),
    ("tiebreaker_clock", "rolled", BREAKER + (e.Rolled(at(8), 0, 1, 2, 0, 1),), at(8), (), {}),
    ("pregame_ships", "", ARMED, START_MS - 310_000, (), SHIPS),
    ("pregame_ships", "squads", ARMED + SQUADS, START_MS - 310_000, (), SHIPS),
    ("pregame_ships", "mirror", ARMED + EQUALS, START_MS - 310_000, (), SHIPS),
    ("pregame_ships", "tossed", ARMED + EQUALS + TOSSED, START_MS - 310_000, (), SHIPS),
    ("pregame_ships", "last_minute", ARMED + SQUADS, START_MS - 50_000, (), SHIPS),
    ("rounds", "go", FLYING, at(49, 58), (), SHIPS),
    ("rounds", "on", FLYING + ON, at(39), (), SHIPS),
    ("rounds", "off", FLYING + OFF, at(34), (), SHIPS),
    ("rounds_warn", "", FLYING + ON, at(4, 10), (), SHIPS),
    ("rounds_last", "", FLYING + ON, at(0, 31), (), SHIPS),
    ("result", "ships", FLYING + ON, at(30), (PRESS_B,), SHIPS),
    ("round_asked", "", FLYING + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),), AFTER, (),
     SHIPS),
    ("turn_check", "ships", FLYING + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),
     e.TurnTold(AFTER, 0, 1, 1, 0, 7, 0)), AFTER, (), SHIPS),
    ("finish_round", "", FLYING + ON + (e.TimeCalled(ZERO_MS, phases.FINISHING, 0, 0, 0),), AFTER,
     (), SHIPS),
    ("resolving", "goes_on", LEVEL_SHIPS, AFTER, (), SHIPS),
    ("destroyed", "", SCORING, AFTER, TENS, SHIPS),
    ("destroyed_ones", "", SCORING, AFTER, (*TENS, HOLD_A, PRESS_A, PRESS_A, PRESS_B), SHIPS),
    ("luck", "", BEFORE, at(30), BEFORE_LUCK, {}),
    ("luck_first", "", BEFORE, at(30), BEFORE_LUCK + (PRESS_B,), {}),
    ("no_luck", "", LUCKY, at(30), TO_LUCK, {"ill": True}),
    ("luck_first", "team", TEAM[:-1], at(49), (HOLD_A, *(PRESS_A,) * 6, PRESS_B, PRESS_B), OF_D03),
    ("roll", "team", TEAM[:-1] + (e.Rolled(at(49), 0, 1, 1, 0, 1),), at(48), (), OF_D03),
    ("roll_still", "team", TEAM[:2] + (e.Rolled(0, 0, 1, 1, 0, 1),), 0, (), OF_D03),
    ("luck_card", "", LUCKY, at(30), TO_LUCK + (PRESS_B,), {}),
    ("luck_card", "until_tails", LUCKY, at(30), TO_LUCK + (PRESS_B,) + (PRESS_A,) * 8, {}),
    ("luck", "ships", FLYING + PLAYFUL, at(30), (PRESS_B,) + (PRESS_A,) * 5 + (PRESS_B,), SHIPS),
    ("luck_starts", "", FLYING + PLAYFUL, at(30), (PRESS_B,) + (PRESS_A,) * 5 + (PRESS_B,) * 2,
     SHIPS),
    ("luck_colours", "", FLYING + PLAYFUL, at(30),
     (PRESS_B,) + (PRESS_A,) * 5 + (PRESS_B, PRESS_A, PRESS_B), SHIPS),
    ("luck_combat", "", FLYING + PLAYFUL, at(30),
     (PRESS_B,) + (PRESS_A,) * 5 + (PRESS_B, PRESS_A, PRESS_A, PRESS_B), SHIPS),
    ("undo", "", RUN, at(30), TO_UNDO, {"recalled": DONE}),
    ("undo", "one_held", RUN, at(30), TO_UNDO, {"recalled": DONE, "pending": 2}),
    ("count", "", RUN, at(30), TO_COUNT, {}),
    ("count", "one_held", RUN, at(30), TO_COUNT, {"pending": 1}),
    ("clock", "counting", COUNTED, at(30), (), {}),
    ("clock", "counted", COUNTED + (e.TurnStarted(0, 1),), at(30), (), {}),
    ("last", "counted", COUNTED + (e.TurnStarted(0, 1),), at(0, 30), (), {}),
    ("rolls", "", LUCKY, at(30), TO_LUCK + (PRESS_A, PRESS_B), {"recalled": ROLLS}),
    ("destroyed_check", "", SCORING + (e.DestroyedCounted(AFTER, 1, 32, 11),), AFTER, (),
     SHIPS),
    ("judge_result", "ships", RULED_SHIPS, at(30), to(RESULT), JUDGED_SHIPS),
    ("judge_points", "", RULED_SHIPS, at(30), (*TO_POINTS, PRESS_A, PRESS_A), JUDGED_SHIPS),
    ("judge_points", "games", RULED_FIVE, at(30), TO_POINTS, VISIT),
    ("judge_ones", "", RULED_SHIPS, at(30), (*TO_POINTS, PRESS_A, PRESS_A, HOLD_A), JUDGED_SHIPS),
    ("judge_won", "", RULED_SHIPS, at(30), TO_WON, JUDGED_SHIPS),
    ("judge_won", "games", RULED_FIVE, at(30), (*TO_POINTS, *(PRESS_A,) * 3, PRESS_B, HOLD_A),
     VISIT),
    ("judge_sure", "points", RULED_SHIPS, at(30), (*TO_WON, PRESS_B), JUDGED_SHIPS),
    ("judge_why_a", "ships", RULED_SHIPS, at(30), (*to(LOSS), PRESS_B), JUDGED_SHIPS),
)  # fmt: skip

ALL: tuple[Scene, ...] = SCENES + SCENES_MORE + DRAFTS + ROLLED + STAFF + JUDGE
