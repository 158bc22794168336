"""Policy, team, deck-check and deck-list cases (docs/cases.md)."""

from firmware.core import intents, luck, team
from firmware.core.match import Match
from firmware.core.systems import d03
from host.archive import teams
from host.archive.roster import Player
from host.base.errors import UserError
from host.base.json_values import Json
from host.cases import match_steps
from host.cases.match_case import START_MS, Story
from host.cases.need import Case, Got, listing, mapping, need, truth, whole, word
from host.systems.rules import Catalogue
from host.tournament import deck_checks

RANDOMIZERS = ("coin", "d6", "attack", "defence", "rps")
PURPOSES = ("none", "first_player", "card", "initiative", "colours", "combat")


def run_policy(subject: Json, systems: Catalogue) -> Got:
    """Return whether a randomizer is allowed, the section, and which seats may use it (P18 4.5).

    ``barred`` in ``subject``: the head judge has disallowed randomizers at this table. Raises
    ValueError for bad data.
    """
    subject = mapping(subject, "a policy")
    system = systems[word(subject.get("system"), "system", systems)]
    randomizer = RANDOMIZERS.index(word(subject.get("randomizer"), "randomizer", RANDOMIZERS))
    purpose = PURPOSES.index(word(subject.get("purpose"), "purpose", PURPOSES))
    consent = [truth(agreed, "consent") for agreed in listing(subject.get("consent"), "consent")]
    need(len(consent) == 2, "consent is two truths, one a seat")
    match = Match(system)
    match.consent = consent[0] | consent[1] << 1
    match.policy = 0
    if truth(subject.get("head_judge"), "head_judge"):
        match.policy |= luck.SWITCHED_ON
    if not truth(subject.get("official"), "official"):
        match.policy |= luck.UNOFFICIAL
    if truth(subject.get("barred", False), "barred"):
        match.policy |= luck.BARRED
    allowed, section = _allowed(match, randomizer, purpose)
    return {"allowed": allowed, "section": section or None, "seats": ["A", "B"] if allowed else []}


def _allowed(match, randomizer, purpose):
    """Return whether the board would roll, and the section that decides it."""
    if RANDOMIZERS[randomizer] == "rps":
        return False, "4.7"
    row = luck.row_for(match.rules, randomizer, purpose) if PURPOSES[purpose] != "none" else None
    if row is None:
        return False, match.rules.POLICY[1]
    lacking = luck.needs(match, randomizer, purpose)
    assert lacking is not None  # nothing is settled at a table that has only begun
    _, _, _, allowed_by, switch_section, consent_section, informal_section = row
    for condition, section in (
        (luck.INFORMAL, informal_section),
        (luck.SWITCH, switch_section),
        (luck.CONSENT, consent_section),
    ):
        if lacking & condition:
            return False, section
    return True, allowed_by


class _Game(Story):
    """A team game on the board's own machine; team 1 starts, so that it sits at ▲."""

    def __init__(self, limited):
        kind = "limited" if limited else "constructed"
        wanted: Json = {"team": True, "class": kind, "best_of": 1, "minutes": 50}
        super().__init__(d03, match_steps.check_format(wanted, d03, "teams"))
        self.decide(intents.SetStarter(START_MS, 0))

    def decide(self, intent):
        """Decide an intent as from a key or the desk; return whether it was legal."""
        return bool(self.write(self.match.decide(intent, START_MS)))

    @property
    def outcome(self):
        """The outcome so far, None while the game goes on. A board calls a judge by itself, and
        the case says ``ask``, where both teams have won at once.
        """
        if self.match.outcome:
            return str(self.match.outcome)
        return None if self.match.call is None else "ask"

    @property
    def seat(self):
        """The seat that plays, or plays next."""
        return self.match.seat or 0

    def turn(self):
        """Play a turn and end it; return whether that was legal."""
        started = self.decide(intents.StartTurn(START_MS, self.seat))
        return started and self.decide(intents.EndTurn(START_MS))

    def prize(self, seat, pile):
        """Give ``seat`` a prize from the pile of seat ``pile``; return whether that was legal."""
        if team.TEAM[seat] != team.TEAM[pile]:  # a board knows no turns, and so not who draws
            return False
        return self.decide(intents.TakePrize(START_MS, pile))

    def leave(self, seat, deck):
        """Put ``seat`` out, and its mate, too, if its ``deck`` has fewer cards than prizes to lay
        out.
        """
        prizes, mate = team.piles(self.match)[seat], team.MATE[seat]
        done = self.decide(intents.WipeOut(START_MS, 1 << seat))
        mate_is_out = self.match.wiped >> mate & 1
        if done and deck < prizes and not mate_is_out:
            self.decide(intents.WipeOut(START_MS, 1 << mate))
        return done

    def drop(self, seat):
        """Withdraw, drop or disqualify a member: its whole team leaves."""
        return self.decide(intents.Concede(START_MS, team.TEAM[seat]))


