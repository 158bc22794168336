"""The scenes for which every screen is drawn, each given by the events at the table.

A scene is ``(screen, case, events, now_ms, gestures, extra)``: ``gestures`` follow at ``now_ms``,
after ``events``. ``extra`` is a dict of ``standing`` (facts of the board), ``names``, ``failed``
(an error) and ``keyless``. Seats are 0 and 1; the event's clock starts at ``ZERO_MS``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.core import events as e
from firmware.core import phases
from firmware.ui.gestures import PRESS_A, PRESS_B
from firmware.ui.table import LIT, LOW, UNCERTAIN, UNSYNCED, WAITING

if TYPE_CHECKING:
    from firmware.core.types import Events
    from host.sim.types import Scene


START_MS = 10_000_000
MINUTE = 60_000
ZERO_MS = START_MS + 50 * MINUTE
NAMES = ("Giulia B.", "Kenji T.")
LONG = ("Wolfeschlegelstein M", "Maximiliana-Josefina")

BO3, SINGLE, CUT = 3 << 1, 1 << 1, 3 << 1 | 1


def seated(form: int = BO3, table: int = 12) -> Events:
    """Return the events of a table that has its pairing and format."""
    return (e.RoundSet(0, 3, table, 1), e.FormatSet(0, 0, form, 50))


def playing(form: int = BO3, table: int = 12) -> Events:
    """Return the events of a table in a running round, game 1 started by seat 0."""
    return seated(form, table) + (
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
    (
        "clock",
        "game_two",
        RUN + WON_ONE + (e.PregameBegun(at(29, 13), 2),),
        at(28, 30),
        (),
        {},
    ),
    ("clock", "one_up", RUN + WON_ONE + (e.StarterSet(0, 1, 2),), at(9, 59), (), {}),
    (
        "clock",
        "long_round",
        playing()[:1] + (e.FormatSet(0, 0, BO3, 120),) + RUN[2:],
        START_MS,
        (),
        {},
    ),
    ("clock", "unsynced", RUN, at(37, 5), (), {"standing": UNSYNCED}),
    ("clock", "low_battery", RUN, at(37, 5), (), {"standing": LOW}),
    ("clock", "judge_called", RUN + (e.JudgeCalled(0, 0),), at(37, 5), (), {}),
    ("uncertain", "", RUN, at(12, 34), (), {"standing": UNCERTAIN}),
    ("warning", "", RUN, at(4, 59), (), {}),
    ("last", "", RUN, at(0, 42), (), {}),
    ("frozen", "", RUN + (e.Frozen(at(4), phases.PLAYING),), at(2), (), {}),
    ("frozen", "before_the_round", seated() + (e.Frozen(0, phases.SEATED),), 0, (), {}),
    ("extension", "neither", RUN + (e.Extended(at(9), 0, 300),), at(8), (), {}),
    (
        "extension",
        "one_seen",
        RUN + (e.Extended(at(9), 0, 300), e.ExtensionSeen(at(9), 0)),
        at(8),
        (),
        {},
    ),
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
    (
        "resolving",
        "reopened",
        ended(RUN + CLAIMED) + (e.ResultReopened(AFTER, 8, 0, 4),),
        AFTER,
        (),
        {},
    ),
    ("ruled", "", RUN + (e.ResultRuled(AFTER, 2, 0, 0, 2),), AFTER, (), {}),
    ("agreed", "not_sent", ended(RUN + CLAIMED), AFTER, (), {"standing": WAITING}),
    ("agreed", "sent", ended(RUN + CLAIMED), AFTER, (), {}),
    ("agreed", "by_rule", ended(UNTOUCHED + STATE + TURN + PROPOSED), AFTER, (), {}),
    ("play_on", "", playing(CUT) + (e.OutcomeProposed(AFTER, 5, 7, 0, 0),), AFTER, (), {}),
    (
        "tiebreaker",
        "",
        UNTOUCHED + STATE + TURN + (e.OutcomeProposed(AFTER, 4, 1, 0, 0),),
        AFTER,
        (),
        {},
    ),
    (
        "consent",
        "",
        playing(SINGLE) + STARTER + ALLOWED[:2],
        at(30),
        (PRESS_A,) * 7 + (PRESS_B, PRESS_B),
        {},
    ),
)
