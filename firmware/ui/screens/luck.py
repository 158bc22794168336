"""Screens of coins and dice: what a roll is for, both players' consent, the rolls so far."""

from firmware.core import luck
from firmware.core.intents import Consent, Roll
from firmware.ui.colours import DARK, GREY
from firmware.ui.screen import (
    ANY,
    HOLD,
    HOME,
    PRESS_A,
    ROLLS,
    SEAT,
    Item,
    Key,
    Menu,
    Recall,
    Screen,
    back,
    sides,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.ui.types import MenuItems, Picture, ScreenKeys, Table


class LuckMenu(Menu):
    """A menu of what may be rolled."""

    strip = DARK
    stays_in = ANY
    stays_while = "lucky"


class Luck(LuckMenu):
    """What a roll is for."""

    name, title = "luck", "luck_word"

    def items(self, table: "Table") -> "MenuItems":
        agreed = table.consents == 3
        for made in (LuckFirst, LuckCard, LuckStarts, LuckColours, LuckCombat):
            if table.offers(made.randomizer, made.purpose) and (agreed or not made.consented):
                yield Item(made.line, goes=made.name)
        if not agreed:
            yield Item("consent", goes="consent")
        yield Item("rolls", Recall, ROLLS, 0, goes="rolls")
        yield Item("back", goes=HOME)


class Purpose(LuckMenu):
    """What is rolled for one purpose."""

    line = ""  # of the menu that leads here
    randomizer, purpose = luck.COIN, 0
    consented = False  # once both players have consented

    def items(self, table: "Table") -> "MenuItems":
        for label, randomizer, flips in self.rolls(table):
            yield Item(label, Roll, randomizer, self.purpose, flips, goes=HOME)
        yield Item("back", goes="luck")

    def rolls(self, table: "Table") -> "Sequence[tuple[str, int, int]]":
        """Return what may be rolled: the text, the randomizer, so many coins at once."""
        return (("coin", luck.COIN, 0),)


class LuckCard(Purpose):
    """What a card's effect asks for."""

    name, line, title = "luck_card", "for_card", "for_card_word"
    purpose = luck.CARD
    consented = True
    coins = [("coin", luck.COIN, 0)]
    coins += [("flips_%d" % flips, luck.COIN, flips) for flips in range(2, luck.FLIPS + 1)]
    coins += [("flips_until", luck.COIN, luck.UNTIL)]

    def draw(self, picture: "Picture", table: "Table") -> None:
        if table.offers(luck.D6) and table.tested:
            picture.say("note", "no_die", GREY)

    def rolls(self, table: "Table") -> "Sequence[tuple[str, int, int]]":
        return self.coins + ([("die", luck.D6, 0)] if table.offers(luck.D6) else [])


class LuckFirst(LuckCard):
    """Who plays first."""

    name, line, title = "luck_first", "for_first", "for_first_word"
    purpose = luck.FIRST_PLAYER
    coins = [("coin", luck.COIN, 0)]

    def draw(self, picture: "Picture", table: "Table") -> None:
        super().draw(picture, table)
        if table.team:
            picture.say("note", "starter_team")


class LuckStarts(Purpose):
    """Who decides the initiative in X-Wing."""

    name, line, title = "luck_starts", "for_starts", "for_starts_word"
    says = (("note", "toss_note"),)
    purpose = luck.INITIATIVE


class LuckColours(LuckStarts):
    """Who chooses the colours of a mirror match."""

    name, line, title = "luck_colours", "for_colours", "for_colours_word"
    purpose = luck.COLOURS


class LuckCombat(Purpose):
    """X-Wing's combat dice."""

    name, line, title = "luck_combat", "for_combat", "for_combat_word"
    randomizer, purpose = luck.ATTACK, luck.COMBAT

    def rolls(self, table: "Table") -> "Sequence[tuple[str, int, int]]":
        return (("attack", luck.ATTACK, 0), ("defence", luck.DEFENCE, 0))


class ConsentAsked(Screen):
    """Both players let the board decide, once a match."""

    name, title = "consent", "roll_word"
    says = (("over", "consent_ask"),)
    strip = DARK
    stays_in = ANY

    def draw(self, picture: "Picture", table: "Table") -> None:
        if not table.consents & 1:
            picture.say("one", "name_a")
        if not table.consents & 2:
            picture.say("three", "name_b")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from sides(HOLD, "consent_key", Consent, SEAT, seats=3 & ~table.consents)
        yield from back(seats=table.consents)


class NoLuck(Screen):
    """The chip's generator of random numbers failed its test."""

    name, title = "no_luck", "roll_word"
    says = (("one", "ill_1"), ("two", "ill_2"), ("three", "ill_3"))
    answers = back()
    strip = DARK
    stays_in = ANY
    stays_while = "ill"


class Rolls(Screen):
    """The match's rolls so far."""

    name, title = "rolls", "rolls_word"
    says = (("one", "undo_1"), ("two", "undo_2"), ("three", "undo_3"), ("four", "undo_4"))
    answers = [Key(PRESS_A, "older_key", Recall, ROLLS, 1)] + back(seats=2)
    strip = DARK
    stays_in = ANY
