"""Acts on rounds: draft, publish, start, and corrections before the start."""

import secrets

from host.archive import draft_pods
from host.archive.people import People
from host.archive.roles import ORGANISER
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import draft_conducting, pairing_changes
from host.desk.event_import import import_event, remarks
from host.event import event_systems
from host.event.scores import rounds_of
from host.formats.people_file import Person
from host.formats.round_format import UNTIMED_MIN
from host.systems import catalogue
from host.tournament import event_pack
from host.tournament.round_draft import DraftRequest, draft, first_draft
from host.tournament.xwing_pairing import AcrossPoints
from host.web import roundcard
from host.web.act import Found, WebAct
from host.web.fields import MINUTES, NUMBER, REQUIRED, ROUND, TABLE, choice, text, whole, yes

START_LEAD_MS = 140_000  # the 2:00 before the round (P18 8.1) and time to tell every table
_SEEDS = 2**32
_DRAW = "draw"  # the step in which cards are drawn, before those of ``draft_conducting``


def _draft(service, who, pack, cut, through, bye, minutes, seed, pods, sure) -> Found:
    """Draft the next round: paired by the rules or a pack, stored, not published."""
    chosen = _event_pack(service, pack)
    station, archive = service.station, service.archive
    rounds, people = rounds_of(archive, station.hall), People(archive).every
    last = rounds[-1].number
    if not roundcard.published(archive, last):
        raise UserError("round {last} is a draft still: publish it, or drop it first", last=last)
    bracket = {one.number for one in rounds if one.elimination}
    playing = bracket or {last}
    drop = frozenset(_number(one) for one in people if one.dropped and playing & set(one.rounds))
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    back = frozenset(_number(one) for one in people if _is_back(one, last))
    named = frozenset(through.replace(",", " ").split())
    request = DraftRequest(
        chosen, seed, drop, People(archive).fresh(), cut, minutes, back, pods, named, sure, bye
    )
    try:
        drafted = draft(archive, rounds, request)
    except AcrossPoints as question:
        return {"ask": Sentence("{why}. Pair across points?", why=question.sentence)}
    number = import_event(archive, drafted, service.unix_ms, author=who.name)
    if chosen != service.pack:
        event_pack.choose(archive, chosen, who.name, service.unix_ms)
    service.log("drafted", {"round": number, "seed": seed}, who)
    station.refresh()
    missing = [] if cut or bracket else _missing(people, last, back)
    said = [*drafted.said, *remarks(archive, number), *missing]
    return {"round": number, "seed": seed, "said": said}


def _draw_pods(service, who, kind, seed, sure) -> Found:
    """Draw round 1's draft anew: its players into pods, and the pairings inside them."""
    archive, number = service.archive, 1
    if archive.roster.rounds != [number] or roundcard.published(archive, number):
        raise UserError("pods are drawn before round 1 is published: a cut draws its own")
    if not sure and draft_pods.in_force(archive, number):
        return {"ask": Sentence("The pods of this round are drawn already. Draw them anew?")}
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    drawn = _round_1(service, DraftRequest(service.pack, seed, pods=kind))
    with archive.transaction():
        archive.roster.forget_round(number)
        draft_pods.withdraw(archive, number, who.name, service.unix_ms)
        import_event(archive, drawn, service.unix_ms, author=who.name)
    service.log("drafted", {"round": number, "seed": seed}, who)
    service.station.refresh()
    return {"round": number, "seed": seed, "said": remarks(archive, number)}


def _conduct(service, who, table, step, pod, packs, seconds):
    """Have a board conduct a pod's draft, as the pods of the last stored round are drawn."""
    station = service.station
    if step != _DRAW:
        return draft_conducting.order(station, table, draft_conducting.step(step), who.name)
    seats, pods = draft_conducting.seats_of(station, pod), draft_conducting.pods_of(station)
    assert pods is not None  # there is such a pod
    usual_s = draft_conducting.PICK_S[pods.kind]
    pick_s = seconds if seconds is not None and usual_s else usual_s
    asked = draft_conducting.setting(pods.kind, seats, packs, pick_s)
    return draft_conducting.order(station, table, asked, who.name)


def _round_1(service, request):
    """Return an EventFile of round 1 for everybody who is there."""
    archive = service.archive
    roster, form = archive.roster, archive.roster.format_of(1)
    _, rules = catalogue.numbered(event_systems.of(archive), form.system)
    assert rules is not None  # the round is stored with a system that is known
    here = [Person(one.player, frozenset()) for one in People(archive).every if not one.dropped]
    return first_draft(here, roster.event.name, form, rules, request, roster.tables)


