"""More scenes: counting, the end of an elimination match, ships, and questions to both players.

The shape is that of ``scenes``; ``extra`` may name another ``system``. ``ALL`` has all scenes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.core import events as e
from firmware.core import phases
from firmware.core.systems import d03, xw15
from firmware.ui.gestures import HOLD_A, PRESS_A, PRESS_B
from host.sim.scenes import (
    AFTER,
    ALLOWED,
    BO3,
    CLAIMED,
    CUT,
    LONG,
    MINUTE,
    RUN,
    SCENES,
    SINGLE,
    START_MS,
    STARTER,
    STATE,
    TURN,
    UNTOUCHED,
    WON_ONE,
    ZERO_MS,
    at,
    confirmed,
    ended,
    playing,
    seated,
)  # fmt: skip
from host.sim.scenes_judge import JUDGE, LOSS, RESULT, VISIT, to
from host.sim.scenes_rolls import HERE, ROLLED
from host.sim.scenes_staff import HERE as JUDGE_HERE
from host.sim.scenes_staff import STAFF

if TYPE_CHECKING:
    from firmware.core.types import Events
    from host.sim.types import Extra, Recalled, Scene


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
LATE: Extra = {"system": d03}
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
RULED_SHIPS = FLYING + ON + JUDGE_HERE
RULED_FIVE = playing(1 << 1 | 1 << 8) + STARTER + JUDGE_HERE
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
    ("seated", "team", TEAM[:2], 0, (), LATE),
    ("seated", "swapped", seated() + (e.SeatConfirmed(0, 2, 1),), 0, (), {}),
    ("frozen", "seats_open", seated() + (e.StartSet(START_MS),
     e.Frozen(START_MS - 9 * MINUTE, phases.SEATED)), START_MS + MINUTE, (), {}),
    ("clock", "toss", playing(SINGLE), at(49), (), LATE),
    ("clock", "team_toss", TEAM[:-1], at(49), (), LATE),
    ("team_prize", "", TEAM, at(30), TO_TEAM, LATE),
    ("team_prize", "moved", TEAM + (e.PrizesCounted(at(40), 8, 1, 515),
     e.WipedOut(at(40), 4, 0, 0)), at(30), TO_TEAM, LATE),
    ("team_out", "", TEAM + (e.WipedOut(at(40), 2, 0, 0),), at(30), (PRESS_A, *TO_TEAM), LATE),
    ("turn_team", "one_out", TEAM + (e.WipedOut(at(40), 1, 0, 0),
     e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0)), AFTER, (), LATE),
    ("turn_team", "", TEAM + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),), AFTER, (PRESS_A,),
     LATE),
    ("turn_check", "team", TEAM + (e.TimeCalled(ZERO_MS, phases.TIME, 0, 2, 0),
     e.TurnTold(AFTER, 2, 1, 1, 0, 7, 0)), AFTER, (), LATE),
    ("finish", "team", TEAM + (e.TurnStarted(at(1), 3),
     e.TimeCalled(ZERO_MS, phases.FINISHING, 0, 0, 0)), AFTER, (), LATE),
    ("clock", "loser_chooses", RUN + WON_ONE, at(28), (), {"names": LONG}),
    ("clock", "two_hours", playing()[:1] + (e.FormatSet(0, 0, BO3, 125),) + RUN[2:], START_MS,
     (), {}),
    ("hidden", "", playing(BO3 | HIDDEN) + STARTER, at(30), (), {}),
    ("hidden", "starter", playing(BO3 | HIDDEN), at(30), (), {}),
    ("judge_still", "hidden", playing(BO3 | HIDDEN) + STARTER + (e.JudgeCalled(at(30), 0),), at(30),
     (10,), {}),
    ("finish", "no_turns_after", UNTOUCHED + STATE + TURN, AFTER, (), LATE),
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
    ("initiative", "squads", docked() + HERE + SQUADS, 0, (), SHIPS),
    ("initiative", "obstacle", docked() + HERE + SQUADS + OBSTACLE, 0, (), SHIPS),
    ("setup", "initiative", docked() + HERE, 0, (), SHIPS),
    ("pregame_ships", "obstacle", ARMED + HERE + SQUADS + OBSTACLE, START_MS - 310_000, (), SHIPS),
    ("initiative", "mirror", docked() + HERE + EQUALS, 0, (), SHIPS),
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
    ("luck_first", "team", TEAM[:-1], at(49), (HOLD_A, *(PRESS_A,) * 6, PRESS_B, PRESS_B), LATE),
    ("roll", "team", TEAM[:-1] + (e.Rolled(at(49), 0, 1, 1, 0, 1),), at(48), (), LATE),
    ("roll_still", "team", TEAM[:2] + (e.Rolled(0, 0, 1, 1, 0, 1),), 0, (), LATE),
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

ALL = SCENES + SCENES_MORE + DRAFTS + ROLLED + STAFF + JUDGE
