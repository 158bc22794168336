"""Words for the screen: templates filled from the table's state, clocks and names. Pure."""

LETTERS = b"12atlrgnmsoedckfbupqvwxhyzCMR"  # the words a template may name, in the order of the list of words
OUTCOME = 10  # %o, %u and %R are themselves templates: the text of that number
TOLD = 17
WHY = 28
ELLIPSIS = "\x03"


def fill(template, words, text_of):
    """Return ``template`` (Latin-1 bytes) with each %letter replaced from ``words``.

    ``text_of(number)`` gives the template of a text, for the outcome's words.
    """
    out = ""
    at = 0
    while at < len(template):
        letter = template[at]
        at += 1
        if letter != 37:
            out += chr(letter)
            continue
        number = LETTERS.find(template[at : at + 1])
        at += 1
        word = words[number]
        out += fill(text_of(word), words, text_of) if number in (OUTCOME, TOLD, WHY) else str(word)
    return out


def fit(line, width_px, measure):
    """Return ``line``, shortened with an ellipsis where ``measure(line)`` exceeds ``width_px``."""
    if measure(line) <= width_px:
        return line
    while line and measure(line + ELLIPSIS) > width_px:
        line = line[:-1]
    return line.rstrip() + ELLIPSIS


def name_of(parts):
    """Return the name that the padded Latin-1 ``parts`` of its frames spell; "" without any."""
    out = ""
    for part in parts:
        for letter in part:
            if letter:
                out += chr(letter)
    return out


def section_of(number):
    """Return a section's dotted name: 922 is 9.2.2, 216 (a D03 page) stays 216."""
    if number < 900 or number > 9999:
        return str(number)
    digits = str(number)
    return ".".join([digits[i] for i in range(len(digits))])
