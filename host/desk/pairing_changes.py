"""Changes a stored round by hand before it begins: asked about with what they do, stored in one
transaction, undone while the round is a draft.

Each change names the version of the seating that it was made on, and is refused once somebody
changed that. A published round's boards get the new pairing; a table that has a result, or has
begun, does not change.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from firmware.core import phases
from host.archive import fixed_tables
from host.archive.fixed_tables import Fixed
from host.archive.people import People, Person
from host.archive.roster import Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.json_values import Json, items, whole
from host.base.sentences import Sentence
from host.desk.round_seating import LOSS, OUT, RoundSeating, Row, row_of
from host.desk.seated_players import named
from host.desk.station import Station
from host.event import missed_rounds
from host.event.imported_results import ImportedRounds, published
from host.event.missed_rounds import MissedRound

NOTICE = "pairings changed"
SWAP, GIVE, MOVE, RELEASE, UNDO = "swap", "give", "move", "release", "undo"
_FACTS = "what", "a", "b", "gives", "table", "stays"
Facts: TypeAlias = Mapping[str, int | str]


@dataclass(frozen=True)
class Change:
    """A change that is not stored yet; ``facts`` are what was asked for, for the desk log."""

    before: RoundSeating
    after: RoundSeating
    published: bool
    facts: Facts


@dataclass(frozen=True)
class StoredChange:
    """A change as its notice keeps it: the versions around it, and what it took from the seating.

    ``rows``: the pairings before that it changed, ``made`` the numbers of those that it made.
    """

    round: int
    facts: Facts
    before: str
    after: str
    rows: tuple[Row, ...]
    made: tuple[int, ...]
    losses: tuple[str, ...]
    fixed: tuple[tuple[str, int], ...]


def seating_of(archive: Archive, number: int) -> RoundSeating:
    """Return the seating of a stored round; raises UserError where there is none."""
    form = archive.roster.format_of(number)
    if form is None:
        raise UserError(
            "there is no round {number} in this event: import or draft it first", number=number
        )
    pairings = tuple(archive.roster.pairings_of(number))
    found = RoundSeating(
        number, pairings, (), fixed_tables.fixed(archive), elimination=bool(form.bits & 1)
    )
    known, counted = archive.roster.players, missed_rounds.of_round(archive, number)
    losses = sorted(one for one, counts in counted.items() if counts == missed_rounds.LOSS)
    absent = (known[one] for one in losses if one in known and found.of(one) is None)
    return replace(found, losses=tuple(absent))


def open_round(station: Station) -> int | None:
    """Return the number of the last stored round if it can be changed, else None."""
    last = next(reversed(station.archive.roster.rounds), None)
    return None if last is None or begun(station, last) else last


def begun(station: Station, number: int) -> bool:
    """Whether a round has its start or all its results: nobody changes places any more."""
    archive = station.archive
    if archive.orders.started(number) or ImportedRounds(archive).finished(number):
        return True
    results = station.hall.results(number) if published(archive, number) else {}
    matches = [one.pairing for one in archive.roster.pairings_of(number) if one.b is not None]
    return bool(results) and all(one in results for one in matches)


def version_of(archive: Archive, seating: RoundSeating) -> str:
    """Return the version of a stored round's seating, which a change of it names."""
    return seating.version(published(archive, seating.round))


def swap(station: Station, number: int, version: str, a: str, b: str) -> Change:
    """Return the Change in which two players (numbers) take each other's place, or meet if neither
    has an opponent. Raises UserError, as the others here do, for what cannot be.
    """
    before = _open(station, number, version)
    players = [_present(station, one).player for one in (a, b)]
    after = before.swapped(players[0], players[1], station.archive.roster.tables)
    return _change(station, before, after, what=SWAP, a=a, b=b)


def give(station: Station, number: int, version: str, who: str, what: str) -> Change:
    """Return the Change in which a player has a bye or a loss; who has dropped is taken out."""
    before, person = _open(station, number, version), People(station.archive).get(who)
    if person.dropped != (what == OUT):
        said = (
            "{who} has dropped: take them out of the round, or take them back first"
            if person.dropped
            else "{who} takes part: give a bye or a loss, or drop them first"
        )
        raise UserError(said, who=named(person.player))
    if what == LOSS and before.elimination:
        raise UserError("in an elimination nobody has a loss without a match: drop the player")
    after = before.given(person.player, what)
    return _change(station, before, after, what=GIVE, a=who, gives=what)


