"""What a case may hold; everything else is a ValueError that says what was wanted."""


def need(holds, sentence):
    """Raise ValueError with ``sentence`` unless it holds."""
    if not holds:
        raise ValueError(sentence)


def mapping(value, what):
    """Return ``value``, an object."""
    need(isinstance(value, dict), f"{what} is an object")
    return value


def listing(value, what):
    """Return ``value``, an array."""
    need(isinstance(value, list), f"{what} is an array")
    return value


def whole(value, what, least=0, most=65535):
    """Return ``value``, a whole number from ``least`` to ``most``."""
    fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    need(fits, f"{what} is a number from {least} to {most}, not {value!r}")
    return value


def truth(value, what):
    """Return ``value``, true or false."""
    need(isinstance(value, bool), f"{what} is true or false, not {value!r}")
    return value


def word(value, what, words=None):
    """Return ``value``, a text that is not empty, one of ``words`` where they are given."""
    need(isinstance(value, str) and value, f"{what} is a text, not {value!r}")
    need(words is None or value in words, f"{what} {value!r} is none of {', '.join(words or ())}")
    return value
