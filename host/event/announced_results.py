"""Results that boards announced in their statuses, until their own records arrive.

A board that listens to a beacon says in one signed status what its match came to
(``firmware/core/announced.py``). Each is a notice with that status' frame as evidence; the newest
of a board in a round counts. A later status of a match that is open again withdraws it, by a notice
with its own frame.
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
    """A status' result, or that there is none any more (``WITHDRAWN``): outcome 1 (A), 2 (B) or
    ``outcome.TIE``, both scores (games won, or points that count as destroyed), event time in ms.

    ``scores`` still has ``announced.BY_HAND`` and ``announced.NARROW`` in it where the system
    counts no points; ``milestone``: modulo 32.
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
        """The word in the frame, None where it announces nothing."""
        status = status_of(self.frame)
        return status.zero_ms if status.flags & frames.RESULT_TOLD else None


def of_status(verified: VerifiedFrame, place: tuple[int, int, int], now_ms: int) -> Announcement:
    """Return the Announcement of a status; ``place``: round, pairing, table."""
    status, said = status_of(verified.frame), (WITHDRAWN, 0, 0, 0, 0)
    if status.flags & frames.RESULT_TOLD:
        said = announced.read(status.zero_ms)
    won, a, b, _, milestone = said
    board = BoardKey(verified.device, verified.generation)
    return Announcement(
        *place, won, (a, b), milestone, board, verified.epoch, verified.counter, verified.frame,
        now_ms,
    )  # fmt: skip


def store(archive: Archive, one: Announcement, said: Result | None) -> None:
    """Store an announcement, and for people the figures of what it comes to (``said``)."""
    value = {
        "round": one.round,
        "pairing": one.pairing,
        "table": one.table,
        "won": one.won,
        "scores": one.scores,
        "milestone": one.milestone,
        "board": one.board,
        "epoch": one.epoch,
        "counter": one.counter,
        "frame": one.frame.hex(),
        "games": said.games if said else (0, 0),
        "destroyed": said and said.destroyed,
        "at_ms": one.at_ms,
    }
    unix_ms = archive.roster.current_event.origin_unix_ms + one.at_ms
    author = AUTHOR.format(device=one.board.device)
    archive.notices.add(NOTICE, json.dumps(value, sort_keys=True), author, unix_ms)


def every(archive: Archive) -> list[Announcement | None]:
    """Return every announcement, oldest first, None for one that cannot be read."""
    return archive.notices.read(NOTICE, read)


def newest(found: Iterable[Announcement | None]) -> dict[tuple[BoardKey, int], Announcement]:
    """Return each board's newest announcement of each round, by its epoch and counter."""
    kept: dict[tuple[BoardKey, int], Announcement] = {}
    for one in found:
        if one is None:
            continue
        before = kept.get((one.board, one.round))
        if before is None or (before.epoch, before.counter) < (one.epoch, one.counter):
            kept[one.board, one.round] = one
    return kept


def read(told: Mapping[str, Json]) -> Announcement | None:
    """Return the announcement in a notice, None if it is invalid or says other than its frame.

    Raises LookupError, TypeError, ValueError.
    """
    number, pairing, table = whole(told["round"], told["pairing"], told["table"])
    won, milestone, at_ms = whole(told["won"], told["milestone"], told["at_ms"])
    epoch, counter = whole(told["epoch"], told["counter"])
    board, scores, text = told["board"], told["scores"], told["frame"]
    if not isinstance(board, list) or not isinstance(scores, list) or not isinstance(text, str):
        return None
    (device, generation), (a, b), frame = whole(*board), whole(*scores), bytes.fromhex(text)
    one = Announcement(
        number, pairing, table, won, (a, b), milestone, BoardKey(device, generation), epoch,
        counter, frame, at_ms,
    )  # fmt: skip
    return one if _fits(one) else None


def _fits(one: Announcement) -> bool:
    """Whether an announcement says what its frame does."""
    place = frames.STATUS, one.board.device, one.epoch, one.counter
    if head_of(one.frame) != place:
        return False
    said = (one.won, *one.scores, one.round % announced.MOST, one.milestone)
    word = one.word
    return one.won == WITHDRAWN if word is None else announced.read(word) == said


def result(one: Announcement, form: Format, rules: Rules) -> Result | None:
    """Return what an announcement comes to in its round's format; None if it cannot be.

    What the status does not say (the section, a concession) is left to the records. Points are
    those that the records will give; all points of a squad count as all of its ships.
    """
    match = Match(rules)
    match.apply(events.RoundSet(one.at_ms, one.round, one.table, one.pairing))
    match.apply(events.FormatSet(one.at_ms, form.system, form.bits, form.minutes))
    possible = _count_destroyed if match.cap else _count_games
    if one.won not in (1, 2, outcome.TIE):
        return None
    match.outcome = one.won
    if not possible(match, one.scores):
        return None
    told = match_results.result_of(match, one.at_ms, False)
    return replace(told, section=None, by=ANNOUNCED, timed=False)


def _count_destroyed(match: Match, scores: tuple[int, int]) -> bool:
    if match.cap > announced.LARGEST:
        return False
    if scores == _UNKNOWN:  # ruled without any
        match.claimed = 1
        return True
    whole = [one & announced.WHOLE for one in scores]
    match.wiped = bool(whole[1]) | bool(whole[0]) << 1
    match.claimed = int(not match.wiped)  # if so, a winner against the points was ruled
    a, b = match.destroyed = scores[0] - whole[0], scores[1] - whole[1]
    return max(a, b) <= match.cap and match.wiped in (0, 3 - match.outcome)


def _count_games(match: Match, scores: tuple[int, int]) -> bool:
    flags = scores[0] | scores[1]
    match.award = match.outcome if flags & announced.NARROW else 0
    match.claimed = match.called = int(bool(flags & announced.BY_HAND))
    a, b = (one % announced.BY_HAND for one in scores)
    match.games = a, b
    match.score = a - (match.award == 1), b - (match.award == 2)
    return a + b <= match.best_of
