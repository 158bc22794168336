"""How long a round lasts: what its system's table gives, and what was announced before the event.

Sources: P18 8.2, 8.3 (at least so much; announced at the outset), D03 212 and App. B (recommended),
XW15 Regole Escalation (10 minutes more or less, announced before the event). What a system gives and
allows is in ``host.systems.round_limits``; where its limits are firm, a round beyond them is refused, and
the lengths are locked at the event's first start. Elsewhere a remark is made, and a later change is a
logged act (``Desk.length``).
"""

from firmware.core import intents
from host.base.errors import UserError
from host.event import event_systems
from host.formats.round_format import UNTIMED_MIN
from host.systems import catalogue
from host.systems.match_facts import usual_minutes
from host.systems.round_limits import is_firm, remark, unbound

LENGTHS = "lengths"  # of all rounds, as announced
CHANGED = "length of round "  # and its number: before, after and why


def _is_locked(rules, bits, begun):
    return is_firm(rules) and begun and not unbound(rules, bits)


def judge(rules, form, number, announced, begun):
    """Return a remark on round ``number`` of a Format, or None; raises UserError where it cannot be.

    ``announced``: every round's minutes as told before the event, or (); ``begun``: a round of the
    event has been started.
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
        said = "round {number} lasts {usual} minutes: another length is announced before the event begins"
        raise UserError(said, number=number, usual=usual)
    return said


def begun(archive):
    """Say whether a start was set in the archive's current event."""
    return archive.orders.last_round(intents.SET_START) is not None


def announced(archive):
    """Return the minutes of every announced round of the current event, () for none."""
    told = archive.notices.latest(LENGTHS)
    return tuple(map(int, told.split())) if told else ()


def announce(archive, minutes, author, unix_ms):
    """Keep all rounds' minutes; raises UserError when the event has begun with other ones."""
    before = announced(archive)
    if tuple(minutes) == before:
        return
    if begun(archive):
        told = " ".join(map(str, before)) or "–"
        raise UserError(
            "the event has begun: its rounds' lengths ({told}) were announced before it", told=told
        )
    archive.notices.add(LENGTHS, " ".join(map(str, minutes)), author, unix_ms)


def change(archive, number, minutes, author, reason, unix_ms):
    """Give a stored round other minutes and keep who did it and why; UserError where that cannot be."""
    form = archive.roster.format_of(number)
    if not 1 <= minutes <= UNTIMED_MIN:
        raise UserError("a round has from 1 to 999 minutes")
    if form is None:
        raise UserError("there is no round {number} in this event", number=number)
    _, rules = catalogue.numbered(event_systems.of(archive), form.system)
    said = remark(rules, form.bits, minutes)
    if _is_locked(rules, form.bits, said or begun(archive)):
        raise UserError(said or "the event has begun: its rounds' lengths were announced before it")
    if not reason:
        raise UserError("a round's length was announced: say why it changes")
    if archive.orders.started(number):
        raise UserError(
            "round {number} has its start already; extend tables instead", number=number
        )
    with archive.transaction():
        archive.notices.add(
            f"{CHANGED}{number}", f"{form.minutes} {minutes} {reason}", author, unix_ms
        )
        archive.roster.change_length(number, minutes)


def changed_from(archive, number):
    """Return the lengths that a round of the current event had before the desk changed it."""
    return tuple(int(value.split()[0]) for value in archive.notices.every(CHANGED + str(number)))
