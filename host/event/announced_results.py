"""Results that boards announced in their statuses, until their own records arrive.

A board that listens to a beacon announces its match's result in one signed status
(``firmware/core/announced.py``). Each announcement is a notice with that status frame as evidence;
a board's newest in a round counts. If the match is reopened, a later status withdraws the result,
in a notice with its own frame.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from firmware.core import announced, events, frames, outcome
from firmware.core.match import Match
from host.archive.decoded_frames import VerifiedFrame, head_of, status_of
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
        """The announced word in the frame, None if it announces nothing."""
        status = status_of(self.frame)
        return status.zero_ms if status.flags & frames.RESULT_TOLD else None


def of_status(verified: VerifiedFrame, place: tuple[int, int, int], now_ms: int) -> Announcement:
    """Return the Announcement of a status; ``place`` is round, pairing, table."""
    status, fields = status_of(verified.frame), (WITHDRAWN, 0, 0, 0, 0)
    if status.flags & frames.RESULT_TOLD:
        fields = announced.read(status.zero_ms)
    won, a, b, _, milestone = fields
    board = BoardKey(verified.device, verified.generation)
    return Announcement(
        *place, won, (a, b), milestone, board, verified.epoch, verified.counter, verified.frame,
        now_ms,
    )  # fmt: skip


def store(archive: Archive, announcement: Announcement, known_result: Result | None) -> None:
    """Store an announcement with the figures of its result (``known_result``), for people to
    read.
    """
    value = {
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
        "destroyed": known_result and known_result.destroyed,
        "at_ms": announcement.at_ms,
    }
    unix_ms = archive.roster.current_event.origin_unix_ms + announcement.at_ms
    author = AUTHOR.format(device=announcement.board.device)
    archive.notices.add(NOTICE, json.dumps(value, sort_keys=True), author, unix_ms)


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
    place = frames.STATUS, announcement.board.device, announcement.epoch, announcement.counter
    if head_of(announcement.frame) != place:
        return False
    expected = (
        announcement.won,
        *announcement.scores,
        announcement.round % announced.MOST,
        announcement.milestone,
    )
    word = announcement.word
    return announcement.won == WITHDRAWN if word is None else announced.read(word) == expected


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
    possible = _count_destroyed if match.cap else _count_games
    if announcement.won not in (1, 2, outcome.TIE):
        return None
    match.outcome = announcement.won
    if not possible(match, announcement.scores):
        return None
    derived = match_results.result_of(match, announcement.at_ms, False)
    return replace(derived, section=None, by=ANNOUNCED, timed=False)


def _count_destroyed(match: Match, scores: tuple[int, int]) -> bool:
    if match.cap > announced.LARGEST:
        return False
    if scores == _UNKNOWN:  # ruled without any
        match.claimed = 1
        return True
    whole = [number & announced.WHOLE for number in scores]
    match.wiped = bool(whole[1]) | bool(whole[0]) << 1
    match.claimed = int(not match.wiped)  # if so, a winner against the points was ruled
    a, b = match.destroyed = scores[0] - whole[0], scores[1] - whole[1]
    return max(a, b) <= match.cap and match.wiped in (0, 3 - match.outcome)


def _count_games(match: Match, scores: tuple[int, int]) -> bool:
    flags = scores[0] | scores[1]
    match.award = match.outcome if flags & announced.NARROW else 0
    match.claimed = match.called = int(bool(flags & announced.BY_HAND))
    a, b = (number % announced.BY_HAND for number in scores)
    match.games = a, b
    match.score = a - (match.award == 1), b - (match.award == 2)
    return a + b <= match.best_of
