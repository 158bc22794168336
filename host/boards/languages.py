"""The languages of boards: each has two sets of texts.

A language that is neither takes the second's place.

So a third language changes nothing but what is laid on its own boards: the texts in ``face.bin``,
and the two places where the program names its languages.
"""

import re
import tomllib

from host.base import catalogues
from host.base.errors import UserError
from host.boards.screens import pack

SETTING = "PLUSTHREE_LANGUAGE"
FACE = "firmware/ui/face.bin"
_LINE = re.compile(rf"^[ \t]*{SETTING}\s*=.*\n?", re.MULTILINE)
_NAMED = b'("en", "it")'  # in firmware/core/settings.py and firmware/ui/face.py
_TIMES = 2


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


def pair(language: str | None) -> tuple[str, str]:
    """Return the two languages of a board that is to speak ``language``."""
    return pack.LANGUAGES if language in (None, *pack.LANGUAGES) else (pack.LANGUAGES[0], language)


def speaking(image: dict[str, bytes], language: str | None) -> dict[str, bytes]:
    """Return an image, ``{path: bytes}`` of programs in source, for a board that is to speak
    ``language``.
    """
    both = pair(language)
    if both == pack.LANGUAGES:
        return image
    renamed = f'("{both[0]}", "{both[1]}")'.encode()
    found = sum(data.count(_NAMED) for name, data in image.items() if name.endswith(".py"))
    assert found == _TIMES, "the program names its languages in other words"
    told = {
        name: data.replace(_NAMED, renamed) for name, data in image.items() if name.endswith(".py")
    }
    return {**image, **told, FACE: pack.build(both)}
