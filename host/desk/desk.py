"""The desk: the orders of organisers and judges to tables, stored before they are sent.

Every order is absolute (docs/architecture.md): the desk computes totals and instants, the boards
never add. Methods return the ids of their orders, whose state is in ``archive.orders``; they take
an author, and raise UserError for a table that does not play in the published round. They know no
roles: what only some may do is refused by the act (``host/desk/acts``, ``Staff.link``). Times are
event time in ms; "now" is the collector's.
"""

import json
from collections.abc import Callable, Container, Iterable, Mapping
from typing import TypeAlias

from firmware.core import acts, intents, legal, phases, play
from firmware.core.intents import Intent
from host.archive.orders import PENDING, NewOrder, Order
from host.archive.people import People
from host.archive.roster import Format, Pairing
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.base.words import clock
from host.collector.collector import Collector
from host.desk import next_round, round_lengths, rulings, table_boards
from host.event import event_log, event_systems, paper_results, roll_policy, squad_lists
from host.event.fold import Hall
from host.event.incident_log import ruled_at_table
from host.systems.match_facts import best_of, points_cap
from host.systems.rules import Rules

SEATS = {"A": 1, "B": 2, "AB": 3, "-": 0}
OUTCOMES = {"A": 1, "B": 2, "tie": 3}
DESK = "desk"
Games: TypeAlias = tuple[int, int]
"""A number for each of two players, for instance the games won."""
_SECONDS_MOST = 65535
_LONG_WAIT_MS = 60 * 60_000  # a start further away than this asks for confirmation


def swap(games: Games) -> Games:
    """Return a pair in the other order."""
    a, b = games
    return b, a


def _tables_of(pairings: Iterable[Pairing]) -> list[int]:
    """Return the tables of matches, ascending; a bye has none."""
    return sorted(pairing.table for pairing in pairings if pairing.b and pairing.table is not None)


def _require_present(archive: Archive, round_number: int) -> None:
    """Raise UserError if a stored round seats a player who has dropped."""
    dropped = People(archive).gone
    for pairing in archive.roster.pairings_of(round_number):
        for player in pairing.players:
            if player.number in dropped:
                refusal = (
                    "{who} has dropped and sits {where} of round {round}: take the player out of"
                    " the round (Rounds on the desk's page), or take the player back"
                )
                who, where = player.name_and_number, pairing.location
                raise UserError(refusal, who=who, where=where, round=round_number)


def set_up_intents(
    pairing: Pairing, form: Format, squads: Mapping[int, Intent], now_ms: int
) -> list[Intent]:
    """Return the intents for a table's round, format and squads; ``squads`` by pairing number."""
    assert pairing.table is not None  # it is no bye
    sets: list[Intent] = [
        intents.SetRound(now_ms, pairing.round, pairing.table, pairing.pairing),
        intents.SetFormat(now_ms, form.system, form.bits, form.minutes),
    ]
    if pairing.pairing in squads:
        sets.append(squads[pairing.pairing])
    return sets


