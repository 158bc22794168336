"""The languages of boards: what a board's settings name, and the texts that are laid for it."""

import re
import tomllib

from host.base import catalogues
from host.base.errors import UserError
from host.boards import texts

SETTING = "PLUSTHREE_LANGUAGE"
_LINE = re.compile(rf"^[ \t]*{SETTING}\s*=.*\n?", re.MULTILINE)


def named(settings: bytes | None) -> str | None:
    """Return the language that the bytes of a settings.toml name, or None; UserError: nobody has
    translated it.
    """
    try:
        found = tomllib.loads((settings or b"").decode()).get(SETTING)
    except ValueError:
        return None
    if found is not None and found not in catalogues.languages():
        raise UserError(
            "{setting} is {found!r}: there are {languages}",
            setting=SETTING,
            found=found,
            languages=", ".join(catalogues.languages()),
        )
    return found


def settings_to_deploy(
    settings: bytes | None, standing: bytes | None, language: str | None
) -> bytes | None:
    """Return the settings.toml to lay for ``--language`` (None: not given), or None to leave the
    one that is there.

    ``settings`` are the file's bytes that are laid, ``standing`` those on the drive, either may be
    None.
    """
    now = settings if settings is not None else standing
    if language is None or named(now) == language:
        return settings
    if now is None:
        raise UserError(
            "--language sets {setting} in settings.toml, which is not there yet: give --settings",
            setting=SETTING,
        )
    text = _LINE.sub("", now.decode())
    gap = "" if text.endswith("\n") or not text else "\n"
    return f'{text}{gap}{SETTING} = "{language}"\n'.encode()


def files() -> dict[str, bytes]:
    """Return ``{path on the drive: bytes}`` of the texts of every language; a board loads its
    own.
    """
    return {
        f"firmware/ui/texts/{language}.json": texts.packed(language)
        for language in catalogues.languages()
    }
