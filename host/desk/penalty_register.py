"""Gives and withdraws penalties; a game loss is also sent to the table's board, if there is one."""

from host.archive import teams
from host.archive.roster import Pairing
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import seated_players
from host.desk.station import Station
from host.event import penalties
from host.event.penalties import Penalty

_GAME_LOSS = "game_loss"


def give(
    station: Station, who: str, level: str, category: str, reason: str, author: str
) -> tuple[list[int], Sentence]:
    """Register a penalty of a player (number, or part of the name); return the ids of the orders
    for a game loss, and a sentence for the user.

    Raises UserError without a reason, for an unknown player, and for a game loss that the player's
    table does not accept.
    """
    if not reason:
        raise UserError("a penalty needs its reason, for instance: slow play in game 2")
    archive, number = station.archive, station.desk.round or 0
    player = teams.find(archive, who).player
    seat, pairing = _seat(station, number, player.number)
    table = pairing.table or 0 if pairing else 0
    penalty = Penalty(
        0, number, table, seat, player.number, level, category, reason, author,
        station.collector.now_ms,
    )  # fmt: skip
    registered = Sentence(
        "the penalty of {who} is in the register", who=seated_players.name_and_number(player)
    )
    if level != _GAME_LOSS:
        penalties.give(archive, penalty)
        return [], registered
    if not table:
        raise UserError(
            "{who} does not play now: a game loss is given at the table, in the round in which it"
            " counts",
            who=seated_players.name_and_number(player),
        )
    if archive.roster.board_at(table) is None:
        penalties.give(archive, penalty)
        return [], Sentence(
            "the penalty of {who} is in the register. Table {table} has no board: count the lost"
            " game in its result from paper",
            who=seated_players.name_and_number(player),
            table=table,
        )
    with archive.transaction():
        penalties.give(archive, penalty)
        return station.desk.lose_game(table, "AB"[seat], author, reason), registered


def withdraw(station: Station, number: int, reason: str, author: str) -> Sentence:
    """Withdraw a penalty by its id; return a sentence for the user. Raises UserError for an id
    that is not in force.
    """
    found = [penalty for penalty in penalties.standing(station.archive) if penalty.id == number]
    if not found:
        raise UserError("there is no penalty {number} in force", number=number)
    penalties.withdraw(station.archive, number, author, reason, station.collector.now_ms)
    if found[0].level == _GAME_LOSS:
        return Sentence(
            "the penalty is withdrawn from the register; the game lost at table {table} stands:"
            " correct the result there",
            table=found[0].table,
        )
    return Sentence("the penalty is withdrawn")


def _seat(station: Station, round_number: int, player: str) -> tuple[int, Pairing | None]:
    """Return a player's seat (0 A, 1 B) and pairing in the published round, or 0 and None."""
    for pairing in station.archive.roster.pairings_of(round_number) if round_number else ():
        if pairing.b is not None and pairing.table is not None:
            for seat, seated in enumerate((pairing.a, pairing.b)):
                if seated.number == player:
                    return seat, pairing
    return 0, None
