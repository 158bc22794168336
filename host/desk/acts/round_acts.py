"""Acts on rounds: draft, publish, start, and corrections before the start."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace

from host.archive import draft_pods
from host.archive.access_links import HEAD, ORGANISER
from host.archive.people import People, Person
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.base.words import clock
from host.desk import beginning, draft_conducting, elimination_seats, next_round, public_standings
from host.desk.acts.act import Act, by_desk
from host.desk.acts.fields import (
    EVERY,
    MINUTES,
    ROUND,
    SURE,
    WHY,
    Field,
    choice,
    minutes,
    text,
    whole,
)
from host.desk.desk import Desk
from host.desk.event_import import import_file, remarks
from host.desk.replaced_drafts import delete_draft
from host.desk.staff import ActResult, Done, Staff
from host.event import event_log, missed_rounds
from host.event.imported_results import published
from host.event.scores import Round, rounds_of
from host.formats.round_format import UNTIMED_MIN
from host.tournament import event_pack
from host.tournament.round_draft import DraftRequest, draft
from host.tournament.rule_packs import Pack
from host.tournament.xwing_pairing import AcrossPoints

_SENDING_MS = 20_000  # in which a start reaches all tables
_LONGEST_WAIT_MIN = 600
_SEEDS = 2**32
_DRAW = "draw"  # the step in which cards are drafted, in the way of the round's pods


def _draft_round(
    staff: Staff, pack: str, cut: int | None, through: str, bye: str, minutes: int | None,
    seed: int | None, pods: str, sure: bool,
) -> Done:  # fmt: skip
    """Draft the next round, paired by the rules or a pack; it is stored, not published."""
    chosen, archive = _event_pack(staff, pack), staff.archive
    people, rounds = People(archive).every, rounds_of(archive, staff.station.hall)
    last = rounds[-1].number
    if not published(archive, last):
        raise UserError("round {last} is a draft still: publish it, or drop it first", last=last)
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    back = frozenset(_number(person) for person in people if _is_back(person, last))
    request = DraftRequest(
        pack=chosen, seed=seed, drop=_leaving(people, rounds), late=People(archive).fresh(),
        cut=cut, minutes=minutes, back=back, pods=pods, bye=bye, across=sure,
        through=frozenset(through.replace(",", " ").split()),
    )  # fmt: skip
    try:
        drafted = draft(archive, rounds, request)
    except AcrossPoints as question:
        return Done(ask=Sentence("{why}. Pair across points?", why=question.sentence))
    number = import_file(archive, drafted, staff.unix_ms, author=staff.author).round
    if chosen != _pack(staff):
        event_pack.choose(archive, chosen, staff.author, staff.unix_ms)
    done = _log_draft(staff, number, seed)
    sentences = [*drafted.remarks, *done.remarks]
    if not cut and not any(played.elimination for played in rounds):
        paired = back | missed_rounds.of_round(archive, last).keys()
        sentences += _missing(people, last, paired)
    return replace(done, remarks=sentences)


def _log_draft(staff: Staff, number: int, seed: int) -> Done:
    """Log the seed of a round that was drafted; return remarks on the round."""
    staff.log(event_log.DRAFTED, {"round": number, "seed": seed})
    staff.station.refresh()
    return Done(remarks=remarks(staff.archive, number), facts={"round": number, "seed": seed})


def _leaving(people: Sequence[Person], rounds: Sequence[Round]) -> frozenset[str]:
    """Return the numbers of the players who have dropped and else would be in the next round: of
    those in the bracket or, without a bracket, in the last round.
    """
    bracket_rounds = {played.number for played in rounds if played.elimination}
    current = bracket_rounds or {rounds[-1].number}
    dropped = [person for person in people if person.dropped]
    return frozenset(_number(person) for person in dropped if current & {*person.rounds})


def _draw_pods(staff: Staff, kind: str, seed: int | None, sure: bool) -> Done:
    """Draft round 1 again, with its players drawn into pods and paired inside them."""
    archive, number = staff.archive, 1
    if archive.roster.rounds != [number] or published(archive, number):
        raise UserError("pods are drawn before round 1 is published: a cut draws its own")
    if not sure and draft_pods.in_force(archive, number):
        return Done(ask=Sentence("The pods of this round are drawn already. Draw them again?"))
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    form = archive.roster.stored_format(number)
    drawn = beginning.first_round(archive, form, DraftRequest(_pack(staff), seed, pods=kind))
    with archive.transaction():
        delete_draft(archive, number, staff.author, staff.unix_ms)
        import_file(archive, drawn, staff.unix_ms, author=staff.author)
    return _log_draft(staff, number, seed)


def _conduct(
    staff: Staff, table: int | None, step: str, seats: str, packs: int, seconds: int | None
) -> ActResult:
    """Let a board conduct a pod's draft. ``seats``: their number, or a pod of the last round.

    Deck building begins and ends at every idle table if ``table`` is None.
    """
    station = staff.station
    if step in draft_conducting.STEPS:
        tables = draft_conducting.idle(station) if table is None else [table]
        intent, orders = draft_conducting.step(step), list[int]()
        for each in tables:
            orders += draft_conducting.order(station, each, intent, staff.author)
        return orders
    if table is None:
        raise UserError("name the table whose board conducts the draft: draft 1 rochester 8 3")
    if not seats or not packs:
        raise UserError(
            "say how many seats, or which pod, and how many packs: draft {table} rochester 8 3, or"
            " draft {table} booster pod1 3",
            table=table,
        )
    count, kind = _seats(staff, seats), step
    if kind == _DRAW:
        pods = draft_conducting.pods_of(station)
        if pods is None:
            raise UserError("no pods are drawn for this round: say rochester or booster")
        kind = pods.kind
    pick_s = draft_conducting.PICK_S[kind]
    if pick_s and seconds is not None:  # of a draft with a pick clock
        pick_s = seconds
    intent = draft_conducting.set_up_intent(kind, count, packs, pick_s)
    return draft_conducting.order(station, table, intent, staff.author)


def _seats(staff: Staff, seats: str) -> int:
    """Return a number of seats: as typed, or that of ``podN`` in the round's draft."""
    number = seats.casefold().removeprefix("pod")
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        raise UserError("{seats} is neither a number of seats nor a pod, as pod1", seats=seats)
    if number == seats:
        return int(seats)
    return draft_conducting.seats_of(staff.station, int(number))


