"""Rolls at a table: whether one is allowed, consent, the roll, its acceptance, dispute or ruling.

Sources: P18 4.5, 4.5.1, 4.7; D03 213; XW15 Modifiche ai Componenti, Prodotti Ammessi, Procedura di
Schieramento. A system's ``POLICY`` is ``(rows, section otherwise)``; the first row that names the
randomizer and the purpose counts::

    (randomizers, purposes, needs,     bits: 1 << COIN, 1 << CARD ...; needs below
     section when allowed, when the switch is off, when a consent lacks, when the event is official)

A coin or die on a screen is neither the game's own coin nor a die of P18 4.5.2 (the screen says
so): hence P18's switch and both consents. Rock/Paper/Scissors is no randomizer here (P18 4.7).

A roll is recorded before it is shown. Agreed or ruled conclusive, it is final. A coin may be
flipped up to 8 times at once or until tails: ``flips`` of a ROLL says how many (255: until tails),
that of a ROLLED too (0: one), and its ``face`` has a bit for each heads, or the number of heads
before the tails. Of a toss for XW15's initiative or colours heads is ▲'s, tails is ●'s; once it is
final, ``match.tossed`` has its winner as paired, 1 or 2: bits 0-1 for initiative, 2-3 for colours.
"""

from firmware.core import events, first_player, phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core import intents
    from firmware.core.types import Chance, Events, Match, Pair, PolicyRow, Rolls, Rules

# randomizers
COIN = 0
D6 = 1
ATTACK = 2
DEFENCE = 3
SIDES = bytes((2, 6, 8, 8))
# purposes; 0: none was declared, and nothing is allowed for none
FIRST_PLAYER = 1
CARD = 2
INITIATIVE = 3
COLOURS = 4
COMBAT = 5
# what a roll needs, as bits
SWITCH = 1  # the head judge's (organiser's) switch
CONSENT = 2  # both players, once a match
INFORMAL = 4  # the event is not official
# a table's switches (SET_POLICY)
SWITCHED_ON = 1
UNOFFICIAL = 2
BARRED = 4  # the head judge has disallowed randomizers here (P18 4.5), whatever the system
# states of a roll (``match.rolled``)
SHOWN = 1
AGREED = 2
DISPUTED = 3
RULED = 4  # conclusive, by a judge
FLIPS = 8  # at once at most
UNTIL = 255
TOSS = 3  # the winner of a toss decides


def row_for(rules: "Rules", randomizer: int, purpose: int) -> "PolicyRow | None":
    """Return the row of a system's ``POLICY`` that counts, None if it never allows this."""
    for row in rules.POLICY[0]:
        randomizers, purposes, *_ = row
        if randomizers >> randomizer & 1 and purposes >> purpose & 1:
            return row
    return None


def needs(match: "Match", randomizer: int, purpose: int = 0) -> int | None:
    """Return what a roll still needs (bits, 0 nothing); None if it is never allowed, or settled.
    Without a purpose the table's current one is used.
    """
    purpose = purpose or current_purpose(match, randomizer)
    row = row_for(match.rules, randomizer, purpose)
    if row is None or _settled(match, purpose):
        return None
    _, _, lacking, *_ = row
    if match.policy & BARRED:
        lacking |= SWITCH
    elif match.policy & SWITCHED_ON:
        lacking &= ~SWITCH
    if match.policy & UNOFFICIAL:
        lacking &= ~INFORMAL
    return lacking & ~CONSENT if match.consent == 3 else lacking


def set_squads(match: "Match", intent: "intents.Intent") -> "Events":
    """The squads' totals and factions, and on a spare who won the old board's tosses."""
    if intent.mirror > 1 or not match.rules.CAPS:
        return ()
    tossed = intent.tossed or match.tossed
    first, second = intent.first, intent.second
    return (events.SquadsSet(intent.at_ms, intent.mirror, tossed, first, second),)


def initiative(match: "Match") -> int:
    """Return which player (1, 2, as paired) decides who has the initiative: the one with the lower
    squad total, at equal totals the winner of a TOSS; 0 if the totals are unknown.
    """
    won = match.tossed & 3
    if won or match.squads is None:
        return won
    first, second = match.squads
    if first == second:
        return TOSS
    return 1 if first < second else 2


