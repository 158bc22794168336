"""Manual changes to a stored round before it begins. The organiser confirms a change after reading
its effects; it is stored in one transaction, and can be undone while the round is a draft.

Each change names the version of the seating that it was made on, and is refused if the seating has
changed since. The boards of a published round get the new pairing; a table that has begun, or has a
result, is not changed.
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
from host.desk.round_seating import LOSS, OUT, RoundSeating, Row
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
    """A change that is not stored yet; ``facts``: the request, for the desk log."""

    before: RoundSeating
    after: RoundSeating
    published: bool
    facts: Facts


@dataclass(frozen=True)
class StoredChange:
    """A change as stored in its notice: the versions before and after it, and the data to undo it.

    ``rows``: the pairings that it replaced, as they were; ``made``: the numbers of the pairings
    that it created; ``losses`` and ``fixed``: those of the seating before.
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
    """Return the seating of a stored round. Raises UserError if the round is not stored."""
    form = archive.roster.stored_format(number)
    pairings = tuple(archive.roster.pairings_of(number))
    seating = RoundSeating(
        number, pairings, (), fixed_tables.fixed(archive), elimination=form.elimination
    )
    known, counted = archive.roster.players, missed_rounds.of_round(archive, number)
    losers = sorted(player for player, counts in counted.items() if counts == missed_rounds.LOSS)
    without_match = [player for player in losers if not seating.pairing_of(player)]
    losses = tuple(known[player] for player in without_match if player in known)
    return replace(seating, losses=losses)


def open_round(station: Station) -> int | None:
    """Return the number of the last stored round if it can be changed, else None."""
    last = next(reversed(station.archive.roster.rounds), None)
    return None if last is None or begun(station, last) else last


def begun(station: Station, number: int) -> bool:
    """Whether a round has its start or all its results, so that its seating is final."""
    archive = station.archive
    if archive.orders.started(number) or ImportedRounds(archive).finished(number):
        return True
    results = station.hall.results(number) if published(archive, number) else {}
    pairings = archive.roster.pairings_of(number)
    matches = [pairing.pairing for pairing in pairings if pairing.b is not None]
    return bool(results) and all(match in results for match in matches)


def version_of(archive: Archive, seating: RoundSeating) -> str:
    """Return the version of a stored round's seating, which every change of it has to name."""
    return seating.version(published(archive, seating.round))


def swap(station: Station, number: int, version: str, a: str, b: str) -> Change:
    """Return the Change that swaps two players (numbers), or pairs them if neither has an opponent.
    Raises UserError if that is not possible, as every function here does.
    """
    before = _seating_to_change(station, number, version)
    first, second = _present(station, a).player, _present(station, b).player
    after = before.with_swap(first, second, station.archive.roster.tables)
    return _change(station, before, after, what=SWAP, a=a, b=b)


def give(station: Station, number: int, version: str, who: str, what: str) -> Change:
    """Return the Change that gives a player a bye or a loss, or takes a dropped player out."""
    before = _seating_to_change(station, number, version)
    person = People(station.archive).get(who)
    named = person.player.name_and_number
    if person.dropped and what != OUT:
        text = "{who} has dropped: take them out of the round, or take them back first"
        raise UserError(text, who=named)
    if what == OUT and not person.dropped:
        text = "{who} takes part: give a bye or a loss, or drop them first"
        raise UserError(text, who=named)
    if what == LOSS and before.elimination:
        raise UserError("in an elimination nobody has a loss without a match: drop the player")
    after = before.without_match(person.player, what)
    return _change(station, before, after, what=GIVE, a=who, gives=what)


def move(station: Station, number: int, version: str, who: str, table: int, stays: bool) -> Change:
    """Return the Change that moves a player's match to ``table``. With ``stays`` the player is
    fixed at that table in every later round, too.
    """
    before, dropped = _seating_to_change(station, number, version), People(station.archive).gone
    after = before.with_move(_present(station, who).player, table, stays, dropped)
    return _change(station, before, after, what=MOVE, a=who, table=table, stays=int(stays))


def fix_table(station: Station, who: str, table: int, author: str, unix_ms: int) -> None:
    """Fix a player at a table from the next draft on, while no round is open to changes."""
    archive, dropped = station.archive, People(station.archive).gone
    empty = RoundSeating(0, pairings=(), fixed=fixed_tables.fixed(archive))
    player = _present(station, who).player
    empty.with_move(player, table, stays=True, dropped=dropped)  # refuses a taken table
    fixed_tables.fix(archive, Fixed(who, table), author, unix_ms)


