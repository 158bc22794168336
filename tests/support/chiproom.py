"""One board's chip in a room: a host that reaches it by radio, and two people at its keys."""

from firmware.board import pins
from firmware.core import frames
from host.archive.roster import Board, Event, Format, Pairing, Player
from host.boards import provisioning
from host.desk.station import Station

MASTER = bytes(range(32))
BOARD = Board(7, 1, 12)
ADDRESS = "radio 7"
ROUND_MIN, WAIT_S = 30, 8
_STEP_S = 0.05
_HEARD_S = 0.5  # a PC hears an advert so often
_A, _B = 0, 1
_PRESS_S, _HOLD_S, _LISTENS_S = 0.15, 1.2, 0.6  # a new screen locks the keys for 0.3 s
_SEATS = ((_A, _HOLD_S), (_B, _HOLD_S))
# the starter; a result, ▲ has won; the loser confirms, then the winner
_PLAYED = ((_B, _PRESS_S), (_A, _PRESS_S), (_B, _PRESS_S), (_B, _HOLD_S), (_A, _HOLD_S))


def settings(model):
    """Return the settings.toml of this room's board."""
    return provisioning.settings(BOARD, MASTER, model=model)


class Room:
    """``chip`` on the board of table 12, and a Station over the archive at ``path``."""

    def __init__(self, path, chip):
        self.station = Station(path, MASTER)
        self._keys = pins.row(chip.board_id)[2]
        self._linked = False
        self.put(chip)

    def put(self, chip):
        """Let ``chip`` be the board of this table from now on."""
        self.chip, self._heard = chip, None
        self._origin_ms = self.station.collector.now_ms - chip.now_us // 1000
        if self._linked:
            self._leave()

    def prepare(self, number=1):
        """Open the event, or its next round, with one pairing."""
        roster = self.station.archive.roster
        if number == 1:
            roster.add_board(BOARD, 0)
            roster.open_event(Event(5, "Test Cup", 0))
        pairing = Pairing(number, 1, BOARD.table, Player("1", "Giulia B."), Player("2", "Kenji T."))
        roster.store_round(number, Format(0, 1 << 1, ROUND_MIN), [pairing])
        self.station.refresh()

    @property
    def now_ms(self):
        """The host's event time."""
        return self._origin_ms + self.chip.now_us // 1000

    def run(self, seconds, until=lambda: False):
        """Let time pass; stops early when ``until()`` holds. Returns whether it did."""
        for _ in range(round(seconds / _STEP_S)):
            self.chip.run(_STEP_S)
            self._hear()
            for action in self.station.collector.poll(self.now_ms):
                getattr(self, f"_{action[0]}")(*action[2:])
            if until():
                return True
        return False

    def _hear(self):
        collector, central = self.station.collector, self.chip.central
        if self._linked and not central.connections:
            self._leave()
        for frame in central.sent:
            collector.received(ADDRESS, frame, self.now_ms)
        central.sent.clear()
        adverts = [told for told in self.chip.story if told.kind == "advert"][-1:]
        due = self._heard is None or self.now_ms - self._heard >= 1000 * _HEARD_S
        if due and adverts and central.adapter.advertising:
            collector.heard(ADDRESS, adverts[0].values[2][-frames.SIZE :], self.now_ms)
            self._heard = self.now_ms

    def _connect(self):
        self._linked = self.chip.central.connect()
        (self.station.collector.opened if self._linked else self.station.collector.closed)(ADDRESS)

    def _write(self, frame):
        assert len(frame) == frames.SIZE
        if self._linked:
            self.chip.central.write(frame)

    def _disconnect(self):
        self.chip.central.leave()
        self._leave()

    def _leave(self):
        self._linked = False
        self.station.collector.closed(ADDRESS)

    def press(self, key, held_s):
        """Press a key by its number, and wait until the screen listens again."""
        self.chip.fingers.add(self._keys[key])
        self.run(held_s)
        self.chip.fingers.remove(self._keys[key])
        self.run(_LISTENS_S)

    @property
    def drained(self):
        """Whether the board has done all that it was told, and the host has all that it said."""
        collector = self.station.collector
        return collector.idle and not self.station.archive.orders.pending

    def drain(self, seconds=120):
        """Run until ``drained``; fails when that takes too long."""
        assert self.run(seconds, lambda: self.drained), "it never drained"

    def play(self, number=1):
        """Play a round, from its set-up to a result that both have confirmed."""
        self.prepare(number)
        self.station.desk.publish(number)
        self.drain()
        self.station.desk.start(self.now_ms + 1000 * WAIT_S)
        self.drain()
        for press in _SEATS:
            self.press(*press)
        self.run(WAIT_S)
        for press in _PLAYED:
            self.press(*press)
        self.run(8)
        self.drain()

    @property
    def stored(self):
        """The board's records that the archive holds, in order."""
        return [entry.frame for entry in self.station.archive.records()]
