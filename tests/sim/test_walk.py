"""A walk through every screen by keys from power-on, with the desk and time only where a state
needs them.

At every stop: a judge is one gesture away, some key, the desk or time leads on, and P18 offers no
luck while its switch is off.
"""

from types import SimpleNamespace

import pytest

from firmware import app, launch, radio
from firmware.core import intents, settings
from firmware.core.answers import VERSION
from firmware.ui import face as faces_of_boards
from firmware.ui import screens
from firmware.ui.face import Face
from firmware.ui.table import Table
from host.base.errors import UserError
from host.boards.models import MODELS, SKEWS
from host.sim import flow, pure, single_board
from host.sim.board import VirtualBoard
from host.sim.clock import VirtualLoop
from host.sim.faces import blank_face, texts_of

NAMES = {name for family in screens.WAYS_IN for name in screens.Screens().load(family)}
RUNNING = {
    "clock", "warning", "last", "uncertain", "hidden", "rounds", "rounds_warn", "rounds_last",
}  # fmt: skip
PRESS, HOLD, CALLS = 4, 8, {10, 12}
# what the desk, the radio or the battery does to the board that no flow can say
HAPPENS = {
    "blink": lambda board: setattr(board.app.view, "lit_ms", board.board.clock.now_ms() + 3000),
    "drain": lambda board: setattr(board.board.battery, "percent", 5),
    "charge": lambda board: setattr(board.board.battery, "percent", 90),
    "sicken": lambda board: setattr(board.app.ledger, "entropy", bytes),
    "outdate": lambda board: board.app.sync.refused.__setitem__(VERSION, 1),
}
SEAT = "round 1 5\nformat {}\nstart {}\nhold ▲\nhold ●\nwait {}\n"
P18 = SEAT.format("p18 swiss bo3 constructed 50", "0:06", "5s")
CUT = SEAT.format("p18 elimination bo1 constructed 30", "0:06", "5s")
WALKS = {
    # at the tables before a round, and between two
    "idle": "board {} p18\nhold J\npress ●\ndesk END_CALL\nround 1 5\ndesk CLEAR_ROUND\nhold ▲\npress ●\n"
            "desk SAY 6\ndesk SAY 0 600\nblink\nwait 4s\ndrain\nwait 11s\ncharge\nwait 11s\noutdate\nwait 1s\n",
    # a call in a running round: why, the judge's code, what the judge may do in one visit
    "judge": "board {} p18\n" + P18 + "press ▲\nhold J\npress ▲\nchoose call_deck\nhold J\npress ▲\n"
             "choose code_item\ncode\nchoose it_past\npress ●\nhold J\nchoose it_here\n"
             "choose it_time\nchoose back\nchoose it_late\nchoose late_a\npress ▲\n"
             "choose it_loss\nchoose loss_a\nchoose why_1\npress ▲\nchoose it_loss\nchoose loss_b\nchoose why_1\n"
             "press ▲\nchoose it_undo\npress ▲\nchoose it_stop\nhold J\nchoose it_go\ndesk EXTEND 0 60\npress ▲ ●\n"
             "hold J\nchoose it_result\nchoose s20\nhold ●\nhold J\nchoose it_reopen\npress ▲\nchoose it_over\n",
    "ruled": "board {} p18\n" + CUT + "press ▲\ndesk SET_POLICY 3\npress ▲\nchoose luck\nchoose consent\nhold ▲\nhold ●\n"
             "press ▲\npress ▲\nchoose luck\nchoose for_card\nchoose coin\npress ●\nhold ●\nhold J\npress ▲\n"
             "choose code_item\ncode\nchoose it_roll\nchoose roll_counts\nhold ●\nhold J\nchoose back\n",
    "ships ruled": "board {} xw15\nround 1 5\nformat xw15 swiss bo1 50\nhold ▲\nstart 0:30\nhold ●\nuntil 49:50\nhold J\n"
                   "press ▲\nchoose code_item\ncode\nchoose it_here\nchoose it_result\nchoose it_points\npress ▲ ●\nhold ▲\n"
                   "press ●\nhold ●\nchoose won_by_a\npress ▲\nchoose it_loss\nchoose loss_a\nchoose why_2s\npress ▲\n",
    # a match in time, what its menu holds, a slip, and the end
    "match": "board {} p18\nround 1 5\nformat p18 swiss bo3 constructed 50\nstart 2:10\npress ▲\nhold ▲\nhold ●\n"
             "until 49:59\npress ▲\npress ▲\nchoose concede\npress ▲\npress ▲\nchoose undo\npress ●\npress ▲\nchoose count_on\npress ●\n"
             "press ▲\nchoose s20\npress ●\npress ●\npress ●\nhold ●\ndesk RULE_RESULT 1 2 0\n"
             "hold ●\nhold ▲\nwait 40s\n",
    "quick": "board {} d03\nround 1 5\nformat d03 swiss bo1 constructed 30\nstart 0:05\nhold ▲\nhold ●\nwait 2s\npress ▲\n"
             "press ▲\nchoose won_a\nhold ●\nhold ▲\n",
    # time, asked and told; turns; prizes
    "time": "board {} p18\n" + CUT + "until 4:00\nuntil 0:40\nuntil 0:00\npress ▲\nhold ▲\npress ●\npress ▲\npress ●\n"
            "press ▲ ● ▲ ●\npress ▲ ● ●\nhold ▲\npress ●\n",
    "play on": "board {} p18\n" + CUT + "press ▲\nuntil 0:00\npress ▲\npress ●\npress ▲ ● ▲ ●\nhold ▲\npress ●\n"
               "press ▲\nhold ●\npress ●\nchoose back\npress ▲\npress ▲ ▲\nhold ▲\npress ●\nhold ●\nhold ▲\n",
    "tiebreaker": "board {} p18\n" + CUT + "press ▲\npress ▲\nchoose level\npress ▲\npress ▲\nchoose back\n",
    "after time": "board {} p18\n" + CUT + "press ▲\nuntil 0:00\npress ▲\npress ●\npress ●\nchoose level\npress ▲\n",
    "approved": "board {} p18\nround 1 5\nformat p18 elimination bo1 constructed 30 judged\nstart 0:06\nhold ▲\nhold ●\n"
                "wait 5s\npress ▲\npress ▲\nchoose won_a\nhold ●\nhold ▲\nhold J\npress ▲\nchoose code_item\ncode\n"
                "choose it_approve\nhold ●\n",
    "uncertain": "board {} p18\n" + P18 + "press ▲\nreset\nwait 1s\npress ●\nchoose back\n",
    "hidden": "board {} p18\n" + SEAT.format("p18 swiss bo1 constructed 50 hidden", "0:06", "5s")
              + "press ▲\ndesk FREEZE\ndesk RESUME\ndesk EXTEND 0 60\npress ▲ ●\ndesk SET_POLICY 3\npress ▲\nchoose luck\n"
              "choose consent\nhold ▲\nhold ●\npress ▲\npress ▲\nchoose luck\nchoose for_card\nchoose coin\nblink\nwait 1s\n",
    # an unsettled roll in every phase, and a board that shows itself while its clock runs
    "rolled": "board {} xw15\nround 1 5\nformat xw15 swiss bo1 50\nhold ▲\nhold ●\ndesk SET_POLICY 3\npress ▲\n"
              "choose for_starts\nchoose coin\npress ▲\nhold ▲\nstart 1:00\ndesk RULE_ROLL 1\npress ▲\n"
              "choose for_colours\nchoose coin\npress ●\npress ●\nwait 1:00\nblink\nwait 4s\nuntil 4:50\n",
    # the question whether a roll is agreed, beside the clock and beside the turns
    "question": "board {} p18\n" + CUT + "press ▲\ndesk SET_POLICY 3\npress ▲\nchoose luck\nchoose consent\nhold ▲\nhold ●\n"
                "press ▲\nuntil 4:50\npress ▲\nchoose luck\nchoose for_card\nchoose coin\npress ●\nuntil 0:00\n"
                "press ▲\npress ●\npress ●\npress ▲\npress ▲\n",
    "squads": "board {} xw15\nround 1 5\nformat xw15 swiss bo1 50\ndesk SET_SQUADS 1 90 90\nhold ▲\nhold ●\n",
    # coins and dice, switched on
    "luck": "board {} p18\n" + P18 + "desk SET_POLICY 3\nhold ▲\nchoose luck\nchoose consent\nhold ▲\nhold ●\n"
            "press ▲\nhold ▲\nchoose luck\nchoose for_first\nchoose coin\nhold ▲\nhold ●\npress ▲\npress ▲\nchoose luck\nchoose for_card\nchoose coin\nhold ▲\nhold ●\npress ▲\nchoose luck\n"
            "choose for_card\nchoose flips_3\nhold ▲\nhold ●\npress ▲\nchoose luck\nchoose for_card\nchoose flips_until\n"
            "hold ▲\nhold ●\npress ▲\nchoose luck\nchoose for_card\nchoose die\nhold ▲\nhold ●\npress ▲\nchoose luck\n"
            "choose rolls\npress ●\n",
    "ill": "board {} p18\nsicken\n" + P18 + "press ▲\npress ▲\nchoose back\ndesk SET_POLICY 1\npress ▲\nchoose luck\npress ▲\n",
    "ships": "board {} xw15\nround 1 5\nformat xw15 swiss bo1 50\nhold ▲\nstart 0:30\nhold ●\nuntil 50:00\ndesk SET_POLICY 3\n"
             "press ●\nchoose luck\nchoose for_starts\nchoose back\nchoose for_colours\nchoose back\nchoose for_combat\n"
             "choose back\nchoose back\nuntil 4:00\nuntil 0:30\nuntil 0:00\npress ▲\npress ●\npress ▲\n"
             "press ▲ ▲ ●\nhold ▲\npress ▲\nhold ▲\npress ●\n",
    "team": "board {} d03\nround 1 5\nformat d03 swiss bo1 constructed 50 team\nstart 0:10\npress ▲\nhold ▲\nhold ●\nuntil 49:59\n"
            "press ▲\npress ▲\nchoose team_prize\nchoose prize_1\npress ▲\nchoose team_out\nchoose out_2\nuntil 0:00\nhold ▲\npress ●\n",
    "rochester": "board {} d03\ndesk SET_DRAFT 0 48 4000\npress ● ●\nhold ▲\nwait 31s\npress ▲\nwait 4s\n",
    "booster": "board {} p18\ndesk SET_DRAFT 0 49\npress ●\nhold ▲\n" + "press ▲\n" * 15 + "desk SET_DRAFT 8\nwait 1s\ndesk SET_DRAFT 9\n",
}  # fmt: skip
WALKS["drawn"] = (
    "board {} p18\ndesk SET_DRAFT 0 37\nhold ▲\npress ▲\nhold ▲\npress ▲\nhold ▲\npress ▲\n"
)


