"""Acts on the pairings of a round before it begins: swaps, byes, losses, tables.

Each asks for confirmation first: the fact ``does`` lists the changes, ``warns`` the warnings.
"""

from host.archive import fixed_tables
from host.archive.access_links import ORGANISER
from host.archive.fixed_tables import Feature
from host.archive.people import People
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import pairing_changes, seating_effects
from host.desk.acts.act import Act
from host.desk.acts.fields import NUMBER, SURE, TABLE, Field, Typed, choice, text, whole, yes
from host.desk.pairing_changes import Change
from host.desk.round_seating import BYE, LOSS, OUT
from host.desk.staff import Done, Staff
from host.event import event_log
from host.tournament import event_pack


def _swap(staff: Staff, a: str, b: str, round: int | None, version: str, sure: bool) -> Done:
    change = pairing_changes.swap(staff.station, _open(staff, round), version, a, b)
    return _carry_out(staff, change, sure)


def _give(
    staff: Staff, number: str, gives: str, round: int | None, version: str, sure: bool
) -> Done:
    change = pairing_changes.give(staff.station, _open(staff, round), version, number, gives)
    return _carry_out(staff, change, sure)


def _seat_at(
    staff: Staff, number: str, table: int, stays: bool, round: int | None, version: str, sure: bool
) -> Done:
    """Move a player's match to a table; without an open round, only fix the player at it."""
    station = staff.station
    if stays and round is None and pairing_changes.open_round(staff.station) is None:
        pairing_changes.fix_table(station, number, table, staff.author, staff.unix_ms)
        text = "player {number} keeps table {table} from the next draft on"
        return Done(message=Sentence(text, number=number, table=table))
    change = pairing_changes.move(station, _open(staff, round), version, number, table, stays)
    return _carry_out(staff, change, sure)


def _open(staff: Staff, round: int | None) -> int:
    """Return ``round``, or for None the number of the round that can be changed. Raises UserError
    without one.
    """
    number = pairing_changes.open_round(staff.station) if round is None else round
    if number is None:
        raise UserError("no round can be changed now: draft one first")
    return number


def _carry_out(staff: Staff, change: Change, sure: bool) -> Done:
    """Store a Change if ``sure``, else return the question with its effects and warnings."""
    station, effects = staff.station, seating_effects.effects(change.before, change.after)
    if sure:
        orders = pairing_changes.carry_out(station, change, staff.author, staff.unix_ms)
        return Done(orders, event_log.join(effects))
    pack = event_pack.pack_of(staff.archive, staff.packs.values())
    past = seating_effects.past(staff.archive, station.hall, change.before.round, pack)
    warnings = [
        *seating_effects.warnings(change.before, change.after, past),
        *pairing_changes.follow_ups(station, change),
    ]
    question = Sentence("{changes}. Do this?", changes=event_log.join([*effects, *warnings]))
    return Done(ask=question, facts={"does": effects, "warns": warnings})


def _undo(staff: Staff, round: int | None, version: str) -> Sentence:
    number = _open(staff, round)
    pairing_changes.undo(staff.station, number, version, staff.author, staff.unix_ms)
    return Sentence("the last change of round {number} is undone", number=number)


def _release(staff: Staff, number: str) -> Sentence:
    player = People(staff.archive).get(number).player
    pairing_changes.release(staff.station, number, staff.author, staff.unix_ms)
    return Sentence("{name} keeps no table any more", name=player.name)


def _feature(staff: Staff, table: int, on: bool) -> Sentence:
    fixed_tables.mark(staff.archive, Feature(table, on), staff.author, staff.unix_ms)
    text = "table {table} is a feature table" if on else "table {table} is no feature table"
    return Sentence(text, table=table)


_ROUND = Field(whole(1, 255), None, Typed.NAMED)
# of the seating that the page shows; empty: the current one
_VERSION = Field(text(0, 16), "", Typed.NAMED)
_DRAFT = {"round": _ROUND, "version": _VERSION}
ACTS = (
    Act("swap_players", ORGANISER, _swap, {"a": NUMBER, "b": NUMBER, **_DRAFT, "sure": SURE},
        "exchange", "let two players change places before the start"),
    Act("give", ORGANISER, _give,
        {"number": NUMBER, "gives": Field(choice(BYE, LOSS, OUT)), **_DRAFT, "sure": SURE},
        "give", "give a bye or a loss before the start; take out who has dropped"),
    Act("seat_at", ORGANISER, _seat_at,
        {"number": NUMBER, "table": TABLE, "stays": Field(yes, False, Typed.FLAG), **_DRAFT,
         "sure": SURE}, "seat", "put a player's match at a table, for all rounds if it stays"),
    Act("undo_pairing", ORGANISER, _undo, _DRAFT, "undo", "undo the last change of a draft"),
    Act("release", ORGANISER, _release, {"number": NUMBER}, "release",
        "let a player keep no table any more"),
    Act("feature", ORGANISER, _feature, {"table": TABLE, "on": Field(yes, True)}, "feature",
        "mark a feature table"),
)  # fmt: skip
