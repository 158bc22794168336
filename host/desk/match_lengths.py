"""Rounds whose matches have another number of games than the event began with.

Source: D03 211: matches of more than one game are announced before the tournament begins. The
organiser decides; the desk remarks on it.
"""

from firmware.core.systems import d03
from host.archive.store import Archive
from host.base.sentences import Sentence
from host.systems.match_facts import best_of
from host.systems.rules import Rules

_SECTIONS = {d03.NUMBER: "D03 211"}  # of the texts that want it announced


def remark(archive: Archive, rules: Rules, number: int) -> Sentence | None:
    """Return a Sentence where a round's matches are of another length than the first round's."""
    first = archive.roster.rounds[0]
    form, began = archive.roster.format_of(number), archive.roster.format_of(first)
    if form is None or began is None or rules.NUMBER not in _SECTIONS:
        return None
    games, before = best_of(form.bits, rules), best_of(began.bits, rules)
    if games == before:
        return None
    single = "single games, where round {first} had best of {before}"
    several = "best of {games}, where round {first} had single games"
    said = Sentence(single if games == 1 else several, games=games, before=before, first=first)
    told = "{said}: this had to be announced before the event began ({section})"
    return Sentence(told, said=said, section=_SECTIONS[rules.NUMBER])
