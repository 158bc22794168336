"""A board whose key somebody has: a hall of two tables and a spare."""

from firmware.core import events, frames, payload
from host.archive import master_key
from host.archive.roster import Board, Event
from host.desk.station import Station
from host.formats.round_format import parse_format
from host.keys import signatures
from host.sim.programme import RandomProgramme

MASTER = bytes(range(32))
EVENT, SPARE = 1, 3
_BETWEEN = (events.BOOTED, events.EPOCH_CLOSED, events.EVENT_JOINED)
JOINED = (events.Booted(0, 0, 1, 0), events.EpochClosed(0, 0, 0), events.EventJoined(0, EVENT, 0))


class Thief:
    """``say`` signs as board ``device``; ``station`` is the host, ``path`` its archive."""

    def __init__(self, path, device=1, form="p18 swiss bo3 constructed 50"):
        self.path, self.device, self.now_ms, self._counter = path, device, 2000, 0
        master_key.keep(master_key.path_of(path), MASTER)
        self.station = Station(path)
        roster = self.station.archive.roster
        for number, table in ((1, 1), (2, 2), (SPARE, 0)):
            roster.add_board(Board(number, 1, table), 0)
        roster.open_event(Event(EVENT, "Cup", 0))
        self.format = parse_format(form)
        roster.store_round(1, self.format, RandomProgramme(2, 1).pairings(1))
        self.station.refresh()
        self.station.collector.now_ms = 1000
        self.station.desk.publish(1)
        self._key = frames.board_key(MASTER, device, 1)
        self.say(*JOINED)

    def begin(self):
        """Say that the round of its table is set up."""
        form = self.format
        self.say(
            events.RoundSet(1, 1, 1, 1), events.FormatSet(1, form.system, form.bits, form.minutes)
        )

    def say(self, *happened):
        """Have the host hear and store events, or ``(kind, nine bytes)``."""
        for event in happened:
            self.hear(event)
        self.station.collector.poll(self.now_ms)

    def hear(self, event):
        plain = isinstance(event, tuple)
        kind, nine = event if plain else (event.kind, payload.pack(event))
        own = frames.stream_key(self._key, 0 if kind in _BETWEEN else EVENT, frames.UP, 1)
        frame = signatures.sign(own, kind, self.device, 1, self._counter, nine)
        self._counter, self.now_ms = self._counter + 1, self.now_ms + 1
        self.station.collector.on_advert("a radio", frame, self.now_ms)

    @property
    def said(self):
        return self._counter
