"""The screens, a file a family. A family is loaded when the first of its screens is shown, so that
a board is ready soon after it has power.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Screen

FAMILIES = {
    "board": (
        "unset", "crash", "version", "low", "lit", "lit_clock", "no_table", "idle", "said",
        "said_still", "transport",
    ),
    "before": ("seated", "setup", "initiative", "pregame", "pregame_ships"),
    "playing": (
        "clock", "hidden", "warning", "last", "uncertain", "rounds", "rounds_warn", "rounds_last",
        "extension", "extension_hidden", "frozen", "frozen_hidden", "count",
    ),
    "after_time": (
        "tell", "turn_team", "turn", "round_asked", "tell_check", "turn_check", "overtime",
        "finish", "finish_round", "play_on", "tiebreaker", "tiebreaker_clock", "team_prize",
        "team_out",
    ),
    "counting": ("prizes", "prizes_check", "destroyed", "destroyed_ones", "destroyed_check"),
    "result": (
        "result", "concede", "undo", "resolving", "proposed", "ruled", "refuse", "waiting",
        "agreed", "not_sent",
    ),
    "rolls": (
        "roll", "roll_hidden", "roll_warn", "roll_rounds", "roll_rounds_warn", "roll_pregame",
        "roll_still", "dispute", "dispute_start", "dispute_still", "dispute_turn", "dispute_last",
    ),
    "luck": (
        "luck", "luck_first", "luck_card", "luck_starts", "luck_colours", "luck_combat", "consent",
        "no_luck", "rolls",
    ),
    "judge": (
        "judge", "judge_still", "reason", "code", "judge_menu", "judge_time", "judge_late",
        "judge_loss", "judge_why_a", "judge_why_b", "judge_roll", "judge_result", "judge_points",
        "judge_ones", "judge_won", "judge_sure", "judge_sure_a", "judge_sure_b", "judge_approve",
        "judge_reopen", "judge_undo",
    ),
    "draft": (
        "draft_lay", "draft_review", "draft_pick", "draft_pass", "draft_drawn", "draft_build",
        "draft_over",
    ),
}  # fmt: skip


class Screens:
    """The screens by name, each made when it is first asked for."""

    def __init__(self):
        self._made: "dict[str, Screen]" = {}

    def __getitem__(self, name: str) -> "Screen":
        if name not in self._made:
            for family, names in FAMILIES.items():
                if name in names:
                    self._load(family)
        return self._made[name]

    def _load(self, family):
        module = __import__("firmware.ui.screens." + family, None, None, ("SCREENS",))
        for one in module.SCREENS:
            self._made[one.name] = one()
