"""The players of a stored round and their tables in words; dropped players may not be seated."""

from host.archive.people import People
from host.archive.roster import Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence


def require_present(archive: Archive, round_number: int) -> None:
    """Raise UserError if a stored round seats a player who has dropped."""
    dropped = People(archive).gone
    for pairing in archive.roster.pairings_of(round_number):
        for player in pairing.players:
            if player.number in dropped:
                refusal = (
                    "{who} has dropped and sits {where} of round {round}: take the player out of"
                    " the round (Rounds on the desk's page), or take the player back"
                )
                raise UserError(
                    refusal,
                    who=name_and_number(player),
                    where=location(pairing),
                    round=round_number,
                )


def location(pairing: Pairing) -> Sentence:
    """Return a pairing's table, or its bye, in words."""
    if pairing.table is None:
        return Sentence("with the bye")
    return Sentence("at table {table}", table=pairing.table)


def name_and_number(player: Player) -> Sentence:
    """Return a player's name and number as a Sentence."""
    return Sentence("{name}, {number}", name=player.name, number=player.number)
