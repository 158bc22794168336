"""What a valid case file looks like; anything else is refused with its place (CASES.md)."""

import re

from host import rules_match
from host.cases import kinds

KINDS = ("system", *kinds.KINDS)
EXPECTED = tuple(
    "phase game games turn seat clock outcome section missing points margin refused".split()
)
ROOM_TIME = re.compile(r"[0-9]{1,4}:[0-5][0-9]")
NUMBER = "number"
SEAT = rules_match.SIDES + rules_match.TEAM_SEATS
# what follows each verb: a number, or one of some words
WORDS = {
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
    "concede": (SEAT,),
    "destroyed": (NUMBER, NUMBER),
    "wiped": (("A", "B", "AB"),),
    "agree": (),
    "look": (),
    "whose": (SEAT,),
    "next": (SEAT,),
    "state": (NUMBER, NUMBER, ("started", "not_started")),
}
FORMAT = {
    "stage": ("swiss", "elimination"),
    "best_of": (1, 3),
    "class": ("constructed", "limited"),
    "minutes": range(1, 1000),
    "overtime_turns": range(0, 15),
    "overtime_clock": range(0, 100),
    "team": (False, True),
    "round": (1, 2, 3, 4),
}


def check(cases, systems):
    """Raise ValueError with the place and the reason where ``cases`` is no valid case file."""
    _need(isinstance(cases, list), "a case file is a JSON array")
    for i, case in enumerate(cases):
        place = f"case {i + 1}"
        _need(isinstance(case, dict), f"{place}: a case is an object")
        name = case.get("name")
        _need(isinstance(name, str) and name, f"{place}: its name is missing")
        place = f'{place} "{name}"'
        found = [kind for kind in KINDS if kind in case]
        _need(len(found) == 1, f"{place}: needs exactly one of {', '.join(KINDS)}")
        _need(isinstance(case.get("expect"), dict), f"{place}: what to expect is missing")
        if found == ["system"]:
            _check_match(case, systems, place)
        else:
            _check_other(case, found[0], place)


def _check_other(case, kind, place):
    try:
        kinds.check(kind, case)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _need(holds, complaint):
    if not holds:
        raise ValueError(complaint)


def _check_match(case, systems, place):
    system = case["system"]
    _need(isinstance(system, str) and system in systems, f"{place}: no system {system!r}")
    unknown = set(case["expect"]) - set(EXPECTED)
    _need(not unknown, f"{place}: cannot expect {min(unknown, default=None)!r}")
    wanted = case.get("format")
    _need(isinstance(wanted, dict), f"{place}: its format is missing")
    for key, value in wanted.items():
        _need(key in FORMAT, f"{place}: unknown format key {key!r}")
        fits = isinstance(value, type(FORMAT[key][0])) and value in FORMAT[key]
        _need(fits and isinstance(value, bool) == (key == "team"), f"{place}: {key} {value!r}")
    try:
        rules_match.format_bits(wanted, systems[system])
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
    _check_steps(case.get("steps"), place)


def _check_steps(steps, place):
    _need(isinstance(steps, list), f"{place}: its steps are missing")
    last_ms = 0
    for i, step in enumerate(steps):
        where = f"{place}, step {i}"
        _need(isinstance(step, list) and len(step) > 1, f"{where}: a step is [time, verb, ...]")
        room_time, verb, words = step[0], step[1], step[2:]
        timed = isinstance(room_time, str) and ROOM_TIME.fullmatch(room_time)
        _need(timed, f"{where}: {room_time!r} is no room time M:SS")
        now_ms = rules_match.milliseconds(room_time)
        _need(now_ms >= last_ms, f"{where}: room time goes back to {room_time}")
        last_ms = now_ms
        _need(isinstance(verb, str) and verb in WORDS, f"{where}: no verb {verb!r}")
        kinds = WORDS[verb]
        _need(len(words) == len(kinds), f"{where}: {verb} takes {len(kinds)} more, not {len(words)}")
        for word, kind in zip(words, kinds):
            _need(_fits(word, kind), f"{where}: {verb} cannot take {word!r}")


def _fits(word, kind):
    if kind is NUMBER:
        return isinstance(word, int) and not isinstance(word, bool)
    return isinstance(word, str) and word in kind