class Desk:
    """Orders to the tables of the current event's published round; ``hall`` has their folds."""

    def __init__(self, collector: Collector, archive: Archive, hall: Hall):
        self._collector, self._archive, self._hall = collector, archive, hall

    @property
    def round(self) -> int | None:
        """The number of the last published round, or None."""
        return self._archive.orders.last_round(intents.SET_ROUND)

    @property
    def tables(self) -> list[int]:
        """The tables that play in the published round, ascending."""
        return _tables_of(self._pairings)

    def published_round(self) -> int:
        """Return the published round's number. Raises UserError without one."""
        number = self.round
        if number is None:
            raise UserError("no round is published yet: publish one first")
        return number

    def published_tables(self) -> list[int]:
        """Return the tables of the published round. Raises UserError without one."""
        tables = self.tables
        if not tables:
            raise UserError("no round is published yet: publish one first")
        return tables

    @property
    def open(self) -> list[int]:
        """The tables of the published round without a result, ascending."""
        results = self._hall.results(self.round) if self.round else {}
        return _tables_of(pairing for pairing in self._pairings if pairing.pairing not in results)

    @property
    def _pairings(self) -> list[Pairing]:
        """The pairings of the published round, [] without one."""
        return self._archive.roster.pairings_of(self.round) if self.round else []

    def require_results(self, tables: Container[int]) -> None:
        """Raise UserError if any of ``tables`` has no result yet: clearing a board deletes its
        match.
        """
        left = [str(table) for table in self.open if table in tables]
        if left:
            raise UserError("results are missing: table {tables}", tables=", ".join(left))

    # the whole room

    def publish(self, round_number: int, author: str = DESK, leave: bool = False) -> list[int]:
        """Send each table of a stored round its pairing and format, once.

        A board that still plays a match whose result is known leaves it first; with ``leave`` any
        match. Raises UserError for a round that is not stored.
        """
        form = self._archive.roster.stored_format(round_number)
        _require_present(self._archive, round_number)
        to_clear = next_round.to_clear(self._archive, self._hall, round_number, leave)
        squads = squad_lists.for_boards(self._archive, round_number, self._collector.now_ms)
        orders = list[int]()
        with self._archive.transaction():
            for pairing in self._archive.roster.pairings_of(round_number):
                table = pairing.table
                if pairing.b is None or table is None:
                    continue
                if self._archive.orders.latest_in_round(round_number, table, intents.SET_ROUND):
                    continue
                set_up = self._set_up_intents(pairing, form, squads)
                if table in to_clear:
                    set_up.insert(0, intents.ClearRound(self._collector.now_ms))
                for intent in set_up:
                    orders.append(self._order(table, intent, author, round=round_number))
        return orders

    def reseat(
        self, round_number: int, tables: Iterable[int], empty: Iterable[int], author: str
    ) -> list[int]:
        """Send ``tables`` of a published round their new pairing, and clear the ``empty`` ones."""
        form, now_ms = self._archive.roster.stored_format(round_number), self._collector.now_ms
        squads = squad_lists.for_boards(self._archive, round_number, now_ms)
        reason, orders = "paired anew", list[int]()
        with self._archive.transaction():
            for table in tables:
                pairing = self._archive.roster.pairing_at(round_number, table)
                assert pairing is not None  # just stored
                for intent in self._set_up_intents(pairing, form, squads):
                    orders.append(self._order(table, intent, author, reason, round_number))
            for table in empty:
                intent = intents.ClearRound(now_ms)
                orders.append(self._order(table, intent, author, reason, round_number))
        return orders

    def _set_up_intents(
        self, pairing: Pairing, form: Format, squads: Mapping[int, Intent]
    ) -> list[Intent]:
        """Return the intents that set a table up for a pairing; ``squads`` by pairing number."""
        now_ms = self._collector.now_ms
        set_up = set_up_intents(pairing, form, squads, now_ms)
        switches = roll_policy.switches_of(self._archive, pairing.table or 0)
        if switches is not None:  # SetRound clears a board's switches
            set_up.append(intents.SetPolicy(now_ms, switches))
        return set_up

    def start(self, at_ms: int, author: str = DESK) -> list[int]:
        """Set or change the start of the published round at every table.

        Raises UserError for a past instant, and once the round has begun.
        """
        now_ms, before_ms = self._collector.now_ms, self.start_ms
        if at_ms <= now_ms:
            raise UserError("a round can only start at a time to come: choose a later one")
        if before_ms is not None and before_ms <= now_ms:
            refusal = (
                "round {number} began {minutes} min ago: give tables more time, or stop the whole"
                " room"
            )
            raise UserError(refusal, number=self.round, minutes=(now_ms - before_ms) // 60_000)
        with self._archive.transaction():
            orders = [
                self._order(table, intents.SetStart(at_ms), author)
                for table in self.published_tables()
            ]
            return self._send_late_squads(author) + orders

    def _send_late_squads(self, author: str) -> list[int]:
        """Send tables the squads whose lists were stored after the round was published."""
        number, orders = self.published_round(), []
        squads = squad_lists.for_boards(self._archive, number, self._collector.now_ms)
        for pairing in self._archive.roster.pairings_of(number) if squads else ():
            intent = squads.get(pairing.pairing)
            if intent is None or pairing.table is None:
                continue
            before = self._latest(pairing.table, intents.SET_SQUADS)
            # at(): the same squads are equal only at the same time
            if before is None or before.intent.at(intent.at_ms) != intent:
                orders.append(self._order(pairing.table, intent, author))
        return orders

    @property
    def start_ms(self) -> int | None:
        """The start of the published round, None before it is set."""
        number = self.round
        if number is None or not self._archive.orders.started(number):
            return None
        order = self._archive.orders.latest_of(intents.SET_START, number)
        return order.at_ms if order else None

    @property
    def set_up_s(self) -> int:
        """The seconds of set-up before the start of the published round; 0 where set-up has no
        clock, as of ships, which begins with the pairing.
        """
        seconds = self._rules.PREGAME_S
        return 0 if seconds == acts.UNTIMED_S else seconds

    def start_question(self, at_ms: int) -> Sentence | None:
        """Return the question to ask before setting a start that is far away, or that replaces
        another one; else None.
        """
        start_ms, now_ms = self.start_ms, self._collector.now_ms
        if start_ms is None and at_ms - now_ms > _LONG_WAIT_MS:
            return Sentence("Start the round only in {left}?", left=clock(at_ms - now_ms))
        if start_ms is None or start_ms <= now_ms:
            return None
        question = "Round {number} starts in {left}. Set another start?"
        return Sentence(question, number=self.round, left=clock(start_ms - now_ms))

    def set_length(
        self, round_number: int, minutes: int, author: str, reason: str, unix_ms: int
    ) -> list[int]:
        """Change a round's length, with a reason, and send it to its tables (P18 8.3).

        Raises UserError as ``round_lengths.change`` does, also once a table has begun the round.
        """
        with self._archive.transaction():
            round_lengths.change(self._archive, round_number, minutes, author, reason, unix_ms)
            if round_number != self.round:
                return []
            form, now_ms = self._format(), self._collector.now_ms
            intent = intents.SetFormat(now_ms, form.system, form.bits, form.minutes)
            return [self._order(table, intent, author, reason) for table in self.tables]

    def clear(self, table: int | None = None, author: str = DESK) -> list[int]:
        """Clear the round from a table, or from all. Raises UserError if a result is missing."""
        tables = self.published_tables() if table is None else [self._require_playing(table)]
        self.require_results(tables)
        with self._archive.transaction():
            orders = [self.command(intents.ClearRound, each, (), author) for each in tables]
        return sum(orders, [])

    def command(
        self,
        kind: Callable[..., Intent],
        table: int,
        fields: Iterable[int] = (),
        author: str = DESK,
        reason: str = "",
    ) -> list[int]:
        """Order a judge's intent at a table, as of now, with the other ``fields`` of its class.

        Acts that compute a total or an instant have their own method.
        """
        return self._order_judges_act(table, kind(self._collector.now_ms, *fields), author, reason)

    # a table's clock

    def freeze(self, table: int, author: str = DESK, reason: str = "") -> list[int]:
        """Stop a table's clock as of now."""
        return self.command(intents.Freeze, table, (), author, reason)

    def resume(self, table: int, author: str = DESK) -> list[int]:
        """Restart a table's clock as of now."""
        return self.command(intents.Resume, table, (), author)

    def extend(self, table: int, minutes: int, author: str = DESK, reason: str = "") -> list[int]:
        """Add whole minutes to a table's extension in this round, or take some back (negative).

        An extension that was not sent yet is withdrawn. Raises UserError for 0 minutes or more than
        a board can hold, for a table without a board, and while the board may have minutes that
        this archive does not know.
        """
        given_s = self.extension_s(table)
        if not minutes:
            raise UserError("an extension is some whole minutes: 4, or -4 to take them back")
        if minutes < 0 and not given_s:
            raise UserError("table {table} was given no time that could be taken back", table=table)
        if minutes > 0:
            table_boards.require_for_time(self._archive, table)
        table_boards.require_reported(self._archive, self._collector.statuses.values(), table)
        total_s = max(0, given_s + minutes * 60)
        if total_s > _SECONDS_MOST:
            refusal = "table {table} cannot have {minutes} minutes of extension: give fewer"
            raise UserError(refusal, table=table, minutes=total_s // 60)
        withdrawn = minutes < 0 and self._withdraw_unsent(table)
        if withdrawn and self.extension_s(table) == total_s:  # the board need not be told
            facts = json.dumps({"table": table, "minutes": -minutes, "reason": reason})
            unix_ms = self._archive.roster.current_event.origin_unix_ms + self._collector.now_ms
            self._archive.notices.add(event_log.TAKEN_BACK, facts, author, unix_ms)
            return []
        intent = intents.Extend(self._collector.now_ms, 0, total_s)
        return self._order_judges_act(table, intent, author, reason)

    def _withdraw_unsent(self, table: int) -> bool:
        """Withdraw a table's last extension if it was never sent; return whether it was
        withdrawn.
        """
        order = self._latest(table, intents.EXTEND)
        if order is None or order.state != PENDING or self._archive.orders.was_sent(order.id):
            return False
        self._collector.orders.drop(order)
        return True

    def extension_s(self, table: int) -> int:
        """Return a table's total extension in this round in seconds, sent yet or not."""
        order = self._latest(table, intents.EXTEND)
        ordered_s = order.asks(intents.Extend).total_s if order else 0
        if order and order.state == PENDING:
            return ordered_s
        given_s = self._hall.match_at(table, self.round, lambda match: match.extension_s, 0)
        if order is None or self._ruled_there(table, intents.EXTEND):
            return given_s
        return max(ordered_s, given_s)

    def _ruled_there(self, table: int, kind: int) -> bool:
        """Whether a judge has done this act at the table since, which overrides the desk's
        order.
        """
        return ruled_at_table(self._archive, self.published_round(), table, kind)

    def late_bits(self, table: int) -> int:
        """Return the seats of a table with a stamp as late in this round (1 A, 2 B), sent yet or
        not.
        """
        order = self._latest(table, intents.STAMP_LATE)
        if order and (order.state == PENDING or not self._ruled_there(table, order.kind)):
            return order.asks(intents.StampLate).seats
        return self._hall.match_at(table, self.round, lambda match: match.late, 0)

    def stamp_late(self, table: int, seats: str, author: str = DESK) -> list[int]:
        """Stamp seats (``"A"``, ``"B"`` or ``"AB"``) as late or away, beside earlier ones.

        ``"-"`` removes all stamps of the table.
        """
        bits = SEATS[seats]
        if bits in (1, 2) and self._swapped(table):
            bits = 3 - bits
        if bits:
            bits |= self.late_bits(table)
        intent = intents.StampLate(self._collector.now_ms, bits)
        return self._order_judges_act(table, intent, author)

    def trust(self, table: int | None, author: str, reason: str = "") -> list[int]:
        """Make boards that refused this PC's time accept it, by joining the event again.

        ``table`` None means all tables.
        """
        tables = self.published_tables() if table is None else [self._require_playing(table)]
        event = self._archive.roster.current_event.number
        intent = intents.JoinEvent(self._collector.now_ms, 1, event)
        with self._archive.transaction():
            return [self._order(each, intent, author, reason) for each in tables]

    # a table's result and luck

    def rule(
        self,
        table: int,
        outcome: str,
        games: Games | None = None,
        author: str = DESK,
        reason: str = "",
        final: bool = False,
    ) -> list[int]:
        """Rule a table's result. ``outcome`` is ``"A"``, ``"B"`` or ``"tie"``; ``games`` are the
        games won (None: as ``score``), or the points destroyed if the system counts those.

        Both seats are asked to confirm the result, unless it is ``final``. Raises UserError for an
        impossible result.
        """
        return self._order_judges_act(
            table, self._ruling(table, outcome, games, final), author, reason
        )

    def _ruling(self, table: int, outcome: str, games: Games | None, final: bool) -> Intent:
        """Return the intent of a ruling, by the seats of its table. Raises UserError for an
        impossible result.
        """
        won = OUTCOMES[outcome]
        games, most, cap = self._numbers(table, games)
        rulings.check(self._format().bits, outcome, games, most, cap)
        if self._swapped(table):
            games = swap(games)
            if outcome != "tie":
                won = 3 - won
        now_ms = self._collector.now_ms
        return intents.RuleResult(now_ms, won, int(bool(cap)), int(final), *games)

    def ruling_question(
        self, table: int, outcome: str, games: Games | None, final: bool = False
    ) -> Sentence | None:
        """Return the question to ask before an unusual ruling, or before another one than was just
        asked of the board, or None. Raises UserError for an impossible ruling, and if the table has
        no board for it.
        """
        table_boards.require_for_act(
            self._archive, self._require_playing(table), intents.RULE_RESULT, self._has_result
        )
        before = self._latest(table, intents.RULE_RESULT)
        if before is not None and before.state == PENDING:
            ruling = self._ruling(table, outcome, games, final)
            if ruling.at(before.at_ms) != before.intent:
                question = (
                    "{by} has just ruled otherwise, and the board has not answered yet. Rule this"
                    " instead?"
                )
                return Sentence(question, by=before.author)
        return rulings.question(self._format().bits, outcome, *self._numbers(table, games))

    def paper_numbers(self, table: int, games: Games | None) -> Games | None:
        """Return the numbers of a result from paper: ``games``, else those of ``score``; None if
        the format needs none, or if they are points, which nobody has given.
        """
        if games is not None:
            return games
        counts_points = points_cap(self._format().bits, self._rules)
        return self.score(table) if self._most_games > 1 and not counts_points else None

    def _numbers(self, table: int, games: Games | None) -> tuple[Games, int, int]:
        """Return ``(numbers, most, cap)`` of a ruling: ``games``, or without them those of
        ``score``; the most games of a match; and the cap if the numbers are points, else 0.
        """
        if games is None:
            return self.score(table), self._most_games, 0
        return games, self._most_games, points_cap(self._format().bits, self._rules)

    def score(self, table: int) -> Games:
        """Return the games won at a table, by the players as paired; 0:0 if a match is one game."""
        if self._most_games == 1:
            return 0, 0
        self._require_playing(table)
        a, b = self._hall.match_at(table, self.round, lambda match: match.games, (0, 0))
        return (b, a) if self._swapped(table) else (a, b)

    @property
    def _most_games(self) -> int:
        """The maximum number of games in a match of the published round."""
        return best_of(self._format().bits, self._rules)

    @property
    def _rules(self) -> Rules:
        """The published round's system."""
        return event_systems.rules_of(self._archive, self._format())

    def lose_game(self, table: int, seat: str, author: str = DESK, reason: str = "") -> list[int]:
        """Give a player (``"A"`` or ``"B"``) a game loss, in the game in progress or else the next.

        Raises UserError without a reason (D03 213; P18's penalties).
        """
        if not reason:
            raise UserError("a game loss needs its reason, for instance: illegal deck")
        loser = "AB".index(seat)
        if self._swapped(table):
            loser = 1 - loser
        return self.command(intents.LoseGame, table, (loser, 0), author, reason)

    def set_penalties(
        self, table: int, prizes: Games, author: str = DESK, reason: str = ""
    ) -> list[int]:
        """Set a judge's prize penalties ``(a, b)``, which are added to the prizes that remain
        (P19).
        """
        prizes = swap(prizes) if self._swapped(table) else prizes
        intent = intents.AdjustPrizes(self._collector.now_ms, *prizes)
        return self._order_judges_act(table, intent, author, reason)

    def prize_penalties(self, table: int) -> Games:
        """Return the prize penalties ``(a, b)`` of a table in this round, sent yet or not, by its
        seats.
        """
        order = self._latest(table, intents.ADJUST_PRIZES)
        if order:
            intent = order.asks(intents.AdjustPrizes)
            return intent.first, intent.second
        a, b = self._hall.match_at(table, self.round, lambda match: match.adjusted, (0, 0))
        return a, b

    def set_policy(
        self, table: int | None, bits: int, author: str = DESK, reason: str = ""
    ) -> list[int]:
        """Set a table's switches for rolls (bits, see ``intents.SET_POLICY``); other switches stay.

        ``table`` None sets all tables, also for later rounds. Raises UserError if rolls are both
        allowed and barred.
        """
        if bits & roll_policy.WORDS["barred"] and bits & roll_policy.WORDS["informal"]:
            raise UserError("coins and dice are allowed or barred, not both: choose one")
        tables = self._all() if table is None else [self._seated_or_boarded(table)]
        now_ms = self._collector.now_ms
        number = self.round or 0  # also before a round
        orders = list[int]()
        with self._archive.transaction():
            if table is None:
                roll_policy.announce(self._archive, bits, author, now_ms, reason)
            for each in tables:
                others = self.switches(each) & ~roll_policy.BITS
                intent = intents.SetPolicy(now_ms, others | bits)
                orders.append(self._order(each, intent, author, reason, number))
        return orders

    def switches(self, table: int) -> int:
        """Return a table's switches as last ordered. Once its board has answered, whether it counts
        turns is as the board has it, since that can be switched at the table, too.
        """
        policy = self._hall.match_at(table, self.round, lambda match: match.policy, 0)
        order = self._archive.orders.latest_at(table, intents.SET_POLICY)
        if order is None:
            return policy
        ordered = order.asks(intents.SetPolicy).switches
        if order.state == PENDING:
            return ordered
        return (ordered & ~play.COUNTED) | (policy & play.COUNTED)

    def _order_judges_act(
        self, table: int, intent: Intent, author: str, reason: str = ""
    ) -> list[int]:
        """Order a judge's act at a table. Raises UserError if the table has no board for it, or one
        that is in an earlier round.
        """
        table_boards.require_for_act(
            self._archive, self._require_playing(table), intent.kind, self._has_result
        )
        if not legal.in_phase(intent.kind, phases.IDLE):
            self._require_set_up(table)
        return [self._order(table, intent, author, reason)]

    def _require_set_up(self, table: int) -> None:
        """Raise UserError if a table's board has refused the round, as its match before was not
        over: it would do a judge's act in that match.
        """
        number = self.published_round()
        if self._archive.orders.latest_in_round(number, table, intents.SET_ROUND):
            return
        match = next_round.behind(self._archive, self._hall, number).get(table)
        if match is not None:
            refusal = (
                "the board of table {table} is still in round {before}: type that result from"
                " paper, then type publish {round} where plusthree serve runs"
            )
            raise UserError(refusal, table=table, before=match.round, round=number)

    def _has_result(self, table: int) -> bool:
        """Whether a table's result is known, from its board or typed from paper."""
        round_number = self.published_round()
        agreed = self._hall.match_at(
            table, round_number, lambda match: match.phase == phases.AGREED, default=False
        )
        if agreed:
            return True
        pairing = self._archive.roster.pairing_at(round_number, table)
        from_paper = paper_results.standing(self._archive, round_number)
        return pairing is not None and pairing.pairing in from_paper

    def _order(
        self,
        table: int,
        intent: Intent,
        author: str,
        reason: str = "",
        round: int | None = None,
    ) -> int:
        """Store an order, by default for the published round; return its id."""
        number = self.published_round() if round is None else round
        return self._collector.add_order(NewOrder(number, table, intent, author, reason))

    def _format(self) -> Format:
        """Return the published round's Format. Raises UserError without one."""
        return self._archive.roster.stored_format(self.published_round())

    def _all(self) -> list[int]:
        """Return all tables that play or have a board. Raises UserError without any."""
        tables = sorted({*self.tables, *self._archive.roster.tables})
        return tables or self.published_tables()

    def _seated_or_boarded(self, table: int) -> int:
        """Return ``table``. Raises UserError if it neither plays nor has a board."""
        if table in self._archive.roster.tables or table in self.tables:
            return table
        if self.round is not None:
            return self._require_playing(table)
        table_boards.require(self._archive, table)
        return table

    def _require_playing(self, table: int) -> int:
        """Return ``table``. Raises UserError if it does not play in the published round."""
        number = self.published_round()
        pairing = self._archive.roster.pairing_at(number, table)
        if pairing is None or pairing.b is None:
            refusal = "table {table} does not play in round {round}: check its number"
            raise UserError(refusal, table=table, round=number)
        return table

    def _latest(self, table: int, kind: int) -> Order | None:
        """Return the last order of a kind to a table in the published round. Raises UserError if
        the table does not play in it.
        """
        number = self.published_round()
        self._require_playing(table)
        return self._archive.orders.latest_in_round(number, table, kind)

    def _swapped(self, table: int) -> bool:
        """Whether a table's players sit in swapped seats; acts name them as they were paired."""
        return bool(self._hall.match_at(table, self.round, lambda match: match.swapped, 0))
