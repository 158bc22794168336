"""Gives and withdraws penalties; a game loss is also sent to the table's board, if there is one.

What another level does to a match or a player is an act of its own, which a remark names.
"""

from firmware.core import intents
from host.archive import teams
from host.archive.people import People
from host.archive.roster import Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk.staff import Done, Staff
from host.event import event_systems, penalties
from host.event.penalties import Penalty

_PRIZES, _GAME_LOSS, _MATCH_LOSS, _DISQUALIFICATION = penalties.LEVELS[2:]


def give(staff: Staff, number: str, level: str, category: str, reason: str) -> Done:
    """Register a penalty of a player (number, or part of the name); order a game loss.

    Raises UserError without a reason, for an unknown player, and for a game loss that the player's
    table does not accept.
    """
    if not reason:
        raise UserError("a penalty needs its reason, for instance: slow play in game 2")
    archive, round_number, author = staff.archive, staff.desk.round or 0, staff.author
    player = teams.find(archive, number).player
    seat, pairing = _seat(archive, round_number, player.number)
    table = (pairing.table or 0) if pairing else 0
    penalty = Penalty(
        0, round_number, table, seat, player.number, level, category, reason, author, staff.now_ms
    )
    who = player.name_and_number
    registered = Sentence("the penalty of {who} is in the register", who=who)
    if level != _GAME_LOSS:
        penalties.give(archive, penalty)
        return Done(message=registered, remarks=_left_to_do(staff, level, who, player, pairing))
    if not table:
        raise UserError(
            "{who} does not play now: a game loss is given at the table, in the round in which it"
            " counts",
            who=who,
        )
    if archive.roster.board_at(table) is None:
        penalties.give(archive, penalty)
        text = (
            "the penalty of {who} is in the register. Table {table} has no board: count the lost"
            " game in its result from paper"
        )
        return Done(message=Sentence(text, who=who, table=table))
    with archive.transaction():
        penalties.give(archive, penalty)
        orders = staff.desk.lose_game(table, "AB"[seat], author, reason)
    return Done(orders, registered)


def _left_to_do(
    staff: Staff, level: str, who: str, player: Player, pairing: Pairing | None
) -> list[Sentence]:
    """Return a remark on each act by which a penalty of this level takes effect."""
    left, archive = list[Sentence](), staff.archive
    if pairing is not None and pairing.table not in staff.desk.open:
        pairing = None  # that match is over
    if pairing and level in (_MATCH_LOSS, _DISQUALIFICATION):
        text = "the match at table {table} goes on: rule its result there"
        left.append(Sentence(text, table=pairing.table))
    if pairing and level == _PRIZES and _counts_prizes(archive, pairing):
        text = (
            "the board at table {table} does not know it: set it under More on the table's sheet,"
            " too"
        )
        left.append(Sentence(text, table=pairing.table))
    if level == _DISQUALIFICATION and player.number not in People(archive).gone:
        text = "{who} stays in the event: drop the player (Players on the desk's page)"
        left.append(Sentence(text, who=who))
    return left


def _counts_prizes(archive: Archive, pairing: Pairing) -> bool:
    """Return whether a match has a board, and that compares prizes."""
    if archive.roster.board_at(pairing.table or 0) is None:
        return False
    rules = event_systems.rules_of(archive, archive.roster.stored_format(pairing.round))
    return intents.ADJUST_PRIZES in rules.PLAYS


def withdraw(staff: Staff, id: int, reason: str) -> Sentence:
    """Withdraw a penalty by its id. Raises UserError for an id that is not in force."""
    found = [penalty for penalty in penalties.standing(staff.archive) if penalty.id == id]
    if not found:
        raise UserError("there is no penalty {number} in force", number=id)
    penalties.withdraw(staff.archive, id, staff.author, reason, staff.now_ms)
    if found[0].level == _GAME_LOSS:
        return Sentence(
            "the penalty is withdrawn from the register; the game lost at table {table} stands:"
            " correct the result there",
            table=found[0].table,
        )
    return Sentence("the penalty is withdrawn")


def _seat(archive: Archive, round_number: int, player: str) -> tuple[int, Pairing | None]:
    """Return a player's seat (0 A, 1 B) and pairing in the published round, or 0 and None."""
    for pairing in archive.roster.pairings_of(round_number) if round_number else ():
        if pairing.b is not None and pairing.table is not None:
            for seat, seated in enumerate((pairing.a, pairing.b)):
                if seated.number == player:
                    return seat, pairing
    return 0, None