def move(station: Station, number: int, version: str, who: str, table: int, stays: bool) -> Change:
    """Return the Change in which a player's match is at a table, in every round if it ``stays``."""
    before, gone = _open(station, number, version), People(station.archive).gone
    after = before.moved(_present(station, who).player, table, stays, gone)
    return _change(station, before, after, what=MOVE, a=who, table=table, stays=int(stays))


def keep(station: Station, who: str, table: int, author: str, unix_ms: int) -> None:
    """Let a player keep a table from the next draft on, while no round is open to changes."""
    archive, gone = station.archive, People(station.archive).gone
    nobody = RoundSeating(0, (), (), fixed_tables.fixed(archive))
    nobody.moved(_present(station, who).player, table, True, gone)  # refuses another one's table
    fixed_tables.fix(archive, Fixed(who, table), author, unix_ms)


def release(station: Station, who: str, author: str, unix_ms: int) -> None:
    """Let a player keep no table any more; raises UserError for one who keeps none."""
    archive, number = station.archive, open_round(station)
    if who not in fixed_tables.fixed(archive):
        raise UserError("player {number} keeps no table", number=who)
    if number is None:
        fixed_tables.fix(archive, Fixed(who, None), author, unix_ms)
        return
    before = seating_of(archive, number)
    change = _change(station, before, before.released(who), what=RELEASE, a=who)
    carry_out(station, change, author, unix_ms)


def carry_out(station: Station, change: Change, author: str, unix_ms: int) -> list[int]:
    """Store a Change, and send it to the tables of a published round; return the order ids."""
    with station.archive.transaction():
        _store(station.archive, change, author, unix_ms)
        new, empty = _tables(change)
        number = change.before.round
        made = station.desk.seat_anew(number, new, empty, author) if change.published else []
    station.refresh()
    return made


def undo(station: Station, number: int, version: str, author: str, unix_ms: int) -> StoredChange:
    """Take the last change of a draft back, and return it; raises UserError where there is none."""
    now = _open(station, number, version)
    last = undoable(station.archive, now)
    if last is None:
        raise UserError("nothing in round {number} can be undone any more", number=number)
    before, facts = _undone(station.archive, now, last), {"what": UNDO}
    carry_out(station, Change(now, before, False, facts), author, unix_ms)
    return last


def undoable(archive: Archive, seating: RoundSeating) -> StoredChange | None:
    """Return the change that ``undo`` takes back, None where the round is published, or is as it
    was drafted.
    """
    done: list[StoredChange] = []
    if published(archive, seating.round):
        return None
    for one in archive.notices.read(NOTICE, read):
        if one is None or one.round != seating.round:
            continue
        if done and one.before != done[-1].after:  # drafted anew meanwhile
            done.clear()
        if one.facts.get("what") != UNDO:
            done.append(one)
        elif done:
            done.pop()
    return done[-1] if done and done[-1].after == version_of(archive, seating) else None


def _open(station: Station, number: int, version: str) -> RoundSeating:
    """Return a seating that may be changed; UserError once it is played, or is another one than
    the version (empty: as it is).
    """
    archive = station.archive
    if begun(station, number):
        raise UserError(
            "round {number} has its start, or its results: nobody changes places now. A judge rules"
            " the result of a match that should not have been played",
            number=number,
        )
    found = seating_of(archive, number)
    if version and version != version_of(archive, found):
        raise UserError(
            "somebody changed round {number} meanwhile: look at it again, then change it",
            number=number,
        )
    return found


def _present(station: Station, number: str) -> Person:
    person = People(station.archive).get(number)
    if person.dropped:
        raise UserError("player {number} has dropped: take them back first", number=number)
    return person


def _change(
    station: Station, before: RoundSeating, after: RoundSeating, **facts: int | str
) -> Change:
    """Return a Change; raises UserError where a table of it has begun, or has its result."""
    is_published = published(station.archive, before.round)
    changed = [one for one in before.pairings if one not in after.pairings]
    for one in changed if is_published else ():
        _require_unplayed(station, one)
    return Change(before, after, is_published, facts)


def _require_unplayed(station: Station, one: Pairing) -> None:
    if one.pairing in station.hall.results(one.round):
        said = (
            "table {table} has its result: withdraw that first, if it is from paper, then change"
            " the pairing"
        )
        raise UserError(said, table=one.table)
    fold = station.hall.fold_at(one.table) if one.table is not None else None
    if fold and fold.match.round == one.round and fold.match.phase > phases.PREGAME:
        raise UserError("table {table} has begun: nobody changes places there", table=one.table)


