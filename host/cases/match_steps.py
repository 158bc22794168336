"""Validates the format and the steps of a match case (docs/cases.md)."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias, cast

from host.base.json_values import Json
from host.cases import match_case
from host.cases.need import FormatWords, need
from host.systems.rules import Rules

ROOM_TIME = re.compile(r"[0-9]{1,4}:[0-5][0-9]")
NUMBER = "number"
SEAT = match_case.SIDES + match_case.TEAM_SEATS
Kinds: TypeAlias = tuple[str | Collection[str], ...]
# the arguments of each verb: a number, or one of the words listed
WORDS: dict[str, Kinds] = {
    "starter": (SEAT,),
    "turn": (SEAT,),
    "round": (),
    "end": (),
    "won": (SEAT,),
    "level": (),
    "prizes": (NUMBER, NUMBER),
    "adjust": (NUMBER, NUMBER),
    "late": (SEAT,),
    "freeze": (),
    "resume": (),
    "extend": (NUMBER,),
    "loss": (SEAT,),
    "concede": (SEAT,),
    "rule": (("A", "B", "tie"), NUMBER, NUMBER),
    "reopen": (),
    "approve": (),
    "destroyed": (NUMBER, NUMBER),
    "wiped": (("A", "B", "AB"),),
    "out": (match_case.TEAM_SEATS,),
    "agree": (),
    "look": (),
    "whose": (SEAT,),
    "next": (SEAT,),
    "state": (NUMBER, NUMBER, ("started", "not_started")),
}
FEWER = {"rule": 1}  # the least number of a verb's arguments, if some are optional
FORMAT = {
    "stage": ("swiss", "elimination"),
    "best_of": range(1, 16),
    "class": ("constructed", "limited"),
    "minutes": range(1, 1000),
    "overtime_turns": range(15),
    "overtime_clock": range(100),
    "team": (False, True),
    "approval": (False, True),
    "round": (1, 2, 3, 4),
}


def check_format(wanted: Json, rules: Rules, place: str) -> FormatWords:
    """Return a valid format. Raises ValueError, naming ``place``, if the system cannot have it."""
    if not isinstance(wanted, dict):
        raise ValueError(f"{place}: its format is missing")
    for key, value in wanted.items():
        need(key in FORMAT, f"{place}: unknown format key {key!r}")
        known = FORMAT[key]
        need(type(value) is type(known[0]) and value in known, f"{place}: {key} {value!r}")
    checked = cast(FormatWords, wanted)  # each key and value was found in FORMAT
    try:
        match_case.format_bits(checked, rules)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    return checked


def check_steps(steps: Json, place: str) -> None:
    """Raise ValueError, with its place, for the first invalid step."""
    if not isinstance(steps, list):
        raise ValueError(f"{place}: its steps are missing")
    last_ms = 0
    for i, step in enumerate(steps):
        where = f"{place}, step {i}"
        if not isinstance(step, list) or len(step) < 2:
            raise ValueError(f"{where}: a step is [time, verb, ...]")
        room_time, verb, words = step[0], step[1], step[2:]
        if not isinstance(room_time, str) or not ROOM_TIME.fullmatch(room_time):
            raise ValueError(f"{where}: {room_time!r} is no room time M:SS")
        now_ms = match_case.milliseconds(room_time)
        need(now_ms >= last_ms, f"{where}: room time goes back to {room_time}")
        last_ms = now_ms
        check_words(verb, words, WORDS, where)


def check_words(verb: Json, words: Sequence[Json], known: Mapping[str, Kinds], where: str) -> str:
    """Return a step's verb. Raises ValueError, naming ``where``, if it is not among the ``known``
    ones, each with the kinds of its words, or does not take these words.
    """
    if not isinstance(verb, str) or verb not in known:
        raise ValueError(f"{where}: no verb {verb!r}")
    kinds = known[verb]
    complete = len(words) in (len(kinds), FEWER.get(verb))
    need(complete, f"{where}: {verb} takes {len(kinds)} more, not {len(words)}")
    for word, kind in zip(words, kinds):
        need(_fits(word, kind), f"{where}: {verb} cannot take {word!r}")
    return verb


def _fits(word: Json, kind: str | Collection[str]) -> bool:
    """Return whether ``word`` is a valid argument of ``kind``: ``NUMBER``, or one of the words."""
    if kind is NUMBER:
        return isinstance(word, int) and not isinstance(word, bool)
    return isinstance(word, str) and word in kind
