"""A system's table as a board imports it: a file of literals, without what only the host asks."""

from host.systems import fields
from host.systems.rules import Rules

MOST_BYTES = 8 * 1024  # compiling costs a board twice a file's size


def board_form(rules: Rules, origin: str) -> str:
    """Return the source of ``firmware/core/systems/NAME.py`` for a system; ``origin`` says from
    what.
    """
    lines = [f"# made by plusthree deploy from {origin}; edit that instead"]
    lines += [
        f"{name} = {getattr(rules, name)!r}"
        for name in fields.NAMES
        if name not in fields.HOST_ONLY
    ]
    return "\n".join(lines) + "\n"
