"""TOML written from plain data, as an organiser's starting point: ``plusthree dev rules --toml p18``."""

import json

_WIDTH = 96


def dumps(data):
    """Return TOML for a dict of texts, numbers, truths, arrays and tables, in its own order."""
    plain = {key: value for key, value in data.items() if not _is_section(value)}
    lines = [f"{key} = {_value(value)}" for key, value in plain.items()]
    for key, value in data.items():
        if _is_section(value):
            lines += _section(key, value)
    return "\n".join(lines) + "\n"


def _is_section(value):
    return isinstance(value, dict) and any(
        isinstance(inner, (dict, list)) for inner in value.values()
    )


def _section(path, table):
    inner = {
        key: value for key, value in table.items() if not (_is_section(value) or _is_rows(value))
    }
    lines = ["", f"[{path}]"] if inner else []
    lines += [f"{key} = {_value(value)}" for key, value in inner.items()]
    for key, value in table.items():
        if key in inner:
            continue
        for one in value if _is_rows(value) else ():
            lines += [
                "",
                f"[[{path}.{key}]]",
                *(f"{name} = {_value(v)}" for name, v in one.items()),
            ]
        if not _is_rows(value):
            lines += _section(f"{path}.{key}", value)
    return lines


def _is_rows(value):
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _value(value):
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
