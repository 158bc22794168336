"""Screens of coins and dice: what a roll is for, both players' consent, the rolls so far."""

from firmware.core import luck
from firmware.core.intents import Consent, Roll
from firmware.ui.colours import DARK, GREY
from firmware.ui.gestures import HOLD, PRESS_A
from firmware.ui.hand import Recall
from firmware.ui.screen import ANY, HOME, SEAT, Item, Key, Menu, Screen, back, sides


class LuckMenu(Menu):
    """A menu of what may be rolled."""

    strip = DARK
    stays_in = ANY
    stays_while = "can_roll"


class Luck(LuckMenu):
    """What a roll is for."""

    name, title = "luck", "luck_word"

    def items(self, table):
        both_consent = table.consents == 3
        for screen in PURPOSES:
            _, randomizer, _ = screen.rolls[0]
            allowed = both_consent or not screen.consented
            if allowed and table.offers(randomizer, screen.purpose):
                yield Item(screen.line, goes=screen.name)
        if not both_consent:
            yield Item("consent", goes="consent")
        yield Item("rolls", Recall, Recall.ROLLS, goes="rolls")
        yield Item("back", goes=HOME)


class Purpose(LuckMenu):
    """What is rolled for one purpose; the first of its rolls says whether it may be."""

    line = ""  # of the menu that leads here
    purpose = 0
    rolls = (("coin", luck.COIN, 0),)  # the text, the randomizer, so many coins at once
    consented = False  # once both players have consented

    def items(self, table):
        for label, randomizer, flips in self.rolls:
            if randomizer != luck.D6 or table.offers(luck.D6):
                yield Item(label, Roll, randomizer, self.purpose, flips, goes=HOME)
        yield Item("back", goes="luck")


class Consented(Purpose):
    """What needs both players' consent; a die on a screen cannot be tested as a text may want."""

    consented = True

    def draw(self, picture, table):
        if table.offers(luck.D6) and table.tested:
            picture.say("note", "no_die", GREY)


class First(Consented):
    """Who plays first."""

    purpose = luck.FIRST_PLAYER
    rolls = Purpose.rolls + (("die", luck.D6, 0),)

    def draw(self, picture, table):
        super().draw(picture, table)
        if table.team:
            picture.say("note", "starter_team")


_CARD = First.rolls[:1]
_CARD += tuple([("flips_%d" % flips, luck.COIN, flips) for flips in range(2, luck.FLIPS + 1)])
_CARD += (("flips_until", luck.COIN, luck.UNTIL),) + First.rolls[1:]
_COMBAT = (("attack", luck.ATTACK, 0), ("defence", luck.DEFENCE, 0))
_TOSS = ("note", "toss_note")
PURPOSES = (
    First("luck_first", "for_first_word", line="for_first"),
    # what a card's effect asks for
    Consented("luck_card", "for_card_word", line="for_card", purpose=luck.CARD, rolls=_CARD),
    # in X-Wing: who decides the initiative, who chooses the colours of a mirror match, its dice
    Purpose("luck_starts", "for_starts_word", _TOSS, line="for_starts", purpose=luck.INITIATIVE),
    Purpose("luck_colours", "for_colours_word", _TOSS, line="for_colours", purpose=luck.COLOURS),
    Purpose(
        "luck_combat", "for_combat_word", line="for_combat", purpose=luck.COMBAT, rolls=_COMBAT
    ),
)


class ConsentAsked(Screen):
    """Both players let the board decide, once a match."""

    name, title = "consent", "roll_word"
    says = (("over", "consent_ask"),)
    strip = DARK
    stays_in = ANY

    def draw(self, picture, table):
        if not table.consents & 1:
            picture.say("one", "name_a")
        if not table.consents & 2:
            picture.say("three", "name_b")

    def keys(self, table):
        yield from sides(HOLD, "consent_key", Consent, SEAT, seats=3 & ~table.consents)
        yield from back(seats=table.consents)


_ILL = (("one", "ill_1"), ("two", "ill_2"), ("three", "ill_3"))
_LINES = (("one", "undo_1"), ("two", "undo_2"), ("three", "undo_3"), ("four", "undo_4"))
_OLDER = [Key(PRESS_A, "older_key", Recall, Recall.ROLLS, True)] + back(seats=2)
_DARK = {"strip": DARK, "stays_in": ANY}
ROWS = PURPOSES + (
    # the chip's generator of random numbers failed its test
    Screen("no_luck", "roll_word", *_ILL, answers=back(), stays_while="cannot_roll", **_DARK),
    # the match's rolls so far
    Screen("rolls", "rolls_word", *_LINES, answers=_OLDER, **_DARK),
)
