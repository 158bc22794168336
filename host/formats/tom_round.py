"""A round of TOM's file as an EventFile, so that it goes the same way in as our own."""

from dataclasses import replace

from host.archive.roster import Format, Pairing, Player
from host.formats.event_file import EventFile
from host.formats.tom_file import BYES, PODS, Tdf, TdfMatch
from host.formats.tom_xml import TdfError

_ELIMINATION = 1


def event_file(
    tdf: Tdf, form: Format, round_number: int | None = None, pod: str | None = None
) -> EventFile:
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
    seated = [one for one in chosen if one.playable or one.outcome in BYES]  # not a missed round
    _check_tables(tdf, seated)
    pairings = [_pairing(tdf, one, place) for place, one in enumerate(seated, 1)]
    return EventFile(tdf.name or None, number, replace(form, bits=bits), pairings)


def _pairing(tdf: Tdf, match: TdfMatch, place: int) -> Pairing:
    """Return a match, or a bye, as the round's pairing number ``place``."""
    players = [Player(number, tdf.players[number].name) for number in match.numbers]
    if match.playable:
        return Pairing(match.round, place, match.table, *players)
    return Pairing(match.round, place, None, players[0], None)


def _check_tables(tdf: Tdf, matches: list[TdfMatch]) -> None:
    taken: dict[int, int] = {}
    for one in filter(lambda one: one.playable, matches):
        if one.table == 0:
            sentence = "a match has no table yet: let TOM give the tables first"
            raise TdfError(tdf.path, one.line, sentence)
        if one.table in taken:
            sentence = f"table {one.table} is given already in line {taken[one.table]}"
            raise TdfError(tdf.path, one.line, sentence)
        taken[one.table] = one.line
