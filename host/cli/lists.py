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
from host.base.words import amount
from host.desk import handed_lists
from host.formats import csv_reader, event_file, import_file, teams_file
from host.formats.csv_reader import ColumnMissing, left_out
from host.tournament import xwing_squads

Kind: TypeAlias = Literal["round", "squads", "teams"]
"""What a file holds."""

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
    """Return what a file holds, by its ending and its columns; a sheet of anything else counts as a
    round, whose reader says what is wrong with it. Raises SheetError for a sheet that cannot be
    read.
    """
    if path.suffix.casefold() not in import_file.SHEETS:
        return "round"
    there: set[str] = set()
    for kind, columns in _COLUMNS:
        try:
            csv_reader.read(path, columns)
        except ColumnMissing as missing:
            there = {*missing.columns}
            continue
        return kind
    # of a sheet that lacks a column, its own reader says which
    if there & {"ship", "pilot"}:
        return "squads"
    return "teams" if "affiliation" in there or {"number", "number_a"} <= there else "round"


def keep_teams(path: pathlib.Path, place: places.Place, renamed: Sequence[str], check: bool) -> int:
    """Store the teams unless told to ``check`` alone; name those of the event that are not in the
    file; return 0.
    """
    found, said = teams_file.read(path), list[str]()
    if not check:
        with _event(place) as archive:
            unix_ms = time.time_ns() // 1_000_000
            kept = handed_lists.store_teams(archive, found, "teams file", unix_ms, renamed)
            said = [printable(str(one)) for one in kept]
    count = amount(len(found), "team")
    done = f"{count} read; nothing was stored" if check else f"{len(found)} teams are kept"
    print(done, *left_out(path), *said, sep="\n")
    return 0


def keep_squads(paths: Sequence[pathlib.Path], place: places.Place, check: bool) -> int:
    """Print every fault, file by file; return 1 if there is one, else 0. Store lists without any,
    unless told to ``check`` alone.
    """
    failed, found = False, {}
    for path in paths:
        ships, faults = xwing_squads.read(path)
        told = xwing_squads.sentences(str(path), ships, faults)
        failed = failed or bool(told)
        lists = {} if told else xwing_squads.lists_of(ships)
        found.update(lists)
        fine = f"{path}: the squads of {len(lists)} players keep the rules."
        print(*(told or [fine]), *left_out(path), sep="\n")
    if check:
        return int(failed)
    if failed:
        print("nothing was kept: correct the lists first")
        return 1
    with _event(place) as archive:
        unix_ms = time.time_ns() // 1_000_000
        said = handed_lists.store_squads(archive, found, "squad lists", unix_ms)
    print(f"the lists of {len(found)} players are kept", *map(printable, map(str, said)), sep="\n")
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
