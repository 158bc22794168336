"""Hands boards on between events that the same program serves.

A board belongs to the event that it joined last. Its event orders it to join the other event, and
releases it when its record of the join arrives. Only then the other archive takes it over, with
that record and the used down counters. So a board that is switched off in between still belongs to
an event, and each record is in the archive of its own event.
"""

import itertools
import json
from collections.abc import Mapping

from firmware.core import events, frames, intents
from host.archive.orders import NewOrder
from host.archive.records import ArchivedRecord
from host.archive.roster import AWAY, SPARE, Board
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.collector.alarms import Alarm
from host.desk.board_departures import last_join
from host.desk.station import Station
from host.event import event_log


class Handing:
    """Hands boards on between ``stations``, which are served together; each has a short name."""

    def __init__(self, stations: Mapping[str, Station]):
        self._stations = {**stations}
        for station in stations.values():
            station.handing = self

    def require_disjoint(self) -> None:
        """Raise UserError if a board is in two events, as both would command it."""
        for (first, station), (second, other) in itertools.combinations(self._stations.items(), 2):
            theirs = other.archive.roster.current_boards
            for device, board in station.archive.roster.current_boards.items():
                same = theirs.get(device)
                if same and station.keyring.board(*board.key) == other.keyring.board(*same.key):
                    raise UserError(
                        "board {device} is in use in {word} and in {second}: take it out of one of"
                        " them (plusthree board provision --revoke {device} ARCHIVE)",
                        device=device, word=first, second=second,
                    )  # fmt: skip

    def remove(self, word: str) -> None:
        """Remove an event that is no longer served."""
        self._stations.pop(word).handing = None

    def other_events(self, station: Station) -> dict[str, str]:
        """Return the names of the other events, by their short names."""
        return {
            word: other.archive.roster.event.name if other.archive.roster.event else word
            for word, other in self._stations.items()
            if other is not station
        }

    def hand_on(
        self, station: Station, device: int, word: str, author: str, reason: str = ""
    ) -> Sentence:
        """Order a board of ``station`` to join the event ``word``; return a sentence for the user.

        Raises UserError for a board that plays or has records that are not archived yet, and if the
        other event cannot take it.
        """
        board = station.archive.roster.current_boards.get(device)
        if board is None:
            raise UserError(
                "board {device} is not in use: the list of boards has those that are", device=device
            )
        number = self._number(station, board, word)
        _require_free(station, board)
        now_ms, roster = station.collector.now_ms, station.archive.roster
        why = f"{word}: {reason}" if reason else word
        with station.archive.transaction():
            if board.table != SPARE:
                roster.move(device, SPARE, author, why, station.unix_ms)
            at = Board(device, board.generation, SPARE).address
            for order in station.archive.orders.pending_at(at):
                station.archive.orders.drop(order.id)
            intent = intents.JoinEvent(now_ms, 0, number)
            station.archive.orders.add(NewOrder(0, at, intent, author, why), now_ms)
            facts = json.dumps({"board": device, "event": word, "reason": reason})
            station.archive.notices.add(event_log.HANDING_ON, facts, author, station.unix_ms)
        station.refresh()
        return Sentence(
            "board {device} goes to {event} when it is reached", device=device, event=word
        )

    def _number(self, station: Station, board: Board, word: str) -> int:
        """Return the number of the event ``word``. Raises UserError if it cannot take the board."""
        other = self._stations.get(word)
        if other is None or other is station:
            words = ", ".join(self.other_events(station))
            refusal = "{word!r} is no other event here; there are: {words}"
            raise UserError(refusal, word=word, words=words)
        event, ours = other.archive.roster.event, station.archive.roster.current_event
        if event is None:
            raise UserError("{word} has no event yet: begin it first", word=word)
        if other.keyring.board(*board.key) != station.keyring.board(*board.key):
            raise UserError(
                "board {device} cannot go to {word}, whose archive has another master key: give the"
                " board a key of that one (plusthree board provision … ARCHIVE)",
                device=board.device, word=word,
            )  # fmt: skip
        if event.number == ours.number or event.number in station.archive.roster.numbers:
            raise UserError(
                "{word} has the same number in frames as this event, by chance: no board can tell"
                " them apart, so give its boards new keys (plusthree board provision)",
                word=word,
            )
        other.archive.roster.require_room(board.key)
        return event.number

    def complete(self) -> None:
        """Let each released board be taken over by the event that it joined, if that is served."""
        for word, station in self._stations.items():
            away = [board for board in station.archive.roster.boards if board.table == AWAY]
            for board in away:
                last = last_join(station.archive, board.key)
                if last is not None:
                    self._take_over(word, station, board, last)

    def _take_over(self, word: str, giver: Station, board: Board, joined: ArchivedRecord) -> None:
        """Move a board from the event ``word`` to the event of its record ``joined``."""
        event_joined = joined.board_event
        assert isinstance(event_joined, events.EventJoined)
        for other, taker in self._stations.items():
            event = taker.archive.roster.event
            if taker is giver or event is None or event.number != event_joined.event:
                continue
            known = last_join(taker.archive, board.key)
            if known is not None and known.position >= joined.position:
                continue  # taken over earlier, and perhaps handed on since
            archive, unix_ms = taker.archive, taker.unix_ms
            with archive.transaction():
                archive.roster.take_over(board.key, "host", word, unix_ms)
                archive.pass_over(*board.key, giver.archive.reserved(*board.key))
            taker.refresh()
            taker.collector.take_over(joined.frame)
            _report(giver, board.device, Sentence("has gone to {event}", event=other))
            _report(taker, board.device, Sentence("has come from {event}, as a spare", event=word))


def _report(station: Station, device: int, sentence: Sentence) -> None:
    """Add an alarm about a board."""
    station.collector.alarms.append(Alarm(station.collector.now_ms, device, sentence))


def _require_free(station: Station, board: Board) -> None:
    """Raise UserError for a board that plays, or has records that are not archived yet."""
    device, number = board.device, station.desk.round
    if number is not None and board.table in station.desk.tables:
        pairing = station.archive.roster.pairing_at(number, board.table)
        if pairing is not None and pairing.pairing not in station.hall.results(number):
            raise UserError(
                "board {device} plays at table {table}: wait for its result, or swap a spare in",
                device=device, table=board.table,
            )  # fmt: skip
    status = station.collector.statuses[device]
    if status.heard_ms is None:
        raise UserError("board {device} was not heard: switch it on", device=device)
    if status.has(frames.UNSENT) or station.collector.missing(status):
        raise UserError(
            "board {device} has records that are not here yet: try again in a moment",
            device=device,
        )
