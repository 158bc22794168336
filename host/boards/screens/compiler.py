"""Compiles ``firmware/ui/screens/*.txt``: each screen to a few bytes that the board reads lazily.

A screen: u16 the phases it may stay in, u8 fill, strip, foot, panel, marks (colour + 1, 0 none;
marks + 128: it does not close by itself), u8 clock and its colour, u8 labels, u8 items, u8 keys,
the facts while it may stay; then
label  u16 text, u8 place, colour (128: on a patch), facts
item   u16 text, action, facts
key    u16 text (0 none), u8 gesture, action, facts
action u8 intent (0 none, 247 leave: a judge does, 248 do: what was asked, 249 ask: choose, but of
       an act go to the screen first, 250 code, 251 recall, 252 step: side a by b, 253 again: what
       the other seat told, 254 next, 255 choose; a is added to the item's or the other seat's), a,
       b (253 the extension proposed, 254 entered: b and c are the numbers that were; of a judge's
       ruling 252 the games won, of an extension 251, 252 c minutes more, less), c,
       u8 screen to go to + 1 (0 stay, 255 home)
facts  u8 how many, then each u8 bit (128: must not hold)
The first row of the section: u8 screens, u8 home lines, u16 offsets of screens; then home lines of
u8 phase (255 any), u8 screen (128: takes over), facts.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from firmware.core import intents
from host.boards.screens.numbers import constants, facts
from host.boards.screens.theme import INKS, Theme
from host.boards.screens.words import UI, SourceError, lines, number_of

PHASES = (
    "IDLE",
    "SEATED",
    "PREGAME",
    "PLAYING",
    "FROZEN",
    "TIME",
    "OVERTIME",
    "FINISHING",
    "RESOLVING",
    "PLAY_ON",
    "TIEBREAKER",
    "PROPOSED",
    "AGREED",
    "DRAFT_IDLE",
    "DRAFT_LAYING",
    "DRAFT_REVIEW",
    "DRAFT_PICKING",
    "DRAFT_DRAWN",
    "DRAFT_BUILDING",
    "DRAFT_OVER",
)
CLOCKS = ("none", "left", "start", "table", "turn", "face", "count", "entry", "waited")
KEYS = ("▲", "●", "J")
GESTURES = {"press": 1, "hold": 2}
BOTH = 3 * 4
STAYS = 16  # phases in which a screen that somebody went to may stay
HOME = 255
_FACE = constants(UI / "face.py")
_HAND = constants(UI / "hand.py")
SPECIAL = {
    "entered": _FACE["_ENTERED"],
    "proposed": _FACE["_PROPOSED"],
    "score": _HAND["_SCORE"],
    "more": _HAND["_MORE"],
    "less": _HAND["_LESS"],
}  # for b: what stands on the board
WORDS = {"code": _FACE["_CODE"], "recall": _FACE["RECALL"], "step": _FACE["_STEP"],
         "again": _FACE["AGAIN"], "next": _FACE["_NEXT"], "choose": _FACE["_CHOOSE"],
         "ask": _FACE["_ASK"], "do": _FACE["_DO"], "leave": _FACE["LEAVE"]}  # fmt: skip
ASKED = {name: number for name, number in vars(intents).items() if name.isupper()}
NOT, ON, TAKES_OVER, LASTS = 128, 128, 128, 128
PARTS = (
    "every",
    "home",
    "rolled",
    "roll_title",
    "contested",
    "contested_turn",
    "coin",
    "toss",
    "counted",
)  # files of lines that are no screen
PLAIN = ("fill", "strip", "foot", "panel", "marks")
USAGE = {  # what a screen may say; a FACT begins with ! where it must not hold
    **{kind: f"{kind} COLOUR" for kind in PLAIN},
    "digits": "digits CLOCK COLOUR",
    "stay": "stay any|PHASE… [? FACT…]",
    "lasts": "lasts",
    "with": "with PART",
    "label": "label PLACE TEXT COLOUR [on] [? FACT…]",
    "item": "item TEXT [INTENT NUMBER…] [-> SCREEN|home] [? FACT…]",
    "key": (
        "key ▲|●|J press|hold TEXT|- [INTENT NUMBER…] [-> SCREEN|home] [? FACT…], or key both"
        " hold …"
    ),
}


def names() -> list[str]:
    """Return the screens' names in the order of their numbers."""
    return sorted(p.stem for p in (UI / "screens").glob("*.txt") if p.stem not in PARTS)


@dataclass
class _Screen:
    """What the lines of one screen come to; numbers of colours are from 1 on, 0 none."""

    colours: dict[str, int] = field(default_factory=dict)  # by the words of PLAIN
    clock: tuple[int, int] = (0, 0)  # its number, its colour
    stay: int = 0  # a bit a phase
    lasts: int = 0  # LASTS where it does not close by itself
    condition: bytes = b"\0"  # the facts while it may stay
    rows: dict[str, list[bytes]] = field(
        default_factory=lambda: {kind: [] for kind in ("label", "item", "key")}
    )

    def packed(self) -> bytes:
        return b"".join(
            (
                struct.pack("<H", self.stay),
                bytes(self.colours.get(kind, 0) for kind in PLAIN[:-1]),
                bytes((self.colours.get(PLAIN[-1], 0) | self.lasts,)),
                bytes(self.clock),
                bytes(map(len, self.rows.values())),
                self.condition,
                *(row for rows in self.rows.values() for row in rows),
            )
        )


