"""Lists with more than names: the members of teams (D03 241-244), and X-Wing squads (XW15
Formazione delle Squadriglie Escalation). The command line and the page *Files* store them by these
functions.
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
    """The content of a sheet: teams, or squads by the player's number; the other is empty."""

    teams: Sequence[Team] = ()
    squads: Mapping[str, SquadList] | None = None


def read(path: pathlib.Path, raw: bytes) -> HandedLists | None:
    """Return the content of a sheet, None if it is neither of teams nor of squads.

    Raises SheetError, with the first fault, if the sheet has faults.
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
        line, _ = faults[0]
        raise SheetError(path, line, _first(faults))
    return HandedLists(squads=xwing_squads.lists_of(ships))


def _first(faults: Sequence[Fault]) -> Sentence:
    """Return the first fault, and how many more there are."""
    (_, fault), *others = faults
    more = len(others)
    singular = "{said}; and {count} more line needs a look"
    plural = "{said}; and {count} more lines need a look"
    return Sentence.counted(singular, plural, count=more, said=fault) if more else fault


def store_teams(
    archive: Archive,
    found: Sequence[Team],
    author: str,
    unix_ms: int,
    renamed: Collection[str] = (),
) -> list[Sentence]:
    """Store teams; return a remark on each team in a round that no list has. Raises UserError as
    ``teams.store`` does.
    """
    ours = {bare(number): number for number in archive.roster.players}
    found = [replace(team, number=ours.get(bare(team.number), team.number)) for team in found]
    teams.store(archive, found, author, unix_ms, round_lengths.begun(archive), renamed)
    text = "team {number} has given no members, affiliation and city yet (D03 244)"
    known = teams.of(archive).keys()
    return [Sentence(text, number=number) for number in sorted(_players(archive) - known)]


def store_squads(
    archive: Archive, lists: Mapping[str, SquadList], author: str, unix_ms: int
) -> list[Sentence]:
    """Store squad lists, given by the player's number; return a remark on each list of somebody who
    is not in the event, and on each player without a list. Raises UserError as
    ``squad_lists.store`` does.
    """
    ours = {bare(number): number for number in archive.roster.players}
    found: dict[str, SquadList] = {}
    for number, squad_list in lists.items():
        known = ours.get(bare(number), number)
        if known in found:
            refusal = "player {player} has two lists, one of them under {number}"
            raise UserError(refusal, player=known, number=number)
        found[known] = squad_list
    squad_lists.store(archive, found, author, unix_ms, round_lengths.begun(archive))
    unknown = sorted(found.keys() - set(ours.values()))
    without = sorted(_players(archive) - squad_lists.of(archive).keys())
    return [
        *(
            Sentence("player {player} has a list, and is not in the event", player=n)
            for n in unknown
        ),
        *(Sentence("player {player} has no squad list yet", player=n) for n in without),
    ]


def _players(archive: Archive) -> set[str]:
    """Return the numbers of all players in the event's rounds."""
    roster = archive.roster
    pairings = [pairing for number in roster.rounds for pairing in roster.pairings_of(number)]
    return {number for pairing in pairings for number in pairing.numbers}
