"""The structured fields of a system's table: trees, points, policy and overtime.

``read_…`` converts a TOML value to the table's; its ``place`` is for ValueError.
"""

from collections.abc import Sequence

from host.systems import value_checks
from host.systems import vocabulary as words
from host.systems.rules import Policy, PolicyRow
from host.systems.value_checks import Toml, Words

_GAMES = 3
_ALL = "all"  # one for every format of two players
_TWO_PLAYERS = words.TREES[:4]
_NEVER = words.number_of(words.VERDICTS, "none")
_NOWHERE = _NEVER * _GAMES + "0"
_TIEBREAKERS = ("level", "halted")  # here a Tiebreaker Game goes on by default


def read_overtime(value: Toml, place: str) -> tuple[tuple[int, int], ...]:
    """Return ``((turns, clock_s), …)`` from an array of tables ``{turns, clock_s}``."""
    listed = value_checks.listing(value, place)
    value_checks.need(bool(listed), place, "must hold at least one option")
    value_checks.need(len(listed) <= 8, place, "may hold at most 8 options")
    options = []
    for i, option in enumerate(listed):
        where = f"{place}[{i}]"
        option = value_checks.table(option, where, ("turns", "clock_s"), ("turns",))
        turns = value_checks.whole(option["turns"], f"{where}.turns", 0, 14)
        clock_s = value_checks.whole(option.get("clock_s", 0), f"{where}.clock_s", 0, 7200)
        options.append((turns, clock_s))
    return tuple(options)


def read_points(value: Toml, place: str) -> tuple[bytes, ...]:
    """Return four bytes of points per tree, 255 if undefined; with a fifth if games count. Trees
    after the last one with points are left out.
    """
    entries = value_checks.table(value, place, (_ALL, *_TWO_PLAYERS))
    if _ALL in entries:
        value_checks.table(value, place, (_ALL,))  # it stands alone
        return (_worth(entries[_ALL], f"{place}.{_ALL}"),) * len(_TWO_PLAYERS)
    rows = 1 + max((_TWO_PLAYERS.index(key) for key in entries), default=-1)
    return tuple(_worth(entries.get(name, {}), f"{place}.{name}") for name in _TWO_PLAYERS[:rows])


def _worth(value: Toml, place: str) -> bytes:
    entries = value_checks.table(value, place, (*words.WORTH, words.BY_GAME))
    worth = [
        value_checks.whole(entries.get(word, words.UNKNOWN), f"{place}.{word}", 0, 255)
        for word in words.WORTH
    ]
    if words.BY_GAME in entries:
        worth.append(value_checks.whole(entries[words.BY_GAME], f"{place}.{words.BY_GAME}", 0, 20))
    return bytes(worth)


_POLICY_SECTIONS = ("allowed", "switch_off", "no_consent", "official")


def read_policy(value: Toml, place: str) -> Policy:
    """Return ``(rows, section of everything else)`` for ``firmware.core.policy``."""
    entries = value_checks.table(value, place, ("rows", "otherwise"), ("rows",))
    rows = tuple(
        _read_policy_row(row, f"{place}.rows[{i}]")
        for i, row in enumerate(value_checks.listing(entries["rows"], place + ".rows"))
    )
    return rows, value_checks.text(entries.get("otherwise", ""), place + ".otherwise")


def _read_policy_row(value: Toml, place: str) -> PolicyRow:
    needed = ("randomizers", "purposes", "needs")
    entries = value_checks.table(value, place, (*needed, *_POLICY_SECTIONS), needed)

    def bits(key: str, table: Words[int]) -> int:
        positions = value_checks.choices(entries[key], f"{place}.{key}", table)
        return sum(1 << position for position in positions)

    def section(key: str) -> str:
        return value_checks.text(entries.get(key, ""), f"{place}.{key}")

    return (
        bits("randomizers", words.RANDOMIZERS),
        bits("purposes", words.PURPOSES),
        sum(value_checks.choices(entries["needs"], place + ".needs", words.NEEDS)),
        section("allowed"),
        section("switch_off"),
        section("no_consent"),
        section("official"),
    )


def read_trees(value: Toml, place: str, sections: Sequence[str]) -> tuple[bytes, ...]:
    """Return the trees as bytes: one for ``all``, or the four of ``TREES`` and perhaps ``team``."""
    entries = value_checks.table(value, place, (_ALL, *words.TREES))
    if _ALL in entries:
        names = (_ALL,)
        value_checks.table(value, place, names, names)  # no other beside it
    else:
        value_checks.table(value, place, words.TREES, _TWO_PLAYERS)
        names = words.TREES if "team" in entries else _TWO_PLAYERS
    return tuple(_read_tree(entries[name], f"{place}.{name}", sections) for name in names)


def _read_tree(value: Toml, place: str, sections: Sequence[str]) -> bytes:
    known = [word for word, _ in words.SITUATIONS]
    entries = value_checks.table(value, place, known)
    rows = []
    for word in known:
        row = _NOWHERE
        if word in entries:
            row = _read_row(entries[word], f"{place}.{word}", sections)
        if word in _TIEBREAKERS:
            row = row.replace("o", "-")  # "on" is what happens there without a verdict
        rows.append(row)
    return " ".join(rows).encode("ascii")


def _read_row(value: Toml, place: str, sections: Sequence[str]) -> str:
    """Return a row of a tree: a verdict for each game, and the section's number from "0" on."""
    entries = value_checks.table(value, place, ("games", "section"), ("games",))
    if isinstance(entries["games"], str):
        games = [entries["games"]] * _GAMES
    else:
        games = value_checks.listing(entries["games"], f"{place}.games", range(1, _GAMES + 1))
    letters = [value_checks.choice(word, f"{place}.games", words.VERDICTS) for word in games]
    section, number = value_checks.text(entries.get("section", ""), f"{place}.section"), 0
    if section:
        known = section in sections
        value_checks.need(known, f"{place}.section", f"{section!r} is not among sections")
        number = sections.index(section) + 1
    return "".join(letters).ljust(_GAMES, _NEVER) + chr(ord("0") + number)
