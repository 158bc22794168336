"""The boards' texts by key in any language: as the screens have them, and as a board's file.

English is ``firmware/ui/texts/en.json``; the other languages' files are made from their catalogues
as a board gets them. What a board says of the desk's acts (``acted_KIND``) is in their rows, and
their words in the host's catalogue; ``plusthree dev screens`` writes them into en.json, too.
"""

import functools
import json
import pathlib

from host.base import catalogues, commands

DOMAIN = "board"  # of the catalogues
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "firmware" / "ui" / "texts"
ENGLISH = FOLDER / "en.json"


@functools.cache
def english() -> dict[str, str]:
    """Return the English texts in their order."""
    return json.loads(ENGLISH.read_text("utf-8")) | of_acts()


def of_acts() -> dict[str, str]:
    """Return what the rows of the desk's acts say at boards, in English."""
    said = (one for one in commands.COMMANDS if one.at_board)
    return {f"acted_{kind}": one.at_board for one in said for kind in one.becomes}


def texts(language: str) -> dict[str, str]:
    """Return the texts of a language by key, English where nobody has translated one."""
    said = catalogues.catalogue(language, DOMAIN)
    acts = catalogues.catalogue(language, "host")
    told = {key: said.text(text, key) for key, text in english().items()}
    return told | {key: acts.text(text) for key, text in of_acts().items()}


def packed(language: str) -> bytes:
    """Return a language's file on a board: a text a line."""
    told = json.dumps(texts(language), ensure_ascii=False, indent=0)
    return f"{told}\n".encode()
