"""Organisers and judges who also play. An organiser may if there is a second one, and nobody may at
a Premier event.

Source: XW15 Partecipazione dell'Organizzatore del Torneo. The event file says ``# organiser:`` with
the player's number, ``# second:`` with a name, ``# judges:`` with names or numbers and
``# category:``. A round that seats one of them against these rules gets a remark; the organiser
decides.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace

from host.archive.people import same_name
from host.archive.roster import Player
from host.archive.store import Archive
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.formats.event_file import Staff
from host.formats.player_numbers import bare
from host.systems.rules import Rules
from host.tournament import xwing_setup

NOTICE = "organiser"


def announce(archive: Archive, staff: Staff, author: str, unix_ms: int) -> None:
    """Store the organisers and judges; an empty field keeps its announced value."""
    before = playing_staff(archive)
    given = {name: value for name, value in vars(staff).items() if value}
    after = replace(before, **given)
    if after != before:
        archive.notices.add(NOTICE, json.dumps(asdict(after), sort_keys=True), author, unix_ms)


def playing_staff(archive: Archive) -> Staff:
    """Return the announced organisers and judges."""
    found = archive.notices.read(NOTICE, read)
    return (found[-1] if found else None) or Staff()


def read(notice: Mapping[str, Json]) -> Staff | None:
    """Return the organisers and judges in a notice, None if invalid. Raises LookupError."""
    organiser, second, category = notice["organiser"], notice["second"], notice["category"]
    judges = notice.get("judges", [])  # older archives name none
    if not isinstance(judges, list):
        return None
    if not all(isinstance(word, str) for word in (organiser, second, category, *judges)):
        return None
    return Staff(str(organiser), str(second), str(category), tuple(map(str, judges)))


def remarks(archive: Archive, rules: Rules, number: int) -> list[Sentence]:
    """Return a remark on each organiser and judge in a round who may not play."""
    if not rules.CAPS:
        return []
    staff, pairings = playing_staff(archive), archive.roster.pairings_of(number)
    found = list[Sentence]()
    for pairing in pairings:
        for player in pairing.players:
            found += _of_player(staff, player)
    return found


def _of_player(staff: Staff, player: Player) -> Iterator[Sentence]:
    """Yield a remark if a player is an organiser or a judge who may not play."""
    organises = player.number == staff.organiser
    organises_too = bool(staff.second) and same_name(staff.second, player.name)
    judges = any(
        bare(judge) == bare(player.number) or same_name(judge, player.name)
        for judge in staff.judges
    )
    if staff.category == "premier" and (organises or organises_too):
        yield Sentence(
            "player {player} organises, and no organiser plays at a Premier event (Partecipazione"
            " dell'Organizzatore)",
            player=player.number,
        )
    elif organises and not xwing_setup.organiser_may_play(staff.category, bool(staff.second)):
        yield Sentence(
            "player {player} organises: a second organiser is announced first, as # second: NAME"
            " (Partecipazione dell'Organizzatore)",
            player=player.number,
        )
    if judges and not xwing_setup.judge_may_play(staff.category):
        yield Sentence(
            "player {player} judges, and no judge plays at a Premier event (Partecipazione"
            " dell'Organizzatore)",
            player=player.number,
        )