def run_teams(subject: Json) -> Got:
    """Play ``steps`` of a team game and return its state.

    A step is ``turn``, ``prize SEAT [PILE]``, ``out SEAT [DECK]``, ``drop SEAT``, ``withdraw SEAT``
    or ``go_on`` (a judge lets them play on), as an array. Raises ValueError for bad data.
    """
    subject = mapping(subject, "teams")
    game = _Game(_is_limited(subject))
    order, refused = [team.ORDER[0]], []
    for i, value in enumerate(listing(subject.get("steps", []), "steps")):
        step = listing(value, f"step {i}")
        if not _step(game, step, f"step {i}"):
            refused.append(i)
        elif step[0] == "turn":
            order.append(team.ORDER[game.seat])
    piles = team.piles(game.match)
    return {
        "order": order,
        "seat": team.ORDER[game.seat],
        "piles": dict(zip(team.ORDER, piles, strict=True)),
        "prizes": [team.count(piles, 0), team.count(piles, 1)],
        "out": [name for i, name in enumerate(team.ORDER) if game.match.wiped >> i & 1],
        "outcome": game.outcome,
        "refused": refused,
    }


def _is_limited(subject: Case) -> bool:
    kind = word(subject.get("class", "constructed"), "class", ("constructed", "limited"))
    return kind == "limited"


def _step(game, step, where):
    """Do one step; return whether it was legal."""
    need(step, f"{where} is empty")
    verb = word(step[0], f"{where}'s verb", ("turn", "prize", "out", "drop", "withdraw", "go_on"))
    if verb == "turn":
        return game.turn()
    if verb == "go_on":
        return game.decide(intents.EndCall(START_MS))
    need(len(step) > 1, f"{where} names no seat")
    seat = team.ORDER.index(word(step[1], where, team.ORDER))
    if verb == "prize":
        pile = word(step[2], where, team.ORDER) if len(step) > 2 else team.ORDER[seat]
        return game.prize(seat, team.ORDER.index(pile))
    if verb == "out":
        deck = whole(step[2], where, 0, 60) if len(step) > 2 else 60
        return game.leave(seat, deck)
    return game.drop(seat)


def run_members(subject: Json) -> Got:
    """Return whether ``change`` may be entered among the ``teams``, and the team that is ``out``
    after the member ``drops``. A team is ``[number, member A, member B]``. Raises ValueError.
    """
    subject = mapping(subject, "members")
    before = {team.number: team for team in _teams(subject, "teams")}
    begun = truth(subject.get("begun", False), "begun")
    try:
        after = teams.with_entered(before, _teams(subject, "change"), begun)
    except UserError as refusal:
        return {"allowed": False, "remark": str(refusal)}
    leaving = teams.team_with_member(after.values(), str(subject.get("drops", "")))
    return {"allowed": True, "out": leaving.number if leaving else None}


def _teams(subject, key):
    for value in listing(subject.get(key, []), key):
        number, *members = map(str, listing(value, key))
        need(len(members) == 2, f"a team of {key} has two members")
        a, b = (Player(member, f"Player {member}") for member in members)
        yield teams.Team(number, f"Team {number}", "", "Hall", a, b)


def run_deck_checks(subject: Json) -> Got:
    """Return how many distinct decks must be checked, were checked and are left (P18 6)."""
    subject = mapping(subject, "deck_checks")
    decks = listing(subject.get("decks"), "decks")
    checks = listing(subject.get("checked", []), "checked")
    premier = truth(subject.get("premier", False), "premier")
    plan = deck_checks.plan(map(str, decks), map(str, checks), premier)
    return {
        "needed": plan.needed,
        "checked": plan.checked,
        "left": plan.left,
        "mandatory": plan.mandatory,
    }


def run_lists(subject: Json) -> Got:
    """Return whether ``viewer`` may see a deck list, whether a deck may change at ``moment``."""
    subject = mapping(subject, "lists")
    got = {}
    if "viewer" in subject:
        got["seen"] = deck_checks.may_see(word(subject["viewer"], "viewer", deck_checks.VIEWERS))
    if "moment" in subject:
        moment = word(subject["moment"], "moment", ("before", "building", "rounds"))
        got["changed"] = deck_checks.may_change(_is_limited(subject), moment)
    return got
