"""The screens, a file a family. A family is loaded when the first of its screens is shown, so that
a board is ready soon after it has power.
"""

from firmware.ui.screen import Screen

# the screens of each family that a table shows by itself, or that another family leads to
WAYS_IN = {
    "board": "unset crash version low lit lit_clock no_table idle said said_still",
    "before": "seated setup initiative pregame pregame_ships",
    "playing": (
        "clock hidden warning last uncertain rounds rounds_warn rounds_last extension"
        " extension_hidden frozen frozen_hidden count"
    ),
    "after_time": (
        "tell turn_team turn round_asked tell_check turn_check overtime finish finish_round"
        " play_on tiebreaker tiebreaker_clock team_prize team_out"
    ),
    "counting": "prizes prizes_check destroyed destroyed_check",
    "result": "result undo resolving proposed ruled waiting agreed not_sent",
    "rolls": (
        "roll roll_hidden roll_warn roll_rounds roll_rounds_warn roll_pregame roll_still"
        " dispute dispute_still dispute_turn dispute_last"
    ),
    "luck": "luck no_luck",
    "judge": "judge judge_still judge_menu",
    "draft": "draft_lay draft_review draft_pick draft_pass draft_drawn draft_build draft_over",
}


class Screens:
    """The screens by name, each family made when it is first entered."""

    def __init__(self):
        self._made: dict[str, Screen] = {}

    def __getitem__(self, name: str) -> "Screen":
        if name not in self._made:
            for family, ways_in in WAYS_IN.items():
                if name in ways_in.split():
                    self.load(family)
        return self._made[name]

    def load(self, family: str) -> "list[str]":
        """Make the screens of a family, of its classes and of its ROWS; return their names."""
        module = __import__("firmware.ui.screens." + family, None, None, ("Screen",))
        every = [getattr(module, word) for word in dir(module)]
        classes = [each for each in every if isinstance(each, type) and issubclass(each, Screen)]
        found = [each() for each in classes if each.name] + list(getattr(module, "ROWS", ()))
        for each in found:
            self._made[each.name] = each
        return [each.name for each in found]
