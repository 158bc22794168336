"""Every field of a system's table: how a TOML file says it, and how the table holds it.

``FIELDS`` is ``(name in the table, read, write)``; in TOML the name is in small letters. ``read``
takes (value, place, fields read so far), raises ValueError with the place; ``write`` goes back.
"""

import hashlib

from host.systems import outcomes, parts, value_checks
from host.systems import vocabulary as words

OWN_NUMBERS = (16, 255)  # below them are this project's
MOST_SECTIONS = 40
LONGEST_MIN = 999


def _whole(least, most):
    return lambda value, place, _: value_checks.whole(value, place, least, most)


def _sections(value, place, _):
    found = tuple(value_checks.text(one, place) for one in value_checks.listing(value, place))
    value_checks.need(all(found), place, "holds an empty text")
    value_checks.need(len(found) <= MOST_SECTIONS, place, f"may hold at most {MOST_SECTIONS} texts")
    value_checks.need(len(set(found)) == len(found), place, "names something twice")
    return found


def _numbers(sizes, least, most):
    def read(value, place, _):
        found = value_checks.listing(value, place, sizes)
        return tuple(
            value_checks.whole(one, f"{place}[{i}]", least, most) for i, one in enumerate(found)
        )

    return read


_WAYS = ("shorter", "longer")


def _slack(value, place, _):
    value_checks.table(value, place, (*_WAYS, "section", "firm"), _WAYS)
    minutes = (value_checks.whole(value[key], f"{place}.{key}", 0, LONGEST_MIN) for key in _WAYS)
    firm = value_checks.truth(value.get("firm", False), f"{place}.firm")
    return (*minutes, value_checks.text(value.get("section", ""), f"{place}.section"), firm)


def _seats(value, place, _):
    sides = [
        value_checks.choice(one, place, words.SIDES)
        for one in value_checks.listing(value, place, (0, 2, 4))
    ]
    value_checks.need(
        sides[:2] in ([], [0, 1]), place, "two players sit as the first two seats do: A, then B"
    )
    return bytes(sides)


_GAMES = ("game_1", "after_a_win", "after_a_draw")


def _first(value, place, _):
    if value == {}:
        return ""
    value_checks.table(value, place, _GAMES, _GAMES)
    found = "".join(
        value_checks.choice(value[key], f"{place}.{key}", words.FIRST) for key in _GAMES
    )
    value_checks.need(
        found[0] not in "ldo", f"{place}.game_1", "before the first game nobody has lost or chosen"
    )
    value_checks.need(found[2] != "l", f"{place}.after_a_draw", "a draw has no loser")
    return found


def _bits(table):
    return lambda value, place, _: sum(value_checks.choices(value, place, table))


def _plays(value, place, _):
    return bytes(value_checks.choices(value, place, words.PLAYS))


def _trees(value, place, so_far):
    return parts.read_trees(value, place, so_far["SECTIONS"])


def _as_it_is(value, _):
    return value


def _as_array(value, _):
    return list(value)


FIELDS = (
    ("NUMBER", _whole(0, 255), _as_it_is),
    ("SECTIONS", _sections, _as_array),
    ("PREGAME_S", _whole(0, 65535), _as_it_is),
    ("MINUTES", _numbers((4, 6), 1, LONGEST_MIN), _as_array),
    ("SLACK", _slack, lambda value, _: dict(zip((*_WAYS, "section", "firm"), value, strict=True))),
    (
        "OVERTIME",
        lambda value, place, _: parts.read_overtime(value, place),
        lambda value, _: parts.write_overtime(value),
    ),
    (
        "AFTER",
        lambda v, place, _: value_checks.choice(v, place, words.AFTER),
        lambda v, _: words.word_of(words.AFTER, v),
    ),
    ("SEATS", _seats, lambda value, _: [words.word_of(words.SIDES, side) for side in value]),
    ("CARDS", _numbers((0, 2, 4), 1, 60), _as_array),
    ("FIRST_PRIZE", _whole(0, 60), _as_it_is),
    (
        "FIRST",
        _first,
        lambda value, _: dict(
            zip(_GAMES, (words.word_of(words.FIRST, x) for x in value), strict=False)
        ),
    ),
    ("CAPS", _numbers((0, 4), 1, 999), _as_array),
    ("ASKED", _bits(words.ASKED), lambda value, _: words.words_of(words.ASKED, value)),
    ("LATE", lambda value, place, _: value_checks.truth(value, place), _as_it_is),
    (
        "POINTS",
        lambda value, place, _: parts.read_points(value, place),
        lambda value, _: parts.write_points(value),
    ),
    ("LEAD", _whole(0, 999), _as_it_is),
    (
        "POLICY",
        lambda value, place, _: parts.read_policy(value, place),
        lambda value, _: parts.write_policy(value),
    ),
    ("PLAYS", _plays, lambda value, _: [words.word_of(words.PLAYS, play) for play in value]),
    ("TREES", _trees, lambda value, done: parts.write_trees(value, done["SECTIONS"])),
)
NAMES = tuple(name for name, _, _ in FIELDS)
HOST_ONLY = ("MINUTES", "SLACK")  # a board is told its round's minutes


def read(data, stored=False):
    """Return ``{NAME: value}`` of a whole system's TOML ``data``; ValueError names field and fault.

    ``stored``: outcomes may be lacking, as in an event that began before they were asked for.
    """
    found = {}
    for name, read_field, _ in FIELDS:
        found[name] = read_field(data[name.lower()], name.lower(), found)
    _agree(found)
    for place, sentence in () if stored else outcomes.faults(found):
        value_checks.need(False, place, sentence)
    return found


def number_of(found):
    """Return the number that stands for a whole table on the air, made from all that a board has of it.

    A board that carries another table has another number, and refuses the format of this one.
    """
    first, last = OWN_NUMBERS
    told = repr([found[name] for name in NAMES if name not in HOST_ONLY + ("NUMBER",)])
    return first + int.from_bytes(hashlib.sha256(told.encode()).digest()[:4], "little") % (
        last - first + 1
    )


def write(rules):
    """Return the TOML data of a system's table."""
    done = {name: getattr(rules, name) for name in NAMES}
    return {name.lower(): write_field(done[name], done) for name, _, write_field in FIELDS}


# cells of a tree, the field that they need, the play that must be in it (None: it must not be empty)
_DEMANDS = (
    ("pdqPDQ", "CARDS", None, "the trees compare prizes, so it cannot be empty"),
    ("pdqPDQ", "PLAYS", "count_prizes", "the trees compare prizes, so count_prizes is needed"),
    ("g", "FIRST_PRIZE", None, "the trees know a Tiebreaker Game, so it cannot be 0"),
    ("s", "CAPS", None, "the trees compare scores, so it cannot be empty"),
    ("s", "PLAYS", "count_destroyed", "the trees compare scores, so count_destroyed is needed"),
)


def _agree(found):
    """Raise ValueError where two fields contradict each other."""
    letters = {chr(cell) for tree in found["TREES"] for cell in tree}
    plays = {words.word_of(words.PLAYS, play) for play in found["PLAYS"]}
    for cells, name, play, sentence in _DEMANDS:
        there = play in plays if play else found[name]
        value_checks.need(there or not letters & set(cells), name.lower(), sentence)
    value_checks.need(
        not found["LEAD"] or found["CAPS"], "lead", "counts squad points, and caps is empty"
    )
    team = len(found["TREES"]) == len(words.TREES)
    value_checks.need(not team or len(found["SEATS"]) == 4, "trees.team", "needs four seats")
