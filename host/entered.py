"""Results that staff typed from a table's screen, until the board's own records have come in."""

import json

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
    return any(one["code"] == text for one in _every(archive, ENTERED))


def results(archive, round_number):
    """Return ``{pairing: (outcome, games, at_ms)}`` of the typed results of a round, the newest each."""
    found = (one for one in _every(archive, ENTERED) if one["round"] == round_number)
    return {one["pairing"]: (one["won"], tuple(one["games"]), one["at_ms"]) for one in found}


def adopt(archive, board, round_number, pairing, author, now_ms):
    """Keep which pairing a Board plays that a judge set up by hand."""
    value = {"board": [board.device, board.generation], "round": round_number, "pairing": pairing}
    _add(archive, ADOPTED, value, author, now_ms)


def adopted(archive):
    """Return ``{(device, generation): (round, pairing)}`` of the boards that were set up by hand."""
    return {tuple(one["board"]): (one["round"], one["pairing"]) for one in _every(archive, ADOPTED)}


def _add(archive, what, value, author, now_ms):
    unix_ms = archive.roster.event.origin_unix_ms + now_ms
    archive.notices.add(what, json.dumps(value, sort_keys=True), author, unix_ms)


def _every(archive, what):
    return [json.loads(value) for value in archive.notices.every(what)]
