"""The roster: boards, events, rounds, players and pairings.

Two Players are the same if number and name are. What else an event knows of a player is a notice
(``host/event/squad_lists.py``, ``event_plan.py``), so that no older program is locked out.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from host.archive.database import Database, SqlValue
from host.archive.records import BoardKey
from host.base.errors import UserError
from host.base.sentences import Sentence

SPARE, REVOKED, AWAY = 0, -1, -2
UNTIMED_MIN = 999  # longer than any day of play: a round without a limit
_BEYOND = 1 << 16


@dataclass(frozen=True)
class Board:
    """A provisioned board: the generation of its key, and its table.

    ``table`` is 0 (``SPARE``) for a spare. It is -1 (``REVOKED``) for a revoked board, whose frames
    are rejected, and -2 (``AWAY``) for one that was handed on to another archive's event.
    """

    device: int
    generation: int
    table: int

    @property
    def key(self) -> BoardKey:
        """The board and the generation of its key."""
        return BoardKey(self.device, self.generation)

    @property
    def address(self) -> int:
        """The table number under which its orders are stored; a spare has one beyond all tables."""
        return self.table or _BEYOND + self.device


@dataclass(frozen=True)
class Event:
    """A tournament: its number in keys and frames, and the Unix time (ms) of its event time 0."""

    number: int
    name: str
    origin_unix_ms: int


@dataclass(frozen=True)
class Format:
    """How a round is played: the system's number, the bits of FORMAT_SET, whole minutes."""

    system: int
    bits: int
    minutes: int

    @property
    def elimination(self) -> bool:
        """Whether the loser of a match is out of the event."""
        return bool(self.bits & 1)


@dataclass(frozen=True)
class Player:
    """A person in an event; the number is the organiser's text and is never computed with."""

    number: str
    name: str

    @property
    def name_and_number(self) -> Sentence:
        """Name and number as a part of a sentence."""
        return Sentence("{name}, {number}", name=self.name, number=self.number)


