"""The languages of boards: what a board's settings name, and the texts that are laid for it."""

from host.base import catalogues
from host.base.errors import UserError
from host.boards import board_settings, texts

SETTING = "PLUSTHREE_LANGUAGE"


def named(settings: bytes | None) -> str | None:
    """Return the language that a settings.toml names, or None; UserError: nobody translated it."""
    found = board_settings.named(settings, SETTING)
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
    """Return the settings.toml to lay for ``--language``, None to leave the one that is there.

    ``settings`` are the bytes that are laid, ``standing`` those on the drive; any may be None.
    """
    now = settings if settings is not None else standing
    if language is None or named(now) == language:
        return settings
    if now is None:
        raise UserError(
            "--language sets {setting} in settings.toml, which is not there yet: give --settings",
            setting=SETTING,
        )
    return board_settings.naming(now, SETTING, language)


def files() -> dict[str, bytes]:
    """Return ``{path on the drive: bytes}`` of all languages' texts; a board loads its own."""
    return {
        f"firmware/ui/texts/{language}.json": texts.packed(language)
        for language in catalogues.languages()
    }
