"""Writes a system's table as a Python file for boards, without the fields for the host alone."""

from host.systems import fields
from host.systems.rules import Rules

MOST_BYTES = 8 * 1024  # compiling takes twice the file's size of a board's heap


def board_form(rules: Rules, origin: str) -> str:
    """Return the source of ``firmware/core/systems/NAME.py``; ``origin``: what it was made from."""
    lines = [f"# made by plusthree deploy from {origin}; edit that instead"]
    lines += [
        f"{name} = {getattr(rules, name)!r}"
        for name in fields.NAMES
        if name not in fields.HOST_ONLY
    ]
    return "\n".join(lines) + "\n"