def _missing(people: Sequence[Person], last: int, paired: Collection[str]) -> list[Sentence]:
    """Return a Sentence on each player who missed the last Swiss round and is not paired."""
    text = "{name} ({number}) missed round {last} and is not paired: seat by hand"
    missed = [person for person in people if person.rounds and last not in person.rounds]
    return [
        Sentence(text, name=person.player.name, number=_number(person), last=last)
        for person in missed
        if not person.dropped and _number(person) not in paired
    ]


def _number(person: Person) -> str:
    return person.player.number


def _is_back(person: Person, last: int) -> bool:
    """Return whether a player has returned after a drop and missed the last round."""
    returned = person.returned and not person.dropped
    return returned and bool(person.rounds) and last not in person.rounds


def _pack(staff: Staff) -> Pack | None:
    """Return the event's rule pack."""
    return event_pack.pack_of(staff.archive, staff.packs.values())


def _require_pack(staff: Staff, pack: str) -> None:
    """Raise UserError for an unknown rule pack; "" is none."""
    if pack and pack not in staff.packs:
        raise UserError("there is no such rule pack: choose one of the list")


def _event_pack(staff: Staff, name: str) -> Pack | None:
    """Return the event's pack, or the named pack before one was chosen."""
    _require_pack(staff, name)
    return event_pack.of_event(staff.archive, staff.packs.get(name), staff.packs.values())


def _choose_pack(staff: Staff, pack: str) -> None:
    _require_pack(staff, pack)
    event_pack.choose(staff.archive, staff.packs.get(pack), staff.author, staff.unix_ms)


def _drop_draft(staff: Staff, round: int) -> None:
    """Delete a drafted round. Raises UserError if it is published."""
    if staff.archive.roster.format_of(round) is None or published(staff.archive, round):
        raise UserError("round {round} is not a draft: only a draft can be dropped", round=round)
    with staff.archive.transaction():
        delete_draft(staff.archive, round, staff.author, staff.unix_ms)
    staff.log("draft dropped", {"round": round})
    staff.station.refresh()


