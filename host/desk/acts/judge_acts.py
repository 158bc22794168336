"""Acts of judges among themselves: penalties, the head judge, and who goes to which tables."""

from host.archive.roles import HEAD, JUDGE
from host.base.sentences import Sentence
from host.desk import judge_zones, penalty_register
from host.desk.acts.act import Act, Done, Staff
from host.desk.acts.fields import (
    REASON,
    WHY,
    Field,
    choice,
    text,
    whole,
)
from host.event import penalties


def _penalize(staff: Staff, number: str, level: str, category: str, reason: str) -> Done:
    made, said = penalty_register.give(staff.station, number, level, category, reason, staff.author)
    return Done(made, said)


def _withdraw(staff: Staff, id: int, reason: str) -> Sentence:
    return penalty_register.withdraw(staff.station, id, reason, staff.author)


def _zone(staff: Staff, name: str, first: int, last: int) -> Sentence:
    return judge_zones.give(staff.station, name, first, last, staff.author)


_TABLES = Field(whole(0, 65535))
ACTS = (
    Act("penalize", JUDGE, _penalize,
        {"number": Field(text(1, 60)), "level": Field(choice(*penalties.LEVELS)),
         "category": Field(choice(*penalties.CATEGORIES)), "reason": WHY},
        "penalty", "register a player's penalty, by number; a game loss is given at the table"),
    Act("withdraw_penalty", HEAD, _withdraw, {"id": Field(whole(1, 2**31)), "reason": REASON},
        "unpenalty", "withdraw a penalty from the register, by its number"),
    Act("zone", HEAD, _zone, {"name": Field(text(1, 60)), "first": _TABLES, "last": _TABLES},
        "zone", "give a judge the tables FIRST to LAST, for which alone the phone rings (0 0: all)",
        part="room", label="tables of a judge"),
)  # fmt: skip
