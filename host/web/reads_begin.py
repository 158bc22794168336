"""What the organiser's page fetches before the first round: systems to play, players entered, and
registrations that wait.
"""

import contextlib
from collections.abc import Iterable, Iterator
from typing import TypedDict

from host.archive.people import People
from host.desk import beginning, registration, round_lengths
from host.event import event_plan, event_systems, registrations
from host.formats.event_file import CUT_SIZES
from host.formats.round_format import overtime_words, parse_format
from host.systems.match_facts import usual_minutes
from host.systems.rules import Catalogue, OwnRules
from host.tournament.rule_packs import Pack
from host.web import qr
from host.web.desk_service import DeskService
from host.web.reads import ReadRequest

_GAMES = "bo3", "bo1"
_SINGLE = ("d03",)  # the text has one game by default (D03 211)
_KINDS = "constructed", "limited", "constructed team", "limited team"
_SOME_MIN = 50  # a format is not read without its minutes


class PackCard(TypedDict):
    """A rule pack to choose: its name, its date, and the source of its rules."""

    name: str
    dated: str
    source: str


class KindCard(TypedDict):
    """A kind of match in the words of a format, "" for the only one, and its usual minutes."""

    words: str
    minutes: int


class SystemCard(TypedDict):
    """A system to choose, "" for a title that the pages have.

    ``rounds`` is the most rounds, 0 for any number; ``after`` the options for what follows time,
    the default first.
    """

    name: str
    title: str
    kinds: list[KindCard]
    rounds: int
    after: list[str]
    packs: list[PackCard]


def begin(service: DeskService, request: ReadRequest) -> dict[str, object]:
    """Return the systems to choose from, the choices made, the number of players, and the
    registration.
    """
    archive, event = service.archive, service.archive.roster.event
    plan, systems = event_plan.plan_of(archive), event_systems.of(archive) | service.station.systems
    people = People(archive).every if event else []
    return {
        "systems": [_system(name, systems, service.packs.values()) for name in systems],
        "cuts": list(CUT_SIZES),
        "format": beginning.words(archive),
        "rounds": plan.rounds if plan else 0,
        "cut": round_lengths.announced_cut(archive),
        "pack": service.pack.name if service.pack else "",
        "people": sum(not person.dropped for person in people),
        **_registration(service),
    }


def _registration(service: DeskService) -> dict[str, object]:
    """Return the registrations that wait, and the address at which they are made, None while there
    is none.
    """
    archive, path = service.archive, service.registration_path
    queue = registrations.waiting(archive)
    remarks = registration.contradictions(queue, archive.roster.players.values())
    entries = [
        {"id": entry.id, "number": entry.number, "name": entry.name, "seen": remarks[entry.id]}
        for entry in queue
    ]
    if not path:
        return {"entries": entries, "door": None}
    url = f"{service.address}{path}"
    also = [f"{base}{path}" for base in service.also]
    picture = qr.address_of(url) if qr.opens_elsewhere(url) else None
    return {"entries": entries, "door": {"url": url, "also": also, "qr": picture}}


def _system(name: str, systems: Catalogue, packs: Iterable[Pack]) -> SystemCard:
    rules = systems[name]
    return {
        "name": name,
        "title": rules.title if isinstance(rules, OwnRules) else "",
        "kinds": [*_kinds(name, systems)],
        "rounds": len(rules.CAPS),
        "after": [overtime_words(*option) for option in rules.OVERTIME],
        "packs": [
            {"name": pack.name, "dated": str(pack.dated), "source": pack.source}
            for pack in packs
            if pack.system == name
        ],
    }


def _kinds(name: str, systems: Catalogue) -> Iterator[KindCard]:
    """Yield each kind of match that a system has, the usual one first."""
    games = reversed(_GAMES) if name in _SINGLE else _GAMES
    kinds = [f"{games_word} {kind}" for games_word in games for kind in _KINDS]
    if systems[name].CAPS:  # it has one kind of match
        kinds = [""]
    for words in kinds:
        with contextlib.suppress(ValueError):  # a kind that it does not have
            form = parse_format(f"{name} {words} {_SOME_MIN}", systems)
            yield {"words": words, "minutes": usual_minutes(form.bits, systems[name])}
