"""Which system's table a board gets, and the setting that names it (``PLUSTHREE_SYSTEM``)."""

import re
import tomllib

from host.base.errors import UserError
from host.systems import board_form, catalogue
from host.systems.rules import OwnRules, Rules

SETTING = "PLUSTHREE_SYSTEM"
_LINE = re.compile(rf"^[ \t]*{SETTING}\s*=.*\n?", re.MULTILINE)
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


def named(settings: bytes) -> str | None:
    """Return the system that the bytes of a settings.toml name, or None."""
    try:
        return tomllib.loads(settings.decode()).get(SETTING)
    except ValueError:
        return None


def naming(settings: bytes, name: str) -> bytes:
    """Return settings.toml with the system ``name``; everything else stays as it is."""
    text = _LINE.sub("", settings.decode())
    ended = text if text.endswith("\n") or not text else text + "\n"
    return f'{ended}{SETTING} = "{name}"\n'.encode()


def settings_and_files(
    settings: bytes | None, standing: bytes | None, word: str | None
) -> tuple[bytes | None, dict[str, bytes]]:
    """Return ``(settings.toml to lay or None, files to lay)`` for ``--system WORD`` (None: not
    given).

    ``settings``: the file's bytes that are laid, or None; ``standing``: those on the drive, or
    None. Raises UserError where the board would be told of a system that it does not have.
    """
    now = settings if settings is not None else standing
    if word is None:
        name = named(now) if now is not None else None
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
    return (settings if named(now) == name else naming(now, name)), files
