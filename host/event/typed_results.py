"""Results typed as codes from a table's screen, until the board's own records arrive.

A board that cannot send its result shows a code of six characters. It carries 24 bits of a tag
under the board's own key, so it cannot be forged. The desk enters it (``host.desk.code_entry``),
the archive keeps it as it was typed, and the audit proves it again: if codes ever get another form,
this one stays valid.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from firmware.core import code, digest, outcome
from host.archive.records import BoardKey
from host.archive.roster import Board
from host.archive.store import Archive
from host.base.json_values import Json, items, whole

TRIED, ENTERED, ADOPTED = "result code tried", "result code", "adopted"
BY_HAND = 0, 0  # round and pairing of a match that a judge set up without the host

RoundAndPairing: TypeAlias = tuple[int, int]
CodedResult: TypeAlias = tuple[int, tuple[int, int]]  # 1 (A), 2 (B) or a tie, and the games won


class TypedResult(NamedTuple):
    """A typed result: outcome 1 (A), 2 (B) or ``outcome.TIE``, games won, event time in ms, the
    code.
    """

    round: int
    pairing: int
    won: int
    games: tuple[int, int]
    at_ms: int
    code: str

    @property
    def narrow(self) -> bool:
        """Whether a count at time decided (D03 216): such a code names no winner."""
        return is_formed(self.code) and not _said(self.code)[0]


class Adoption(NamedTuple):
    """The pairing of a board that a judge set up by hand."""

    board: BoardKey
    place: RoundAndPairing


def store(archive: Archive, typed: TypedResult, author: str) -> None:
    """Store a result proved by its code, with who typed it."""
    archive.notices.add_facts(ENTERED, typed._asdict(), author, typed.at_ms)


def store_attempt(
    archive: Archive, round_number: int, table: int, author: str, now_ms: int
) -> None:
    """Store that a wrong code was typed for a table."""
    archive.notices.add_facts(TRIED, {"round": round_number, "table": table}, author, now_ms)


def attempts(archive: Archive, round_number: int, table: int) -> int:
    """Return how many wrong codes were typed for a table in a round."""
    return archive.notices.read(TRIED, read_attempt).count((round_number, table))


def used(archive: Archive, text: str) -> bool:
    """Whether a code was accepted before at this event."""
    return any(result is not None and result.code == text for result in every(archive))


def results(archive: Archive, round_number: int) -> dict[int, TypedResult]:
    """Return the newest typed result of each pairing of a round."""
    typed = (
        result for result in every(archive) if result is not None and result.round == round_number
    )
    return {result.pairing: result for result in typed}


def every(archive: Archive) -> list[TypedResult | None]:
    """Return every typed result, oldest first, None for each that cannot be read."""
    return archive.notices.read(ENTERED, read_result)


def read_result(facts: Mapping[str, Json]) -> TypedResult | None:
    """Return the typed result in a notice, None if it is invalid.

    Raises LookupError, TypeError.
    """
    number, pairing, won = whole(facts["round"], facts["pairing"], facts["won"])
    code = facts["code"]
    if won not in (1, 2, outcome.TIE) or not isinstance(code, str):
        return None
    by_a, by_b = whole(*items(facts["games"]))
    (at_ms,) = whole(facts["at_ms"])
    return TypedResult(number, pairing, won, (by_a, by_b), at_ms, code.upper())


def read_attempt(facts: Mapping[str, Json]) -> tuple[int, int]:
    """Return ``(round, table)`` of a wrong code. Raises LookupError, TypeError."""
    number, table = whole(facts["round"], facts["table"])
    return number, table


def read_adoption(facts: Mapping[str, Json]) -> Adoption | None:
    """Return the adoption in a notice, None if it is invalid.

    Raises LookupError, TypeError, ValueError.
    """
    device, generation = whole(*items(facts["board"]))
    number, pairing = whole(facts["round"], facts["pairing"])
    return Adoption(BoardKey(device, generation), (number, pairing))


def adopt(
    archive: Archive, board: Board, round_number: int, pairing: int, author: str, now_ms: int
) -> None:
    """Store the pairing of a Board that a judge set up by hand."""
    facts = {"board": [board.device, board.generation], "round": round_number, "pairing": pairing}
    archive.notices.add_facts(ADOPTED, facts, author, now_ms)


def adopted_pairings(archive: Archive) -> dict[BoardKey, RoundAndPairing]:
    """Return round and pairing of each board set up by hand."""
    return dict(filter(None, archive.notices.read(ADOPTED, read_adoption)))


def adoptions(archive: Archive) -> dict[BoardKey, set[RoundAndPairing]]:
    """Return all rounds and pairings for which each board was ever adopted."""
    by_board: dict[BoardKey, set[RoundAndPairing]] = {}
    for board, place in filter(None, archive.notices.read(ADOPTED, read_adoption)):
        by_board.setdefault(board, set()).add(place)
    return by_board


def is_formed(plain: str) -> bool:
    """Whether a text has the form of a code: six letters and digits, and no U."""
    return len(plain) == 6 and all(letter in code.ALPHABET for letter in plain)


def proven(
    key: bytes, event: int, places: Iterable[RoundAndPairing], plain: str
) -> CodedResult | None:
    """Return a code's result, None if a board's ``key`` proves it for none of ``places``.

    ``event`` is the event's number; ``places`` are rounds and pairings.
    """
    if not is_formed(plain):
        return None
    won, games = _said(plain)
    for number, pairing in places:
        own = code.result_code(key, event, number, pairing, won, games)
        if digest.same(own.encode(), plain.encode()):
            a, b = games
            return won or (1 if a > b else 2), games  # 0: the leader's narrow win
    return None


def _said(plain: str) -> CodedResult:
    """Return the outcome (0 for a narrow win) and the games of a code; the rest is its proof."""
    first, second = (code.ALPHABET.index(letter) for letter in plain[:2])
    return first >> 3, (first >> 1 & 3, (first & 1) << 1 | second >> 4)
