"""Results that boards announced in their statuses, until their own records arrive.

A board that listens to a beacon announces its match's result in one signed status
(``firmware/core/announced.py``). Each announcement is a notice with that status frame as evidence;
a board's newest in a round counts. If the match is reopened, a later status withdraws the result,
in a notice with its own frame.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from firmware.core import announced, events, frames, outcome
from firmware.core.match import Match
from firmware.core.result import CLAIMED
from host.archive.decoded_frames import VerifiedFrame, announced_result, head_of, status_of
from host.archive.records import BoardKey
from host.archive.roster import Format
from host.archive.store import Archive
from host.base.json_values import Json, whole
from host.event import match_results
from host.event.match_results import ANNOUNCED, Result
from host.systems.rules import Rules

NOTICE = "announced result"
WITHDRAWN = 0  # as an outcome: the match is open again
AUTHOR = "board {device}"
_UNKNOWN = announced.UNKNOWN, announced.UNKNOWN


class Announcement(NamedTuple):
    """The result that a status announces, or its withdrawal (``WITHDRAWN``): outcome 1 (A), 2 (B)
    or ``outcome.TIE``, both scores (games won, or points that count as destroyed), event time in
    ms.

    In a system without points, ``scores`` keeps ``announced.BY_HAND`` and ``announced.NARROW``.
    ``milestone`` is modulo 32.
    """

    round: int
    pairing: int
    table: int
    won: int
    scores: tuple[int, int]
    milestone: int
    board: BoardKey
    epoch: int
    counter: int
    frame: bytes
    at_ms: int

    @property
    def word(self) -> int | None:
        """The result as the frame's 30 bits (``announced_result``), None if it announces none."""
        status = status_of(self.frame)
        return status.zero_ms if status.flags & frames.RESULT_ANNOUNCED else None


def of_status(verified: VerifiedFrame, place: tuple[int, int, int], now_ms: int) -> Announcement:
    """Return the Announcement of a status; ``place`` is round, pairing, table."""
    number, pairing, table = place
    status = status_of(verified.frame)
    won, scores, milestone = WITHDRAWN, (0, 0), 0
    if status.flags & frames.RESULT_ANNOUNCED:
        final = announced_result(status.zero_ms)
        won, scores, milestone = final.won, (final.a_score, final.b_score), final.milestone
    board = BoardKey(verified.device, verified.generation)
    return Announcement(
        number, pairing, table, won, scores, milestone, board, verified.epoch, verified.counter,
        verified.frame, now_ms,
    )  # fmt: skip


def store(archive: Archive, announcement: Announcement, known_result: Result | None) -> None:
    """Store an announcement with the figures of its result (``known_result``), for people to
    read.
    """
    facts: dict[str, Json] = {
        "round": announcement.round,
        "pairing": announcement.pairing,
        "table": announcement.table,
        "won": announcement.won,
        "scores": announcement.scores,
        "milestone": announcement.milestone,
        "board": announcement.board,
        "epoch": announcement.epoch,
        "counter": announcement.counter,
        "frame": announcement.frame.hex(),
        "games": known_result.games if known_result else (0, 0),
        "destroyed": known_result.destroyed if known_result else None,
        "at_ms": announcement.at_ms,
    }
    author = AUTHOR.format(device=announcement.board.device)
    archive.notices.add_facts(NOTICE, facts, author, announcement.at_ms)


def every(archive: Archive) -> list[Announcement | None]:
    """Return every announcement, oldest first, None for each that cannot be read."""
    return archive.notices.read(NOTICE, read)


def newest(
    announcements: Iterable[Announcement | None],
) -> dict[tuple[BoardKey, int], Announcement]:
    """Return each board's newest announcement of each round, by its epoch and counter."""
    newest_by_key: dict[tuple[BoardKey, int], Announcement] = {}
    for announcement in announcements:
        if announcement is None:
            continue
        before = newest_by_key.get((announcement.board, announcement.round))
        if before is None or (before.epoch, before.counter) < (
            announcement.epoch,
            announcement.counter,
        ):
            newest_by_key[announcement.board, announcement.round] = announcement
    return newest_by_key