class Walked(single_board.SingleBoard):
    """A board alone whose every screen is looked at; ``seen`` is shared by all walks."""

    seen, faults = set(), []

    def run(self, seconds):
        super().run(seconds)
        self.look()

    def look(self):
        face, match, sight = self.app.face, self.app.match, self.reading
        keys = face.picture.keys
        self.seen.add(sight.screen)
        to_judge = [key for key in keys if key.gesture in CALLS]
        self.check(any(key.act is intents.CallJudge or key.goes in ("judge", "judge_still", "judge_menu") for key in to_judge),
                   "no judge")  # fmt: skip
        if sight.screen in RUNNING:
            self.check(
                any(key.gesture & ~3 in (PRESS, HOLD) and key.goes == "result" for key in keys),
                "no result",
            )
        elif sight.screen not in TIMED:
            self.check(any(key.gesture not in CALLS for key in keys), "a dead end")
        if self.rules.NUMBER == 0 and not match.policy & 1:
            lucky = {one.goes for one in [*face.picture.items, *keys]} & LUCK
            self.check(not lucky and "luck" not in sight.screen, "luck")

    def check(self, holds, fault):
        if not holds:
            self.faults.append((self.reading.screen, self.app.match.phase, fault))


LUCK = (
    {name for name in NAMES if name.startswith("luck")}
    | {"no_luck"}
    | {
        "roll",
        "roll_warn",
        "roll_hidden",
        "roll_rounds",
        "roll_rounds_warn",
        "roll_pregame",
        "roll_still",
    }
)
# what the desk or time alone ends: nobody at the table can hurry it
TIMED = {"no_table", "idle", "lit", "low", "version", "pregame", "pregame_ships", "said", "said_still", "waiting", "resolving",
         "not_sent", "frozen", "frozen_hidden", "seated", "setup", "draft_drawn", "draft_build", "draft_over", "draft_review",
         "roll_pregame", "roll_still", "lit_clock", "initiative"}  # fmt: skip


