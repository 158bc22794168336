"""The fields of a system's table, with their conversion from TOML.

In TOML a field has its name in lower case, or its ``word``.
"""

import hashlib
from collections.abc import Callable, Collection
from typing import NamedTuple, TypeAlias

from firmware.core import acts
from host.systems import outcomes, parts, value_checks
from host.systems import vocabulary as words
from host.systems.rules import OwnRules, Policy, Rules
from host.systems.value_checks import Toml, Words

Value: TypeAlias = (
    bool | int | str | bytes | Policy | tuple[int | str | bytes | tuple[int, int], ...]
)
"""The value of a field in the table."""
Reader: TypeAlias = Callable[[Toml, str, OwnRules], Value]
"""``(TOML value, place, table so far)`` → value in the table; raises ValueError with the place."""


class Field(NamedTuple):
    """A field: its name in the table, and the function that reads it from TOML."""

    name: str
    read: Reader
    word: str = ""

    @property
    def key(self) -> str:
        """Its key in TOML."""
        return self.word or self.name.lower()


BUILT_IN_NUMBERS = (0, 15)
OWN_NUMBERS = (16, 255)  # of organisers' systems
MOST_SECTIONS = 40
LONGEST_MIN = 999


def _whole(least: int, most: int) -> Reader:
    return lambda value, place, _: value_checks.whole(value, place, least, most)


def _pregame(value: Toml, place: str, _) -> int:
    """Return the seconds before a game; ``UNTIMED_S``: untimed, from the pairing on."""
    if value == words.FROM_PAIRING:
        return acts.UNTIMED_S
    return value_checks.whole(value, place, 0, acts.UNTIMED_S)


def _sections(value: Toml, place: str, _) -> tuple[str, ...]:
    sections = tuple(value_checks.text(item, place) for item in value_checks.listing(value, place))
    value_checks.need(all(sections), place, "holds an empty text")
    value_checks.need(
        len(sections) <= MOST_SECTIONS, place, f"may hold at most {MOST_SECTIONS} texts"
    )
    value_checks.need(len(set(sections)) == len(sections), place, "names something twice")
    return sections


def _numbers(sizes: Collection[int], least: int, most: int) -> Reader:
    def read(value: Toml, place: str, _) -> tuple[int, ...]:
        items = value_checks.listing(value, place, sizes)
        return tuple(
            value_checks.whole(item, f"{place}[{i}]", least, most) for i, item in enumerate(items)
        )

    return read


_SLACK_MINUTES = ("shorter", "longer")


def _slack(value: Toml, place: str, _) -> tuple[int, int, str, bool]:
    keys = (*_SLACK_MINUTES, "section", "firm")
    slack = value_checks.table(value, place, keys, _SLACK_MINUTES)

    def minutes(key: str) -> int:
        if slack[key] == words.ANY:
            return LONGEST_MIN
        return value_checks.whole(slack[key], f"{place}.{key}", 0, LONGEST_MIN)

    shorter, longer = map(minutes, _SLACK_MINUTES)
    firm = value_checks.truth(slack.get("firm", False), f"{place}.firm")
    return shorter, longer, value_checks.text(slack.get("section", ""), f"{place}.section"), firm


def _seats(value: Toml, place: str, _) -> bytes:
    sides = [
        value_checks.choice(side, place, words.SIDES)
        for side in value_checks.listing(value, place, (0, 2, 4))
    ]
    value_checks.need(
        sides[:2] in ([], [0, 1]), place, "two players sit as the first two seats do: A, then B"
    )
    return bytes(sides)


_GAMES = ("game_1", "after_a_win", "after_a_draw")


def _first(value: Toml, place: str, _) -> str:
    if value == {}:
        return ""
    games = value_checks.table(value, place, _GAMES, _GAMES)
    first, after_win, after_draw = (
        value_checks.choice(games[key], f"{place}.{key}", words.FIRST) for key in _GAMES
    )
    value_checks.need(
        first not in "ldo", f"{place}.game_1", "before the first game nobody has lost or chosen"
    )
    value_checks.need(after_draw != "l", f"{place}.after_a_draw", "a draw has no loser")
    return first + after_win + after_draw


