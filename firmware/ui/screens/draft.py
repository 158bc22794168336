"""Screens of a draft that this board conducts (``core/draft.py``)."""

from firmware.core import draft
from firmware.core.intents import Conduct
from firmware.ui.colours import PURPLE, YELLOW
from firmware.ui.screen import HOLD_A, PRESS_A, PRESS_B, Key, Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Picture, ScreenKeys, Table


def halt_key(table: "Table") -> Key:
    """Return the key that halts the draft, or lets it go on."""
    if table.halted:
        return Key(PRESS_B, "resume_key", Conduct, draft.RESUMED, 0, 0)
    return Key(PRESS_B, "halt_key", Conduct, draft.HALTED, 0, 0)


class DraftLay(Screen):
    """The next packs are opened: how many cards."""

    name = "draft_lay"
    strip = PURPLE
    digits = "entry"
    enters = True

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("draft_word")
        picture.say("over", "draft_booster" if table.booster else "draft_pack")
        picture.say("score", "draft_cards")
        if not table.booster:
            picture.say("two", "draft_active")
        picture.say("three", "draft_count", YELLOW)

    def keys(self, table: "Table") -> "ScreenKeys":
        entry = table.entry
        yield Key(PRESS_A, "ones_key", entry.add_one, 0)
        yield Key(PRESS_B, "draft_tens", entry.add_ten, 0)
        yield Key(HOLD_A, "ones_key", Conduct, draft.OPENED, *entry.numbers)


class DraftReview(Screen):
    """The cards are looked at."""

    name = "draft_review"
    strip = foot = PURPLE
    digits = "start"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("review_word")
        if table.halted:
            picture.say("under", "draft_halted", YELLOW)
        else:
            picture.say("under", "draft_active")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield halt_key(table)


class DraftPick(Screen):
    """Whose pick it is, and its last seconds."""

    name = "draft_pick"
    strip = foot = PURPLE
    digits = "turn"
    marks = YELLOW

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("pick_word")
        picture.say("side", "seat_side")
        if table.halted:
            picture.say("under", "draft_halted", YELLOW)
        elif table.missed:
            picture.say("under", "draft_missed", YELLOW)
        else:
            picture.say("under", "draft_pick")

    def keys(self, table: "Table") -> "ScreenKeys":
        if not table.halted:
            yield Key(PRESS_A, "taken_key", Conduct, draft.TAKEN, 0, 0)
        if table.taken:
            yield Key(HOLD_A, "taken_key", Conduct, draft.UNTAKEN, 0, 0)
        yield halt_key(table)


class DraftPass(Screen):
    """All take one card and pass the rest on."""

    name = "draft_pass"
    strip = foot = PURPLE

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("pass_word")
        picture.say("big", "pass_left" if table.passes_left else "pass_right")
        picture.say("two", "draft_pick")
        picture.say("three", "pass_note")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(PRESS_A, "taken_all", Conduct, draft.TAKEN, 0, 0)
        if table.taken:
            yield Key(HOLD_A, "taken_all", Conduct, draft.UNTAKEN, 0, 0)


class DraftDrawn(Screen):
    """All cards are taken."""

    name = "draft_drawn"
    strip = PURPLE

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("draft_word")
        picture.say("over", "drawn_line")
        picture.say("two", "drawn_line_2")

    def keys(self, table: "Table") -> "ScreenKeys":
        yield Key(HOLD_A, "built_key", Conduct, draft.BUILT, 0, 0)


class DraftBuild(Screen):
    """Decks are built."""

    name = "draft_build"
    strip = foot = PURPLE
    digits = "start"

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("build_word")
        picture.say("under", "build_note")


class DraftOver(Screen):
    """The draft is over, or the time to build decks."""

    name = "draft_over"
    strip = PURPLE

    def draw(self, picture: "Picture", table: "Table") -> None:
        picture.title("build_word" if table.built else "draft_word")
        picture.say("over", "built_line" if table.built else "over_line")
        picture.say("two", "idle_note")


SCREENS = (
    DraftLay, DraftReview, DraftPick, DraftPass, DraftDrawn, DraftBuild, DraftOver,
)  # fmt: skip
