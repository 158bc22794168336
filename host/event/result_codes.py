"""A result that is on a table's screen and not on the air: staff type its six characters.

The code carries 24 bits of a tag under the board's own key, so it cannot be made up; each is taken
once, and after five wrong ones for a table and round only a judge's ruling helps.
"""

from firmware.core import code, digest
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event import typed_results

TRIES = 5
_READ_AS = str.maketrans("OIL", "011", " -·")


def enter(station, table, text, author):
    """Take a result's code for a table of the round; return the sentence that says what it said.

    Raises UserError for a wrong code, one used before, or after too many tries. What cannot be a code by
    its shape is a slip of the finger and costs no try.
    """
    archive, number, now_ms = station.archive, station.desk.round, station.collector.now_ms
    pairing, board = _playing(archive, number, table)
    plain = _entered(text)
    said = _said(station, board, number, pairing.pairing, plain)
    if said is None:
        typed_results.tried(archive, number, table, author, now_ms)
        left = TRIES - typed_results.tries(archive, number, table)
        raise UserError(
            "table {table} shows no such code; {left} more tries", table=table, left=left
        )
    if typed_results.used(archive, plain):
        raise UserError("this code has been used")
    typed_results.keep(archive, number, pairing.pairing, *said, plain, author, now_ms)
    return _sentence(table, pairing, *said)


def _playing(archive, number, table):
    """Return the Pairing and the Board at a table that may still enter a code in this round."""
    pairing = archive.roster.pairing_at(number, table) if number else None
    board = archive.roster.board_at(table)
    if pairing is None or board is None:
        raise UserError("table {table} does not play, or has no board", table=table)
    if typed_results.tries(archive, number, table) >= TRIES:
        raise UserError(
            "{tries} wrong codes for table {table} in this round: a judge must rule",
            tries=TRIES,
            table=table,
        )
    return pairing, board


def _entered(text):
    """Return the six characters that somebody meant by a text."""
    plain = text.upper().translate(_READ_AS)
    if not _formed(plain):
        raise UserError(
            "{text} is no code: that has six letters and digits, and no U; it cost no try",
            text=text,
        )
    return plain


def _sentence(table, pairing, won, games):
    who = {1: pairing.a.name, 2: pairing.b.name}.get(won)
    told = Sentence("{who} wins", who=who) if who else Sentence("a tie")
    return Sentence(
        "table {table}: {told}, {score}; taken from its screen",
        table=table,
        told=told,
        score=f"{games[0]}–{games[1]}",
    )


def _formed(plain):
    return len(plain) == 6 and all(letter in code.ALPHABET for letter in plain)


def _said(station, board, number, pairing, plain):
    """Return ``(outcome, games)`` that a code says and proves, or None.

    That of a match without a round proves only the one that this board was adopted with.
    """
    place, key = (number, pairing), station.keyring.board(board.device, board.generation)
    event = station.archive.roster.event.number
    by_hand = typed_results.adopted(station.archive).get((board.device, board.generation)) == place
    return proven(key, event, [place, typed_results.BY_HAND] if by_hand else [place], plain)


def proven(key, event, places, plain):
    """Return ``(outcome, games)`` that a code says and a board's ``key`` proves of one of ``places``, or None."""
    if not _formed(plain):
        return None
    value = 0
    for letter in plain:
        value = value << 5 | code.ALPHABET.index(letter)
    won, games = value >> 28, (value >> 26 & 3, value >> 24 & 3)
    for place in places:
        own = code.result_code(key, event, *place, won, games)
        if digest.same(own.encode(), plain.encode()):
            return won, games
    return None
