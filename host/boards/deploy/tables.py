"""Which system's table a board gets, and the setting that names it (``PLUSTHREE_SYSTEM``)."""

from host.base.errors import UserError
from host.boards.board_settings import named, naming
from host.systems import board_form, catalogue
from host.systems.rules import OwnRules, Rules

SETTING = "PLUSTHREE_SYSTEM"
_FOLDER = "firmware/core/systems/"


def own(rules: Rules, path: str) -> dict[str, bytes]:
    """Return ``{path on the drive: bytes}`` of an organiser's system, {} for one of ours."""
    if not isinstance(rules, OwnRules):
        return {}
    data = board_form.board_form(
        rules, f"# written by plusthree board deploy from {path}; edit that instead"
    ).encode()
    if len(data) > board_form.MOST_BYTES:
        raise UserError(
            f"{path}: the table comes to {len(data)} bytes; a board takes {board_form.MOST_BYTES}"
        )
    return {f"{_FOLDER}{rules.name}.py": data}


def settings_and_files(
    settings: bytes | None, standing: bytes | None, word: str | None
) -> tuple[bytes | None, dict[str, bytes]]:
    """Return ``(settings.toml to lay or None, files to lay)`` for ``--system WORD``.

    ``settings`` are the bytes that are laid, ``standing`` those on the drive; any may be None.
    Raises UserError where the board would be told of a system that it does not have.
    """
    now = settings if settings is not None else standing
    if word is None:
        name = named(now, SETTING)
        if name is not None and name not in catalogue.built_in():
            raise UserError(f"{SETTING} is {name}: give its file too (--system FILE.toml)")
        return settings, {}
    name, rules = catalogue.chosen(word)
    files = own(rules, word)
    if now is None:
        raise UserError(
            "--system sets PLUSTHREE_SYSTEM in settings.toml, which is not there yet: give"
            " --settings"
        )
    return (settings if named(now, SETTING) == name else naming(now, SETTING, name)), files