def _bits(table: Words[int]) -> Reader:
    return lambda value, place, _: sum(value_checks.choices(value, place, table))


def _plays(value: Toml, place: str, _) -> bytes:
    return bytes(value_checks.choices(value, place, words.PLAYS))


def _read(reader: Callable[[Toml, str], Value]) -> Reader:
    """Return a Reader for a field that does not depend on others."""
    return lambda value, place, _: reader(value, place)


FIELDS = (
    Field("NUMBER", _whole(0, 255)),
    Field("SECTIONS", _sections),
    Field("PREGAME_S", _pregame),
    Field("MINUTES", _numbers((4, 6), 1, LONGEST_MIN)),
    Field("SLACK", _slack),
    Field("OVERTIME", _read(parts.read_overtime)),
    Field("AFTER", lambda value, place, _: value_checks.choice(value, place, words.AFTER)),
    Field("SEATS", _seats),
    Field("CARDS", _numbers((0, 2, 4), 1, 60)),
    Field("FIRST_PRIZE", _whole(0, 60)),
    Field("FIRST", _first),
    Field("CAPS", _numbers((0, 4), 1, 999)),
    Field("ASKED", _bits(words.ASKED)),
    Field("LOSES_IF_LATE", _read(value_checks.truth), "late"),
    Field("POINTS", _read(parts.read_points)),
    Field("LEAD", _whole(0, 999)),
    Field("POLICY", _read(parts.read_policy)),
    Field("PLAYS", _plays),
    Field("TREES", lambda value, place, rules: parts.read_trees(value, place, rules.SECTIONS)),
)
NAMES = tuple(field.name for field in FIELDS)
KEYS = tuple(field.key for field in FIELDS)
HOST_ONLY = ("MINUTES", "SLACK")  # a board gets its round's minutes with the format


def read(data: dict[str, Toml], rules: OwnRules, stored: bool = False) -> OwnRules:
    """Read a whole system's TOML ``data`` into ``rules``; return it. Raises ValueError.

    ``stored``: outcomes may be missing, because the event began before they were required.
    """
    for field in FIELDS:
        setattr(rules, field.name, field.read(data[field.key], field.key, rules))
    _check_agreement(rules)
    fault = None if stored else next(outcomes.faults(rules), None)
    if fault is not None:
        place, sentence = fault
        raise ValueError(f"{place}: {sentence}")
    return rules


def number_of(rules: Rules) -> int:
    """Return a table's number in FORMAT_SET, a hash of all fields that boards load.

    So a board with another version of the table refuses the format.
    """
    first, last = OWN_NUMBERS
    hashed = [name for name in NAMES if name not in HOST_ONLY and name != "NUMBER"]
    content = repr([getattr(rules, name) for name in hashed])
    digest = hashlib.sha256(content.encode()).digest()
    return first + int.from_bytes(digest[:4], "little") % (last - first + 1)


# cells of a tree, the field that they depend on, and the play it must contain (None: anything)
_DEMANDS = (
    ("pdqPDQ", "CARDS", None, "the trees compare prizes, so it cannot be empty"),
    ("pdqPDQ", "PLAYS", "count_prizes", "the trees compare prizes, so count_prizes is needed"),
    ("gG", "FIRST_PRIZE", None, "the trees know a Tiebreaker Game, so it cannot be 0"),
    ("s", "CAPS", None, "the trees compare scores, so it cannot be empty"),
    ("s", "PLAYS", "count_destroyed", "the trees compare scores, so count_destroyed is needed"),
)


def _check_agreement(rules: Rules) -> None:
    """Raise ValueError if two fields contradict each other."""
    letters = {chr(cell) for tree in rules.TREES for cell in tree}
    plays = {words.word_of(words.PLAYS, play) for play in rules.PLAYS}
    for cells, name, play, sentence in _DEMANDS:
        present = play in plays if play else bool(getattr(rules, name))
        if letters & set(cells):
            value_checks.need(present, name.lower(), sentence)
    if rules.LEAD:
        value_checks.need(bool(rules.CAPS), "lead", "counts squad points, and caps is empty")
    if len(rules.TREES) == len(words.TREES):  # one of teams
        value_checks.need(len(rules.SEATS) == 4, "trees.team", "needs four seats")
