"""Rounds played on paper: stored, published and with a result at every table, without any air."""

from host.archive.roster import Format, Pairing
from host.event import paper_results
from host.event.paper_results import PaperResult

SWISS, CUT = 3 << 1, 3 << 1 | 1  # best of three
OUTCOMES = ("A", (2, 0)), ("A", (2, 1)), ("B", (1, 2)), ("tie", (1, 1))


def enter(archive, number, pairing, outcome, games):
    typed = PaperResult(number, pairing.pairing, outcome, games, None, None, "Olga", "slip", 0)
    paper_results.keep(archive, typed, pairing.table)


def store(station, number, players, bits=SWISS, system=0):
    """Store a round of the players two by two, an odd one with the bye, and publish it."""
    pairs = [players[at : at + 2] for at in range(0, len(players), 2)]
    pairings = [
        Pairing(number, at, at if len(pair) == 2 else None, pair[0], pair[1] if pair[1:] else None)
        for at, pair in enumerate(pairs, 1)
    ]
    with station.archive.transaction():
        station.archive.roster.store_round(number, Format(system, bits, 50), pairings)
    station.refresh()
    station.desk.publish(number)
    return pairings


def play(archive, number, pairings, outcomes=OUTCOMES):
    """Give every match of a round one of the ``outcomes``, in turn; return the winners."""
    won = []
    with archive.transaction():
        for at, one in enumerate(pairings):
            if one.b is not None:
                enter(archive, number, one, *outcomes[at % len(outcomes)])
                won.append(one.b if outcomes[at % len(outcomes)][0] == "B" else one.a)
    return won


def swiss(station, players, rounds, first=1):
    """Play Swiss rounds; who sits where moves on by three seats."""
    for number in range(first, first + rounds):
        play(station.archive, number, store(station, number, players))
        players = [*players[3:], *players[:3]]


def bracket(station, players, first, rounds):
    """Play elimination rounds; the last one is left open. Return its pairings."""
    for number in range(first, first + rounds):
        pairings = store(station, number, players, CUT)
        if number < first + rounds - 1:
            players = play(station.archive, number, pairings, OUTCOMES[:3])
    return pairings