def walk(model, text):
    player = flow.Player(blank_face, make_board=Walked)
    text = (
        text.format(model)
        if MODELS[model].keys == 3
        else text.format(model).replace("hold J", "hold ▲ ●")
    )
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        board = player._opened
        if words[0] in HAPPENS:
            HAPPENS[words[0]](board)
            board.app.view.changed = True  # as after the frame that tells it
            board.run(0.5)
        else:
            player.do(flow.Step(f"line {number}: {line}", words[0], words[1:]))


@pytest.mark.parametrize("model", ["feathers3", "lilygo"])
def test_every_screen_is_reached_from_power_on_with_a_judge_a_way_on_and_no_luck(model):
    Walked.seen, Walked.faults = set(), []
    for name, text in WALKS.items():
        try:
            walk(model, text)
        except (flow.FlowMismatch, UserError) as mismatch:
            raise AssertionError(f"{name}: {mismatch}") from mismatch
    assert not Walked.faults, sorted(set(Walked.faults))
    assert NAMES - Walked.seen == {shown for shown, _, _ in WITHOUT_PROGRAM}


def stumble(program):
    raise MemoryError


# the two screens that no program stands behind, nothing listens and the board resets itself: a
# board that was never provisioned has no settings; of a step that fails, the error's name is shown
TOLD = settings.read(
    {"PLUSTHREE_DEVICE": 3, "PLUSTHREE_KEY": single_board.KEY, "PLUSTHREE_GENERATION": 1}, SKEWS
)
WITHOUT_PROGRAM = [("unset", None, None), ("crash", TOLD, stumble)]


@pytest.mark.parametrize(("shown", "told", "step"), WITHOUT_PROGRAM)
def test_power_on_alone_leads_to_the_screens_that_no_program_stands_behind(
    monkeypatch, shown, told, step
):
    board = VirtualBoard(VirtualLoop(), told, 5)
    monkeypatch.setattr(board.clock, "rest", lambda pause_ms: None, raising=False)
    monkeypatch.setattr(launch, "open_board", lambda: board)
    none = SimpleNamespace(Link=pure.NoLink, open_link=lambda kind: kind())
    monkeypatch.setattr(radio, "link", none, raising=False)
    faces = []
    monkeypatch.setattr(
        faces_of_boards,
        "open_face",
        lambda *way: faces.append(Face(Table(texts_of("en")))) or faces[0],
    )
    if step:
        monkeypatch.setattr(app.App, "step", step)
    app.main()  # comes back, and code.py resets the board
    assert faces[0].screen.name == shown
