"""Which screen a table shows by itself."""

from firmware.core import phases
from firmware.ui import screen
from firmware.ui.table import Table

# what comes before a phase's own screens; the lamp gives way to a clock and to counted turns
_BEFORE_ALL = (("error", "crash"), ("keyless", "unset"))
_LAMP = (("lit", "lit"),)
_AT_A_CLOCK = (
    phases.PREGAME, phases.PLAYING, phases.FROZEN, phases.TIME, phases.OVERTIME, phases.FINISHING,
    phases.PLAY_ON, phases.TIEBREAKER,
)  # fmt: skip
# a phase's screens: the first one counts whose fact of the table holds, the last one always does;
# in place of a screen further rows
SCREENS = {
    phases.IDLE: (
        ("old", "version"),
        ("low", "low"),
        ("seated", (("timed", "said"), ("said_any", "said_still"), ("", "idle"))),
        ("called", "judge_still"),
        ("", "no_table"),
    ),
    phases.SEATED: (
        ("rolled", "roll_still"), ("weighed", "initiative"), ("joint_turns", "setup"),
        ("", "seated"),
    ),
    phases.PREGAME: (("rolled", "roll_pregame"), ("joint_turns", "pregame_ships"), ("", "pregame")),
    phases.PLAYING: (
        ("hidden", (("unseen", "extension_hidden"), ("rolled", "roll_hidden"), ("", "hidden"))),
        ("lit", "lit_clock"),
        ("unseen", "extension"),
        ("rolled", (
            ("joint_turns", (("warn", "roll_rounds_warn"), ("", "roll_rounds"))),
            ("warn", "roll_warn"),
            ("", "roll"),
        )),
        ("uncertain", "uncertain"),
        ("joint_turns", (("last", "rounds_last"), ("warn", "rounds_warn"), ("", "rounds"))),
        ("last", "last"),
        ("warn", "warning"),
        ("", "clock"),
    ),
    phases.FROZEN: (("hidden", "frozen_hidden"), ("", "frozen")),
    phases.TIME: (
        ("unknown", (("checking", "tell_check"), ("", "tell"))),
        ("checking", "turn_check"),
        ("joint_turns", "round_asked"),
        ("team", "turn_team"),
        ("", "turn"),
    ),
    phases.OVERTIME: (("finishing", "finish"), ("", "overtime")),
    phases.FINISHING: (("joint_turns", "finish_round"), ("", "finish")),
    phases.PLAY_ON: (("checking", "prizes_check"), ("", "play_on")),
    phases.TIEBREAKER: (("ticking", "tiebreaker_clock"), ("", "tiebreaker")),
    phases.RESOLVING: (
        ("prizes", (("checking", "prizes_check"), ("", "prizes"))),
        ("destroyed", (("checking", "destroyed_check"), ("", "destroyed"))),
        ("", "resolving"),
    ),
    phases.PROPOSED: (("wanted", "waiting"), ("ruled", "ruled"), ("", "proposed")),
    phases.AGREED: (("unsynced", "not_sent"), ("", "agreed")),
    screen.LAYING: (("", "draft_lay"),),
    screen.REVIEW: (("", "draft_review"),),
    screen.PICKS: (("booster", "draft_pass"), ("", "draft_pick")),
    screen.DRAWN: (("", "draft_drawn"),),
    screen.BUILDING: (("", "draft_build"),),
    screen.OVER: (("", "draft_over"),),
}  # fmt: skip


def home(table: Table) -> str:
    """Return the name of the screen that a table shows by itself."""
    lamp = () if table.phase in _AT_A_CLOCK else _LAMP
    return _first(_BEFORE_ALL + lamp, table) or _first(SCREENS[table.phase], table)


def _first(rows, table):
    """Return the screen of the first row that holds, empty if none does."""
    for fact, found in rows:
        if not fact or getattr(table, fact):
            return found if isinstance(found, str) else _first(found, table)
    return ""
