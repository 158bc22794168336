"""What is announced before an event begins: the lengths of its rounds and matches, an elimination.

Sources: P18 8.2, 8.3 (minimum; announced at the outset), D03 212 and App. B (recommended), XW15
Regole Escalation (10 minutes more or less, announced before the event).
``host.systems.round_limits`` has a system's defaults and limits. If they are firm, a round beyond
them is refused, and lengths are locked at the event's first start. Otherwise there is only a
remark, and a later change is a logged act (``Desk.length``).

Matches of more than one game are announced too (D03 211), and so is an elimination after XW15's
four rounds (Regole Escalation): the event file says ``# cut: 8``, which is locked as the lengths
are. The organiser decides; the desk remarks on what was not announced.
"""

from collections.abc import Sequence

from firmware.core import intents
from firmware.core.systems import d03
from host.archive.roster import Format
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event import event_systems
from host.event.imported_results import ImportedRounds
from host.formats.round_format import UNTIMED_MIN
from host.systems import catalogue
from host.systems.match_facts import best_of, usual_minutes
from host.systems.round_limits import is_firm, remark, unbound
from host.systems.rules import Rules

LENGTHS = "lengths"  # of all rounds, as announced
CHANGED = "length of round "  # and its number: before, after and why
_MUCH_MIN = 20  # of extension at once: a delay is seldom that long, a mistyped number is
_MATCHES = {d03.NUMBER: "D03 211"}  # of the texts that want longer matches announced
CUT = "cut"  # the notice: how many players go on


def _is_locked(rules: Rules, bits: int, begun: bool) -> bool:
    return is_firm(rules) and begun and not unbound(rules, bits)


def judge(
    rules: Rules, form: Format, number: int, announced: Sequence[int], begun: bool
) -> Sentence | None:
    """Return a remark on round ``number`` of a Format, or None; UserError for a forbidden length.

    ``announced``: every round's minutes as announced, or (). ``begun``: a round of the event was
    started.
    """
    said = remark(rules, form.bits, form.minutes)
    if said and is_firm(rules):
        raise UserError("round {number}: {said}", number=number, said=said)
    if number <= len(announced):
        if form.minutes != announced[number - 1]:
            said = "round {number} was announced with {before} minutes, not {minutes}"
            raise UserError(said, number=number, before=announced[number - 1], minutes=form.minutes)
    elif _is_locked(rules, form.bits, begun) and form.minutes != usual_minutes(form.bits, rules):
        usual = usual_minutes(form.bits, rules)
        said = (
            "round {number} lasts {usual} minutes: another length must be announced before the"
            " event begins"
        )
        raise UserError(said, number=number, usual=usual)
    return said


def extension_doubt(minutes: int) -> Sentence | None:
    """Return what to ask before so much time is given at once, or None."""
    if minutes <= _MUCH_MIN:
        return None
    return Sentence("Give {minutes} minutes at once?", minutes=minutes)


def begun(archive: Archive) -> bool:
    """Say whether a start was set in the archive's current event, or a file told what was played of
    it.
    """
    started = archive.orders.last_round(intents.SET_START) is not None
    return started or ImportedRounds(archive).begun


def announced(archive: Archive) -> tuple[int, ...]:
    """Return the minutes of all announced rounds of the current event, or ()."""
    found = archive.notices.understood(LENGTHS, lambda told: tuple(map(int, told.split())))
    return found[-1] if found else ()


def announce(archive: Archive, minutes: Sequence[int], author: str, unix_ms: int) -> None:
    """Store all rounds' minutes; raises UserError if the event has begun with other ones."""
    before = announced(archive)
    if tuple(minutes) == before:
        return
    if begun(archive):
        told = " ".join(map(str, before)) or "–"
        raise UserError(
            "the event has begun: its rounds' lengths ({told}) were announced before it", told=told
        )
    archive.notices.add(LENGTHS, " ".join(map(str, minutes)), author, unix_ms)


def change(
    archive: Archive, number: int, minutes: int, author: str, reason: str, unix_ms: int
) -> None:
    """Change a stored round's minutes, and store who did it and why.

    Raises UserError for a length that the system forbids, without a reason, and once the round (if
    lengths are locked, the event) has begun.
    """
    form = archive.roster.format_of(number)
    if not 1 <= minutes <= UNTIMED_MIN:
        raise UserError("a round has from 1 to 999 minutes")
    if form is None:
        said = "there is no round {number} in this event: import or draft it first"
        raise UserError(said, number=number)
    _, rules = catalogue.numbered(event_systems.of(archive), form.system)
    assert rules is not None  # a stored round's system is known
    said = remark(rules, form.bits, minutes)
    if _is_locked(rules, form.bits, bool(said) or begun(archive)):
        raise UserError(said or "the event has begun: its rounds' lengths were announced before it")
    if not reason:
        raise UserError("a round's length was announced: say why it changes")
    if archive.orders.started(number) or ImportedRounds(archive).finished(number):
        raise UserError(
            "round {number} has its start already; extend tables instead", number=number
        )
    with archive.transaction():
        archive.notices.add(
            f"{CHANGED}{number}", f"{form.minutes} {minutes} {reason}", author, unix_ms
        )
        archive.roster.change_length(number, minutes)


def changed_from(archive: Archive, number: int) -> tuple[int, ...]:
    """Return a round's lengths before the desk changed them, in the current event."""
    changes = archive.notices.understood(CHANGED + str(number), lambda told: int(told.split()[0]))
    return tuple(changes)


def match_length_remark(archive: Archive, rules: Rules, number: int) -> Sentence | None:
    """Return a Sentence where a round's matches are of another length than the first round's."""
    first = archive.roster.rounds[0]
    form, began = archive.roster.format_of(number), archive.roster.format_of(first)
    if form is None or began is None or rules.NUMBER not in _MATCHES:
        return None
    games, before = best_of(form.bits, rules), best_of(began.bits, rules)
    if games == before:
        return None
    single = "single games, where round {first} had best of {before}"
    several = "best of {games}, where round {first} had single games"
    said = Sentence(single if games == 1 else several, games=games, before=before, first=first)
    told = "{said}: this had to be announced before the event began ({section})"
    return Sentence(told, said=said, section=_MATCHES[rules.NUMBER])


def announced_cut(archive: Archive) -> int | None:
    """Return how many players the announced elimination has, None if none was announced."""
    found = archive.notices.understood(CUT, int)
    return (found[-1] or None) if found else None


def announce_cut(archive: Archive, size: int, author: str, unix_ms: int) -> None:
    """Store the elimination's size, 0 for none; raises UserError when the event has begun with
    another one.
    """
    if (size or None) == announced_cut(archive):
        return
    if begun(archive):
        raise UserError("the event has begun: an elimination must be announced before it")
    archive.notices.add(CUT, str(size), author, unix_ms)


def cut_remark(rules: Rules, bits: int, size: int | None) -> Sentence | None:
    """Return a Sentence if an elimination round was not announced (``size`` None), else None."""
    if not (rules.CAPS and bits & 1) or size is not None:
        return None
    return Sentence("no elimination was announced before the event (Regole Escalation)")