def release(station: Station, who: str, author: str, unix_ms: int) -> None:
    """End a player's fixed table. Raises UserError if the player has none."""
    archive, number = station.archive, open_round(station)
    if who not in fixed_tables.fixed(archive):
        raise UserError("player {number} keeps no table", number=who)
    if number is None:
        fixed_tables.fix(archive, Fixed(who, None), author, unix_ms)
        return
    before = seating_of(archive, number)
    change = _change(station, before, before.without_fixed_table(who), what=RELEASE, a=who)
    carry_out(station, change, author, unix_ms)


def carry_out(station: Station, change: Change, author: str, unix_ms: int) -> list[int]:
    """Store a Change, and send it to the tables if the round is published. Return the order ids."""
    with station.archive.transaction():
        _store(station.archive, change, author, unix_ms)
        new, empty = _changed_tables(change)
        number = change.before.round
        orders = station.desk.reseat(number, new, empty, author) if change.published else []
    station.refresh()
    return orders


def undo(station: Station, number: int, version: str, author: str, unix_ms: int) -> StoredChange:
    """Undo the last change of a draft, and return it. Raises UserError if there is none."""
    now = _seating_to_change(station, number, version)
    last = undoable(station.archive, now)
    if last is None:
        raise UserError("nothing in round {number} can be undone any more", number=number)
    before = _seating_before(station.archive, now, last)
    change = Change(before=now, after=before, published=False, facts={"what": UNDO})
    carry_out(station, change, author, unix_ms)
    return last


def undoable(archive: Archive, seating: RoundSeating) -> StoredChange | None:
    """Return the change that ``undo`` would undo; None if the round is published or unchanged."""
    if published(archive, seating.round):
        return None
    not_undone: list[StoredChange] = []
    for change in archive.notices.read(NOTICE, read):
        if change is None or change.round != seating.round:
            continue
        drafted_again = not_undone and change.before != not_undone[-1].after
        if drafted_again:
            not_undone.clear()
        if change.facts.get("what") != UNDO:
            not_undone.append(change)
        elif not_undone:
            not_undone.pop()
    if not_undone and not_undone[-1].after == version_of(archive, seating):
        return not_undone[-1]
    return None


def _seating_to_change(station: Station, number: int, version: str) -> RoundSeating:
    """Return the current seating of a round. Raises UserError if the round has begun, or if the
    seating is not ``version`` (empty: any version).
    """
    archive = station.archive
    if begun(station, number):
        raise UserError(
            "round {number} has its start, or its results: nobody changes places now. A judge rules"
            " the result of a match that should not have been played",
            number=number,
        )
    seating = seating_of(archive, number)
    if version and version != version_of(archive, seating):
        raise UserError(
            "somebody changed round {number} meanwhile: look at it again, then change it",
            number=number,
        )
    return seating


def _present(station: Station, number: str) -> Person:
    """Return a player by number. Raises UserError if the player has dropped."""
    person = People(station.archive).get(number)
    if person.dropped:
        raise UserError("player {number} has dropped: take them back first", number=number)
    return person


def _change(
    station: Station, before: RoundSeating, after: RoundSeating, **facts: int | str
) -> Change:
    """Return a Change. Raises UserError if a changed table has begun, or has its result."""
    is_published = published(station.archive, before.round)
    changed = [pairing for pairing in before.pairings if pairing not in after.pairings]
    for pairing in changed if is_published else ():
        _require_unplayed(station, pairing)
    return Change(before, after, is_published, facts)


def _require_unplayed(station: Station, pairing: Pairing) -> None:
    """Raise UserError if a pairing has begun, or has its result."""
    if pairing.pairing in station.hall.results(pairing.round):
        refusal = (
            "table {table} has its result: withdraw that first, if it is from paper, then change"
            " the pairing"
        )
        raise UserError(refusal, table=pairing.table)
    fold = station.hall.fold_at(pairing.table) if pairing.table is not None else None
    if fold and fold.match.round == pairing.round and fold.match.phase > phases.PREGAME:
        raise UserError("table {table} has begun: nobody changes places there", table=pairing.table)


def follow_ups(station: Station, change: Change) -> list[Sentence]:
    """Return what the organiser has to do after a Change outside the desk: at the tables of a
    published round, and in the program that the round's file came from.
    """
    new, empty = _changed_tables(change)
    file = ImportedRounds(station.archive).get(change.before.round)
    text = "round {number} was read from {file}: pair it so there, too, else its results do not fit"
    sentences = [Sentence(text, number=file.round, file=file.source)] if file else []
    if not change.published or not (new or empty):
        return sentences
    boards = set(station.archive.roster.tables)
    listed = ", ".join(map(str, sorted({*new, *empty})))
    text = (
        "round {number} is published: tell the players of table {tables}, and print its lists again"
    )
    sentences.append(Sentence(text, number=change.before.round, tables=listed))
    reseated = [str(table) for table in new if table in boards]
    if reseated:
        text = (
            "the board of table {tables} gets the new pairing: who was seated there presses the"
            " key again"
        )
        sentences.append(Sentence(text, tables=", ".join(reseated)))
    cleared = [str(table) for table in empty if table in boards]
    if cleared:
        text = "the board of table {tables} is cleared: nobody plays there in this round"
        sentences.append(Sentence(text, tables=", ".join(cleared)))
    return sentences


