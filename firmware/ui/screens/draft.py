"""Screens of a draft that this board conducts (``core/draft.py``)."""

from firmware.core import draft
from firmware.core.intents import Conduct
from firmware.ui.colours import PURPLE, YELLOW
from firmware.ui.gestures import HOLD_A, PRESS_A, PRESS_B
from firmware.ui.screen import Key, Screen
from firmware.ui.table import Table


def conduct(gesture: int, label: str, step: int, first: int = 0, second: int = 0) -> Key:
    """Return the key by which the draft takes a step."""
    return Key(gesture, label, Conduct, step, first, second)


def halt_key(table: Table) -> Key:
    """Return the key that halts the draft, or lets it go on."""
    if table.halted:
        return conduct(PRESS_B, "resume_key", draft.RESUMED)
    return conduct(PRESS_B, "halt_key", draft.HALTED)


class Drafting(Screen):
    """A screen of a draft."""

    strip = foot = PURPLE


class DraftLay(Drafting):
    """The next packs are opened: how many cards."""

    name, title = "draft_lay", "draft_word"
    says = (("score", "draft_cards"), ("three", "draft_count", YELLOW))
    foot = None
    digits = "entry"
    enters = True

    def draw(self, picture, table):
        picture.say("over", "draft_booster" if table.booster else "draft_pack")
        if not table.booster:
            picture.say("two", "draft_active")

    def keys(self, table):
        entry = table.entry
        yield Key(PRESS_A, "ones_key", entry.add_one, 0)
        yield Key(PRESS_B, "draft_tens", entry.add_ten, 0)
        yield conduct(HOLD_A, "ones_key", draft.OPENED, *entry.numbers)


class DraftReview(Drafting):
    """The cards are looked at."""

    name, title = "draft_review", "review_word"
    says = (("under", "draft_active"),)
    digits = "start"

    def draw(self, picture, table):
        if table.halted:
            picture.say("under", "draft_halted", YELLOW)

    def keys(self, table):
        yield halt_key(table)


class DraftPick(Drafting):
    """Whose pick it is, and its last seconds."""

    name, title = "draft_pick", "pick_word"
    says = (("side", "seat_side"), ("under", "draft_pick"))
    digits = "turn"
    marks = YELLOW

    def draw(self, picture, table):
        if table.halted:
            picture.say("under", "draft_halted", YELLOW)
        elif table.pod.missed:
            picture.say("under", "draft_missed", YELLOW)

    def keys(self, table):
        if not table.halted:
            yield conduct(PRESS_A, "taken_key", draft.TAKEN)
        if table.taken:
            yield conduct(HOLD_A, "taken_key", draft.UNTAKEN)
        yield halt_key(table)


class DraftPass(Drafting):
    """All take one card and pass the rest on."""

    name, title = "draft_pass", "pass_word"
    says = (("two", "draft_pick"), ("three", "pass_note"))

    def draw(self, picture, table):
        picture.say("big", "pass_left" if table.pod.clockwise else "pass_right")

    def keys(self, table):
        yield conduct(PRESS_A, "taken_all", draft.TAKEN)
        if table.taken:
            yield conduct(HOLD_A, "taken_all", draft.UNTAKEN)


class DraftOver(Drafting):
    """The draft is over, or the time to build decks."""

    name = "draft_over"
    says = (("two", "idle_note"),)
    foot = None

    def draw(self, picture, table):
        picture.title("build_word" if table.pod.built else "draft_word")
        picture.say("over", "built_line" if table.pod.built else "over_line")


_DRAWN = (("over", "drawn_line"), ("two", "drawn_line_2"))  # all cards are taken
_BUILT = (conduct(HOLD_A, "built_key", draft.BUILT),)
ROWS = (
    Drafting("draft_drawn", "draft_word", *_DRAWN, answers=_BUILT, foot=None),
    Drafting("draft_build", "build_word", ("under", "build_note"), digits="start"),
)
