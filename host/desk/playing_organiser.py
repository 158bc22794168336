"""An organiser who plays, too: with a second one announced, and never at a Premier event.

Source: XW15 Partecipazione dell'Organizzatore del Torneo. The event file says ``# organiser:`` with
the player's number, ``# second:`` with a name and ``# category:``. A round that seats the organiser
otherwise is remarked on; the organiser decides.
"""

import json
from collections.abc import Mapping

from host.archive.store import Archive
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.systems.rules import Rules
from host.tournament import xwing_setup

NOTICE = "organiser"
Staff = tuple[str, str, str]
"""The organiser's player number, the second organiser's name, the event's category."""


def announce(archive: Archive, staff: Staff, author: str, unix_ms: int) -> None:
    """Store who organises; what is left empty stays as it was announced before."""
    before = announced(archive)
    whole = tuple(new or old for new, old in zip(staff, before, strict=True))
    if whole != before:
        names = dict(zip(("organiser", "second", "category"), whole, strict=True))
        archive.notices.add(NOTICE, json.dumps(names, sort_keys=True), author, unix_ms)


def announced(archive: Archive) -> Staff:
    """Return what was announced, empty texts for what was not."""
    told = archive.notices.read(NOTICE, read)
    return (told[-1] if told else None) or ("", "", "")


def read(told: Mapping[str, Json]) -> Staff | None:
    """Return who organises by a notice, None if invalid. Raises LookupError."""
    organiser, second, category = told["organiser"], told["second"], told["category"]
    if isinstance(organiser, str) and isinstance(second, str) and isinstance(category, str):
        return organiser, second, category
    return None


def remark(archive: Archive, rules: Rules, number: int) -> Sentence | None:
    """Return a Sentence where the organiser sits in a round, and may not."""
    organiser, second, category = announced(archive)
    if not rules.CAPS or not organiser or xwing_setup.organiser_may_play(category, bool(second)):
        return None
    seated = {p.number for one in archive.roster.pairings_of(number) for p in (one.a, one.b) if p}
    if organiser not in seated:
        return None
    if category == "premier":
        return Sentence(
            "player {player} organises, and no organiser plays at a Premier event (Partecipazione"
            " dell'Organizzatore)",
            player=organiser,
        )
    return Sentence(
        "player {player} organises: a second organiser is announced first, as # second: NAME"
        " (Partecipazione dell'Organizzatore)",
        player=organiser,
    )
