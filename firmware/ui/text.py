"""The screens' texts in one language, by key, with ``{words}`` that are filled in.

English is in ``texts/en.json``; ``plusthree dev screens`` and deploy write the other languages from
the catalogues in ``host/locale``.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ELLIPSIS = "…"


def filled(template: str, word: "Callable[[str], object]") -> str:
    """Return a template with its ``{words}``, each as ``word`` of its name."""
    parts = template.split("{")
    said = parts[0]
    for part in parts[1:]:
        name, rest = part.split("}", 1)
        said += str(word(name)) + rest
    return said


def fitting(line: str, most_px: int, width_px: "Callable[[str], int]") -> str:
    """Return a line, shortened with an ellipsis if it is wider than ``most_px``; ``width_px`` says
    how wide one is set.
    """
    if width_px(line) <= most_px:
        return line
    while line and (line[-1] == " " or width_px(line + ELLIPSIS) > most_px):
        line = line[:-1]
    return line + ELLIPSIS
