"""Screens before the round: the seats, the ships, the minutes until the start."""

from firmware.core.acts import SWAP
from firmware.core.intents import PlaceObstacle
from firmware.ui.colours import BLUE, GREY, SKY, YELLOW
from firmware.ui.gestures import HOLD, PRESS, PRESS_A
from firmware.ui.screen import SEAT, Key, Picture, Screen, sides
from firmware.ui.screens.parts import here_keys
from firmware.ui.table import Table


def ready_keys(table: Table) -> list[Key]:
    """Return what there is to do once both are here: ships' obstacles are placed in turn, coins and
    dice are one key away. While there is something to flip for, ▲ has the label of that way.
    """
    if not table.both_here:
        return []
    to_luck = [Key(PRESS_A, "luck_key", goes="luck")] if table.can_roll else []
    placing = sides(HOLD, "placed_key", PlaceObstacle, SEAT, seats=table.placing, alike=True)
    if table.unplaced:  # who has the initiative?
        placing = sides(HOLD, "has_key", PlaceObstacle, SEAT, alike=True)
    tossing = table.unplaced and (table.level or table.mirror)
    return to_luck + placing if tossing else placing + to_luck


def say_obstacle(picture: Picture, table: Table) -> None:
    """Say who places the next obstacle, as far as the board has been told."""
    if table.placing:
        picture.say("three", "place_a" if table.placing == 1 else "place_b")
    elif table.unplaced and table.both_here:
        picture.say("three", "place_ask", YELLOW)
    else:
        picture.say("three", "xw_setup_line_2", YELLOW)


def say_tosses(picture: Picture, table: Table) -> None:
    """Say of a mirror match who chooses the colours."""
    if table.mirror:
        picture.tag("mirror_tag")
    if table.picking:
        picture.tag("picks_a" if table.picking == 1 else "picks_b")


class Seated(Screen):
    """Who sits where; each says so with their own key, or both change places."""

    strip = BLUE
    done = "seated_done"

    def draw(self, picture, table):
        picture.say("over", "ready_a" if table.match.present & 1 else "name_a")
        picture.say("one", "ready_b" if table.match.present & 2 else "name_b")
        if table.team:
            picture.say("two", "team_order", YELLOW)
        if table.joint_turns:
            say_obstacle(picture, table)
        picture.say("note", self.done if table.both_here else "seated_ask", GREY)

    def keys(self, table):
        return here_keys(table) + here_keys(table, PRESS, SWAP) + ready_keys(table)


class Initiative(Screen):
    """An X-Wing table whose squads are known, before the ships are set up: who decides what."""

    name, title = "initiative", "xw_setup_word"
    says = (("over", "squads"),)
    strip = BLUE

    def draw(self, picture, table):
        say_tosses(picture, table)
        if table.decided:
            picture.say("one", "decides")
        if table.level:
            picture.say("one", "flip_now", YELLOW)
        if table.mirror:
            picture.say("two", "mirror_note", YELLOW)
        say_obstacle(picture, table)
        if not (table.mirror and table.unplaced):
            picture.say("note", "dice_note", GREY)

    def keys(self, table):
        return ready_keys(table)


class Pregame(Screen):
    """The minutes before the round."""

    name, title = "pregame", "pregame_word"
    says = (("left", "name_a"), ("right", "name_b"))
    strip = foot = BLUE
    digits, ink = "start", SKY

    def keys(self, table):
        return here_keys(table) + ready_keys(table)


class PregameShips(Pregame):
    """The same in X-Wing: who decides the initiative, and in the last minute to wait for GO."""

    name, title = "pregame_ships", "xw_setup_word"
    says = (("under", "xw_setup_note"),)

    def draw(self, picture, table):
        say_tosses(picture, table)
        if table.last:
            return
        if table.placing:
            picture.say("under", "place_a" if table.placing == 1 else "place_b")
        elif table.decided:
            picture.say("under", "squads_decide")
        elif table.level:
            picture.say("under", "squads_level", YELLOW)


ROWS = (
    Seated("seated", "seated_word"),
    Seated("setup", "xw_setup_word", done="dice_note"),  # X-Wing's players set up their ships
)
