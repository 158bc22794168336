"""The desk: what organisers and judges may ask, each kept on the disk before it is on the air.

Every act is an absolute (docs/architecture.md): the desk works out totals and instants, the boards never
add. Methods return the ids of the orders they made; ``archive.orders`` says what became of them.
Acts name an author. Times are event time in ms; "now" is the collector's.
"""

from firmware.core import intents
from host.base.errors import UserError
from host.desk import round_lengths, rulings
from host.event import event_systems, roll_policy
from host.systems import catalogue
from host.systems.match_facts import best_of

SEATS = {"A": 1, "B": 2, "AB": 3, "-": 0}
OUTCOMES = {"A": 1, "B": 2, "tie": 3}
DESK = "desk"
_SECONDS_MOST = 65535
_FINAL = 0x80  # see intents.RULE_RESULT


class Desk:
    """Acts on the tables of the current event's published round; ``hall`` folds the tables."""

    def __init__(self, collector, archive, hall):
        self._collector, self._archive, self._hall = collector, archive, hall

    @property
    def round(self):
        """The number of the round published last, or None."""
        return self._archive.orders.last_round(intents.SET_ROUND)

    @property
    def tables(self):
        """The tables that play in the published round, rising."""
        pairings = self._archive.roster.pairings_of(self.round) if self.round else []
        return sorted(one.table for one in pairings if one.b is not None)

    @property
    def open(self):
        """The tables of the published round that have no result yet, rising."""
        done = self._hall.results(self.round) if self.round else {}
        pairings = self._archive.roster.pairings_of(self.round) if self.round else []
        return sorted(
            one.table for one in pairings if one.b is not None and one.pairing not in done
        )

    def finished(self, tables):
        """Raise UserError where one of ``tables`` has no result yet: a board forgets what was played when it is cleared."""
        left = [str(table) for table in self.open if table in tables]
        if left:
            raise UserError("results are still to come: table {tables}", tables=", ".join(left))

    # the whole room

    def publish(self, round_number, author=DESK):
        """Tell each table of a stored round who plays and what; tables told before are let be."""
        form = self._archive.roster.format_of(round_number)
        if form is None:
            raise UserError("there is no round {number} in this event", number=round_number)
        now_ms, made = self._collector.now_ms, []
        for one in self._archive.roster.pairings_of(round_number):
            if one.b is None or self._told(round_number, one.table, intents.SET_ROUND):
                continue
            sets = [
                (intents.SET_ROUND, now_ms, round_number, one.table, one.pairing),
                (intents.SET_FORMAT, now_ms, form.system, form.bits, form.minutes),
            ]
            standing = roll_policy.standing(self._archive, one.table)
            if standing is not None:  # a round begins without any
                sets.append((intents.SET_POLICY, now_ms, standing, 0, 0))
            with self._archive.transaction():
                made += [
                    self._ask(one.table, intent, author, round=round_number) for intent in sets
                ]
        return made

    def start(self, at_ms, author=DESK):
        """Set the round's start, an instant to come, at every table of the published round."""
        if at_ms <= self._collector.now_ms:
            raise UserError("a round can only start at a time to come")
        with self._archive.transaction():
            return [
                self._ask(table, (intents.SET_START, at_ms, 0, 0, 0), author)
                for table in self._published()
            ]

    def length(self, round_number, minutes, author=DESK, reason="", unix_ms=0):
        """Change a round's length, with a reason, and tell its tables; none has begun it yet (P18 8.3)."""
        round_lengths.change(self._archive, round_number, minutes, author, reason, unix_ms)
        form = self._archive.roster.format_of(round_number)
        if round_number != self.round:
            return []
        intent = (intents.SET_FORMAT, self._collector.now_ms, form.system, form.bits, form.minutes)
        return [self._ask(table, intent, author, reason) for table in self.tables]

    def clear(self, table=None, author=DESK):
        """Take the round off a table, or off all of them; each must have its result."""
        tables = self._published() if table is None else [self._at(table)]
        self.finished(tables)
        return [
            order for one in tables for order in self.command(intents.CLEAR_ROUND, one, (), author)
        ]

    def say(self, message, seconds_to_next=0, author=DESK):
        """Show a numbered message on all tables of the round."""
        intent = (intents.SAY, self._collector.now_ms, message, seconds_to_next, 0)
        return [self._ask(table, intent, author) for table in self._published()]

    def command(self, kind, table, numbers=(), author=DESK, reason=""):
        """Ask one table for an intent with its ``numbers`` (a, b, c; those left out are 0), as of now."""
        a, b, c = (*numbers, 0, 0, 0)[:3]
        intent = (kind, self._collector.now_ms, a, b, c)
        return [self._ask(self._at(table), intent, author, reason)]

    # a table's clock

    def freeze(self, table, author=DESK, reason=""):
        """Stop a table's clock as of now."""
        return self.command(intents.FREEZE, table, (), author, reason)

    def resume(self, table, author=DESK):
        """Let a table's clock run on as of now."""
        return self.command(intents.RESUME, table, (), author)

    def extend(self, table, minutes, author=DESK, reason=""):
        """Add whole minutes to what a table was given in this round; boards take no less."""
        if minutes < 1:
            raise UserError("an extension adds whole minutes; what was given is not taken back")
        self._heard_out(table)
        total_s = self.extension_s(table) + minutes * 60
        if total_s > _SECONDS_MOST:
            raise UserError(
                "table {table} cannot have {minutes} minutes of extension",
                table=table,
                minutes=total_s // 60,
            )
        intent = (intents.EXTEND, self._collector.now_ms, 0, total_s, 0)
        return [self._ask(self._at(table), intent, author, reason)]

    def extension_s(self, table):
        """Return how many seconds a table was given in this round in all, told yet or not."""
        told = self._told(self.round, self._at(table), intents.EXTEND)
        return max(told.b if told else 0, self._hall.match_at(table, self.round, "extension_s", 0))

    def _heard_out(self, table):
        """Raise UserError while a board may know of minutes that a lost laptop gave: the new total would leave them out."""
        status = next(
            (one for one in self._collector.statuses.values() if one.table == table), None
        )
        if self._archive.floor > 1 and status is not None and not status.visited:
            raise UserError(
                "table {table} has still to tell what the lost laptop gave it: ask again when its board was heard",
                table=table,
            )

    def late_bits(self, table):
        """Return which seats of a table are stamped as late in this round (1 A, 2 B), told yet or not."""
        told = self._told(self.round, self._at(table), intents.STAMP_LATE)
        return told.a if told else self._hall.match_at(table, self.round, "late", 0)

    def late(self, table, seats, author=DESK):
        """Stamp seats (``"A"``, ``"B"`` or ``"AB"``) as late or away, beside earlier stamps.

        ``"-"`` takes all stamps of the table back.
        """
        bits = SEATS[seats]
        if bits in (1, 2) and self._swapped(table):
            bits = 3 - bits
        stamped = self.late_bits(table) | bits if bits else 0
        intent = (intents.STAMP_LATE, self._collector.now_ms, stamped, 0, 0)
        return [self._ask(self._at(table), intent, author)]

    def trust(self, table=None, author=DESK, reason=""):
        """Have boards that refused this PC's time take it after all: they join the event once more."""
        tables = self._published() if table is None else [self._at(table)]
        intent = (
            intents.JOIN_EVENT,
            self._collector.now_ms,
            1,
            self._archive.roster.event.number,
            0,
        )
        return [self._ask(one, intent, author, reason) for one in tables]

    # a table's result and luck

    def rule(self, table, outcome, games=None, author=DESK, reason="", final=False):
        """Rule a table's result: ``outcome`` is ``"A"``, ``"B"`` or ``"tie"``, ``games`` won (None: as ``score``).

        Both seats are asked to confirm it, unless it is ``final``. Raises UserError for what cannot be.
        """
        won, games = OUTCOMES[outcome], self.score(table) if games is None else tuple(games)
        rulings.check(self._bits, outcome, games, self._most)
        if self._swapped(table):
            won, games = (3 - won if won < 3 else won), games[::-1]
        intent = (
            intents.RULE_RESULT,
            self._collector.now_ms,
            won | (_FINAL if final else 0),
            *games,
        )
        return [self._ask(self._at(table), intent, author, reason)]

    def doubt(self, table, outcome, games=None):
        """Return what to ask somebody who rules so, a Sentence, or None. Raises UserError for what cannot be."""
        return rulings.doubt(
            self._bits, outcome, self.score(table) if games is None else games, self._most
        )

    def score(self, table):
        """Return the games won at a table so far, as its players were paired; none where a match is one game."""
        if self._most == 1:
            return 0, 0
        games = tuple(self._hall.match_at(self._at(table), self.round, "games", (0, 0)))
        return games[::-1] if self._swapped(table) else games

    @property
    def _bits(self):
        """The format bits of the published round."""
        self._published()
        return self._archive.roster.format_of(self.round).bits

    @property
    def _most(self):
        """How many games a match of the published round has at most."""
        form = self._archive.roster.format_of(self.round)
        return best_of(
            form.bits, catalogue.numbered(event_systems.of(self._archive), form.system)[1]
        )

    def reopen(self, table, author=DESK, reason=""):
        """Open a table's result again."""
        return self.command(intents.REOPEN_RESULT, table, (), author, reason)

    def adjust(self, table, prizes, author=DESK, reason=""):
        """Add a judge's prize penalties ``(a, b)`` to what remains (RULES P19)."""
        prizes = prizes[::-1] if self._swapped(table) else prizes
        intent = (intents.ADJUST_PRIZES, self._collector.now_ms, 0, *prizes)
        return [self._ask(self._at(table), intent, author, reason)]

    def adjusted(self, table):
        """Return the prize penalties ``(a, b)`` of a table in this round, told yet or not, by the seats as they sit."""
        told = self._told(self.round, self._at(table), intents.ADJUST_PRIZES)
        return (
            (told.b, told.c) if told else self._hall.match_at(table, self.round, "adjusted", (0, 0))
        )

    def rule_roll(self, table, conclusive, author=DESK):
        """Rule a disputed roll conclusive, or to be made again (RULES P28)."""
        intent = (intents.RULE_ROLL, self._collector.now_ms, int(conclusive), 0, 0)
        return [self._ask(self._at(table), intent, author)]

    def policy(self, table, bits, author=DESK):
        """Set all of a table's switches (bits, see ``intents.SET_POLICY``).

        ``table`` None sets all, and what it says of luck holds for tables that play later, too.
        """
        if bits & roll_policy.WORDS["barred"] and bits & roll_policy.WORDS["informal"]:
            raise UserError("coins and dice are allowed or barred, not both")
        if table is None:
            roll_policy.announce(self._archive, bits, author, self._collector.now_ms)
        tables = self._published() if table is None else [self._at(table)]
        intent = (intents.SET_POLICY, self._collector.now_ms, bits, 0, 0)
        return [self._ask(one, intent, author) for one in tables]

    def approve(self, table, author=DESK, reason=""):
        """Approve the result that both seats confirmed, where the format wants a judge to."""
        return self.command(intents.APPROVE_RESULT, table, (), author, reason)

    def take_back(self, table, author=DESK, reason=""):
        """Take back the last press at a table, where that is still possible."""
        return self.command(intents.TAKE_BACK, table, (), author, reason)

    # calls

    def arrive(self, table, author=DESK):
        """A judge has come to a table."""
        return self.command(intents.ARRIVE, table, (), author)

    def end_call(self, table, author=DESK):
        """A table's call is dealt with."""
        return self.command(intents.END_CALL, table, (), author)

    def _ask(self, table, intent, author, reason="", round=None):
        number = self.round if round is None else round
        return self._collector.add_order(number, table, intent, author=author, reason=reason)

    def _published(self):
        tables = self.tables
        if not tables:
            raise UserError("no round is published yet")
        return tables

    def _at(self, table):
        if table not in self._published():
            raise UserError(
                "table {table} does not play in round {round}", table=table, round=self.round
            )
        return table

    def _told(self, round_number, table, kind):
        return self._archive.orders.latest(round_number, table, kind)

    def _swapped(self, table):
        """Whether the players of a table changed places: acts name them as they were paired."""
        return self._hall.match_at(table, self.round, "swapped", 0)
