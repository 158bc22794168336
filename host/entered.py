"""Results that staff typed from a table's screen, until the board's own records have come in."""

import json

from firmware.core import outcome

TRIED, ENTERED, ADOPTED = "result code tried", "result code", "adopted"
BY_HAND = 0, 0  # round and pairing of a match that a judge set up without the host


def keep(archive, round_number, pairing, won, games, text, author, now_ms):
    """Keep a result that its code proved, with who typed it when (event time in ms)."""
    value = {"round": round_number, "pairing": pairing, "won": won, "games": games, "code": text, "at_ms": now_ms}
    _add(archive, ENTERED, value, author, now_ms)


def tried(archive, round_number, table, author, now_ms):
    """Keep that a wrong code was typed for a table."""
    _add(archive, TRIED, {"round": round_number, "table": table}, author, now_ms)


def tries(archive, round_number, table):
    """Return how many wrong codes were typed for a table in a round."""
    return _every(archive, TRIED).count({"round": round_number, "table": table})


def used(archive, text):
    """Say whether a code was taken before at this event."""
    return any(one is not None and one[-1] == text for one in every(archive))


def results(archive, round_number):
    """Return ``{pairing: (outcome, games, at_ms)}`` of the typed results of a round, the newest each."""
    found = (one for one in every(archive) if one is not None and one[0] == round_number)
    return {pairing: (won, games, at_ms) for _, pairing, won, games, at_ms, _ in found}


def every(archive):
    """Return every typed result as ``(round, pairing, outcome, games, at_ms, code)``, the oldest first, None for one that cannot be read."""
    return [_read(value) for value in archive.notices.every(ENTERED)]


def _read(value):
    try:
        told = json.loads(value)
        numbers = told["round"], told["pairing"], told["won"], tuple(told["games"]), told["at_ms"]
        read = *numbers, told["code"].upper()
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    whole = all(isinstance(one, int) for one in (*numbers[:3], *numbers[3], numbers[4]))
    return read if whole and numbers[2] in (1, 2, outcome.TIE) and len(numbers[3]) == 2 else None


def adopt(archive, board, round_number, pairing, author, now_ms):
    """Keep which pairing a Board plays that a judge set up by hand."""
    value = {"board": [board.device, board.generation], "round": round_number, "pairing": pairing}
    _add(archive, ADOPTED, value, author, now_ms)


def adopted(archive):
    """Return ``{(device, generation): (round, pairing)}`` of the boards that were set up by hand."""
    return {tuple(one["board"]): (one["round"], one["pairing"]) for one in _every(archive, ADOPTED)}


def adoptions(archive):
    """Return ``{(device, generation): {(round, pairing), ...}}``: all that each board was ever adopted with."""
    found = {}
    for one in _every(archive, ADOPTED):
        found.setdefault(tuple(one["board"]), set()).add((one["round"], one["pairing"]))
    return found


def _add(archive, what, value, author, now_ms):
    unix_ms = archive.roster.event.origin_unix_ms + now_ms
    archive.notices.add(what, json.dumps(value, sort_keys=True), author, unix_ms)


def _every(archive, what):
    return [json.loads(value) for value in archive.notices.every(what)]
