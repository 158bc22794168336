"""The whole state that pages show, as ``{(section, id or None): value}``, made from a Station.

``Snapshot.whole`` builds all of it, ``Snapshot.parts`` what may have changed. ``view`` gives a role's share.
Values are plain JSON; times are event time in ms.
"""

from firmware.core import intents
from host import points
from host.web import boardcard, callbook, forecast, ordersheet, roundcard, tablecard

SINGLE = ("event", "round", "byes", "forecast", "message", "alarms", "paused")
MANY = ("rounds", "tables", "orders", "calls", "boards")
_ALARMS = 30


class Snapshot:
    """Builds the parts of the state; ``orders`` (ordersheet.OrderSheet) are kept by the caller."""

    def __init__(self, station, orders):
        self._station, self.orders = station, orders
        self.versions = boardcard.Versions(station.archive.records())

    def whole(self, now_ms):
        """Return every part."""
        number = self._station.desk.round
        found = self.of_round(number, None, now_ms) | self.of_boards(now_ms) | self.of_rounds()
        event = self._station.archive.roster.event
        found["event", None] = {"name": event.name, "origin_unix_ms": event.origin_unix_ms} if event else None
        return found | self.of_orders() | self.of_alarms()

    def of_round(self, number, tables, now_ms):
        """Return the published round and its ``tables`` (None: all of them)."""
        station = self._station
        if number is None:
            return {("round", None): self._stored(), ("byes", None): [], ("forecast", None): None,
                    ("message", None): None, ("paused", None): False}  # fmt: skip
        pairings = station.archive.roster.pairings_of(number)
        seated = {one.table: one for one in pairings if one.b is not None}
        results, hall = station.hall.results(number), station.hall
        matches = {table: self._match(table, number) for table in seated}
        began_ms = roundcard.start_ms(station.archive, number, seated)
        card = roundcard.whole(roundcard.summary(station.archive, hall, number), matches, began_ms)
        done = {table for table, one in seated.items() if one.pairing in results}
        chosen = seated if tables is None else {table: seated[table] for table in tables if table in seated}
        return self._cards(chosen, results, number, now_ms) | {
            ("round", None): card,
            ("byes", None): [tablecard.player(one.a) for one in pairings if one.b is None],
            ("forecast", None): forecast.forecast(matches, done, card["zero_ms"], now_ms),
            ("message", None): self._message(seated),
            ("paused", None): _paused(matches, done),
        }  # fmt: skip

    def _match(self, table, number):
        fold = self._station.hall.fold_at(table)
        return fold.match if fold and fold.match.round == number else None

    def _cards(self, chosen, results, number, now_ms):
        station, found = self._station, {}
        said, claims = points.setting(station.archive), callbook.claims(station.archive, number)
        watches = {watch.table: watch for watch in station.collector.watches.values()}
        for table, pairing in chosen.items():
            parts = station.hall.fold_at(table), watches.get(table), results.get(pairing.pairing)
            card = tablecard.card(pairing, *parts, said, claims.get(table), now_ms)
            found["tables", str(table)] = card
            found["calls", str(table)] = card["call"]
        return found

    def _stored(self):
        numbers = self._station.archive.roster.rounds
        if not numbers:
            return None
        return roundcard.whole(roundcard.summary(self._station.archive, self._station.hall, numbers[-1]), {}, None)

    def _message(self, seated):
        for table in seated:
            order = self._station.archive.orders.newest(table, intents.SAY)
            if order is not None:
                next_ms = order.at_ms + order.b * 1000 if order.b else None
                return {"number": order.a, "next_ms": next_ms, "at_ms": order.at_ms}
        return None

    def of_rounds(self):
        """Return every stored round in short."""
        station = self._station
        return {
            ("rounds", str(number)): roundcard.summary(station.archive, station.hall, number)
            for number in station.archive.roster.rounds
        }

    def of_boards(self, now_ms, devices=None):
        """Return the cards of boards in use, or of those in ``devices``."""
        collector = self._station.collector
        refused = boardcard.refusals(collector.refused)
        return {
            ("boards", str(watch.device)): boardcard.card(
                watch, collector.owed(watch), refused.get(watch.device, {}), self.versions.of.get(watch.device), now_ms
            )
            for watch in collector.watches.values()
            if devices is None or watch.device in devices
        }

    def of_orders(self):
        """Return the orders that wait, and the last that do not."""
        return {("orders", str(key)): card for key, card in self.orders.cards.items()}

    def of_alarms(self):
        """Return the last alarms."""
        keys = ("at_ms", "device", "text")
        last = list(self._station.collector.alarms)[-_ALARMS:]
        return {("alarms", None): [dict(zip(keys, one, strict=True)) for one in last]}


def _paused(matches, done):
    """Say whether every clock that could run stands still."""
    left = [match for table, match in matches.items() if table not in done and match and match.start_ms is not None]
    return bool(left) and all(match.frozen_ms is not None for match in left)
