"""Who sits where in a stored round, as sentences name it; who has dropped sits nowhere."""

from host.archive.people import People
from host.archive.roster import Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence


def require_present(archive: Archive, round_number: int) -> None:
    """Raise UserError where a stored round seats somebody who has dropped."""
    left = People(archive).gone
    for pairing in archive.roster.pairings_of(round_number):
        for player in (pairing.a, pairing.b):
            if player is not None and player.number in left:
                said = (
                    "{who} has dropped and sits {where} of round {round}: take the player out of"
                    " the round (Rounds on the desk's page), or take the player back"
                )
                raise UserError(said, who=named(player), where=where(pairing), round=round_number)


def where(pairing: Pairing) -> Sentence:
    """Return where a pairing plays, in words."""
    if pairing.table is None:
        return Sentence("with the bye")
    return Sentence("at table {table}", table=pairing.table)


def named(player: Player) -> Sentence:
    """Return a player's name and number."""
    return Sentence("{name}, {number}", name=player.name, number=player.number)