def _settled(match, purpose):
    """Return whether a press, the squads, a loser's choice or an earlier toss have decided."""
    if purpose == FIRST_PLAYER:
        begun = match.progress == phases.IN_PROGRESS
        return begun or match.flipped or first_player.by_choice(match)
    if purpose == INITIATIVE:
        return 0 < initiative(match) < TOSS
    if purpose != COLOURS:
        return False
    is_tossed = match.tossed >> 2
    return is_tossed or (match.squads and not match.mirror)


def _tossed_after(match):
    """Return ``match.tossed`` as it will be once the roll that is shown is final."""
    rolled = match.roll
    if rolled.randomizer != COIN or rolled.flips or rolled.face > 2:
        return match.tossed
    seat = rolled.face - 1  # heads is seat 0's
    winner = 1 + (seat ^ match.swapped)  # as paired
    if rolled.purpose == INITIATIVE:
        return match.tossed | winner
    if rolled.purpose == COLOURS:
        return match.tossed | winner << 2
    return match.tossed


def current_purpose(match: "Match", randomizer: int) -> int:
    """Return the purpose of a roll now: a card's in a game, else the first that is not settled."""
    purposes = 0  # as bits
    for row in match.rules.POLICY[0]:
        randomizers, its_purposes = row[:2]
        if randomizers >> randomizer & 1:
            purposes |= its_purposes
    if match.progress == phases.IN_PROGRESS and purposes & (1 << CARD):
        return CARD
    for purpose in range(FIRST_PLAYER, COMBAT + 1):
        if purposes >> purpose & 1 and not _settled(match, purpose):
            return purpose
    return COMBAT + 1  # no row has it, so nothing is allowed


def offered(match: "Match", randomizer: int, purpose: int = 0) -> bool:
    """Return whether this may be offered: at the most the players' consent is missing."""
    lacking = needs(match, randomizer, purpose)
    return match.phase != phases.IDLE and lacking in (0, CONSENT)


def any_offered(match: "Match") -> bool:
    """Return whether any roll is offered here."""
    for purpose in range(FIRST_PLAYER, COMBAT + 1):
        if offered(match, ATTACK if purpose == COMBAT else COIN, purpose):
            return True
    return False


def roll(match: "Match", intent: "intents.Intent", rolls: "Rolls | None") -> "Events":
    """Roll, unless the last roll is still open; ``rolls.begin`` gives the roll's faces."""
    randomizer, purpose, many = intent.randomizer, intent.purpose, intent.flips
    may_be_many = randomizer == COIN and (many <= FLIPS or many == UNTIL)
    if many > 1 and not may_be_many:
        return ()
    if rolls is None or randomizer >= len(SIDES) or match.rolled in (SHOWN, DISPUTED):
        return ()
    if not purpose or needs(match, randomizer, purpose) != 0:
        return ()  # a roll without a purpose is void
    number = 1 if match.roll is None else match.roll.number + 1
    face, flips = draw(rolls.begin(number, randomizer, purpose), randomizer, many)
    return (events.Rolled(intent.at_ms, randomizer, purpose, face, flips, number),)


def draw(chance: "Chance", randomizer: int, many: int) -> "Pair":
    """Draw a roll's ``face`` and ``flips``, as in a ROLLED, from its ``chance``; 1 is heads."""
    if many < 2:
        return chance.face(SIDES[randomizer]), 0
    if many == UNTIL:
        heads = 0
        while heads < UNTIL and chance.face(2) == 1:
            heads += 1
        return heads, many
    bits = 0
    for coin in range(many):
        if chance.face(2) == 1:
            bits |= 1 << coin
    return bits, many


def agree(match: "Match", intent: "intents.Intent") -> "Events":
    """A seat agrees with the roll shown; it is final when both do."""
    seat = intent.seat
    if match.rolled != SHOWN or match.agreed >> seat & 1:
        return ()
    if not match.agreed:  # the other seat has not yet
        return (events.RollAgreed(intent.at_ms, seat, SHOWN, match.tossed),)
    return (events.RollAgreed(intent.at_ms, seat, AGREED, _tossed_after(match)),)


def rule(match: "Match", intent: "intents.Intent") -> "Events":
    """A judge rules a disputed roll conclusive (1), or that it is rolled again (0)."""
    conclusive = intent.conclusive
    if match.rolled != DISPUTED or conclusive > 1:
        return ()
    tossed = _tossed_after(match) if conclusive else match.tossed
    return (events.RollRuled(intent.at_ms, conclusive, tossed),)