def _publish(staff: Staff, round: int, sure: bool) -> ActResult:
    """Publish a stored round, or ask first if a round before is against it."""
    if round < (staff.desk.round or 0):
        raise UserError("round {round} is published already", round=staff.desk.round)
    question = None if sure else next_round.question(staff.archive, staff.station.hall, round)
    if question:
        return Done(ask=question)
    orders = staff.desk.publish(round, staff.author, leave=True)
    return orders or Sentence("round {round} is published already", round=round)


def _start(staff: Staff, minutes: float, sure: bool) -> Done:
    """Start the round after ``minutes``, at least after its set-up (P18 8.1: 2:00)."""
    set_up_ms = staff.desk.set_up_s * 1000
    lead_ms = max(set_up_ms + _SENDING_MS, round(minutes * 60_000))
    question = None if sure else staff.desk.start_question(staff.now_ms + lead_ms)
    if not sure and not question and staff.desk.round:
        question = elimination_seats.start_question(
            staff.archive, staff.station.hall, staff.desk.round
        )
    if question:
        return Done(ask=question)
    orders = staff.desk.start(staff.now_ms + lead_ms, staff.author)
    tables = Sentence.counted("{count} table", "{count} tables", count=len(orders))
    text = "the round starts in {left} at {tables}"
    if set_up_ms:
        text = "the round starts in {left} at {tables}, after the {set_up} of set-up"
    starts = Sentence(text, left=clock(lead_ms), tables=tables, set_up=clock(set_up_ms))
    return Done(orders, starts)


def _length(staff: Staff, round: int, minutes: int, reason: str) -> Done:
    orders = staff.desk.set_length(round, minutes, staff.author, reason, staff.unix_ms)
    return Done(orders, shown=() if orders else [f"round {round}: {minutes} minutes"])


def _set_untimed(staff: Staff, round: int) -> ActResult:
    return staff.desk.set_length(round, UNTIMED_MIN, staff.author, "untimed", staff.unix_ms)


_PACK = Field(text(0, 60), "")
_SEED = Field(whole(0, _SEEDS - 1), None)
_PODS = choice("", *draft_pods.KINDS)
_STEPS = choice(_DRAW, *draft_conducting.KINDS, *draft_conducting.STEPS)
ACTS = (
    Act("draft", ORGANISER, _draft_round,
        {"pack": _PACK, "cut": Field(whole(2, 64), None), "through": Field(text(0, 600), ""),
         "bye": Field(text(0, 32), ""), "minutes": MINUTES._replace(default=None), "seed": _SEED,
         "pods": Field(_PODS, ""), "sure": SURE}),
    Act("draw_pods", ORGANISER, _draw_pods, {"kind": Field(_PODS), "seed": _SEED, "sure": SURE}),
    Act("conduct", ORGANISER, _conduct,
        {"table": EVERY, "step": Field(_STEPS), "seats": Field(text(0, 8), ""),
         "packs": Field(whole(0, 99), 0), "seconds": Field(whole(0, 999), None)},
        "draft", "have a board conduct a pod's draft: SEATS (or pod1, pod2 …), PACKS or groups;"
        " begin deck building (all: at every table, of a Sealed event without a draft); end it"),
    Act("choose_pack", ORGANISER, _choose_pack, {"pack": _PACK}),
    Act("drop_draft", ORGANISER, _drop_draft, {"round": ROUND}),
    Act("publish", ORGANISER, _publish, {"round": ROUND, "sure": SURE}, "publish",
        "publish a stored round at the tables"),
    Act("start", ORGANISER, _start, {"minutes": Field(minutes(_LONGEST_WAIT_MIN), 0), "sure": SURE},
        "start", "start the round in MINUTES, or as soon as its set-up is over"),
    Act("length", HEAD, _length, {"round": ROUND, "minutes": MINUTES, "reason": WHY}, "length",
        "change a round's length before its start"),
    Act("untimed", ORGANISER, _set_untimed, {"round": ROUND}),
    Act("publish_standings", ORGANISER, public_standings.publish,
        {"round": ROUND._replace(default=None)}, "standings publish",
        "let players see the standings after the last finished ROUND, or an earlier one"),
    Act("withdraw_standings", ORGANISER, public_standings.withdraw, {}, "standings withdraw",
        "let players see no standings any more"),
    Act("clear", ORGANISER, by_desk(Desk.clear), {"table": EVERY}, "clear",
        "clear the round from the tables"),
)  # fmt: skip
