"""Announcements before an event begins: the lengths of its rounds and matches, an elimination.

Sources: P18 8.2, 8.3 (minimum; announced at the outset), D03 212 and App. B (recommended), XW15
Regole Escalation (10 minutes more or less, announced before the event).
``host.systems.round_limits`` has a system's defaults and limits. Firm limits refuse a round beyond
them, and lock the lengths at the event's first start. Other limits only cause a remark, and a later
change is a logged act (``Desk.set_length``).

Matches of more than one game are announced, too (D03 211), and so is an elimination after XW15's
four rounds (Regole Escalation): the event file says ``# cut: 8``, which is locked as the lengths
are. The organiser decides; the desk only remarks on a missing announcement.
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
from host.systems.match_facts import best_of, usual_minutes
from host.systems.round_limits import is_firm, remark, unbound
from host.systems.rules import Rules

LENGTHS = "lengths"  # a notice: the announced minutes of all rounds
CHANGED = "length of round "  # with its number, a notice: minutes before and after, and the reason
_LONG_MIN = 20  # an extension above this is more often a typing mistake than a delay
# by system: the section that requires the announcement of longer matches
_MATCH_LENGTH_SECTIONS = {d03.NUMBER: "D03 211"}
CUT = "cut"  # a notice: the number of players in the elimination


def _is_locked_at_start(rules: Rules, bits: int) -> bool:
    """Whether a round's length is final once the event has begun."""
    return is_firm(rules) and not unbound(rules, bits)


def check(
    rules: Rules, form: Format, number: int, announced: Sequence[int], begun: bool
) -> Sentence | None:
    """Return a remark on the length of round ``number`` in a Format, or None. Raises UserError for
    a forbidden length.

    ``announced``: the announced minutes of all rounds, or (). ``begun``: whether a round of the
    event was started.
    """
    on_length = remark(rules, form.bits, form.minutes)
    if on_length and is_firm(rules):
        raise UserError("round {number}: {said}", number=number, said=on_length)
    if number <= len(announced):
        before = announced[number - 1]
        if form.minutes != before:
            refusal = "round {number} was announced with {before} minutes, not {minutes}"
            raise UserError(refusal, number=number, before=before, minutes=form.minutes)
    elif begun and _is_locked_at_start(rules, form.bits):
        usual = usual_minutes(form.bits, rules)
        if form.minutes != usual:
            refusal = (
                "round {number} lasts {usual} minutes: another length must be announced before the"
                " event begins"
            )
            raise UserError(refusal, number=number, usual=usual)
    return on_length


def extension_question(minutes: int) -> Sentence | None:
    """Return the question to ask before an unusually long extension, or None."""
    if minutes <= _LONG_MIN:
        return None
    return Sentence("Give {minutes} minutes at once?", minutes=minutes)


def begun(archive: Archive) -> bool:
    """Return whether the current event has a start, or results from a file."""
    started = archive.orders.last_round(intents.SET_START) is not None
    return started or ImportedRounds(archive).begun


def announced_minutes(archive: Archive) -> tuple[int, ...]:
    """Return the announced minutes of all rounds of the current event, or ()."""
    found = archive.notices.understood(LENGTHS, lambda text: tuple(map(int, text.split())))
    return found[-1] if found else ()


def announce(archive: Archive, minutes: Sequence[int], author: str, unix_ms: int) -> None:
    """Store the minutes of all rounds. Raises UserError if the event has begun with others."""
    before = announced_minutes(archive)
    if tuple(minutes) == before:
        return
    if begun(archive):
        lengths = " ".join(map(str, before)) or "–"
        raise UserError(
            "the event has begun: its rounds' lengths ({told}) were announced before it",
            told=lengths,
        )
    archive.notices.add(LENGTHS, " ".join(map(str, minutes)), author, unix_ms)


def change(
    archive: Archive, number: int, minutes: int, author: str, reason: str, unix_ms: int
) -> None:
    """Change a stored round's minutes, and store the author and the reason.

    Raises UserError for a length that the system forbids, without a reason, and once the round has
    begun (once the event has begun, if lengths are locked).
    """
    if not 1 <= minutes <= UNTIMED_MIN:
        raise UserError("a round has from 1 to 999 minutes")
    form = archive.roster.stored_format(number)
    rules = event_systems.rules_of(archive, form)
    on_length = remark(rules, form.bits, minutes)
    if _is_locked_at_start(rules, form.bits):
        if on_length:
            raise UserError(on_length)
        if begun(archive):
            raise UserError("the event has begun: its rounds' lengths were announced before it")
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


def lengths_before(archive: Archive, number: int) -> tuple[int, ...]:
    """Return the lengths that a round of the current event had before each change by the desk."""
    before = archive.notices.understood(CHANGED + str(number), lambda text: int(text.split()[0]))
    return tuple(before)


def match_length_remark(archive: Archive, rules: Rules, number: int) -> Sentence | None:
    """Return a remark if a round's matches have another number of games than the first round's,
    else None.
    """
    first = archive.roster.rounds[0]
    form, first_form = archive.roster.format_of(number), archive.roster.format_of(first)
    if form is None or first_form is None or rules.NUMBER not in _MATCH_LENGTH_SECTIONS:
        return None
    games, before = best_of(form.bits, rules), best_of(first_form.bits, rules)
    if games == before:
        return None
    single = "single games, where round {first} had best of {before}"
    several = "best of {games}, where round {first} had single games"
    lengths = Sentence(single if games == 1 else several, games=games, before=before, first=first)
    text = "{said}: this had to be announced before the event began ({section})"
    return Sentence(text, said=lengths, section=_MATCH_LENGTH_SECTIONS[rules.NUMBER])


def announced_cut(archive: Archive) -> int | None:
    """Return the number of players in the announced elimination, None if none was announced."""
    found = archive.notices.understood(CUT, int)
    return (found[-1] or None) if found else None


def announce_cut(archive: Archive, size: int, author: str, unix_ms: int) -> None:
    """Store the elimination's number of players, 0 for none. Raises UserError if the event has
    begun with another number.
    """
    if (size or None) == announced_cut(archive):
        return
    if begun(archive):
        raise UserError("the event has begun: an elimination must be announced before it")
    archive.notices.add(CUT, str(size), author, unix_ms)


def cut_remark(rules: Rules, bits: int, size: int | None) -> Sentence | None:
    """Return a remark if an elimination round was not announced (``size`` None), else None."""
    is_elimination = bool(bits & 1)
    if not rules.CAPS or not is_elimination or size is not None:
        return None
    return Sentence("no elimination was announced before the event (Regole Escalation)")
