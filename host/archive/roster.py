"""Who sits where: boards, events, rounds, players and pairings, kept in the archive."""

from dataclasses import dataclass

from host.base.errors import UserError

SPARE, REVOKED = 0, -1
_BEYOND = 1 << 16


@dataclass(frozen=True)
class Board:
    """A provisioned board: its key's generation, and the table it was given by the host.

    A spare stands at no table (0); one that was revoked is taken no word from any more (-1).
    """

    device: int
    generation: int
    table: int

    @property
    def address(self):
        """Where orders for it go: its table, or for a spare a number beyond every table."""
        return self.table or _BEYOND + self.device


@dataclass(frozen=True)
class Event:
    """A tournament: its number on the air, and what its zero of time is on the wall (unix ms)."""

    number: int
    name: str
    origin_unix_ms: int


@dataclass(frozen=True)
class Format:
    """What a round is played as: a system's number, FORMAT_SET's bits, whole minutes."""

    system: int
    bits: int
    minutes: int


@dataclass(frozen=True)
class Player:
    """A person in an event; the number is the organiser's and is never computed with."""

    number: str
    name: str


@dataclass(frozen=True)
class Pairing:
    """Two players at a table in a round; ``table`` and ``b`` are None for a bye."""

    round: int
    pairing: int
    table: int | None
    a: Player
    b: Player | None


