"""The whole state that pages show, as ``{(section, id or None): value}``, made from a Station.

``Snapshot.whole`` builds all of it, ``of_tables`` and ``of_boards`` the parts that news of some
boards may change. Values are plain JSON; times are event time in ms.
"""

from collections.abc import Collection, Iterable, Mapping

from firmware.core.match import Match
from host.archive.orders import PENDING, Orders
from host.archive.store import Archive
from host.base.translation import in_each
from host.desk import hall_plan, public_standings, room_stop
from host.desk.station import Station
from host.event import penalties, registrations, zones
from host.event.match_results import Result
from host.web import boardcard, call_queue, forecast, tablecard
from host.web.cards import OrderCard, Parts, PastCallCard, PausedCard, RoundCard, StandingTableCard
from host.web.forecast import Expected
from host.web.roundcard import RoundRecord
from host.web.tablecard import order_card

SINGLE = ("event", "round", "byes", "forecast", "message", "alarms", "paused", "hall", "past_calls",
          "troubles", "beacon", "penalties", "zones", "standings", "door")  # fmt: skip
MANY = ("rounds", "tables", "orders", "calls", "expected", "boards")
_ALARMS = 30
_PAST = 5
_NO_ROUND = {"past_calls": [], "byes": [], "forecast": None, "message": None, "paused": None}
SETTLED_MOST = 50  # answered orders that pages show


class OrderSheet:
    """The desk's orders for pages: all pending ones, and the last answered ones.

    ``cards`` by order id are kept up to date by ``update``.
    """

    def __init__(self, orders: Orders):
        self._orders = orders
        self.cards: dict[int, OrderCard] = {}
        self._pending: set[int] = set()  # ids, as at the last update
        self._last_id = 0
        self.update()

    def update(self) -> set[int]:
        """Read new orders and answers; return the ids of the cards that changed."""
        pending = {order.id for order in self._orders.pending} if self._pending else set()
        settled = map(self._orders.get, sorted(self._pending - pending))
        changed = [order for order in settled if order is not None]
        changed += self._orders.after(self._last_id)
        self._last_id = max([self._last_id, *(order.id for order in changed)])
        self._pending -= {order.id for order in changed}
        self._pending |= {order.id for order in changed if order.state == PENDING}
        self.cards |= {order.id: order_card(order) for order in changed}
        return {order.id for order in changed} | self._forget()

    def _forget(self) -> set[int]:
        """Forget the oldest settled orders beyond ``SETTLED_MOST``; return their ids."""
        settled = sorted(key for key, card in self.cards.items() if card["state"] != PENDING)
        expired = settled[:-SETTLED_MOST]
        for order_id in expired:
            del self.cards[order_id]
        return set(expired)


