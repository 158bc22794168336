"""Who plays in an elimination round in the place of the winner they lost to, as a result was
corrected after the round had been drawn.
"""

from host.archive.people import People
from host.archive.roster import Player
from host.archive.store import Archive
from host.base.sentences import Sentence
from host.event.fold import Hall
from host.event.imported_results import published


def start_question(archive: Archive, hall: Hall, number: int) -> Sentence | None:
    """Return the question to ask before a stored round is started, or None."""
    seated = _wrongly_seated(archive, hall, number)
    text = (
        "Round {number} has {loser}, who lost to {winner} in the round before: let the two change"
        " places there first. Start it as it is?"
    )
    return Sentence(text, number=number, **seated) if seated else None


def after_change(archive: Archive, hall: Hall, round_number: int) -> list[Sentence]:
    """Return the remarks on the round after ``round_number``, in which a result has changed."""
    later = [number for number in archive.roster.rounds if number > round_number]
    seated = _wrongly_seated(archive, hall, later[0]) if later else None
    if seated is None or not published(archive, later[0]):
        return []
    text = (
        "round {number} is published with {loser}, who lost to {winner}: before it starts, let the"
        " two change places there"
    )
    if archive.orders.started(later[0]):
        text = "round {number} began with {loser}, who lost to {winner}: a judge decides there"
    return [Sentence(text, number=later[0], **seated)]


def _wrongly_seated(archive: Archive, hall: Hall, number: int) -> dict[str, str] | None:
    """Return the names of the first ``loser`` of a match who plays in the elimination round after
    it, ``number``, in the ``winner``'s place; None if there is none.

    A loser may play there for a winner who has dropped, or against another loser for a place.
    """
    before = [each for each in archive.roster.rounds if each < number][-1:]
    forms = [archive.roster.stored_format(each) for each in (*before, number)]
    if len(forms) < 2 or not all(form.elimination for form in forms):
        return None
    lost_to = _lost_to(archive, hall, before[0])
    winners, gone = {winner.number for winner in lost_to.values()}, People(archive).gone
    pairings = archive.roster.pairings_of(number)
    seated = {player.number for pairing in pairings for player in pairing.players}
    for pairing in pairings:
        for player in pairing.players:
            winner = lost_to.get(player.number)
            if winner is None or winner.number in gone:
                continue
            meets_a_winner = bool(winners & pairing.numbers)
            if winner.number not in seated or meets_a_winner:
                return {"loser": player.name, "winner": winner.name}
    return None


def _lost_to(archive: Archive, hall: Hall, number: int) -> dict[str, Player]:
    """Return the winner of each match of a round that has one, by the loser's number."""
    results, lost_to = hall.results(number), dict[str, Player]()
    for pairing in archive.roster.pairings_of(number):
        result = results.get(pairing.pairing)
        if pairing.b is not None and result is not None and result.outcome in ("A", "B"):
            won_by_a = result.outcome == "A"
            winner, loser = (pairing.a, pairing.b) if won_by_a else (pairing.b, pairing.a)
            lost_to[loser.number] = winner
    return lost_to
