"""Entry of result codes, which staff read from the screen of a board that cannot send its result.

Each code is accepted once; after five wrong codes for a table in a round a judge must rule.
"""

from host.archive.roster import Board, Pairing
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk.staff import Staff
from host.desk.station import Station
from host.event import typed_results
from host.event.match_results import Result
from host.event.typed_results import TypedResult

TRIES = 5
_READ_AS = str.maketrans("OIL", "011", " -·")


def enter(staff: Staff, table: int, text: str) -> Sentence:
    """Accept a result's code for a table of the current round; return its result as a sentence.

    Raises UserError for a wrong code, one used before, or after too many tries. Text that does not
    have the form of a code is not counted.
    """
    archive, author, now_ms = staff.archive, staff.author, staff.now_ms
    number, pairing, board = _playing(archive, staff.desk.round, table)
    plain = _normalize("".join(text.split()))
    result = _proven_result(staff.station, board, number, pairing.pairing, plain)
    if result is None:
        typed_results.store_attempt(archive, number, table, author, now_ms)
        left = TRIES - typed_results.attempts(archive, number, table)
        raise UserError(
            "table {table} does not show this code (tries left: {left}): read it from its screen"
            " again",
            table=table,
            left=left,
        )
    if typed_results.used(archive, plain):
        raise UserError("this code has been used: its result is stored already")
    won, games = result
    typed = TypedResult(number, pairing.pairing, won, games, now_ms, plain)
    typed_results.store(archive, typed, author)
    return _sentence(table, pairing, staff.station.hall.typed(number)[pairing.pairing])


def _playing(archive: Archive, number: int | None, table: int) -> tuple[int, Pairing, Board]:
    """Return round, Pairing and Board of a table. Raises UserError if it may not enter a code (any
    more) in this round.
    """
    pairing = archive.roster.pairing_at(number, table) if number else None
    board = archive.roster.board_at(table)
    if not number or pairing is None or board is None:
        raise UserError("table {table} does not play, or has no board", table=table)
    if typed_results.attempts(archive, number, table) >= TRIES:
        raise UserError(
            "{tries} wrong codes for table {table} in this round: a judge must rule",
            tries=TRIES,
            table=table,
        )
    return number, pairing, board


def _normalize(text: str) -> str:
    """Return a code's six characters, without spaces and with 0 for O, 1 for I and L. Raises
    UserError if the text is no code.
    """
    plain = text.upper().translate(_READ_AS)
    if not typed_results.is_formed(plain):
        raise UserError(
            "{text} isn't a valid code (six letters and digits, no U); it is not counted as an"
            " attempt",
            text=text,
        )
    return plain


def _sentence(table: int, pairing: Pairing, result: Result) -> Sentence:
    """Return the sentence about an accepted result."""
    who = {"A": pairing.a.name, "B": pairing.b.name if pairing.b else None}.get(result.outcome)
    outcome = Sentence("{who} wins", who=who) if who else Sentence("a tie")
    if result.unscored:
        text = (
            "table {table}: {told}; taken from its screen. A code has no points: type those from"
            " paper, too"
        )
        return Sentence(text, table=table, told=outcome)
    return Sentence(
        "table {table}: {told} ({score}); taken from its screen",
        table=table,
        told=outcome,
        score="{}–{}".format(*result.games),
    )


def _proven_result(
    station: Station, board: Board, number: int, pairing: int, plain: str
) -> typed_results.CodedResult | None:
    """Return the ``(outcome, games)`` that a code proves, or None.

    A code of a match without a round is only valid for the pairing that the board was adopted for.
    """
    match, key = (number, pairing), station.keyring.board(*board.key)
    event = station.archive.roster.current_event.number
    adopted = typed_results.adopted_pairings(station.archive).get(board.key) == match
    matches = [match, typed_results.BY_HAND] if adopted else [match]
    return typed_results.proven(key, event, matches, plain)
