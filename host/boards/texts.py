"""The boards' texts by key in any language: as the screens have them, and as a board's file.

English is ``firmware/ui/texts/en.json``; the other languages' files are made from their catalogues
as a board gets them. The board's texts on the desk's acts (``acted_KIND``) stand in the rows of
those acts, and their translations in the host's catalogue; ``plusthree dev screens`` writes them
into en.json, too.
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
    """Return the English texts that boards show for the desk's acts."""
    return {
        f"acted_{kind}": command.at_board
        for command in commands.COMMANDS
        if command.at_board
        for kind in command.becomes
    }


def texts(language: str) -> dict[str, str]:
    """Return the texts of a language by key, English where a translation is missing."""
    board_catalogue = catalogues.catalogue(language, DOMAIN)
    acts = catalogues.catalogue(language, "host")
    board_texts = {key: board_catalogue.text(text, key) for key, text in english().items()}
    return board_texts | {key: acts.text(text) for key, text in of_acts().items()}


def pack(language: str) -> bytes:
    """Return a language's file on a board: a text a line."""
    return (json.dumps(texts(language), ensure_ascii=False, indent=0) + "\n").encode()