def outside(station: Station, change: Change) -> list[Sentence]:
    """Return what a Change means outside the desk: at the tables of a published round, and for the
    file that a round was read from.
    """
    new, empty = _tables(change)
    file = ImportedRounds(station.archive).get(change.before.round)
    said = "round {number} was read from {file}: pair it so there, too, else its results do not fit"
    apart = [Sentence(said, number=file.round, file=file.source)] if file else []
    if not change.published or not new and not empty:
        return apart
    boards = set(station.archive.roster.tables)
    listed = ", ".join(map(str, sorted({*new, *empty})))
    said = (
        "round {number} is published: tell the players of table {tables}, and print its lists again"
    )
    told = [*apart, Sentence(said, number=change.before.round, tables=listed)]
    here = [str(one) for one in new if one in boards]
    if here:
        said = (
            "the board of table {tables} gets the new pairing: who was seated there presses the"
            " key again"
        )
        told.append(Sentence(said, tables=", ".join(here)))
    cleared = [str(one) for one in empty if one in boards]
    if cleared:
        said = "the board of table {tables} is cleared: nobody plays there in this round"
        told.append(Sentence(said, tables=", ".join(cleared)))
    return told


def _tables(change: Change) -> tuple[list[int], list[int]]:
    """Return the tables with another match, and those without one now, ascending."""
    before = {one.table for one in change.before.pairings if one.table is not None}
    after = {one.table for one in change.after.pairings if one.table is not None}
    known = set(change.before.pairings)
    new = [one.table for one in change.after.pairings if one not in known and one.table is not None]
    return sorted(new), sorted(before - after)


def _store(archive: Archive, change: Change, author: str, unix_ms: int) -> None:
    """Store a Change with its notice, in the caller's transaction."""
    before, after, number = change.before, change.after, change.before.round
    kept = {row_of(one) for one in before.pairings} & {row_of(one) for one in after.pairings}
    told = {
        "round": number,
        **change.facts,
        "before": before.version(change.published),
        "after": after.version(change.published),
        "rows": [row for row in before.rows if row not in kept],
        "made": [row[0] for row in after.rows if row not in kept],
        "losses": [one.number for one in before.losses],
        "fixed": list(before.fixed.items()),
    }
    archive.roster.replace_pairings(number, after.pairings)
    for player, counts in _differing(before.losses, after.losses):
        missed_rounds.keep(archive, MissedRound(player, number, counts), author, unix_ms)
    for player in sorted(before.fixed.keys() | after.fixed.keys()):
        table = after.fixed.get(player)
        if table != before.fixed.get(player):
            fixed_tables.fix(archive, Fixed(player, table), author, unix_ms)
    archive.notices.add(NOTICE, json.dumps(told), author, unix_ms)


def _differing(before: Iterable[Player], after: Iterable[Player]) -> list[tuple[str, str]]:
    """Return who has a loss now, or none any more, with what the round counts as."""
    had, has = ({one.number for one in players} for players in (before, after))
    lost = [(one, missed_rounds.LOSS) for one in sorted(has - had)]
    return [*lost, *((one, missed_rounds.NOTHING) for one in sorted(had - has))]


def _undone(archive: Archive, now: RoundSeating, last: StoredChange) -> RoundSeating:
    """Return the seating before the last change."""
    known = archive.roster.players
    kept = [one for one in now.pairings if one.pairing not in last.made]
    rows = [
        Pairing(now.round, pairing, table, known[a], None if b is None else known[b])
        for pairing, table, a, b in last.rows
    ]
    return replace(
        now,
        pairings=tuple(sorted([*kept, *rows], key=lambda one: one.pairing)),
        losses=tuple(known[one] for one in last.losses),
        fixed=dict(last.fixed),
    )


def read(told: Mapping[str, Json]) -> StoredChange | None:
    """Return the change in a notice. Raises LookupError, TypeError, ValueError."""
    number, before, after = told["round"], told["before"], told["after"]
    if not isinstance(number, int) or not isinstance(before, str) or not isinstance(after, str):
        return None
    facts = {name: _fact(told[name]) for name in _FACTS if name in told}
    rows = tuple(_row(one) for one in items(told["rows"]))
    made = tuple(whole(*items(told["made"])))
    losses = tuple(str(one) for one in items(told["losses"]))
    pairs = [items(one) for one in items(told["fixed"])]
    fixed = tuple((str(player), whole(table)[0]) for player, table in pairs)
    return StoredChange(number, facts, before, after, rows, made, losses, fixed)


def _row(told: Json) -> Row:
    pairing, table, a, b = items(told)
    return (
        whole(pairing)[0],
        None if table is None else whole(table)[0],
        str(a),
        None if b is None else str(b),
    )


def _fact(told: Json) -> int | str:
    if not isinstance(told, int | str):
        raise TypeError("a fact")
    return told