class Snapshot:
    """Builds the parts of the state; ``orders`` are kept up to date by the caller.

    The archive's data of the round is read by ``whole``, and again when another round is published.
    """

    def __init__(self, station: Station, orders: OrderSheet):
        self._station, self.orders = station, orders
        self.versions = boardcard.Versions(station.archive.records())
        self._record: RoundRecord | None = None  # of the published round
        self._expected: dict[int, Expected | None] = {}
        self._past: dict[int, list[PastCallCard]] = {}
        # the archive's change count, and the number of entries waiting
        self._registrations: tuple[int, int] | None = None

    def whole(self, now_ms: int) -> Parts:
        """Return every part."""
        archive, hall = self._station.archive, self._station.hall
        self._record = None
        parts = self.of_tables(None, now_ms) | self.of_boards(None, now_ms)
        for number in archive.roster.rounds:
            record = self._record
            if record is None or record.number != number:
                record = RoundRecord(archive, number)
            parts["rounds", str(number)] = record.short(hall.results(number), now_ms)
        event = archive.roster.event
        parts["event", None] = (
            {"name": event.name, "origin_unix_ms": event.origin_unix_ms} if event else None
        )
        for key, card in self.orders.cards.items():
            parts["orders", str(key)] = card
        parts["hall", None] = hall_plan.current(archive)
        parts["standings", None] = public_standings.current(archive)
        parts["door", None] = self._waiting()
        parts["alarms", None] = self._alarms()
        parts["penalties", None] = _penalties(archive)
        parts["zones", None] = zones.current(archive)
        beacon, on = self._station.beacon, bool(self._station.beacon_on)
        parts["beacon", None] = beacon and {"said": in_each(beacon), "on": on}
        return parts | self.troubles(now_ms)

    def _waiting(self) -> int:
        """Return how many registrations wait, counted again after each change."""
        archive = self._station.archive
        changes, count = self._registrations or (None, 0)
        if changes != archive.changes:
            count = len(registrations.waiting(archive))
            self._registrations = archive.changes, count
        return count

    def troubles(self, now_ms: int) -> Parts:
        """Return the current troubles."""
        troubles = [
            {
                "kind": trouble.kind,
                "since_ms": trouble.since_ms,
                "why": trouble.why and in_each(trouble.why),
            }
            for trouble in self._station.troubles.now(now_ms)
        ]
        return {("troubles", None): troubles}

    def of_tables(self, tables: Collection[int] | None, now_ms: int) -> Parts:
        """Return the published round and some of its ``tables`` (None: all of them)."""
        number = self._station.desk.round
        if number is None:
            parts: Parts = {(section, None): value for section, value in _NO_ROUND.items()}
            return parts | {("round", None): self._stored_round()}
        if self._record is None or self._record.number != number:
            self._record, tables = RoundRecord(self._station.archive, number), None
            self._expected, self._past = {}, {}
        record, results = self._record, self._station.hall.results(number)
        matches = {table: self._match(table, number) for table in record.pairing_at}
        chosen = [table for table in record.pairing_at if tables is None or table in tables]
        done = {table for table, pairing in record.pairing_at.items() if pairing.pairing in results}
        card = record.whole(results, matches, now_ms)
        begun = record.start_ms is not None and record.start_ms <= now_ms
        zero_ms = card["zero_ms"] if begun else None
        boards = {status.table for status in self._station.collector.statuses.values()}
        for table in chosen:
            match = matches[table]
            fold = self._station.hall.fold_at(table) if match else None
            self._past[table] = call_queue.past(table, fold)
            self._expected[table] = None
            if table not in done and not card["untimed"]:
                has_board = table in boards
                self._expected[table] = forecast.expected_end(match, now_ms, zero_ms, has_board)
        return self._cards(record, chosen, results, now_ms) | {
            ("round", None): card,
            ("byes", None): [
                tablecard.player(pairing.a) for pairing in record.pairings if pairing.b is None
            ],
            ("forecast", None): forecast.forecast(self._expected, card["zero_ms"], now_ms),
            ("message", None): record.message,
            ("paused", None): self._room_stop(matches, done),
            ("past_calls", None): self._last_calls(),
        }

    def _room_stop(
        self, matches: Mapping[int, Match | None], done: Collection[int]
    ) -> PausedCard | None:
        """Return the room's stop: by one act, or because every clock is stopped; None if it
        runs.
        """
        stop = room_stop.holding(self._station)
        if stop is not None:
            reasons = room_stop.running(self._station, stop)
            left: list[StandingTableCard] = [
                {"table": table, "why": why} for table, why in reasons.items()
            ]
            return {"since_ms": stop.at_ms, "by": stop.by, "reason": stop.reason, "left": left}
        if not _all_frozen(matches, done):
            return None
        return {"since_ms": None, "by": "", "reason": "", "left": []}

    def _last_calls(self) -> list[PastCallCard]:
        past = [call for calls in self._past.values() for call in calls]
        return sorted(past, key=lambda call: -call["ended_ms"])[:_PAST]

    def _match(self, table: int, number: int) -> Match | None:
        fold = self._station.hall.fold_at(table)
        return fold.match if fold and fold.match.round == number else None

    def _cards(
        self,
        record: RoundRecord,
        chosen: Iterable[int],
        results: Mapping[int, Result],
        now_ms: int,
    ) -> Parts:
        """Return the cards of some tables, with their calls and estimates."""
        station = self._station
        cards: Parts = {}
        statuses = {status.table: status for status in station.collector.statuses.values()}
        for table in chosen:
            pairing, key = record.pairing_at[table], str(table)
            status = statuses.get(table)
            card = tablecard.card(
                pairing, station.hall.fold_at(table), status,
                missing=station.collector.missing(status) if status else (),
                result=results.get(pairing.pairing), worth=record.points, now_ms=now_ms,
                claimed=record.claims.get(table), again=record.put_back.get(table),
                feature=table in record.features, kept=record.keeps(pairing),
            )  # fmt: skip
            card["a"] = record.details.with_details(card["a"])
            card["b"] = record.details.with_details(card["b"])
            if record.facts["untimed"]:
                card["zero_ms"] = None
            cards["tables", key], cards["calls", key] = card, card["call"]
            cards["expected", key] = forecast.card(self._expected[table])
        return cards

    def _stored_round(self) -> RoundCard | None:
        archive = self._station.archive
        numbers = archive.roster.rounds
        if not numbers:
            return None
        results = self._station.hall.results(numbers[-1])
        return RoundRecord(archive, numbers[-1]).whole(results, {}, 0)

    def of_boards(self, devices: Collection[int] | None, now_ms: int) -> Parts:
        """Return the cards of some boards in use (None: all of them)."""
        collector = self._station.collector
        refused = boardcard.refusals(collector.refused)
        return {
            ("boards", str(status.device)): boardcard.card(
                status,
                collector.missing(status),
                refused.get(status.device, {}),
                self.versions.of.get(status.device),
                now_ms,
            )
            for status in collector.statuses.values()
            if devices is None or status.device in devices
        }

    def _alarms(self) -> list[dict[str, object]]:
        last = list(self._station.collector.alarms)[-_ALARMS:]
        return [
            {"at_ms": alarm.at_ms, "device": alarm.device, "text": in_each(alarm.sentence)}
            for alarm in last
        ]


def _penalties(archive: Archive) -> list[dict[str, object]]:
    """Return the penalties in force for pages, each with the player's name."""
    standing = penalties.standing(archive)
    players = archive.roster.players if standing else {}
    names = {number: player.name for number, player in players.items()}
    return [
        {**vars(penalty), "name": names.get(penalty.player, penalty.player)} for penalty in standing
    ]


def _all_frozen(matches: Mapping[int, Match | None], done: Collection[int]) -> bool:
    """Return whether every clock that could run is stopped, at half of the round's tables or more;
    a few last tables do not count as the room.
    """
    begun = [
        match
        for table, match in matches.items()
        if table not in done and match and match.start_ms is not None
    ]
    if not begun or 2 * len(begun) < len(matches):
        return False
    return all(match.frozen_ms is not None for match in begun)
