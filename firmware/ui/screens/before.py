"""Screens before the round: the seats, the ships, the minutes until the start."""

from firmware.core.intents import ConfirmSeat, PlaceObstacle
from firmware.ui.colours import BLUE, GREY, SKY, WHITE, YELLOW
from firmware.ui.screen import HOLD_A, HOLD_B, PRESS_A, PRESS_B, Key, Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table

_CHANGE = 2  # as the seat: both change places


def here_keys(table: "Table") -> "ScreenKeys":
    """Yield how each seat says that it is taken."""
    if not table.present_a:
        yield Key(HOLD_A, "here_key", ConfirmSeat, 0)
    if not table.present_b:
        yield Key(HOLD_B, "here_key_b", ConfirmSeat, 1)


def luck_key(table: "Table") -> "ScreenKeys":
    """Yield the way to coins and dice, once both are here."""
    if table.present_a and table.present_b and table.lucky:
        yield Key(PRESS_A, "luck_key", goes="luck")


def ship_keys(table: "Table") -> "ScreenKeys":
    """Yield how obstacles are placed in turn, once both are here, and the way to coins and dice.

    While there is something to flip for, ▲ has the label of that way.
    """
    if not table.present_a or not table.present_b:
        return
    first, flips = Key(HOLD_A, "has_key", PlaceObstacle, 0), table.level or table.mirror
    if table.unplaced:
        if not flips:
            yield first
        yield Key(HOLD_B, "has_key", PlaceObstacle, 1)
    if table.places_a:
        yield Key(HOLD_A, "placed_key", PlaceObstacle, 0)
    if table.places_b:
        yield Key(HOLD_B, "placed_key", PlaceObstacle, 1)
    yield from luck_key(table)
    if table.unplaced and flips:
        yield first


def say_obstacle(picture: "Picture", table: "Table") -> None:
    """Say who places the next obstacle, as far as the board has been told."""
    if table.places_a:
        picture.say("three", "place_a")
    elif table.places_b:
        picture.say("three", "place_b")
    elif table.unplaced and table.present_a and table.present_b:
        picture.say("three", "place_ask", YELLOW)
    else:
        picture.say("three", "xw_setup_line_2", YELLOW)


def say_seats(picture: "Picture", table: "Table") -> None:
    """Say who sits where, and who is here."""
    picture.say("over", "ready_a" if table.present_a else "name_a")
    picture.say("one", "ready_b" if table.present_b else "name_b")


def say_tosses(picture: "Picture", table: "Table") -> None:
    """Say of a mirror match who chooses the colours, where nothing else must be said."""
    if table.called or table.unsynced or table.low:
        return
    if table.mirror:
        picture.say("tag_right", "mirror_tag", patched=True)
    if table.picks_a:
        picture.say("tag_right", "picks_a", patched=True)
    if table.picks_b:
        picture.say("tag_right", "picks_b", patched=True)


class Seated(Screen):
    """Who sits where; each says so with their own key, or both change places."""

    name = "seated"
    strip = BLUE

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("seated_word")
        say_seats(picture, table)
        if table.team:
            picture.say("two", "team_order", YELLOW)
        both = table.present_a and table.present_b
        picture.say("note", "seated_done" if both else "seated_ask", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from here_keys(table)
        if not table.present_a:
            yield Key(PRESS_A, "here_key", ConfirmSeat, _CHANGE)
        if not table.present_b:
            yield Key(PRESS_B, "here_key_b", ConfirmSeat, _CHANGE)
        yield from self.more(table)

    def more(self, table: "Table") -> "ScreenKeys":
        """Yield what the keys do once both are here."""
        return luck_key(table)


class Setup(Seated):
    """The same in X-Wing, whose players set up their ships meanwhile."""

    name = "setup"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("xw_setup_word")
        say_seats(picture, table)
        say_obstacle(picture, table)
        both = table.present_a and table.present_b
        picture.say("note", "dice_note" if both else "seated_ask", GREY)

    def more(self, table: "Table") -> "ScreenKeys":
        return ship_keys(table)


class Initiative(Screen):
    """An X-Wing table whose players sit and whose squads the desk has told: who decides what,
    before the ships are set up.
    """

    name = "initiative"
    strip = BLUE

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("xw_setup_word")
        say_tosses(picture, table)
        picture.say("over", "squads")
        if table.decided:
            picture.say("one", "decides")
        if table.level:
            picture.say("one", "flip_now", YELLOW)
        if table.mirror:
            picture.say("two", "mirror_note", YELLOW)
        say_obstacle(picture, table)
        if not (table.mirror and table.unplaced):
            picture.say("note", "dice_note", GREY)

    def keys(self, table: "Table") -> "ScreenKeys":
        return ship_keys(table)


class Pregame(Screen):
    """The minutes before the round."""

    name = "pregame"
    strip = foot = BLUE
    digits, ink = "start", SKY

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("pregame_word")
        picture.say("left", "name_a")
        picture.say("right", "name_b")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield from here_keys(table)
        yield from self.more(table)

    def more(self, table: "Table") -> "ScreenKeys":
        """Yield what the keys do once both are here."""
        return luck_key(table)


class PregameShips(Pregame):
    """The same in X-Wing: who decides the initiative, and in the last minute to wait for GO."""

    name = "pregame_ships"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("xw_setup_word")
        picture.say("under", *self._first(table))
        say_tosses(picture, table)

    def more(self, table: "Table") -> "ScreenKeys":
        return ship_keys(table)

    def _first(self, table):
        """Return what is to be said first, and its colour."""
        if table.last:
            return "xw_setup_note", WHITE
        if table.places_a:
            return "place_a", WHITE
        if table.places_b:
            return "place_b", WHITE
        if table.decided:
            return "squads_decide", WHITE
        return ("squads_level", YELLOW) if table.level else ("xw_setup_note", WHITE)


SCREENS = (Seated, Setup, Initiative, Pregame, PregameShips)
