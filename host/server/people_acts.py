"""Acts on people: who is entered, who drops, who is back; by number or by part of a name."""

from host.base.errors import UserError
from host.desk import attendance
from host.server.act import Act
from host.server.operator import Operator


def _enter(operator: Operator, *words: str) -> list[str]:
    number, name = ("", words) if not words[0].isdigit() else (words[0], words[1:])
    if not name:
        raise UserError("say the name, too: enter 1012 Ada Bianchi")
    return [*attendance.enter(operator.station, number, " ".join(name), operator.author)]


def _drop(operator: Operator, *words: str) -> list[str]:
    who, _, reason = " ".join(words).partition(":")
    sure = who.split()[-1:] == ["sure"]
    who = " ".join(who.split()[:-1]) if sure else who
    said, done = attendance.drop(operator.station, who, operator.author, reason.strip(), sure)
    if not done:
        raise UserError(f"{said} Type it again with the word 'sure'")
    return [said]


def _back(operator: Operator, *words: str) -> list[str]:
    return [attendance.bring_back(operator.station, " ".join(words), operator.author)]


ACTS = (
    Act("enter", "[NUMBER] NAME…", _enter, "enter a player, late or not"),
    Act("drop", "WHO… [sure] [:REASON]", _drop, "drop a player, by number or part of the name"),
    Act("return", "WHO…", _back, "bring a player back who dropped"),
)
