"""A round of TOM's file as an EventFile, so that it goes the same way in as our own."""

from dataclasses import replace

from host.archive.roster import Pairing, Player
from host.formats.event_file import EventFile
from host.formats.tom_file import BYES, PODS
from host.formats.tom_xml import TdfError

_ELIMINATION = 1


def event_file(tdf, form, round_number=None, pod=None):
    """Return a round of a Tdf as an EventFile in the Format ``form``.

    ``round_number`` None takes the last round with an open match; ``pod`` None takes all pods.
    Whether it is an elimination round is TOM's to say. Raises TdfError.
    """
    number = tdf.open_round if round_number is None else round_number
    if number is None:
        raise TdfError(tdf.path, None, "has no open match; name the round (--round)")
    chosen = [m for m in tdf.matches if m.round == number and (pod is None or m.pod == pod)]
    kinds = {match.elimination for match in chosen if match.playable}
    if not kinds:
        raise TdfError(tdf.path, None, f"has no matches in round {number}")
    if len(kinds) > 1:
        pods = sorted({PODS[match.pod] for match in chosen if match.elimination})
        raise TdfError(
            tdf.path,
            None,
            f"round {number} is elimination for {' and '.join(pods)} alone; choose a pod (--pod)",
        )
    bits = form.bits & ~_ELIMINATION | (_ELIMINATION if kinds.pop() else 0)
    pairings = [one for match in chosen if (one := _seats(tdf, match))]
    _check_tables(tdf, pairings)
    numbered = [Pairing(number, place, *one[:3]) for place, one in enumerate(pairings, 1)]
    return EventFile(tdf.name or None, number, replace(form, bits=bits), numbered)


def _seats(tdf, match):
    """Return ``(table, a, b, line)``; None for what is no pairing, as a missed round."""
    players = [Player(number, tdf.players[number].name) for number in match.numbers]
    if match.playable:
        return match.table, *players, match.line
    return (None, players[0], None, match.line) if match.outcome in BYES else None


def _check_tables(tdf, pairings):
    taken = {}
    for table, _, b, line in pairings:
        if b is None:
            continue
        if table == 0:
            raise TdfError(
                tdf.path, line, "a match has no table yet: let TOM give the tables first"
            )
        if table in taken:
            raise TdfError(tdf.path, line, f"table {table} is given already in line {taken[table]}")
        taken[table] = line
