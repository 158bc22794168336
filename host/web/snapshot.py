"""The whole state that pages show, as ``{(section, id or None): value}``, made from a Station.

``Snapshot.whole`` builds all of it, ``of_tables`` and ``of_boards`` what a few boards' news may have
changed. Values are plain JSON; times are event time in ms.
"""

from host.base.translation import in_each
from host.desk import hall_plan
from host.web import boardcard, call_queue, forecast, roundcard, tablecard

SINGLE = ("event", "round", "byes", "forecast", "message", "alarms", "paused", "hall", "past_calls")
MANY = ("rounds", "tables", "orders", "calls", "expected", "boards")
_ALARMS = 30
_PAST = 5
_NO_ROUND = {"past_calls": [], "byes": [], "forecast": None, "message": None, "paused": False}


class Snapshot:
    """Builds the parts of the state; ``orders`` (ordersheet.OrderSheet) are kept by the caller.

    What the archive says of the round is read by ``whole``, and again when another round is published.
    """

    def __init__(self, station, orders):
        self._station, self.orders = station, orders
        self.versions = boardcard.Versions(station.archive.records())
        self._book, self._expected, self._past = None, {}, {}

    def whole(self, now_ms):
        """Return every part."""
        archive, hall = self._station.archive, self._station.hall
        self._book, self._expected, self._past = None, {}, {}
        found = self.of_tables(None, now_ms) | self.of_boards(None, now_ms)
        for number in archive.roster.rounds:
            book = self._book
            if book is None or book.number != number:
                book = roundcard.Book(archive, number)
            found["rounds", str(number)] = book.short(hall.results(number), now_ms)
        event = archive.roster.event
        found["event", None] = (
            {"name": event.name, "origin_unix_ms": event.origin_unix_ms} if event else None
        )
        found |= {("orders", str(key)): card for key, card in self.orders.cards.items()}
        found["hall", None] = hall_plan.current(archive)
        return found | self._alarms()

    def of_tables(self, tables, now_ms):
        """Return the published round and some of its ``tables`` (None: all of them)."""
        number = self._station.desk.round
        if number is None:
            return {("round", None): self._stored()} | {
                (section, None): value for section, value in _NO_ROUND.items()
            }
        if self._book is None or self._book.number != number:
            self._book, tables = roundcard.Book(self._station.archive, number), None
        book, results = self._book, self._station.hall.results(number)
        matches = {table: self._match(table, number) for table in book.seated}
        chosen = (
            book.seated if tables is None else [table for table in tables if table in book.seated]
        )
        done = {table for table, one in book.seated.items() if one.pairing in results}
        card = book.whole(results, matches, now_ms)
        for table in chosen:
            self._past[table] = (
                call_queue.past(table, self._station.hall.fold_at(table)) if matches[table] else []
            )
            ends = table not in done and not card["untimed"]
            self._expected[table] = forecast.end_ms(matches[table], now_ms) if ends else None
        return self._cards(chosen, results, now_ms) | {
            ("round", None): card,
            ("byes", None): [tablecard.player(one.a) for one in book.pairings if one.b is None],
            ("forecast", None): forecast.forecast(self._expected, card["zero_ms"]),
            ("message", None): book.message,
            ("paused", None): _paused(matches, done),
            ("past_calls", None): self._last_calls(),
        }

    def _last_calls(self):
        past = [call for calls in self._past.values() for call in calls]
        return sorted(past, key=lambda call: -call["ended_ms"])[:_PAST]

    def _match(self, table, number):
        fold = self._station.hall.fold_at(table)
        return fold.match if fold and fold.match.round == number else None

    def _cards(self, chosen, results, now_ms):
        station, book, found = self._station, self._book, {}
        statuses = {status.table: status for status in station.collector.statuses.values()}
        for table in chosen:
            pairing, key = book.seated[table], str(table)
            status = statuses.get(table)
            missing = station.collector.missing(status) if status else ()
            parts = station.hall.fold_at(table), status, missing, results.get(pairing.pairing)
            card = tablecard.card(pairing, *parts, book.points, book.claims.get(table), now_ms)
            if book.fixed["untimed"]:
                card["zero_ms"] = None
            found["tables", key], found["calls", key] = card, card["call"]
            found["expected", key] = forecast.card(self._expected[table])
        return found

    def _stored(self):
        archive = self._station.archive
        numbers = archive.roster.rounds
        return roundcard.Book(archive, numbers[-1]).whole({}, {}, 0) if numbers else None

    def of_boards(self, devices, now_ms):
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

    def _alarms(self):
        last = list(self._station.collector.alarms)[-_ALARMS:]
        told = [
            {"at_ms": at_ms, "device": device, "text": in_each(said)}
            for at_ms, device, said in last
        ]
        return {("alarms", None): told}


def _paused(matches, done):
    """Say whether every clock that could run stands still."""
    left = [
        match
        for table, match in matches.items()
        if table not in done and match and match.start_ms is not None
    ]
    return bool(left) and all(match.frozen_ms is not None for match in left)
