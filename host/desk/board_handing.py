"""Boards handed on from one event to another that the same program serves.

A board belongs to the event that it joined last. The event that has it orders it to join the other
one, and lets go of it when its record of that arrives: only then the other archive takes it over,
with that record, and with the down counters that are used up. So a board that is switched off in
between still belongs to somebody, and its records lie in the archive of the event they are of.
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
    """Hands boards on between ``stations``, which are served at once, each by its word."""

    def __init__(self, stations: Mapping[str, Station]):
        self._stations = {**stations}
        for station in stations.values():
            station.handing = self

    def require_apart(self) -> None:
        """Raise UserError for a board that two events have: both would command it."""
        for (word, one), (second, other) in itertools.combinations(self._stations.items(), 2):
            theirs = other.archive.roster.current_boards
            for device, board in one.archive.roster.current_boards.items():
                same = theirs.get(device)
                if same and one.keyring.board(*board.key) == other.keyring.board(*same.key):
                    raise UserError(
                        "board {device} is in use in {word} and in {second}: take it out of one of"
                        " them (plusthree board provision --revoke {device} ARCHIVE)",
                        device=device, word=word, second=second,
                    )  # fmt: skip

    def leave(self, word: str) -> None:
        """Hand nothing to an event that is served no more, and nothing from it."""
        self._stations.pop(word).handing = None

    def others(self, station: Station) -> dict[str, str]:
        """Return the names of the other events, by their words."""
        return {
            word: one.archive.roster.event.name if one.archive.roster.event else word
            for word, one in self._stations.items()
            if one is not station
        }

    def hand_on(
        self, station: Station, device: int, word: str, author: str, reason: str = ""
    ) -> Sentence:
        """Have a board of ``station`` join the event called ``word``; return what was asked.

        Raises UserError for a board that plays, that has records which are not here yet, or that
        the other event cannot take.
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
        """Return the number of the event that a board is to join. Raises UserError."""
        other = self._stations.get(word)
        if other is None or other is station:
            words = ", ".join(self.others(station))
            said = "{word!r} is no other event here; there are: {words}"
            raise UserError(said, word=word, words=words)
        event, own = other.archive.roster.event, station.archive.roster.current_event
        if event is None:
            raise UserError("{word} has no event yet: begin it first", word=word)
        if other.keyring.board(*board.key) != station.keyring.board(*board.key):
            raise UserError(
                "board {device} cannot go to {word}, whose archive has another master key: give the"
                " board a key of that one (plusthree board provision … ARCHIVE)",
                device=board.device, word=word,
            )  # fmt: skip
        if event.number == own.number or event.number in station.archive.roster.numbers:
            raise UserError(
                "{word} has the same number in frames as this event, by chance: no board can tell"
                " them apart, so give its boards new keys (plusthree board provision)",
                word=word,
            )
        other.archive.roster.require_room(board.key)
        return event.number

    def settle(self) -> None:
        """Have each board that has gone taken over by the event it joined, if that is served."""
        for word, station in self._stations.items():
            away = [one for one in station.archive.roster.boards if one.table == AWAY]
            for board in away:
                last = last_join(station.archive, board.key)
                if last is not None:
                    self._arrive(word, station, board, last)

    def _arrive(self, word: str, giver: Station, board: Board, joined: ArchivedRecord) -> None:
        told = joined.board_event
        assert isinstance(told, events.EventJoined)
        for other, taker in self._stations.items():
            event = taker.archive.roster.event
            if taker is giver or event is None or event.number != told.event:
                continue
            known = last_join(taker.archive, board.key)
            if known is not None and known.position >= joined.position:
                continue  # it has arrived, and may have gone on since
            archive, unix_ms = taker.archive, taker.unix_ms
            with archive.transaction():
                archive.roster.take_over(board.key, "host", word, unix_ms)
                archive.pass_over(*board.key, giver.archive.reserved(*board.key))
            taker.refresh()
            taker.collector.take_over(joined.frame)
            _say(giver, board.device, Sentence("has gone to {event}", event=other))
            _say(taker, board.device, Sentence("has come from {event}, as a spare", event=word))


def _say(station: Station, device: int, sentence: Sentence) -> None:
    station.collector.alarms.append(Alarm(station.collector.now_ms, device, sentence))


def _require_free(station: Station, board: Board) -> None:
    """Raise UserError for a board that plays, or that has records which are not here yet."""
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
