"""A round as the pages see it: draft, published, seated, running or closed, and its counts."""

from firmware.core import intents, phases
from host.formats.roundformat import words_of
from host.systems import catalogue, stored

DRAFT, PUBLISHED, SEATED, RUNNING, CLOSED = "draft", "published", "seated", "running", "closed"
_HIDDEN = 1 << 14


def told(archive, number):
    """Say whether a stored round was published."""
    last = archive.orders.last_round(intents.SET_ROUND)
    return last is not None and number <= last


def summary(archive, hall, number):
    """Return a round in short: what the list of rounds shows."""
    form, pairings = archive.roster.format_of(number), archive.roster.pairings_of(number)
    system, _ = catalogue.numbered(stored.of(archive), form.system)
    tables = [one for one in pairings if one.b is not None]
    results = hall.results(number)
    done = sum(one.pairing in results for one in tables)
    return {
        "number": number,
        "state": _state(archive, number, len(tables), done),
        "format": words_of(form, stored.of(archive)),
        "system": system,
        "minutes": form.minutes,
        "elimination": bool(form.bits & 1),
        "hidden": bool(form.bits & _HIDDEN),
        "best_of": form.bits >> 1 & 3,
        "tables": len(tables),
        "results": done,
    }


def _state(archive, number, tables, done):
    if not told(archive, number):
        return DRAFT
    if tables and done >= tables:
        return CLOSED
    return RUNNING if archive.orders.started(number) else PUBLISHED


def start_ms(archive, number, tables):
    """Return the start that was set for a round, None before it was."""
    for table in tables:
        order = archive.orders.latest(number, table, intents.SET_START)
        if order is not None:
            return order.at_ms
    return None


def whole(short, matches, began_ms):
    """Return the published round: ``short`` with its clock and what its ``matches`` (by table) count."""
    told_of = [match for match in matches.values() if match is not None]
    seated = sum(match.present == 3 or match.phase > phases.SEATED for match in told_of)
    state = SEATED if short["state"] == PUBLISHED and seated >= short["tables"] > 0 else short["state"]
    return short | {
        "state": state,
        "start_ms": began_ms,
        "zero_ms": None if began_ms is None else began_ms + short["minutes"] * 60_000,
        "seated": seated,
        "overtime": sum(match.phase == phases.OVERTIME for match in told_of),
        "extended": sum(match.extension_s > 0 for match in told_of),
    }


def plain(whole_card):
    """Return what viewers see of the published round; without its clock where that is hidden."""
    return whole_card | {"start_ms": None, "zero_ms": None} if whole_card["hidden"] else whole_card
