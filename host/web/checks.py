"""The page that plans deck checks: whose deck was drawn, without delaying a table.

The draw depends only on the event's number and the number of redraws, so it can be repeated. It is
never sent to a board or to viewers (``routes``). A table that is near its time, in overtime,
waiting for a judge, not seated yet or without a board is checked later *(ours)*.
"""

from collections.abc import Mapping

from host.archive.people import People
from host.archive.store import Archive
from host.base.json_values import parse
from host.desk import round_lengths
from host.desk.acts.people_acts import CHECKED, PLANNED
from host.tournament import deck_checks
from host.web.cards import TableCard

NEAR_MS = 15 * 60_000
_BUSY = {"time": "overtime", "overtime": "overtime", "finishing": "overtime", "play_on": "overtime",
         "tiebreaker": "overtime", "resolving": "result", "proposed": "result", "frozen": "frozen",
         "idle": "not_seated"}  # fmt: skip


def avoid(card: TableCard | None, now_ms: int) -> str:
    """Return why a table should not be checked now, "" if it may; ``card`` None is no table."""
    if card is None or card["result"] is not None:
        return "not_playing"
    if card["missing_board"] and card["phase"] == "idle":
        return "no_board"
    if card["phase"] in _BUSY:
        return _BUSY[card["phase"]]
    if card["call"] is not None:
        return "call"
    near = card["zero_ms"] is not None and card["zero_ms"] - now_ms < NEAR_MS
    return "near_time" if near else ""


def _read_plan(text: str) -> tuple[int, bool]:
    facts = parse(text)
    return int(facts["drawn"]), bool(facts["premier"])


def plan_and_drawn(
    archive: Archive, cards: Mapping[str, TableCard], now_ms: int, round_number: int | None
) -> dict[str, object]:
    """Return the plan and the drawn players, first those who may be checked now; ``cards`` by
    table, ``round_number`` of the published round (None: not yet).
    """
    plans = archive.notices.understood(PLANNED, _read_plan)
    draws, premier = plans[-1] if plans else (0, False)
    checked = archive.notices.understood(CHECKED, lambda text: str(parse(text)["player"]))
    people = {
        person.player.number: person.player
        for person in People(archive).every
        if not person.dropped
    }
    plan = deck_checks.plan(people, checked, premier)
    seed = f"{archive.roster.current_event.number} {draws}"  # the order stays until drawn again
    drawn = deck_checks.draw(people, checked, plan.left, seed)
    tables = {seat["number"]: card for card in cards.values() for seat in (card["a"], card["b"])}
    lines = [_line(people[number], tables.get(number), now_ms) for number in drawn]
    done = [
        {"number": player, "name": people[player].name if player in people else ""}
        for player in dict.fromkeys(checked)
    ]
    sums = {"needed": plan.needed, "checked": plan.checked, "left": plan.left}
    return {
        "plan": sums | {"mandatory": plan.mandatory, "drawn": draws},
        "players": sorted(lines, key=lambda line: not line["now"]),
        "done": done,
        "lists": _lists(archive, round_number),
    }


def _lists(archive, number):
    """Return who may see a deck list, and whether a deck may still change (P18 5, 11.2)."""
    moment = "building" if number else "before"
    if round_lengths.begun(archive):
        moment = "rounds"
    form = archive.roster.format_of(number or 1)
    limited = form is not None and bool(form.bits & 8)
    return {
        "seen_by": [viewer for viewer in deck_checks.VIEWERS if deck_checks.may_see(viewer)],
        "may_change": deck_checks.may_change(limited, moment),
    }


def _line(player, card, now_ms):
    reason = avoid(card, now_ms)
    return {
        "number": player.number,
        "name": player.name,
        "table": card and card["table"],
        "now": not reason,
        "avoid": reason,
    }
