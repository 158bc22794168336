"""Which screen a table shows by itself, and what every screen shows and answers."""

from firmware.core import phases
from firmware.core.intents import CallJudge
from firmware.ui import screen
from firmware.ui.screen import BOTH, HOLD_J, Key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table


def home(table: "Table") -> str:
    """Return the name of the screen that a table shows by itself.

    Where a clock runs or a turn is counted nothing comes before it: no roll, no extra time, no
    lamp.
    """
    if table.crashed:
        return "crash"
    if not table.keyed:
        return "unset"
    found = _AT_ITS_CLOCK.get(table.phase)
    if found is not None:
        return found(table)
    if table.lit:
        return "lit"
    if table.draft is not None:
        return "draft_pass" if table.all_pass else _OF_DRAFTS[table.phase]
    return _OTHERS[table.phase](table)


def _pregame(table):
    if table.rolled:
        return "roll_pregame"
    return "pregame_ships" if table.shared else "pregame"


def _playing(table):
    if table.hidden:
        return _hidden(table)
    if table.lit:
        return "lit_clock"
    if table.unseen:
        return "extension"
    if table.rolled:
        name = "roll_rounds" if table.shared else "roll"
        return name + "_warn" if table.warn else name
    if table.uncertain:
        return "uncertain"
    if table.shared:
        return "rounds_last" if table.last else "rounds_warn" if table.warn else "rounds"
    return "last" if table.last else "warning" if table.warn else "clock"


def _hidden(table):
    if table.unseen:
        return "extension_hidden"
    return "roll_hidden" if table.rolled else "hidden"


def _frozen(table):
    return "frozen_hidden" if table.hidden else "frozen"


def _time(table):
    told = table.told_a or table.told_b
    if table.unknown:
        return "tell_check" if told else "tell"
    if told:
        return "turn_check"
    if table.shared:
        return "round_asked"
    return "turn_team" if table.team else "turn"


def _overtime(table):
    return "finish" if table.finishing else "overtime"


def _finishing(table):
    return "finish_round" if table.shared else "finish"


def _play_on(table):
    return "prizes_check" if table.told_a or table.told_b else "play_on"


def _tiebreaker(table):
    return "tiebreaker_clock" if table.ticking else "tiebreaker"


# phases with a clock or turns
_AT_ITS_CLOCK = {
    phases.PREGAME: _pregame,
    phases.PLAYING: _playing,
    phases.FROZEN: _frozen,
    phases.TIME: _time,
    phases.OVERTIME: _overtime,
    phases.FINISHING: _finishing,
    phases.PLAY_ON: _play_on,
    phases.TIEBREAKER: _tiebreaker,
}


def _idle(table):
    if table.old:
        return "version"
    if table.low:
        return "low"
    if not table.seated:
        return "judge_still" if table.called else "no_table"
    if table.said_any:
        return "said" if table.timed else "said_still"
    return "idle"


def _seated(table):
    if table.rolled:
        return "roll_still"
    if table.present_a and table.present_b and (table.decided or table.level):
        return "initiative"
    return "setup" if table.shared else "seated"


def _resolving(table):
    told = table.told_a or table.told_b
    if table.prizes:
        return "prizes_check" if told else "prizes"
    if table.destroyed:
        return "destroyed_check" if told else "destroyed"
    return "resolving"


def _proposed(table):
    if table.wanted:
        return "waiting"
    return "ruled" if table.ruled else "proposed"


def _agreed(table):
    return "not_sent" if table.unsynced else "agreed"


_OF_DRAFTS = {
    screen.LAYING: "draft_lay",
    screen.REVIEW: "draft_review",
    screen.PICKS: "draft_pick",
    screen.DRAWN: "draft_drawn",
    screen.BUILDING: "draft_build",
    screen.OVER: "draft_over",
}
_OTHERS = {
    phases.IDLE: _idle,
    phases.SEATED: _seated,
    phases.RESOLVING: _resolving,
    phases.PROPOSED: _proposed,
    phases.AGREED: _agreed,
}


def tags(picture: "Picture", table: "Table") -> None:
    """Say on any screen what is wrong, and the table's number; the judge comes first."""
    if table.called:
        picture.say("tag_right", "judge_tag", patched=True)
    elif table.unsynced:
        picture.say("tag_right", "no_sync", patched=True)
    elif table.low:
        picture.say("tag_right", "low_battery", patched=True)
    if table.seated and not table.idle:
        picture.say("tag_left", "table_short", patched=True)


def judge_keys(table: "Table") -> "ScreenKeys":
    """Yield how any screen calls a judge, in one gesture; a judge's own visit goes on with it."""
    gesture, label = (HOLD_J, "judge_key") if table.three else (BOTH, None)
    screen = "judge" if table.ticking else "judge_still"
    if table.visit:
        yield Key(gesture, label, goes="judge_menu")
    elif table.here:
        yield Key(gesture, label, goes=screen)
    else:
        yield Key(gesture, label, CallJudge, 0, goes=screen)
