"""The moments of a roll that is not settled, each on the screen of its phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.core import events as e
from firmware.core import phases
from firmware.ui.table import LIT, UNCERTAIN
from host.sim.scenes import (
    AFTER,
    LONG,
    OVERTIME,
    PRESS_A,
    PRESS_B,
    RUN,
    START_MS,
    STATE,
    TURN,
    UNTOUCHED,
    at,
    playing,
    rolled,
    seated,
)  # fmt: skip

if TYPE_CHECKING:
    from host.sim.types import Scene


COIN, DIE, CARD = (0, 1), (1, 1), (0, 2)  # a randomizer and its purpose
HERE = (e.SeatConfirmed(0, 0, 0), e.SeatConfirmed(0, 1, 0))
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
    ("roll_still", "", seated() + HERE + FLIPPED, 0, (), {"names": LONG}),
    ("roll_pregame", "", playing()[:6] + FLIPPED, START_MS - 110_000, (), {}),
    ("roll_pregame", "disputed", playing()[:6] + FLIPPED + CONTESTED, START_MS - 110_000, (), {}),
    ("dispute", "coin", rolled(COIN, 2), at(30), (PRESS_A,), {}),
    ("dispute", "flips", rolled(CARD, 200, 8), at(30), (PRESS_A,), {}),
    ("dispute_start", "", playing()[:6] + FLIPPED, START_MS - 110_000, (PRESS_A,), {}),
    ("dispute_still", "", seated() + HERE + FLIPPED, 0, (PRESS_A,), {"names": LONG}),
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