def read(facts: Mapping[str, Json]) -> Announcement | None:
    """Return the announcement in a notice, None if it is invalid or differs from its frame.

    Raises LookupError, TypeError, ValueError.
    """
    number, pairing, table = whole(facts["round"], facts["pairing"], facts["table"])
    won, milestone, at_ms = whole(facts["won"], facts["milestone"], facts["at_ms"])
    epoch, counter = whole(facts["epoch"], facts["counter"])
    board, scores, text = facts["board"], facts["scores"], facts["frame"]
    if not isinstance(board, list) or not isinstance(scores, list) or not isinstance(text, str):
        return None
    (device, generation), (a, b), frame = whole(*board), whole(*scores), bytes.fromhex(text)
    announcement = Announcement(
        number, pairing, table, won, (a, b), milestone, BoardKey(device, generation), epoch,
        counter, frame, at_ms,
    )  # fmt: skip
    return announcement if _fits(announcement) else None


def _fits(announcement: Announcement) -> bool:
    """Whether an announcement agrees with its frame."""
    head = frames.STATUS, announcement.board.device, announcement.epoch, announcement.counter
    if head_of(announcement.frame) != head:
        return False
    word = announcement.word
    if word is None:
        return announcement.won == WITHDRAWN
    round_told = announcement.round % announced.MOST
    told = announcement.won, *announcement.scores, round_told, announcement.milestone
    return announced_result(word) == told


def result(announcement: Announcement, form: Format, rules: Rules) -> Result | None:
    """Return an announcement's Result in its round's format; None if it is not possible there.

    What the status does not contain (the section, a concession) is left to the records. The points
    are those that the records will give: all points of a squad count as all of its ships.
    """
    match = Match(rules)
    match.apply(
        events.RoundSet(
            announcement.at_ms, announcement.round, announcement.table, announcement.pairing
        )
    )
    match.apply(events.FormatSet(announcement.at_ms, form.system, form.bits, form.minutes))
    if announcement.won not in (1, 2, outcome.TIE):
        return None
    match.outcome = announcement.won
    set_scores = _set_destroyed if match.cap else _set_games
    if not set_scores(match, announcement.scores):
        return None
    derived = match_results.result_of(match, announcement.at_ms, incomplete=False)
    return replace(derived, section=None, by=ANNOUNCED, timed=False)


def _set_destroyed(match: Match, scores: tuple[int, int]) -> bool:
    """Set the destroyed points of a match; return whether the scores are possible there."""
    if match.cap > announced.LARGEST:
        return False
    if scores == _UNKNOWN:
        match.claimed = CLAIMED  # ruled without points
        return True
    match.wiped = 0
    if scores[1] & announced.WHOLE:  # seat B has destroyed all ships of seat A
        match.wiped |= 1
    if scores[0] & announced.WHOLE:
        match.wiped |= 2
    match.claimed = 0 if match.wiped else CLAIMED  # perhaps ruled against the points
    a, b = (score & ~announced.WHOLE for score in scores)
    match.destroyed = a, b
    loser = 3 - match.outcome  # the bit of that seat; 0 for a tie
    return max(a, b) <= match.cap and match.wiped in (0, loser)


def _set_games(match: Match, scores: tuple[int, int]) -> bool:
    """Set the games of a match; return whether the scores are possible there."""
    flags = scores[0] | scores[1]
    match.award = match.outcome if flags & announced.NARROW else 0
    match.claimed = match.called = int(bool(flags & announced.BY_HAND))
    a, b = (score % announced.BY_HAND for score in scores)
    match.games = a, b
    # the game awarded to the winner was not played
    match.score = a - int(match.award == 1), b - int(match.award == 2)
    return a + b <= match.best_of
