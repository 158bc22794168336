"""Roll cases: consent, rolls, agreement and rulings on the board's machine (P18 4.5, 4.5.1)."""

from firmware.core import events, intents, luck
from host.base.json_values import Json
from host.cases import match_steps
from host.cases.match_case import Story
from host.cases.need import Got, listing, mapping, need, truth, whole, word
from host.cases.staff import PURPOSES, RANDOMIZERS
from host.systems.rules import Catalogue

STATES = ("none", "shown", "agreed", "disputed", "ruled")
SEATS = ("A", "B")
DECIDES = (None, "A", "B", "coin")
RULINGS = ("again", "conclusive")
NOW_MS = 3700000  # of every step, during the round
RESET = ["reset"]
BOTH_AGREE = [["agree", "A"], ["agree", "B"]]  # ``agree`` without a seat


def _seat(name):
    return SEATS.index(word(name, "seat", SEATS))


# each verb's intent, from the verb's arguments
VERBS = {
    "switch": lambda on: intents.SetPolicy(NOW_MS, int(truth(on, "switch"))),
    "consent": lambda seat: intents.Consent(NOW_MS, _seat(seat)),
    "agree": lambda seat: intents.AgreeRoll(NOW_MS, _seat(seat)),
    "dispute": lambda seat: intents.DisputeRoll(NOW_MS, _seat(seat)),
    "rule": lambda what: intents.RuleRoll(NOW_MS, RULINGS.index(word(what, "ruling", RULINGS))),
    "starter": lambda seat: intents.SetStarter(NOW_MS, _seat(seat)),
    "won": lambda seat: intents.WinGame(NOW_MS, _seat(seat)),
    "level": lambda: intents.LevelGame(NOW_MS),
    "squads": lambda a, b, same=False: intents.SetSquads(
        NOW_MS,
        int(truth(same, "same faction")),
        0,
        whole(a, "a total", 0, 999),
        whole(b, "a total", 0, 999),
    ),
    "roll": lambda randomizer, purpose: intents.Roll(
        NOW_MS,
        RANDOMIZERS.index(word(randomizer, "randomizer", RANDOMIZERS)),
        PURPOSES.index(word(purpose, "purpose", PURPOSES)),
        0,
    ),
}


class _Heads:
    """A source of rolls that always shows the first face."""

    def begin(self, number, randomizer, purpose):
        """Return itself: all rolls are the same."""
        return self

    def face(self, sides):
        """Return 1, whatever the number of ``sides``."""
        return 1


def run(subject: Json, systems: Catalogue) -> Got:
    """Play ``steps``, each [verb, argument …]; return the last roll's ``state`` and the refusals.

    ``refused`` lists the places of refused steps, from 0; ``rolls`` counts all rolls;
    ``initiative`` and ``colours`` say who decides. Raises ValueError for bad data.
    """
    subject = mapping(subject, "rolls")
    rules = systems[word(subject.get("system"), "system", systems)]
    wanted = match_steps.check_format(subject.get("format", {}), rules, "rolls")
    story = Story(rules, wanted | {"minutes": 50})
    refused, rolls = [], 0
    for i, step in enumerate(listing(subject.get("steps"), "steps")):
        step = listing(step, f"step {i}")
        need(bool(step), f"step {i} is [verb, word ...]")
        if step == RESET:
            story.match = story.replay()  # after a reset a board knows only its journal
            continue
        refused_part = False
        for part in BOTH_AGREE if step == ["agree"] else [step]:
            events_made = story.write(_events(story.match, part, f"step {i}"))
            rolls += sum(event.kind == events.ROLLED for event in events_made)
            refused_part = not events_made  # of two who agree the last one counts
        if refused_part:
            refused.append(i)
    return {"rolls": rolls, "refused": refused} | _roll_state(story.match)


def _roll_state(match) -> Got:
    """Return the last roll's state, and who decides the initiative and picks colours."""
    return {
        "state": STATES[match.rolled],
        "initiative": DECIDES[luck.initiative(match)],
        "colours": DECIDES[match.tossed >> 2],  # the bits above those of the initiative
    }


def _events(match, step, where):
    """Return the events that a step causes, none if it is refused."""
    verb = word(step[0], f"{where}'s verb", (*VERBS, *RESET))
    try:
        intent = VERBS[verb](*step[1:])
    except (KeyError, TypeError):
        raise ValueError(f"{where}: {verb} takes other words") from None
    return match.decide(intent, NOW_MS, _Heads())