class Compiler:
    """Compiles all screens against a theme and the texts' names."""

    def __init__(self, theme: Theme, text_names: Sequence[str]):
        self._colours, self._places = list(theme.colours), theme.places
        self._texts, self._facts, self.screens = text_names, facts(), names()

    def section(self) -> bytes:
        """Return the whole section of screens as bytes."""
        bodies = [self._screen(name) for name in self.screens]
        home = [self._home(where, words) for where, words in lines(UI / "screens" / "home.txt")]
        at, offsets = 2 + 2 * len(bodies) + sum(map(len, home)) + 2, []
        for body in bodies:
            offsets.append(at)
            at += len(body)
        head = bytes((len(bodies), len(home))) + struct.pack(f"<{len(bodies) + 1}H", *offsets, at)
        return head + b"".join(home) + b"".join(bodies)

    def _home(self, where, words):
        phase = HOME if words[0] == "any" else number_of(where, "phase", words[0], PHASES)
        over = TAKES_OVER if words[1] == "!" else 0
        words, wanted = self._split(where, words[1 + (over > 0) :])
        return bytes((phase, number_of(where, "screen", words[0], self.screens) | over)) + wanted

    def _screen(self, name):
        made = _Screen()
        for source in (name, "every"):
            self._lines(source, made)
        return made.packed()

    def _lines(self, source, made: _Screen):
        for where, (kind, *words) in lines(UI / "screens" / f"{source}.txt"):
            try:
                self._line(where, kind, words, made)
            except (TypeError, IndexError):
                article = "an" if kind == "item" else "a"
                usage = f"{article} {kind} line is: {USAGE[kind]}"
                raise SourceError(f"{where}: {usage}") from None

    def _line(self, where, kind, words, made: _Screen):
        words, wanted = self._split(where, words)
        if kind in PLAIN:
            made.colours[kind] = 1 + self._colour(where, words[0])
        elif kind == "stay":
            made.condition, every = wanted, words == ["any"]
            made.stay = sum(
                1 << number_of(where, "phase", x, PHASES)
                for x in (PHASES[:STAYS] if every else words)
            )
        elif kind == "lasts":
            made.lasts = LASTS
        elif kind == "with":
            number_of(where, "part", words[0], PARTS)
            self._lines(words[0], made)
        elif kind == "digits":
            made.clock = (
                number_of(where, "clock", words[0], CLOCKS),
                self._colour(where, words[1]),
            )
        elif kind in made.rows:
            row = {"label": self._label, "item": self._item, "key": self._key}[kind]
            made.rows[kind].append(row(where, *words) + wanted)
        else:
            number_of(where, "line", kind, USAGE)

    def _label(self, where, place, text, colour, on=""):
        patch = ON if on == "on" else 0
        place, ink = number_of(where, "place", place, self._places), self._colour(where, colour)
        if ink >= INKS:
            raise SourceError(f"{where}: a text is never {colour}")
        return self._text(where, text) + bytes((place, ink | patch))

    def _item(self, where, text, *action):
        return self._text(where, text) + self._action(where, action)

    def _key(self, where, key, kind, text, *action):
        gesture = BOTH
        if key != "both":
            number_of(where, "gesture", kind, GESTURES)
            gesture = GESTURES[kind] * 4 + number_of(where, "key", key, KEYS)
        shown = bytes(2) if text == "-" else self._text(where, text)
        return shown + bytes((gesture,)) + self._action(where, action)

    def _action(self, where, words):
        words, goes = list(words), 0
        if "->" in words:
            at = words.index("->")
            if words[at + 2 :]:
                raise IndexError  # the screen to go to is the last word
            goes, words = self._goal(where, words[at + 1]), words[:at]
        known = WORDS | ASKED
        if words:
            number_of(where, "intent", words[0], known)
        numbers = [self._number(where, word) for word in words[1:]]
        return bytes([known[words[0]] if words else 0] + (numbers + [0, 0, 0])[:3] + [goes])

    def _number(self, where, word):
        if word in SPECIAL or word.isdecimal() and int(word) < 256:
            return SPECIAL[word] if word in SPECIAL else int(word)
        raise SourceError(f"{where}: {word!r} is neither 0 to 255 nor {' nor '.join(SPECIAL)}")

    def _goal(self, where, name):
        return HOME if name == "home" else 1 + number_of(where, "screen", name, self.screens)

    def _text(self, where, name):
        return struct.pack("<H", number_of(where, "text", name, self._texts))

    def _colour(self, where, name):
        return number_of(where, "colour", name, self._colours)

    def _split(self, where, words):
        at = words.index("?") if "?" in words else len(words)
        bits = [
            number_of(where, "fact", x.lstrip("!"), self._facts) | (NOT if x[0] == "!" else 0)
            for x in words[at + 1 :]
        ]
        return words[:at], bytes([len(bits)] + bits)
