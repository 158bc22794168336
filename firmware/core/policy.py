"""Decides whether a table may use the board's randomizer now, from its system's ``POLICY``.

Sources: P18 4.5, 4.5.1, 4.7; D03 213; XW15 Modifiche ai Componenti, Prodotti Ammessi,
Procedura di Schieramento. A system's ``POLICY`` is ``(rows, section otherwise)``, the first row
that names the randomizer and the purpose counts::

    (randomizers, purposes, needs,     bits: 1 << COIN, 1 << CARD ...; needs below
     section when allowed, when the switch is off, when a consent lacks, when the event is official)

A section is "" where the text gives none. A coin or die on a screen is neither the game's own coin
nor a die of P18 4.5.2 (the screen says so): hence P18's switch and both consents.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.core.types import Policy

# randomizers
COIN = 0
D6 = 1
ATTACK = 2
DEFENCE = 3
RPS = 4
# purposes; 0: none was declared, and nothing is allowed for none
FIRST_PLAYER = 1
CARD = 2
INITIATIVE = 3
COLOURS = 4
COMBAT = 5
# needs
SWITCH = 1  # the head judge's (organiser's) switch
CONSENT = 2  # both players, once a match
INFORMAL = 4  # the event is not official


def allowed(
    policy: "Policy",
    official: bool,
    randomizer: int,
    purpose: int,
    head_judge: bool,
    consent: "Sequence[bool]",
    barred: bool = False,
) -> tuple[bool, str]:
    """Return ``(allowed, section)``.

    ``head_judge``: the switch is on for this table; ``consent``: two booleans, one per seat;
    ``barred``: the head judge has disallowed randomizers here (P18 4.5), whatever the system.
    Rock/Paper/Scissors is refused before any table is read (P18 4.7): no system can offer it.
    """
    if randomizer == RPS:
        return False, "4.7"
    rows, otherwise = policy
    for row in rows:
        if row[0] >> randomizer & 1 and row[1] >> purpose & 1:
            return _granted(row, official, head_judge and not barred, consent, barred)
    return False, otherwise


def _granted(row, official, head_judge, consent, barred):
    """Return one row's decision."""
    needs = row[2]
    if needs & INFORMAL and official:
        return False, row[6]
    if barred or needs & SWITCH and not head_judge:
        return False, row[4]
    if needs & CONSENT and not (consent[0] and consent[1]):
        return False, row[5]
    return True, row[3]


def offered(
    policy: "Policy",
    official: bool,
    purpose: int,
    head_judge: bool,
    consent: "Sequence[bool]",
    barred: bool = False,
) -> int:
    """Return the randomizers (bits) that a screen may offer to both seats for a purpose."""
    bits = 0
    for randomizer in range(RPS):
        if allowed(policy, official, randomizer, purpose, head_judge, consent, barred)[0]:
            bits |= 1 << randomizer
    return bits
