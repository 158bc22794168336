"""Finds the line of a field in a system's TOML text; ``tomllib`` does not report lines."""

import re


def line_of(source: str, place: str) -> int | None:
    """Return the line (from 1) of the field ``place``, such as ``trees.swiss_bo1.last``, or None.

    For a missing field it is the line of the table that lacks it.
    """
    parts, section = re.sub(r"\[\d+\]", "", place).split("."), []
    best: tuple[int, int | None] = 0, None
    for number, text in enumerate(source.splitlines(), 1):
        head = re.fullmatch(r"\s*\[\[?\s*([\w.]+)\s*\]\]?\s*(?:#.*)?", text)
        key = re.match(r"\s*([\w.]+)\s*=", text)
        if head:
            section = head[1].split(".")
        elif not key:
            continue
        path = section + key[1].split(".") if key and not head else section
        if path == parts[: len(path)] and len(path) > best[0]:
            best = len(path), number
    return best[1]
