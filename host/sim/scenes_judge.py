"""Scenes of a judge's visit: the menu that a code opens, its lists, what is asked before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.core import events as e
from firmware.ui.gestures import HOLD_J, PRESS_A, PRESS_B
from host.sim.scenes import (
    AFTER,
    CLAIMED,
    CUT,
    RUN,
    STARTER,
    at,
    confirmed,
    ended,
    playing,
    rolled,
)  # fmt: skip
from host.sim.scenes_staff import CALL, HERE

if TYPE_CHECKING:
    from host.sim.types import Extra, Scene


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
