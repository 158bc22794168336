"""A round as the pages see it: draft, published, seated, running or closed, and its counts.

A ``Book`` holds what the archive says of a round, read at once; results and matches come from the folds.
"""

from firmware.core import intents, phases
from host.event import event_systems, points
from host.formats.round_format import UNTIMED_MIN, words_of
from host.systems import catalogue
from host.systems.match_facts import best_of
from host.web import call_queue

DRAFT, PUBLISHED, SEATED, RUNNING, CLOSED = "draft", "published", "seated", "running", "closed"
_HIDDEN = 1 << 14


def told(archive, number):
    """Say whether a stored round was published."""
    last = archive.orders.last_round(intents.SET_ROUND)
    return last is not None and number <= last


class Book:
    """What the archive says of a round: its pairings, its format, its start, who takes which call."""

    def __init__(self, archive, number):
        orders, form = archive.orders, archive.roster.format_of(number)
        self.number, self.pairings = number, archive.roster.pairings_of(number)
        self.seated = {one.table: one for one in self.pairings if one.b is not None}
        systems = event_systems.of(archive)
        self.fixed = {
            "number": number,
            "format": words_of(form, systems),
            "system": catalogue.numbered(systems, form.system)[0],
            "minutes": form.minutes,
            "elimination": bool(form.bits & 1),
            "hidden": bool(form.bits & _HIDDEN),
            "untimed": form.minutes == UNTIMED_MIN,
            "best_of": best_of(form.bits, catalogue.numbered(systems, form.system)[1]),
            "tables": len(self.seated),
        }
        self.told, self.started = told(archive, number), orders.started(number)
        start, said = orders.latest_of(intents.SET_START, number), orders.latest_of(intents.SAY)
        self.start_ms = (
            start.at_ms if start and self.started else None
        )  # not one that every table refused
        self.message = said and {
            "number": said.a, "next_ms": said.at_ms + said.b * 1000 if said.b else None, "at_ms": said.at_ms,
        }  # fmt: skip
        self.points, self.claims = points.setting(archive), call_queue.claims(archive, number)

    def short(self, results, now_ms):
        """Return the round in short; ``results`` by pairing."""
        done = sum(one.pairing in results for one in self.seated.values())
        return self.fixed | {"state": self._state(done, now_ms), "results": done}

    def _state(self, done, now_ms):
        if not self.told:
            return DRAFT
        if self.seated and done >= len(self.seated):
            return CLOSED
        return RUNNING if self.started and self.start_ms <= now_ms else PUBLISHED

    def whole(self, results, matches, now_ms):
        """Return the round with its clock and what its ``matches`` (by table) count."""
        card, known = (
            self.short(results, now_ms),
            [match for match in matches.values() if match is not None],
        )
        seated = sum(match.present == 3 or match.phase > phases.SEATED for match in known)
        if card["state"] == PUBLISHED and seated >= card["tables"] > 0:
            card["state"] = SEATED
        return card | {
            "start_ms": self.start_ms,
            "zero_ms": None
            if self.start_ms is None or card["untimed"]
            else self.start_ms + card["minutes"] * 60_000,
            "seated": seated,
            "overtime": sum(match.phase == phases.OVERTIME for match in known),
            "extended": sum(match.extension_s > 0 for match in known),
        }


def plain(whole_card):
    """Return what viewers see of the published round; without its clock where that is hidden."""
    return whole_card | {"start_ms": None, "zero_ms": None} if whole_card["hidden"] else whole_card
