"""The fields of a system's table that are tables themselves: trees, points, policy, overtime.

``read_`` takes a TOML value and its place and returns the literal's; ``write_`` goes back.
"""

from host.systems import value_checks
from host.systems import vocabulary as words

_GAMES = 3
_NOWHERE = "---0"
_TIEBREAKERS = ("level", "halted")  # a Tiebreaker Game goes on where nothing is said


def read_overtime(value, place):
    """Return ``((turns, clock_s), ...)`` of an array of tables ``{turns, clock_s}``."""
    value_checks.need(value_checks.listing(value, place), place, "must hold at least one option")
    value_checks.need(len(value) <= 8, place, "may hold at most 8 options")
    options = []
    for i, one in enumerate(value):
        where = f"{place}[{i}]"
        value_checks.table(one, where, ("turns", "clock_s"), ("turns",))
        turns = value_checks.whole(one["turns"], where + ".turns", 0, 14)
        options.append(
            (turns, value_checks.whole(one.get("clock_s", 0), where + ".clock_s", 0, 7200))
        )
    return tuple(options)


def write_overtime(options):
    """Return the array of tables for a literal's OVERTIME."""
    return [{"turns": turns, "clock_s": clock_s} for turns, clock_s in options]


def read_points(value, place):
    """Return a row of four bytes a tree, 255 for what the text leaves open; a fifth where games count."""
    value_checks.table(value, place, words.TREES[:4])
    rows = []
    for name in words.TREES[: 1 + max((words.TREES.index(key) for key in value), default=-1)]:
        one = value_checks.table(
            value.get(name, {}), f"{place}.{name}", (*words.WORTH, words.BY_GAME)
        )
        worth = [
            value_checks.whole(one.get(w, words.UNKNOWN), f"{place}.{name}.{w}", 0, 255)
            for w in words.WORTH
        ]
        if words.BY_GAME in one:
            worth.append(
                value_checks.whole(one[words.BY_GAME], f"{place}.{name}.{words.BY_GAME}", 0, 20)
            )
        rows.append(bytes(worth))
    return tuple(rows)


def write_points(rows):
    """Return the table of known points by tree."""
    found = {}
    for name, row in zip(words.TREES, rows, strict=False):
        told = zip((*words.WORTH, words.BY_GAME), row, strict=False)
        found[name] = {w: n for w, n in told if n != words.UNKNOWN}
    return found


_SAID = ("allowed", "switch_off", "no_consent", "official")


def read_policy(value, place):
    """Return ``(rows, section otherwise)`` as ``firmware.core.policy`` reads it."""
    value_checks.table(value, place, ("rows", "otherwise"), ("rows",))
    rows = []
    for i, one in enumerate(value_checks.listing(value["rows"], place + ".rows")):
        where = f"{place}.rows[{i}]"
        value_checks.table(
            one,
            where,
            ("randomizers", "purposes", "needs", *_SAID),
            ("randomizers", "purposes", "needs"),
        )
        lists = (("randomizers", words.RANDOMIZERS), ("purposes", words.PURPOSES))
        bits = [
            sum(1 << n for n in value_checks.choices(one[key], f"{where}.{key}", table))
            for key, table in lists
        ]
        needs = sum(value_checks.choices(one["needs"], where + ".needs", words.NEEDS))
        said = [value_checks.text(one.get(key, ""), f"{where}.{key}") for key in _SAID]
        rows.append((*bits, needs, *said))
    return tuple(rows), value_checks.text(value.get("otherwise", ""), place + ".otherwise")


def write_policy(value):
    """Return the table for a literal's POLICY."""
    rows = [
        {
            "randomizers": words.places_of(words.RANDOMIZERS, row[0]),
            "purposes": words.places_of(words.PURPOSES, row[1]),
            "needs": words.words_of(words.NEEDS, row[2]),
            **dict(zip(_SAID, row[3:], strict=True)),
        }
        for row in value[0]
    ]
    return {"rows": rows, "otherwise": value[1]}


def read_trees(value, place, sections):
    """Return the trees as bytes: either one for ``all``, or the four of ``TREES`` and perhaps a team's."""
    names = (
        ("all",)
        if "all" in value_checks.table(value, place, ("all", *words.TREES))
        else words.TREES[:4]
    )
    value_checks.table(value, place, ("all",) if names == ("all",) else words.TREES, names)
    if "team" in value:
        names = words.TREES
    return tuple(_read_tree(value[name], f"{place}.{name}", sections) for name in names)


def _read_tree(value, place, sections):
    known = [word for word, _ in words.SITUATIONS]
    value_checks.table(value, place, known)
    cells = (
        _read_row(value[word], f"{place}.{word}", sections) if word in value else _NOWHERE
        for word in known
    )
    cells = [
        cell.replace("o", "-") if word in _TIEBREAKERS else cell
        for word, cell in zip(known, cells, strict=True)
    ]
    return " ".join(cells).encode("ascii")


def _read_row(value, place, sections):
    value_checks.table(value, place, ("games", "section"), ("games",))
    games = value["games"]
    games = (
        [games] * _GAMES
        if isinstance(games, str)
        else value_checks.listing(games, place + ".games", (_GAMES,))
    )
    letters = [value_checks.choice(word, place + ".games", words.VERDICTS) for word in games]
    section = value_checks.text(value.get("section", ""), place + ".section")
    value_checks.need(
        not section or section in sections, place + ".section", f"{section!r} is not among sections"
    )
    return "".join(letters) + chr(48 + (sections.index(section) + 1 if section else 0))


def write_trees(trees, sections):
    """Return the tables of situations for a literal's TREES."""
    names = ("all",) if len(trees) == 1 else words.TREES
    return {
        name: _write_tree(tree.decode(), sections) for name, tree in zip(names, trees, strict=False)
    }


def _write_tree(tree, sections):
    found = {}
    for (word, _), cell in zip(words.SITUATIONS, tree.split(" "), strict=True):
        if cell == _NOWHERE:
            continue
        games = [words.word_of(words.VERDICTS, letter) for letter in cell[:_GAMES]]
        number = ord(cell[_GAMES]) - 48
        found[word] = {"games": games[0] if len(set(games)) == 1 else games}
        if number:
            found[word]["section"] = sections[number - 1]
    return found
