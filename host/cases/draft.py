"""Draft cases: pick orders, passing, pod sizes, and whole drafts step by step (docs/cases.md)."""

import re

from firmware.core import draft
from firmware.core.intents import Conduct, Tick
from host.base.json_values import Json
from host.cases.match_case import minutes_text
from host.cases.need import Case, Got, listing, mapping, need, whole, word
from host.tournament import pods

DIRECTIONS = ("counter-clockwise", "clockwise")
PHASES = ("idle", "laying", "review", "picking", "drawn", "building", "over")
STEPS = {
    "open": draft.OPENED,
    "take": draft.TAKEN,
    "halt": draft.HALTED,
    "resume": draft.RESUMED,
    "untake": draft.UNTAKEN,
    "build": draft.BUILT,
    "end": draft.ENDED,
    "look": None,
}
_TIME = re.compile(r"([0-9]{1,4}):([0-5][0-9])(?:\.([0-9]{3}))?")


def run(subject: Json) -> Got:
    """Return the actual values of a draft case's ``draft`` object.

    ``players`` returns pod sizes, ``steps`` plays a draft; otherwise ``seats`` with ``group`` or
    ``pack`` returns the order of picks. Raises ValueError for bad data.
    """
    subject = mapping(subject, "a draft")
    kind = word(subject.get("kind"), "kind", ("rochester", "booster"))
    if "players" in subject:
        sizes = pods.sizes(whole(subject["players"], "players"), kind)
        return {"pods": sizes, "preferred": kind == "booster" or pods.preferred(sizes)}
    seats = whole(subject.get("seats"), "seats", 2, 99)
    if "steps" in subject:
        return _play(kind, seats, subject)
    return _booster(seats, subject) if kind == "booster" else _rochester(seats, subject)


def _booster(seats: int, subject: Case) -> Got:
    pack = whole(subject.get("pack", 1), "pack", 1, 99)
    return {
        "allowed": seats <= draft.MOST_SEATS[draft.BOOSTER],
        "pass": "left" if draft.is_clockwise(pack) else "right",
    }


def _rochester(seats: int, subject: Case) -> Got:
    group = whole(subject.get("group", 1), "group", 1, 99)
    if group > draft.MOST_PACKS[draft.ROCHESTER]:
        return {"ask": f"the text knows no booster group {group}"}
    by_group = DIRECTIONS[draft.is_clockwise(group)]
    direction = word(subject.get("direction", by_group), "direction", DIRECTIONS)
    got: Got = {"direction": direction}
    if "group" in subject:
        got["actives"] = [draft.active_seat(seats, group, pack) for pack in range(1, seats + 1)]
    first = draft.active_seat(seats, group, 1)
    active = whole(subject.get("active", first), "active", 1, seats)
    if "cards" in subject:
        cards, is_clockwise = whole(subject["cards"], "cards", 0, 9999), direction == "clockwise"
        got["order"] = [
            draft.picking_seat(seats, active, is_clockwise, index) for index in range(cards)
        ]
    return got


def _milliseconds(text: Json) -> int:
    match = _TIME.fullmatch(text) if isinstance(text, str) else None
    if not match:
        raise ValueError(f"{text!r} is no time M:SS or M:SS.mmm")
    minutes, seconds, rest = match.groups()
    return int(minutes) * 60000 + int(seconds) * 1000 + int(rest or 0)


def _play(kind: str, seats: int, subject: Case) -> Got:
    """Play a draft of ``packs`` (Rochester: groups) with ``pick_s`` seconds for each pick.

    Each of ``steps`` is [time, verb] or [time, verb, number].
    """
    played = draft.Draft()
    pick_ms = 1000 * whole(subject.get("pick_s", 0 if kind == "booster" else 3), "pick_s", 0, 60)
    packs = whole(subject.get("packs", 1), "packs", 1, 15)
    set_up = int(kind == "booster") | seats << 1 | packs << 5  # as SET packs them
    fits = seats <= 15 and bool(_decide(played, 0, draft.SET, set_up, pick_ms))
    need(fits, "no such draft can be set up")
    taken, refused, now_ms = [], [], 0
    for i, step in enumerate(listing(subject["steps"], "steps")):
        at_ms, decision, number = _read_step(step, i)
        need(at_ms >= now_ms, f"step {i}: time goes back")
        now_ms = at_ms
        taken += _tick(played, now_ms)
        if decision is None:
            continue
        # the number is a pick's card, or what is opened
        first, second = (0, number) if decision == draft.TAKEN else (number, 0)
        events_made = _decide(played, now_ms, decision, first, second)
        taken += _picks(events_made, draft.TAKEN)
        if not events_made:
            refused.append(i)
    return _result(played, now_ms, taken, refused)


def _read_step(step: Json, i: int) -> tuple[int, int | None, int]:
    """Return a step's time (ms), its decision (None to let time pass) and its number."""
    if not isinstance(step, list) or len(step) not in (2, 3):
        raise ValueError(f"step {i} is [time, verb] or [time, verb, number]")
    at_ms = _milliseconds(step[0])
    decision = STEPS[word(step[1], f"step {i}'s verb", STEPS)]
    number = whole(step[2], f"step {i}'s number", 0, 255) if len(step) == 3 else 0
    return at_ms, decision, number


def _decide(played, now_ms, conducted, first, second):
    return _apply(played, played.decide(Conduct(now_ms, conducted, first, second), now_ms))


def _apply(played, events_made):
    for event in events_made:
        played.apply(event)
    return events_made


def _picks(events_made, step):
    """Return ``[seat, card]`` of each pick by a kind of event (``step``)."""
    return [[event.first, event.second] for event in events_made if event.step == step]


def _tick(played, now_ms):
    """Advance the draft to ``now_ms``; return ``[seat, card]`` of each pick missed until then."""
    missed = []
    while events_made := _apply(played, played.decide(Tick(now_ms), now_ms)):
        missed += _picks(events_made, draft.MISSED)
    return missed


def _result(played, now_ms, taken, refused):
    left_ms = played.remaining_ms(now_ms)
    return {
        "phase": "halted" if played.halted_ms is not None else PHASES[played.phase],
        "seat": played.seat,
        "active": played.active,
        "group": played.group,
        "pack": played.pack,
        "direction": DIRECTIONS[played.clockwise],
        "taken": taken,
        "refused": refused,
        "clock": None if left_ms is None else minutes_text(left_ms),
    }
