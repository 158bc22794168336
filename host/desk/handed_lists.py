"""Lists that hold more than names: who is in which team (D03 241-244), and X-Wing squads (XW15
Formazione delle Squadriglie Escalation). The command line and the page *Files* keep them here.
"""

import pathlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from host.archive import teams
from host.archive.store import Archive
from host.archive.teams import Team
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import round_lengths
from host.event import squad_lists
from host.event.squad_lists import SquadList
from host.formats import teams_file
from host.formats.csv_reader import ColumnMissing, SheetError
from host.formats.player_numbers import bare
from host.tournament import xwing_squads
from host.tournament.xwing_squads import Fault


@dataclass(frozen=True)
class HandedLists:
    """What a sheet holds: teams, or squads by their player's number; one of the two is empty."""

    teams: Sequence[Team] = ()
    squads: Mapping[str, SquadList] | None = None


def read(path: pathlib.Path, raw: bytes) -> HandedLists | None:
    """Return what a sheet holds, None for one that is neither of teams nor of squads.

    Raises SheetError, with the first fault, for one that has faults.
    """
    try:
        return HandedLists(teams_file.read(path, raw))
    except ColumnMissing:
        pass
    try:
        ships, faults = xwing_squads.read(path, raw)
    except ColumnMissing:
        return None
    faults = sorted([*faults, *xwing_squads.faults_of(ships)])
    if faults:
        raise SheetError(path, faults[0][0], _first(faults))
    return HandedLists(squads=xwing_squads.lists_of(ships))


def _first(faults: Sequence[Fault]) -> Sentence:
    """Return the first fault, and how many more there are."""
    said, more = faults[0][1], len(faults) - 1
    one = "{said}; and {count} more line needs a look"
    many = "{said}; and {count} more lines need a look"
    return Sentence.counted(one, many, count=more, said=said) if more else said


def keep_teams(
    archive: Archive,
    found: Sequence[Team],
    author: str,
    unix_ms: int,
    renamed: Collection[str] = (),
) -> list[Sentence]:
    """Keep teams; return a sentence on each that plays and is not known. Raises UserError as
    ``teams.store``.
    """
    here = {bare(number): number for number in archive.roster.players}
    found = [replace(one, number=here.get(bare(one.number), one.number)) for one in found]
    teams.store(archive, found, author, unix_ms, round_lengths.begun(archive), renamed)
    said = "team {number} has given no members, affiliation and city yet (D03 244)"
    known = teams.of(archive).keys()
    return [Sentence(said, number=one) for one in sorted(_seated(archive) - known)]


def keep_squads(
    archive: Archive, lists: Mapping[str, SquadList], author: str, unix_ms: int
) -> list[Sentence]:
    """Keep squad lists; return sentences on who has none, or has one and does not play. Raises
    UserError as ``squad_lists.store``.
    """
    here = {bare(number): number for number in archive.roster.players}
    found: dict[str, SquadList] = {}
    for number, one in lists.items():
        known = here.get(bare(number), number)
        if known in found:
            said = "player {player} has two lists, one of them under {number}"
            raise UserError(said, player=known, number=number)
        found[known] = one
    squad_lists.store(archive, found, author, unix_ms, round_lengths.begun(archive))
    strange = sorted(found.keys() - set(here.values()))
    without = sorted(_seated(archive) - squad_lists.of(archive).keys())
    return [
        *(
            Sentence("player {player} has a list, and is not in the event", player=n)
            for n in strange
        ),
        *(Sentence("player {player} has no squad list yet", player=n) for n in without),
    ]


def _seated(archive: Archive) -> set[str]:
    """Return the numbers of everybody in the event's rounds."""
    roster = archive.roster
    pairings = [one for number in roster.rounds for one in roster.pairings_of(number)]
    return {player.number for one in pairings for player in (one.a, one.b) if player}
