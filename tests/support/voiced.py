"""A board's voice without the board: what it could say, frame for frame, when a test wants it."""

from tabletop import EVENT, MASTER

from firmware.core import events, frames, payload
from host.keys import signatures

CALL = events.JudgeCalled(0, 1)


class Voice:
    """Speaks for the board of a table of ``venue`` (``tabletop.Venue``) to its collector.

    Records go on where the board's journal ends; other frames have counters above all before.
    ``ms`` lets time pass first.
    """

    def __init__(self, venue, table=1):
        self._venue, self._board = venue, venue.boards[table - 1]
        self.collector = venue.station.collector
        self.device, self.address = self._board.device, f"radio {self._board.device}"
        self.status_of = self.collector.statuses[self.device]
        self._counter, self._records = 20_000, self._board.journal.counter
        self._head = self._board.journal.news_head

    def frame(self, kind, payload=bytes(9), *, epoch=None, counter=None, event=EVENT):
        """Return a frame of a kind; of the board's own boot unless told."""
        if counter is None:
            counter = self._counter = self._counter + 1
        epoch = self._board.journal.epoch if epoch is None else epoch
        key = frames.stream_key(frames.board_key(MASTER, self.device, 1), event, frames.UP, epoch)
        return signatures.sign(key, kind, self.device, epoch, counter, payload)

    def record(self, happened=CALL, **place):
        if "counter" not in place:
            place["counter"] = self._records
            self._head = self._records = self._records + 1
        return self.frame(happened.kind, payload.pack(happened), **place)

    def status(self, flags=0, more=0):
        """Return a status: nothing but ``flags``, and so many records ``more`` than were said."""
        payload = frames.pack_status(0, 1, 0, flags, self._head + more)
        return self.frame(frames.STATUS, payload)

    def advertise(self, frame, address=None, ms=20):
        self._venue.air.now_ms += ms
        self.collector.on_advert(address or self.address, frame, self._venue.air.now_ms)
        return frame

    def notify(self, frame, ms=20):
        """Have the host hear a frame on the board's connection."""
        self._venue.air.now_ms += ms
        self.collector.on_notification(self.address, frame, self._venue.air.now_ms)
        return frame

    def poll(self, ms=20):
        self._venue.air.now_ms += ms
        return self.collector.poll(self._venue.air.now_ms)

    def written(self, ms=20):
        """Return the frames that the host writes to this board's connection now."""
        return [one[2] for one in self.poll(ms) if one[:2] == ("write", self.address)]

    def kinds(self, ms=20):
        return [frames.head(frame)[0] for frame in self.written(ms)]

    def link(self):
        """Wait to be connected to; the connection proves nothing yet."""
        for _ in range(100):
            if ("connect", self.address) in self.poll():
                self.collector.on_connected(self.address)
                return
        raise AssertionError("nobody connects")

    def prove(self):
        """Ask for the time, as every board does on a connection; the host writes its answer."""
        self.notify(self.frame(frames.TIME_ASKED))
        assert frames.TIME in self.kinds()

    def serve(self):
        written = []
        for _ in range(500):
            for action in self.poll():
                if action == ("disconnect", self.address):
                    return written
                written += action[2:]
        raise AssertionError("the connection stays open")
