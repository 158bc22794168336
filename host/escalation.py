"""XW15 before the first ship moves: initiative, ID colours, who may play, and scores to look at.

Sources: XW15 Procedura di Schieramento, Scontri Speculari, Partecipazione dell'Organizzatore,
Condotta Antisportiva. ``"coin"`` stands for heads or tails, whose winner chooses.
"""

from firmware.core.systems import xw15


def initiative(total_a, total_b):
    """Return who decides which player has the initiative: the lower squad total, or ``"coin"``."""
    return "coin" if total_a == total_b else "A" if total_a < total_b else "B"


def colours(faction_a, faction_b, agreed=True):
    """Return how white and black IDs are given: None where nobody must choose."""
    mirror = faction_a.strip().casefold() == faction_b.strip().casefold()
    return "coin" if mirror and not agreed else None


def organiser_may_play(category, second_announced):
    """Say whether the organiser may play: never at premier, else beside an announced second one."""
    return category != "premier" and bool(second_announced)


def oddities(destroyed, squads, round_number):
    """Return sentences about scores that the squad lists cannot give; they accuse nobody.

    ``destroyed``: by a and by b; ``squads``: a's and b's ship values (None: no list). A side can
    only have destroyed whole ships of the other, so its number is a sum of some of their values.
    """
    found = []
    for side, number, ships in zip("AB", destroyed, (squads[1], squads[0]), strict=True):
        if number > xw15.CAPS[round_number - 1]:
            found.append(f"{side} destroyed {number}: more than the round allows")
        elif ships is not None and number not in _sums(ships):
            found.append(f"{side} destroyed {number}: no choice of the other's ships is worth that")
    return found


def _sums(values):
    """Return every sum of some of ``values``."""
    sums = {0}
    for value in values:
        sums |= {total + value for total in sums}
    return sums
