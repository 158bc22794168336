"""Scenes for judges and staff: a call and its reason, a code, a board that needs service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.core import events as e
from firmware.ui.gestures import HOLD_A, HOLD_J, PRESS_A, PRESS_B
from firmware.ui.table import LOW, OLD, UNSYNCED, WAITING
from host.sim.scenes import (
    AFTER,
    CLAIMED,
    RUN,
    STATE,
    TIED,
    TURN,
    UNTOUCHED,
    at,
    ended,
    seated,
)  # fmt: skip

if TYPE_CHECKING:
    from host.sim.types import Extra, Scene


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
