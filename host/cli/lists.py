"""``plusthree import`` of lists that hold more than names: teams (D03 241-244), and XW15 squad
lists (rules X2, X24).
"""

import pathlib
import time
from collections.abc import Sequence
from typing import Literal, TypeAlias

from host.archive import places
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.standard_streams import printable
from host.base.words import amount, amount_is
from host.desk import handed_lists
from host.formats import csv_reader, event_file, import_file, player_numbers, teams_file
from host.formats.csv_reader import ColumnMissing, SheetError, removal_notice
from host.tournament import xwing_squads

Kind: TypeAlias = Literal["round", "squads", "teams"]
"""The kind of list that a file holds."""

_COLUMNS: tuple[tuple[Kind, Sequence[str]], ...] = (
    ("round", event_file.COLUMNS),
    ("squads", xwing_squads.COLUMNS),
    ("teams", teams_file.COLUMNS),
)
HELP = (
    f"A sheet with the columns {','.join(teams_file.COLUMNS)} holds teams, a line each; one with"
    f" {','.join(xwing_squads.COLUMNS)} X-Wing squads, a line for each ship."
)


def kind_of(path: pathlib.Path) -> Kind:
    """Return the kind of a file, by its ending and its columns. Raises SheetError for a sheet that
    cannot be read or whose columns are of no kind.
    """
    if path.suffix.casefold() not in import_file.SHEETS:
        return "round"
    present, line = set[str](), None
    for kind, columns in _COLUMNS:
        try:
            csv_reader.read(path, columns)
        except ColumnMissing as missing:
            present, line = {*missing.columns}, missing.line
        else:
            return kind
    # of a sheet that lacks a column, the reader of the kind that it looks like says which
    if "affiliation" in present or {"number", "number_a"} <= present:
        return "teams"
    if {*event_file.PEOPLE} <= present or present & {*event_file.COLUMNS}:
        return "round"
    if present & {*xwing_squads.COLUMNS}:
        return "squads"
    needed = {kind: ",".join(columns) for kind, columns in _COLUMNS}
    text = "its columns are of no list: a round has {round}; teams {teams}; squads {squads}"
    raise SheetError(path, line, text, **needed)


def store_teams(
    path: pathlib.Path, place: places.Place, renamed: Sequence[str], check: bool
) -> int:
    """Store the teams of a file, or with ``check`` only read them; print a remark on each team that
    plays in the event and is not known. Return 0.
    """
    teams, remarks = teams_file.read(path), list[str]()
    if not check:
        with _event(place) as archive:
            unix_ms = time.time_ns() // 1_000_000
            sentences = handed_lists.store_teams(archive, teams, "teams file", unix_ms, renamed)
            remarks = [printable(str(sentence)) for sentence in sentences]
    count = amount(len(teams), "team")
    done = f"{count} read; nothing was stored" if check else f"{amount_is(len(teams), 'team')} kept"
    print(done, *removal_notice(path), *remarks, sep="\n")
    return 0


def store_squads(paths: Sequence[pathlib.Path], place: places.Place, check: bool) -> int:
    """Print every fault, file by file. Store the lists if no file has a fault, unless ``check`` is
    set. Return 1 if there is a fault, else 0.
    """
    failed, found_lists, files = False, {}, {}
    for path in paths:
        ships, faults = xwing_squads.read(path)
        faulty = xwing_squads.sentences(str(path), ships, faults)
        lists = {} if faulty else xwing_squads.lists_of(ships)
        for number in lists:
            first = files.setdefault(player_numbers.bare(number), path)
            if first != path:
                faulty.append(f"{path}: player {number} has a list in {first} already")
        failed = failed or bool(faulty)
        found_lists.update(lists)
        valid = f"{path}: the squads of {amount(len(lists), 'player')} keep the rules."
        print(*(faulty or [valid]), *removal_notice(path), sep="\n")
    if check:
        return int(failed)
    if failed:
        print("nothing was kept: correct the lists first")
        return 1
    with _event(place) as archive:
        unix_ms = time.time_ns() // 1_000_000
        remarks = handed_lists.store_squads(archive, found_lists, "squad lists", unix_ms)
    print(
        f"the lists of {amount(len(found_lists), 'player')} are kept",
        *map(printable, map(str, remarks)),
        sep="\n",
    )
    return 0


def _event(place: places.Place) -> Archive:
    """Return the archive of an event that is there already."""
    if not places.exists(place):
        raise UserError(
            f"there is no archive at {place}: import round 1 first, or look at the lists alone"
            " with --check"
        )
    archive = Archive(place)
    if archive.roster.event is None:
        archive.close()
        raise UserError("there is no event yet: import round 1 first")
    return archive
