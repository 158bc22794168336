"""A round's format in words, and as the FORMAT_SET record carries it.

Bits: 0 elimination; 1-2 best of (1 or 3); 3 limited; 4-6 overtime option; 7 team; 8-9 the
X-Wing round less one (``firmware.core.systems``).
"""

from host.roster import Format

SYSTEMS = ("p18", "d03", "xw15")
_WORDS = {
    "swiss": (1, 0),
    "elimination": (1, 1),
    "bo1": (6, 1 << 1),
    "bo3": (6, 3 << 1),
    "constructed": (8, 0),
    "limited": (8, 8),
}  # word: (the bits it decides, what it sets them to)
_SINGLE = 1 << 1
EXAMPLE = "p18 swiss bo3 constructed 50"


def parse_format(text):
    """Return the Format that words such as ``EXAMPLE`` say; raises ValueError with a sentence."""
    words = text.casefold().replace(",", " ").split()
    if not words or words[0] not in SYSTEMS:
        raise ValueError(f"the format begins with one of {' '.join(SYSTEMS)}: {EXAMPLE}")
    bits, decided, minutes = _SINGLE, 0, None
    for word in words[1:]:
        if word.isascii() and word.isdigit() and minutes is None:
            minutes = int(word)
        elif word in _WORDS and not decided & _WORDS[word][0]:
            mask, value = _WORDS[word]
            bits, decided = bits & ~mask | value, decided | mask
        else:
            raise ValueError(f"{word!r} does not fit into the format: {EXAMPLE}")
    if minutes is None or not 1 <= minutes <= 999:
        raise ValueError(f"the format needs its minutes, from 1 to 999: {EXAMPLE}")
    return Format(SYSTEMS.index(words[0]), bits, minutes)


def words_of(form):
    """Return a Format in words that ``parse_format`` reads."""
    words = [SYSTEMS[form.system]]
    words.append("elimination" if form.bits & 1 else "swiss")
    words.append(f"bo{form.bits >> 1 & 3}")
    words.append("limited" if form.bits & 8 else "constructed")
    return " ".join([*words, str(form.minutes)])
