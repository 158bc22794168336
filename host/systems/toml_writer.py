"""Writes TOML from plain data (``plusthree dev rules --toml p18``, a start for an own system)."""

import json
from typing import TypeGuard

from host.systems.value_checks import Toml

_WIDTH = 96


def dumps(data: dict[str, Toml]) -> str:
    """Return TOML for a dict of texts, numbers, booleans, arrays and tables, in its order."""
    lines = [f"{key} = {_value(value)}" for key, value in data.items() if not _is_section(value)]
    for key, value in data.items():
        if _is_section(value):
            lines += _section(key, value)
    return "\n".join(lines) + "\n"


def _is_section(value: Toml) -> TypeGuard[dict[str, Toml]]:
    return isinstance(value, dict) and any(
        isinstance(inner, (dict, list)) for inner in value.values()
    )


def _is_rows(value: Toml) -> TypeGuard[list[dict[str, Toml]]]:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _section(path: str, table: dict[str, Toml]) -> list[str]:
    inner = {
        key: value for key, value in table.items() if not (_is_section(value) or _is_rows(value))
    }
    lines = ["", f"[{path}]"] if inner else []
    lines += [f"{key} = {_value(value)}" for key, value in inner.items()]
    for key, value in table.items():
        if _is_rows(value):
            for one in value:
                lines += ["", f"[[{path}.{key}]]"]
                lines += [f"{name} = {_value(said)}" for name, said in one.items()]
        elif _is_section(value):
            lines += _section(f"{path}.{key}", value)
    return lines


def _value(value: Toml) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        flat = "[" + ", ".join(map(_value, value)) + "]"
        return (
            flat if len(flat) <= _WIDTH else "[\n    " + ",\n    ".join(map(_value, value)) + ",\n]"
        )
    return json.dumps(value, ensure_ascii=False)