class Roster:
    """The set-up half of the archive. The event opened last is the current one."""

    def __init__(self, archive):
        self._archive = archive

    @property
    def archive(self):
        """The Archive that this is the set-up half of."""
        return self._archive

    @property
    def boards(self):
        """Every board where it was moved last, by device and generation."""
        sql = (
            "SELECT device, generation, coalesce((SELECT table_number FROM moves m"
            " WHERE m.device = b.device AND m.generation = b.generation ORDER BY id DESC LIMIT 1),"
            " table_number) FROM boards b ORDER BY device, generation"
        )
        return [Board(*row) for row in self._archive.query(sql)]

    @property
    def current_boards(self):
        """The boards in use, by device: for each only the newest generation, unless revoked."""
        newest = {board.device: board for board in self.boards}
        return {device: board for device, board in newest.items() if board.table != REVOKED}

    @property
    def stood(self):
        """The tables that each board was ever given, as sets by (device, generation)."""
        sql = (
            "SELECT device, generation, table_number FROM boards"
            " UNION SELECT device, generation, table_number FROM moves"
        )
        found = {}
        for device, generation, table in self._archive.query(sql):
            found.setdefault((device, generation), set()).add(table)
        return found

    def board_at(self, table):
        """Return the Board in use at a table, or None."""
        found = (board for board in self.current_boards.values() if board.table == table)
        return next(found, None)

    def move(self, device, table, author, reason="", unix_ms=0):
        """Give a board in use another table, none (``SPARE``), or take it out of use (``REVOKED``)."""
        board = self.current_boards.get(device)
        if board is None:
            raise UserError("board {device} is not in use", device=device)
        other = self.board_at(table) if table > 0 else None
        if other is not None and other.device != device:
            raise UserError(
                "table {table} already has board {device}", table=table, device=other.device
            )
        columns = "device, generation, table_number, author, reason, unix_ms"
        values = (device, board.generation, table, author, reason, unix_ms)
        with self._archive.transaction():
            self._archive.write(f"INSERT INTO moves ({columns}) VALUES (?, ?, ?, ?, ?, ?)", *values)

    def add_board(self, board, unix_ms):
        """Record a provisioned board; raises UserError for a table or a generation already given."""
        there = self.board_at(board.table) if board.table > 0 else None
        if there is not None and there.device != board.device:
            raise UserError(
                "table {table} already has board {device}", table=board.table, device=there.device
            )
        newest = max((o.generation for o in self.boards if o.device == board.device), default=-1)
        if newest >= board.generation:
            said = "board {device} already has key generation {newest}; a new one must be {next} or more"
            raise UserError(said, device=board.device, newest=newest, next=newest + 1)
        values = (board.device, board.generation, board.table, unix_ms)
        with self._archive.transaction():
            self._archive.write("INSERT INTO boards VALUES (?, ?, ?, ?)", *values)

    @property
    def events(self):
        """Every event of this archive, in the order of their opening."""
        sql = "SELECT number, name, origin_unix_ms FROM events ORDER BY opened"
        return [Event(*row) for row in self._archive.query(sql)]

    @property
    def event(self):
        """The current event, or None."""
        events = self.events
        return events[-1] if events else None

    def open_event(self, event):
        """Make ``event`` the current one; its number must be new to this archive."""
        values = (event.number, event.name, event.origin_unix_ms)
        with self._archive.transaction():
            opened = len(self.events) + 1
            self._archive.write("INSERT INTO events VALUES (?, ?, ?, ?)", *values, opened)

    def store_round(self, number, form, pairings):
        """Store a round of the current event: its Format and its Pairings, players included.

        A player known under the same number keeps the newest name. Raises UserError when the
        round is there already; ``round_stored`` says so beforehand.
        """
        event, write = self.event.number, self._archive.write
        if self.format_of(number) is not None:
            raise UserError("round {number} is stored already", number=number)
        with self._archive.transaction():
            values = (event, number, form.system, form.bits, form.minutes)
            write("INSERT INTO rounds VALUES (?, ?, ?, ?, ?)", *values)
            for one in pairings:
                self.rename(filter(None, (one.a, one.b)))
                seats = (one.a.number, one.b.number if one.b else None)
                values = (event, number, one.pairing, one.table, *seats)
                write("INSERT INTO pairings VALUES (?, ?, ?, ?, ?, ?)", *values)

    def rename(self, players):
        """Keep Players of the current event under their numbers, with the names they bring."""
        sql = "INSERT OR REPLACE INTO players VALUES (?, ?, ?)"
        with self._archive.transaction():
            for player in players:
                self._archive.write(sql, self.event.number, player.number, player.name)

    def seat(self, pairings):
        """Give Pairings of stored rounds other players and tables."""
        sql = "UPDATE pairings SET table_number = ?, player_a = ?, player_b = ? WHERE event = ? AND round = ? AND pairing = ?"
        with self._archive.transaction():
            for one in pairings:
                seats = one.a.number, one.b and one.b.number
                self._archive.write(
                    sql, one.table, *seats, self.event.number, one.round, one.pairing
                )

    def forget_round(self, number):
        """Take a round out again that no table was told; who calls it has seen to that."""
        with self._archive.transaction():
            for table in ("pairings", "rounds"):
                self._archive.write(
                    f"DELETE FROM {table} WHERE event = ? AND round = ?", self.event.number, number
                )

    def change_length(self, number, minutes):
        """Give a stored round other minutes; ``lengths`` says when that may be."""
        sql = "UPDATE rounds SET minutes = ? WHERE event = ? AND round = ?"
        with self._archive.transaction():
            self._archive.write(sql, minutes, self.event.number, number)

    @property
    def rounds(self):
        """The numbers of the current event's rounds, rising."""
        if self.event is None:
            return []
        sql = "SELECT round FROM rounds WHERE event = ? ORDER BY round"
        return [row[0] for row in self._archive.query(sql, self.event.number)]

    def format_of(self, number):
        """Return a round's Format in the current event, or None."""
        sql = "SELECT system, bits, minutes FROM rounds WHERE event = ? AND round = ?"
        rows = self._archive.query(sql, self.event.number, number)
        return Format(*rows[0]) if rows else None

    def pairings_of(self, number):
        """Return a round's Pairings in the current event, by pairing number."""
        return self._pairings(number, "TRUE")

    def pairing_at(self, number, table):
        """Return the Pairing at a table in a round of the current event, or None."""
        return next(iter(self._pairings(number, "p.table_number = ?", table)), None)

    def _pairings(self, number, where, *values):
        sql = (
            "SELECT p.pairing, p.table_number, a.number, a.name, b.number, b.name"
            " FROM pairings p JOIN players a ON a.event = p.event AND a.number = p.player_a"
            " LEFT JOIN players b ON b.event = p.event AND b.number = p.player_b"
            f" WHERE p.event = ? AND p.round = ? AND {where} ORDER BY p.pairing"
        )
        rows = self._archive.query(sql, self.event.number, number, *values)
        return [_pairing(number, *row) for row in rows]


def _pairing(number, pairing, table, a_number, a_name, b_number, b_name):
    other = None if b_number is None else Player(b_number, b_name)
    return Pairing(number, pairing, table, Player(a_number, a_name), other)