def _changed_tables(change: Change) -> tuple[list[int], list[int]]:
    """Return the tables that got a new or different match, and the tables that lost theirs; both
    ascending.
    """
    before = {pairing.table for pairing in change.before.pairings if pairing.table is not None}
    after = {pairing.table for pairing in change.after.pairings if pairing.table is not None}
    known = set(change.before.pairings)
    new = [
        pairing.table
        for pairing in change.after.pairings
        if pairing not in known and pairing.table is not None
    ]
    return sorted(new), sorted(before - after)


def _store(archive: Archive, change: Change, author: str, unix_ms: int) -> None:
    """Store a Change with its notice, in the caller's transaction."""
    before, after, number = change.before, change.after, change.before.round
    unchanged = set(before.rows) & set(after.rows)
    made = [row for row in after.rows if row not in unchanged]
    notice = {
        "round": number,
        **change.facts,
        "before": before.version(change.published),
        "after": after.version(change.published),
        "rows": [row for row in before.rows if row not in unchanged],
        "made": [pairing for pairing, *_ in made],
        "losses": [player.number for player in before.losses],
        "fixed": list(before.fixed.items()),
    }
    archive.roster.replace_pairings(number, after.pairings)
    for player, counts in _changed_losses(before.losses, after.losses):
        missed_rounds.keep(archive, MissedRound(player, number, counts), author, unix_ms)
    for player in sorted(before.fixed.keys() | after.fixed.keys()):
        table = after.fixed.get(player)
        if table != before.fixed.get(player):
            fixed_tables.fix(archive, Fixed(player, table), author, unix_ms)
    archive.notices.add(NOTICE, json.dumps(notice), author, unix_ms)


def _changed_losses(before: Iterable[Player], after: Iterable[Player]) -> list[tuple[str, str]]:
    """Return the number of each player whose loss is new or withdrawn, with what the round counts
    as for that player now (``missed_rounds.COUNTS``).
    """
    losers_before = {player.number for player in before}
    losers = {player.number for player in after}
    new = [(number, missed_rounds.LOSS) for number in sorted(losers - losers_before)]
    withdrawn = [(number, missed_rounds.NOTHING) for number in sorted(losers_before - losers)]
    return new + withdrawn


def _seating_before(archive: Archive, now: RoundSeating, last: StoredChange) -> RoundSeating:
    """Return the seating before the last change."""
    known = archive.roster.players
    kept = [pairing for pairing in now.pairings if pairing.pairing not in last.made]
    replaced = [
        Pairing(now.round, pairing, table, known[a], None if b is None else known[b])
        for pairing, table, a, b in last.rows
    ]
    return replace(
        now,
        pairings=tuple(sorted([*kept, *replaced], key=lambda pairing: pairing.pairing)),
        losses=tuple(known[number] for number in last.losses),
        fixed=dict(last.fixed),
    )


def read(notice: Mapping[str, Json]) -> StoredChange | None:
    """Return the change in a notice, None if its round or versions have a wrong type. Raises
    LookupError, TypeError or ValueError for other damage.
    """
    number, before, after = notice["round"], notice["before"], notice["after"]
    if not isinstance(number, int) or not isinstance(before, str) or not isinstance(after, str):
        return None
    facts = {name: _fact(notice[name]) for name in _FACTS if name in notice}
    rows = tuple(_row(row) for row in items(notice["rows"]))
    made = tuple(whole(*items(notice["made"])))
    losses = tuple(str(player) for player in items(notice["losses"]))
    pairs = [items(pair) for pair in items(notice["fixed"])]
    fixed = tuple((str(player), whole(table)[0]) for player, table in pairs)
    return StoredChange(number, facts, before, after, rows, made, losses, fixed)


def _row(value: Json) -> Row:
    """Return a pairing's Row. Raises TypeError or ValueError if it is none."""
    pairing, table, a, b = items(value)
    return (
        whole(pairing)[0],
        None if table is None else whole(table)[0],
        str(a),
        None if b is None else str(b),
    )


def _fact(value: Json) -> int | str:
    if not isinstance(value, int | str):
        raise TypeError("a fact")
    return value