def _missing(people, last, back):
    """Return a Sentence on each player who missed the last Swiss round and is not paired."""
    told = "{name} ({number}) missed round {last} and is not paired: seat by hand"
    missed = [one for one in people if one.rounds and last not in one.rounds]
    return [
        Sentence(told, name=one.player.name, number=_number(one), last=last)
        for one in missed
        if not one.dropped and _number(one) not in back
    ]


def _number(person):
    return person.player.number


def _is_back(person, last):
    """Say whether a player came back after a drop and has missed the last round."""
    return person.returned and not person.dropped and person.rounds and last not in person.rounds


def _known(service, pack):
    if pack and pack not in service.packs:
        raise UserError("there is no such rule pack: choose one of the list")


def _event_pack(service, name):
    """Return the event's pack, or a named one before any was chosen."""
    _known(service, name)
    return event_pack.of_event(service.archive, service.packs.get(name), service.packs.values())


def _choose_pack(service, who, pack):
    _known(service, pack)
    event_pack.choose(service.archive, service.packs.get(pack), who.name, service.unix_ms)


def _drop_draft(service, who, round):
    if service.archive.roster.format_of(round) is None or roundcard.published(
        service.archive, round
    ):
        raise UserError("round {round} is not a draft: only a draft can be dropped", round=round)
    with service.archive.transaction():
        service.archive.roster.forget_round(round)
        draft_pods.withdraw(service.archive, round, who.name, service.unix_ms)
    service.log("draft dropped", {"round": round}, who)
    service.station.refresh()


def _publish(service, who, round):
    if round < (service.desk.round or 0):
        raise UserError("round {round} is published already", round=service.desk.round)
    return service.desk.publish(round, who.name)


def _start(service, who, minutes, sure) -> Found:
    at_ms = service.now_ms + max(START_LEAD_MS, minutes * 60_000)
    asked = None if sure else service.desk.start_doubt(at_ms)
    if asked:
        return {"ask": asked}
    return service.desk.start(at_ms, who.name)


def _untimed(service, who, round):
    return service.desk.length(round, UNTIMED_MIN, who.name, "untimed", service.unix_ms)


def _repair(service, who, round, table, a, b):
    made, left = pairing_changes.change_pairing(
        service.station, round, table, a, b, who.name, service.unix_ms
    )
    told = "{name} ({number}) has no seat in round {round} now"
    return {
        "orders": made,
        "said": [Sentence(told, name=one.name, number=one.number, round=round) for one in left],
    }


def _join_bye(service, who, round, number):
    made, table = pairing_changes.join_bye(
        service.station, round, number, who.name, service.unix_ms
    )
    return {"orders": made, "table": table}


def _clear(service, who, table):
    return service.desk.clear(table, who.name)


_PACK = text(0, 60), ""
_SEED = whole(0, _SEEDS - 1), None
ACTS = (
    WebAct("draft", ORGANISER, _draft, {"pack": _PACK, "cut": (whole(2, 64), None),
                                        "through": (text(0, 600), ""),
                                        "bye": (text(0, 32), ""),
                                        "minutes": (MINUTES[0], None),
                                        "seed": _SEED,
                                        "pods": (choice("", *draft_pods.KINDS), ""),
                                        "sure": (yes, False)}),
    WebAct("draw_pods", ORGANISER, _draw_pods, {"kind": (choice("", *draft_pods.KINDS), REQUIRED),
                                                "seed": _SEED, "sure": (yes, False)}),
    WebAct("conduct", ORGANISER, _conduct, {"table": TABLE,
                                            "step": (choice(_DRAW, *draft_conducting.STEPS),
                                                     REQUIRED),
                                            "pod": (whole(0, 255), 0), "packs": (whole(0, 99), 0),
                                            "seconds": (whole(0, 60), None)}),
    WebAct("choose_pack", ORGANISER, _choose_pack, {"pack": _PACK}),
    WebAct("drop_draft", ORGANISER, _drop_draft, {"round": ROUND}),
    WebAct("publish", ORGANISER, _publish, {"round": ROUND}),
    WebAct("start", ORGANISER, _start, {"minutes": (whole(0, 600), 0), "sure": (yes, False)}),
    WebAct("untimed", ORGANISER, _untimed, {"round": ROUND}),
    WebAct("repair", ORGANISER, _repair, {"round": ROUND, "table": TABLE, "a": NUMBER,
                                          "b": NUMBER}),
    WebAct("join_bye", ORGANISER, _join_bye, {"round": ROUND, "number": NUMBER}),
    WebAct("clear", ORGANISER, _clear, {"table": (TABLE[0], None)}),
)  # fmt: skip
