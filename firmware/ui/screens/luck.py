"""Screens of coins and dice: what a roll is for, both players' consent, the rolls so far."""

from firmware.core import luck
from firmware.core.intents import Consent, Roll
from firmware.ui.colours import DARK, GREY
from firmware.ui.screen import (
    ANY,
    HOLD_A,
    HOLD_B,
    HOME,
    PRESS_A,
    PRESS_B,
    ROLLS,
    Item,
    Key,
    Menu,
    Recall,
    Screen,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import MenuItems, Picture, ScreenKeys, Table


class Luck(Menu):
    """What a roll is for."""

    name = "luck"
    strip = DARK
    stays_in = ANY

    def stays(self, table: "Table") -> bool:
        return table.lucky

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("luck_word")

    def items(self, table: "Table") -> "MenuItems":
        agreed = table.consent_a and table.consent_b
        if table.first and agreed:
            yield Item("for_first", goes="luck_first")
        if table.card and agreed:
            yield Item("for_card", goes="luck_card")
        if table.starts:
            yield Item("for_starts", goes="luck_starts")
        if table.colours:
            yield Item("for_colours", goes="luck_colours")
        if table.combat:
            yield Item("for_combat", goes="luck_combat")
        if not agreed:
            yield Item("consent", goes="consent")
        yield Item("rolls", Recall, ROLLS, 0, goes="rolls")
        yield Item("back", goes=HOME)


class Purpose(Luck):
    """What is rolled for one purpose."""

    word = ""
    purpose = 0

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title(self.word)

    def items(self, table: "Table") -> "MenuItems":
        yield from self.rolls(table)
        yield Item("back", goes="luck")

    def rolls(self, table: "Table") -> "MenuItems":
        """Yield what may be rolled."""
        yield self.roll("coin", luck.COIN)

    def roll(self, label: str, randomizer: int, flips: int = 0) -> Item:
        """Return the line that rolls; ``flips``: so many coins."""
        return Item(label, Roll, randomizer, self.purpose, flips, goes=HOME)


def say_no_die(picture: "Picture", table: "Table") -> None:
    """Say where a die on a screen is none by the rules."""
    if table.die and table.tested:
        picture.say("note", "no_die", GREY)


class LuckFirst(Purpose):
    """Who plays first."""

    name, word = "luck_first", "for_first_word"
    purpose = luck.FIRST_PLAYER

    def draw(self, picture: "Picture", table: "Table") -> None:
        super().draw(picture, table)
        say_no_die(picture, table)
        if table.team:
            picture.say("note", "starter_team")

    def rolls(self, table: "Table") -> "MenuItems":
        yield self.roll("coin", luck.COIN)
        if table.die:
            yield self.roll("die", luck.D6)


class LuckCard(Purpose):
    """What a card's effect asks for."""

    name, word = "luck_card", "for_card_word"
    purpose = luck.CARD

    def draw(self, picture: "Picture", table: "Table") -> None:
        super().draw(picture, table)
        say_no_die(picture, table)

    def rolls(self, table: "Table") -> "MenuItems":
        yield self.roll("coin", luck.COIN)
        for flips in range(2, luck.FLIPS + 1):
            yield self.roll("flips_%d" % flips, luck.COIN, flips)
        yield self.roll("flips_until", luck.COIN, luck.UNTIL)
        if table.die:
            yield self.roll("die", luck.D6)


class LuckStarts(Purpose):
    """Who decides the initiative in X-Wing."""

    name, word = "luck_starts", "for_starts_word"
    purpose = luck.INITIATIVE

    def draw(self, picture: "Picture", table: "Table") -> None:
        super().draw(picture, table)
        picture.say("note", "toss_note")


class LuckColours(LuckStarts):
    """Who chooses the colours of a mirror match."""

    name, word = "luck_colours", "for_colours_word"
    purpose = luck.COLOURS


class LuckCombat(Purpose):
    """X-Wing's combat dice."""

    name, word = "luck_combat", "for_combat_word"
    purpose = luck.COMBAT

    def rolls(self, table: "Table") -> "MenuItems":
        yield self.roll("attack", luck.ATTACK)
        yield self.roll("defence", luck.DEFENCE)


class ConsentAsked(Screen):
    """Both players let the board decide, once a match."""

    name = "consent"
    strip = DARK
    stays_in = ANY

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("roll_word")
        picture.say("over", "consent_ask")
        if not table.consent_a:
            picture.say("one", "name_a")
        if not table.consent_b:
            picture.say("three", "name_b")

    def keys(self, table: "Table") -> "ScreenKeys":
        if not table.consent_a:
            yield Key(HOLD_A, "consent_key", Consent, 0)
        if not table.consent_b:
            yield Key(HOLD_B, "consent_key_b", Consent, 1)
        if table.consent_a:
            yield Key(PRESS_A, "back_key", goes=HOME)
        if table.consent_b:
            yield Key(PRESS_B, "back_key", goes=HOME)


class NoLuck(Screen):
    """The chip's generator of random numbers failed its test."""

    name = "no_luck"
    strip = DARK
    stays_in = ANY

    def stays(self, table: "Table") -> bool:
        return table.ill

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("roll_word")
        picture.say("one", "ill_1")
        picture.say("two", "ill_2")
        picture.say("three", "ill_3")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "back_key", goes=HOME)
        yield Key(PRESS_B, "back_key", goes=HOME)


class Rolls(Screen):
    """The match's rolls so far."""

    name = "rolls"
    strip = DARK
    stays_in = ANY

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("rolls_word")
        picture.say("one", "undo_1")
        picture.say("two", "undo_2")
        picture.say("three", "undo_3")
        picture.say("four", "undo_4")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "older_key", Recall, ROLLS, 1)
        yield Key(PRESS_B, "back_key", goes=HOME)


SCREENS = (
    Luck, LuckFirst, LuckCard, LuckStarts, LuckColours, LuckCombat, ConsentAsked, NoLuck, Rolls,
)  # fmt: skip
