"""Results that staff typed from a table's screen, until the board's own records have come in."""

import json

from firmware.core import outcome

TRIED, ENTERED, ADOPTED = "result code tried", "result code", "adopted"
BY_HAND = 0, 0  # round and pairing of a match that a judge set up without the host


def keep(archive, round_number, pairing, won, games, text, author, now_ms):
    """Keep a result that its code proved, with who typed it when (event time in ms)."""
    value = {
        "round": round_number,
        "pairing": pairing,
        "won": won,
        "games": games,
        "code": text,
        "at_ms": now_ms,
    }
    _add(archive, ENTERED, value, author, now_ms)


def tried(archive, round_number, table, author, now_ms):
    """Keep that a wrong code was typed for a table."""
    _add(archive, TRIED, {"round": round_number, "table": table}, author, now_ms)


def tries(archive, round_number, table):
    """Return how many wrong codes were typed for a table in a round."""
    return archive.notices.read(TRIED, attempt).count((round_number, table))


def used(archive, text):
    """Say whether a code was taken before at this event."""
    return any(one is not None and one[-1] == text for one in every(archive))


def results(archive, round_number):
    """Return ``{pairing: (outcome, games, at_ms)}`` of the typed results of a round, the newest each."""
    found = (one for one in every(archive) if one is not None and one[0] == round_number)
    return {pairing: (won, games, at_ms) for _, pairing, won, games, at_ms, _ in found}


def every(archive):
    """Return every typed result as ``(round, pairing, outcome, games, at_ms, code)``, the oldest first, None for one that cannot be read."""
    return archive.notices.read(ENTERED, typed)


def typed(told):
    """Return what a typed result says, as in ``every``."""
    numbers = told["round"], told["pairing"], told["won"], tuple(told["games"]), told["at_ms"]
    whole = (
        _whole(*numbers[:3], *numbers[3], numbers[4])
        and numbers[2] in (1, 2, outcome.TIE)
        and len(numbers[3]) == 2
    )
    return (*numbers, told["code"].upper()) if whole else None


def attempt(told):
    """Return ``(round, table)`` of a wrong code."""
    place = told["round"], told["table"]
    return place if _whole(*place) else None


def adoption(told):
    """Return ``((device, generation), (round, pairing))`` of a board that was set up by hand."""
    (device, generation), number, pairing = told["board"], told["round"], told["pairing"]
    return (
        ((device, generation), (number, pairing))
        if _whole(device, generation, number, pairing)
        else None
    )


def _whole(*numbers):
    return all(isinstance(one, int) for one in numbers)


def adopt(archive, board, round_number, pairing, author, now_ms):
    """Keep which pairing a Board plays that a judge set up by hand."""
    value = {"board": [board.device, board.generation], "round": round_number, "pairing": pairing}
    _add(archive, ADOPTED, value, author, now_ms)


def adopted(archive):
    """Return ``{(device, generation): (round, pairing)}`` of the boards that were set up by hand."""
    return dict(filter(None, archive.notices.read(ADOPTED, adoption)))


def adoptions(archive):
    """Return ``{(device, generation): {(round, pairing), ...}}``: all that each board was ever adopted with."""
    found = {}
    for board, place in filter(None, archive.notices.read(ADOPTED, adoption)):
        found.setdefault(board, set()).add(place)
    return found


def _add(archive, what, value, author, now_ms):
    unix_ms = archive.roster.event.origin_unix_ms + now_ms
    archive.notices.add(what, json.dumps(value, sort_keys=True), author, unix_ms)
