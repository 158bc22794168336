"""Tournament points of a result: the text's, and the organiser's where the text gives none.

docs/rules.md: D03 has no points for a draw, a loss or a match-play win, P18 none at all. Such points
are a notice of the event (``# points:`` in its file) without a default; until then they are unknown.
"""

POINTS = "points"  # the notice's name
UNKNOWN = "unknown"


def setting(archive):
    """Return ``{word: points}`` of win, narrow, draw and loss, as far as the organiser has said."""
    told = archive.notices.latest(POINTS)
    words = told.split() if told else []
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def settle(archive, points, author, unix_ms):
    """Keep an organiser's points, a dict; what was said before and is not said now holds on."""
    whole = setting(archive) | points
    if whole != setting(archive):
        told = " ".join(f"{word} {number}" for word, number in whole.items())
        archive.notices.add(POINTS, told, author, unix_ms)


def of(result, said):
    """Return both players' points of a Result, None for each that neither text nor organiser gives."""
    places = {"A": ("win", "loss"), "B": ("loss", "win"), "tie": ("draw", "draw")}
    worth = places.get(result.outcome, (None, None))
    worth = ["narrow" if word == "win" and result.narrow else word for word in worth]
    return tuple(
        said.get(word) if given is None else given
        for given, word in zip(result.points, worth, strict=True)
    )


def in_words(result, said):
    """Return both players' points of a Result as ``3–0``, with ``unknown`` for what nobody has said."""
    worth = of(result, said)
    if worth == (None, None):
        return f"points {UNKNOWN}"
    return "points " + "–".join(UNKNOWN if one is None else str(one) for one in worth)


def sums(lines):
    """Return ``{player number: points}`` over result lines; None as soon as one match's are unknown."""
    found = {}
    for line in lines:
        for seat in "ab":
            number, worth = line[f"number_{seat}"], line[f"points_{seat}"]
            if number is None or line["state"] == "open":
                continue
            before = found.get(number, 0)
            found[number] = None if before is None or worth is None else before + worth
    return found