@dataclass(frozen=True)
class Pairing:
    """Two players at a table in a round; ``table`` and ``b`` are None for a bye."""

    round: int
    pairing: int
    table: int | None
    a: Player
    b: Player | None

    @property
    def players(self) -> list[Player]:
        """Its one or two players."""
        return [self.a] if self.b is None else [self.a, self.b]

    @property
    def location(self) -> Sentence:
        """Its table, or its bye, as a part of a sentence."""
        if self.table is None:
            return Sentence("with the bye")
        return Sentence("at table {table}", table=self.table)

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers of its players."""
        return frozenset(player.number for player in self.players)


_BOARDS = (
    "SELECT device, generation, coalesce((SELECT table_number FROM moves m"
    " WHERE m.device = b.device AND m.generation = b.generation ORDER BY id DESC LIMIT 1),"
    " table_number) FROM boards b"
)
_EVER_AT = (
    f"{_BOARDS} WHERE table_number = ? OR EXISTS (SELECT 1 FROM moves m WHERE m.device = b.device"
    " AND m.generation = b.generation AND m.table_number = ?) ORDER BY device, generation"
)


class Roster:
    """The set-up of an archive: boards, and the events.

    The event opened last is the current one.
    """

    def __init__(self, archive: Database):
        self._archive = archive
        self._opened: list[Event] = []  # the current one, as each record and order asks for it
        archive.on_rollback(self._opened.clear)

    @property
    def boards(self) -> list[Board]:
        """Every board with its present table, by device and generation."""
        return self._archive.select(Board, f"{_BOARDS} ORDER BY device, generation")

    @property
    def current_boards(self) -> dict[int, Board]:
        """The boards in use, by device: for each only the newest generation, unless it is revoked
        or away.
        """
        newest = {board.device: board for board in self.boards}
        return {device: board for device, board in newest.items() if board.table >= SPARE}

    def current_board(self, device: int) -> Board | None:
        """Return the board in use of one device, or None. It is called for each record, so it
        reads only one row.
        """
        sql = f"{_BOARDS} WHERE device = ? ORDER BY generation DESC LIMIT 1"
        boards = self._archive.select(Board, sql, device)
        return boards[0] if boards and boards[0].table >= SPARE else None

    @property
    def tables(self) -> list[int]:
        """The tables that have a board, ascending: a spare stands at none."""
        return sorted(board.table for board in self.current_boards.values() if board.table != SPARE)

    @property
    def tables_by_board(self) -> dict[BoardKey, set[int]]:
        """All tables that each board was ever given."""
        sql = (
            "SELECT device, generation, table_number FROM boards"
            " UNION SELECT device, generation, table_number FROM moves"
        )
        tables: dict[BoardKey, set[int]] = {}
        for board in self._archive.select(Board, sql):
            tables.setdefault(board.key, set()).add(board.table)
        return tables

    def board_at(self, table: int | None) -> Board | None:
        """Return the Board in use at a table, or None."""
        boards = self._archive.select(Board, _EVER_AT, table, table)
        here = (board for board in boards if board.table == table)
        return next((board for board in here if board == self.current_board(board.device)), None)

    def move(
        self, device: int, table: int, author: str, reason: str = "", unix_ms: int = 0
    ) -> None:
        """Give a board another table, make it a ``SPARE``, revoke it (``REVOKED``), or note that it
        is ``AWAY``.

        Raises UserError for a board that is not in use, or a table that has a board.
        """
        board = self.current_boards.get(device)
        if board is None:
            raise UserError(
                "board {device} is not in use: the list of boards has those that are", device=device
            )
        other = self.board_at(table) if table > 0 else None
        if other is not None and other.device != device:
            raise UserError(
                "table {table} already has board {device}: move that one first",
                table=table,
                device=other.device,
            )
        self._note_move(device, board.generation, table, author, reason, unix_ms)

    def _note_move(self, *values: SqlValue) -> None:
        columns = "device, generation, table_number, author, reason, unix_ms"
        with self._archive.transaction():
            self._archive.write(f"INSERT INTO moves ({columns}) VALUES (?, ?, ?, ?, ?, ?)", *values)

    def take_over(self, key: BoardKey, author: str, reason: str, unix_ms: int) -> None:
        """Make a board that another archive's event has handed on a spare of this one, also one
        that was here before.
        """
        with self._archive.transaction():
            if key not in {board.key for board in self.boards}:
                self.add_board(Board(*key, SPARE), unix_ms)
            self._note_move(*key, SPARE, author, reason, unix_ms)

    def require_room(self, key: BoardKey) -> None:
        """Raise UserError for a board of another archive's event that cannot come to this one."""
        here = [board for board in self.boards if board.device == key.device]
        newest = here[-1] if here else None
        if newest is None or newest.generation < key.generation or newest.table == AWAY:
            return
        if newest.key == key and newest.table == REVOKED:
            message = (
                "board {device} was revoked there: give it a new key to use it again (plusthree"
                " board provision)"
            )
        elif newest.key == key:
            message = "board {device} is in use there as well: revoke it in one of the two"
        else:
            message = (
                "board {device} has a newer key there: give it a new one (plusthree board"
                " provision)"
            )
        raise UserError(message, device=key.device)

    def add_board(self, board: Board, unix_ms: int) -> None:
        """Store a provisioned board; raises UserError if the table or the generation is taken."""
        other = self.board_at(board.table) if board.table > 0 else None
        if other is not None and other.device != board.device:
            raise UserError(
                "table {table} already has board {device}: move that one first",
                table=board.table,
                device=other.device,
            )
        sql = "SELECT coalesce(max(generation), -1) FROM boards WHERE device = ?"
        newest = self._archive.number(sql, board.device)
        if newest >= board.generation:
            message = (
                "board {device} already has key generation {newest}; a new one must be {next} or"
                " more"
            )
            raise UserError(message, device=board.device, newest=newest, next=newest + 1)
        values = (board.device, board.generation, board.table, unix_ms)
        with self._archive.transaction():
            self._archive.write("INSERT INTO boards VALUES (?, ?, ?, ?)", *values)

    @property
    def events(self) -> list[Event]:
        """Every event of this archive, in the order in which they were opened."""
        sql = "SELECT number, name, origin_unix_ms FROM events ORDER BY opened"
        return self._archive.select(Event, sql)

    @property
    def numbers(self) -> set[int]:
        """The numbers of all events of this archive."""
        return {event.number for event in self.events}

    @property
    def event(self) -> Event | None:
        """The current event, None if none was opened."""
        if not self._opened or not self._archive.writes:
            self._opened[:] = self.events[-1:]
        return self._opened[0] if self._opened else None

    @property
    def current_event(self) -> Event:
        """The current event; raises UserError if none was opened."""
        event = self.event
        if event is None:
            raise UserError("there is no event yet: begin one on the organiser's page")
        return event

    def open_event(self, event: Event) -> None:
        """Make ``event`` the current one; its number must be new to this archive."""
        values = (event.number, event.name, event.origin_unix_ms)
        with self._archive.transaction():
            opened = len(self.events) + 1
            self._archive.write("INSERT INTO events VALUES (?, ?, ?, ?)", *values, opened)
            self._opened.clear()

    def rename_event(self, name: str) -> None:
        """Give the current event another name, which no other event of the archive may have."""
        sql = "UPDATE events SET name = ? WHERE number = ?"
        with self._archive.transaction():
            self._archive.write(sql, name, self.current_event.number)
            self._opened.clear()

    def store_round(self, number: int, form: Format, pairings: Iterable[Pairing]) -> None:
        """Store a round of the current event: its Format and its Pairings, players included.

        A known player number gets the new name. Raises UserError when the round is stored already.
        """
        event, write = self.current_event.number, self._archive.write
        if self.format_of(number) is not None:
            raise UserError("round {number} is stored already", number=number)
        with self._archive.transaction():
            values = (event, number, form.system, form.bits, form.minutes)
            write("INSERT INTO rounds VALUES (?, ?, ?, ?, ?)", *values)
            seated = [*pairings]
            self.rename(player for pairing in seated for player in (pairing.a, pairing.b) if player)
            for pairing in seated:
                seats = (pairing.a.number, pairing.b.number if pairing.b else None)
                values = (event, number, pairing.pairing, pairing.table, *seats)
                write("INSERT INTO pairings VALUES (?, ?, ?, ?, ?, ?)", *values)

    def rename(self, players: Iterable[Player]) -> None:
        """Store Players of the current event; each known number gets the new name."""
        sql = (
            "INSERT INTO players VALUES (?, ?, ?) ON CONFLICT (event, number) DO UPDATE"
            " SET name = excluded.name"
        )
        event = self.current_event.number
        with self._archive.transaction():
            known = self.players  # a name that stays is no change: the audit log would name it anew
            for player in players:
                if known.get(player.number) != player:
                    self._archive.write(sql, event, player.number, player.name)
                    known[player.number] = player

    @property
    def players(self) -> dict[str, Player]:
        """Every Player of the current event by number, in the numbers' order."""
        event = self.event
        sql = "SELECT number, name FROM players WHERE event = ? ORDER BY length(number), number"
        players = self._archive.select(Player, sql, event.number if event else 0)
        return {player.number: player for player in players}

    def forget_players(self, numbers: Iterable[str]) -> None:
        """Remove players; the caller makes sure that they sit in no round."""
        sql = "DELETE FROM players WHERE event = ? AND number = ?"
        with self._archive.transaction():
            for number in numbers:
                self._archive.write(sql, self.current_event.number, number)

    def renumber(self, before: str, after: str) -> None:
        """Give a player another number, which must be free, in every round."""
        event = self.current_event.number
        with self._archive.transaction():
            for table, column in (
                ("players", "number"), ("pairings", "player_a"), ("pairings", "player_b"),
            ):  # fmt: skip
                sql = f"UPDATE {table} SET {column} = ? WHERE event = ? AND {column} = ?"
                self._archive.write(sql, after, event, before)

    def seat(self, pairings: Iterable[Pairing]) -> None:
        """Change the players and tables of stored pairings."""
        sql = (
            "UPDATE pairings SET table_number = ?, player_a = ?, player_b = ? WHERE event = ? AND"
            " round = ? AND pairing = ?"
        )
        with self._archive.transaction():
            for pairing in pairings:
                seats = pairing.a.number, pairing.b.number if pairing.b else None
                key = self.current_event.number, pairing.round, pairing.pairing
                self._archive.write(sql, pairing.table, *seats, *key)

    def replace_pairings(self, number: int, pairings: Iterable[Pairing]) -> None:
        """Store a round's Pairings, of stored players, in place of those that it has."""
        before, after = set(self.pairings_of(number)), set(pairings)
        event, write = self.current_event.number, self._archive.write
        delete = "DELETE FROM pairings WHERE event = ? AND round = ? AND pairing = ?"
        with self._archive.transaction():
            for pairing in before - after:
                write(delete, event, number, pairing.pairing)
            for pairing in sorted(after - before, key=lambda pairing: pairing.pairing):
                values = (event, number, pairing.pairing, pairing.table)
                seats = (pairing.a.number, pairing.b.number if pairing.b else None)
                write("INSERT INTO pairings VALUES (?, ?, ?, ?, ?, ?)", *values, *seats)

    def forget_round(self, number: int) -> None:
        """Remove a round; the caller makes sure that it was sent to no table."""
        with self._archive.transaction():
            for table in ("pairings", "rounds"):
                sql = f"DELETE FROM {table} WHERE event = ? AND round = ?"
                self._archive.write(sql, self.current_event.number, number)

    def change_length(self, number: int, minutes: int) -> None:
        """Change the minutes of a stored round; the caller makes sure that this is allowed."""
        sql = "UPDATE rounds SET minutes = ? WHERE event = ? AND round = ?"
        with self._archive.transaction():
            self._archive.write(sql, minutes, self.current_event.number, number)

    @property
    def rounds(self) -> list[int]:
        """The numbers of the current event's rounds in ascending order, empty without an event."""
        event = self.event
        if event is None:
            return []
        sql = "SELECT round FROM rounds WHERE event = ? ORDER BY round"
        return self._archive.select(int, sql, event.number)

    def format_of(self, number: int) -> Format | None:
        """Return a round's Format in the current event, or None."""
        sql = "SELECT system, bits, minutes FROM rounds WHERE event = ? AND round = ?"
        formats = self._archive.select(Format, sql, self.current_event.number, number)
        return formats[0] if formats else None

    def stored_format(self, number: int) -> Format:
        """Return a stored round's Format. Raises UserError if the round is not stored."""
        form = self.format_of(number)
        if form is None:
            text = "there is no round {number} in this event: import or draft it first"
            raise UserError(text, number=number)
        return form

    def pairings_of(self, number: int) -> list[Pairing]:
        """Return a round's Pairings in the current event, by pairing number."""
        return self._pairings(number, "TRUE")

    def pairing_at(self, number: int, table: int) -> Pairing | None:
        """Return the Pairing at a table in a round of the current event, or None."""
        return next(iter(self._pairings(number, "p.table_number = ?", table)), None)

    def _pairings(self, number: int, where: str, *values: SqlValue) -> list[Pairing]:
        sql = (
            "SELECT p.round, p.pairing, p.table_number, a.number, a.name, b.number, b.name"
            " FROM pairings p JOIN players a ON a.event = p.event AND a.number = p.player_a"
            " LEFT JOIN players b ON b.event = p.event AND b.number = p.player_b"
            f" WHERE p.event = ? AND p.round = ? AND {where} ORDER BY p.pairing"
        )
        return self._archive.select(_pairing, sql, self.current_event.number, number, *values)


def _pairing(
    number: int,
    pairing: int,
    table: int | None,
    a_number: str,
    a_name: str,
    b_number: str | None,
    b_name: str | None,
) -> Pairing:
    b = None if b_number is None else Player(b_number, b_name or "")
    return Pairing(number, pairing, table, Player(a_number, a_name), b)
