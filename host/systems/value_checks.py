"""What a value in a system's TOML file may be; anything else is a ValueError that says the field."""

import difflib


def need(holds, place, sentence):
    """Raise ValueError naming the field ``place`` unless it holds."""
    if not holds:
        raise ValueError(f"{place}: {sentence}")


def whole(value, place, least=0, most=65535):
    """Return ``value``, a whole number from ``least`` to ``most``."""
    fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    need(fits, place, f"must be a whole number from {least} to {most}, not {value!r}")
    return value


def truth(value, place):
    """Return ``value``, true or false."""
    need(isinstance(value, bool), place, f"must be true or false, not {value!r}")
    return value


def text(value, place, most=24):
    """Return ``value``, a printable text of at most ``most`` characters, perhaps empty."""
    fits = isinstance(value, str) and len(value) <= most and (value.isprintable() or not value)
    need(fits, place, f"must be a text of at most {most} characters, not {value!r}")
    return value


def listing(value, place, sizes=None):
    """Return ``value``, an array whose length is one of ``sizes`` where they are given."""
    need(isinstance(value, list), place, f"must be an array [...], not {value!r}")
    wanted = sizes and " or ".join(map(str, sizes))
    need(
        sizes is None or len(value) in sizes, place, f"must hold {wanted} values, not {len(value)}"
    )
    return value


def table(value, place, keys, needed=()):
    """Return ``value``, a table with no key but ``keys`` and all of ``needed``."""
    need(isinstance(value, dict), place, f"must be a table {{...}}, not {value!r}")
    for key in value:
        near = difflib.get_close_matches(key, keys, 1)
        meant = f" (did you mean {near[0]}?)" if near else f" (known: {', '.join(keys)})"
        need(key in keys, under(place, key), f"is not a field{meant}")
    for key in needed:
        need(key in value, under(place, key), "is missing")
    return value


def under(place, key):
    """Return the place of ``key`` within ``place``."""
    return f"{place}.{key}" if place else key


def choice(value, place, words):
    """Return what ``value`` stands for in ``words``, a table of (word, number)."""
    known = dict(words)
    fits = isinstance(value, str) and value in known
    need(fits, place, f"{value!r} is none of {', '.join(known)}")
    return known[value]


def choices(value, place, words):
    """Return what each word of the array ``value`` stands for; none may be there twice."""
    found = [choice(word, place, words) for word in listing(value, place)]
    need(len(set(found)) == len(found), place, "names something twice")
    return found
