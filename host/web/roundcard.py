"""A round as the pages see it: draft, published, seated, running or closed, and its counts;
and the message on idle boards with the next round's time, which no page shows yet.

A ``RoundRecord`` is the archive's data of a round, read once; results and matches come from the
folds.
"""

import functools
from collections.abc import Collection, Mapping

from firmware.core import intents, phases
from firmware.core.match import Match
from host.archive import fixed_tables
from host.archive.orders import Order
from host.archive.roster import Format, Pairing
from host.archive.store import Archive
from host.event import (
    call_claims,
    calls_put_back,
    event_systems,
    room_stops,
    squad_lists,
    team_lines,
)
from host.event.imported_results import published
from host.formats.round_format import UNTIMED_MIN, words_of
from host.systems import catalogue
from host.systems.match_facts import best_of, counts_turns, has_narrow_win, points_cap
from host.systems.rules import Rules
from host.tournament import event_pack
from host.web.cards import (
    MemberCard,
    MessageCard,
    PlayerCard,
    RoundCard,
    RoundFacts,
    ShortRoundCard,
)

DRAFT, PUBLISHED, SEATED, RUNNING, CLOSED = "draft", "published", "seated", "running", "closed"
_HIDDEN = 1 << 14


class PlayerDetails:
    """The details of players on a table's card for staff, beside name and number: the obstacles of
    a squad (XW15), a team's home and members with the prizes that each sets out (D03 App. B 5-6).

    Read for all players of a round at once; ``rules`` are its system's.
    """

    def __init__(self, archive: Archive, form: Format, rules: Rules):
        self._form, self._teams = form, team_lines.of_round(archive, form)
        self._squads = squad_lists.of(archive) if rules.CAPS else {}

    def with_details(self, card: PlayerCard) -> PlayerCard:
        """Return a player's card with the known details."""
        squad, team = self._squads.get(card["number"]), self._teams.get(card["number"])
        more: PlayerCard = {**card}
        if squad is not None and squad.obstacles:
            more["obstacles"] = list(squad.obstacles)
        if team is not None:
            more["home"] = team_lines.home(team)
            more["members"] = [_member(member) for member in team_lines.members(team, self._form)]
        return more


def _member(member: team_lines.Member) -> MemberCard:
    return {
        "position": member.position,
        "name": member.player.name,
        "number": member.player.number,
        "prizes": member.prizes,
    }


class RoundRecord:
    """The archive's data of a round: pairings, format, start, claims of calls."""

    def __init__(self, archive: Archive, number: int):
        orders = archive.orders
        self.number, self.pairings = number, archive.roster.pairings_of(number)
        self.pairing_at = {
            pairing.table: pairing
            for pairing in self.pairings
            if pairing.b is not None and pairing.table is not None
        }
        self._archive, self._systems = archive, event_systems.of(archive)
        form = archive.roster.stored_format(number)
        self._system, rules = catalogue.by_number(self._systems, form.system)
        assert rules is not None  # with a known system
        self._form, self._rules = form, rules
        self.facts = self._facts()
        self.published, self.started = published(archive, number), orders.started(number)
        start = orders.latest_of(intents.SET_START, number)
        # not an order that every table refused
        self.start_ms = start.at_ms if start and self.started else None
        self.stood_ms = room_stops.stood_ms(archive, number)
        self.message = _message(orders.latest_of(intents.SAY))
        self.put_back = calls_put_back.standing(archive, number)
        self.points = event_pack.points_of(archive)
        self.claims = call_claims.claims(archive, number)
        self.features = fixed_tables.features(archive)
        self._fixed_tables = fixed_tables.fixed(archive)

    def keeps(self, pairing: Pairing) -> bool:
        """Return whether a player of a pairing keeps its table in every round."""
        return pairing.table in map(self._fixed_tables.get, pairing.numbers)

    def _facts(self) -> RoundFacts:
        form, rules = self._form, self._rules
        return {
            "number": self.number,
            "format": words_of(form, self._systems),
            "system": self._system,
            "minutes": form.minutes,
            "elimination": form.elimination,
            "hidden": bool(form.bits & _HIDDEN),
            "untimed": form.minutes == UNTIMED_MIN,
            "best_of": best_of(form.bits, rules),
            "counts_turns": counts_turns(form.bits, rules),
            "points_cap": points_cap(form.bits, rules),
            "narrow": has_narrow_win(form.bits, rules),
            "tables": len(self.pairing_at),
        }

    @functools.cached_property
    def details(self) -> PlayerDetails:
        """Details of its players beside names and numbers."""
        return PlayerDetails(self._archive, self._form, self._rules)

    def short(self, results: Collection[int], now_ms: int) -> ShortRoundCard:
        """Return the round's short card; ``results`` by pairing."""
        done = sum(pairing.pairing in results for pairing in self.pairing_at.values())
        return {**self.facts, "state": self._state(done, now_ms), "results": done}

    def _state(self, done: int, now_ms: int) -> str:
        """Return the state with ``done`` results; ``whole`` knows from the boards who is seated."""
        if not self.published:
            return DRAFT
        if self.pairing_at and done >= len(self.pairing_at):
            return CLOSED
        begun = self.start_ms is not None and self.start_ms <= now_ms
        return RUNNING if begun else PUBLISHED

    def whole(
        self, results: Collection[int], matches: Mapping[int, Match | None], now_ms: int
    ) -> RoundCard:
        """Return the round with its clock and the counts of its ``matches`` (by table)."""
        card = self.short(results, now_ms)
        zero_ms = None
        if self.start_ms is not None and not card["untimed"]:
            zero_ms = self.start_ms + card["minutes"] * 60_000 + self.stood_ms
        known = [match for match in matches.values() if match is not None]
        seated = sum(match.present == 3 or match.phase > phases.SEATED for match in known)
        if card["state"] == PUBLISHED and seated >= card["tables"] > 0:
            card["state"] = SEATED
        return {
            **card,
            "start_ms": self.start_ms,
            "zero_ms": zero_ms,
            "stood_ms": self.stood_ms,
            "seated": seated,
            "overtime": sum(match.phase == phases.OVERTIME for match in known),
            "extended": sum(match.extension_s > 0 for match in known),
        }


def _message(order: Order | None) -> MessageCard | None:
    if order is None:
        return None
    message = order.asks(intents.Say)
    next_ms = message.at_ms + message.next_round_s * 1000 if message.next_round_s else None
    return {"number": message.message, "next_ms": next_ms, "at_ms": message.at_ms}


def plain(card: RoundCard) -> RoundCard | None:
    """Return the round for viewers, without its clock if that is hidden; None for a draft."""
    if card["state"] == DRAFT:
        return None
    return {**card, "start_ms": None, "zero_ms": None} if card["hidden"] else card


def plain_short(card: ShortRoundCard) -> ShortRoundCard | None:
    """Return a stored round's short card for viewers, None for a draft."""
    return None if card["state"] == DRAFT else card
