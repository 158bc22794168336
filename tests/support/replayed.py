"""Somebody without a key between a host and a board: a radio in the board's name."""

from firmware.core import frames
from host.backup import backup
from host.backup.restore import restore
from host.desk.station import Station

PHRASE = "a long enough phrase"


class Impostor:
    """A radio that repeats a board's ``words`` (frames that it heard) to whoever connects.

    ``heard`` are the frames that the host writes to it; ``passes``: each goes on to the board.
    It takes a board's place in ``tabletop.Air``.
    """

    device = 0

    def __init__(self, words, board, passes=True):
        self.words, self.board, self.passes = words, board, passes
        self.heard, self.open, self._next = [], False, 0
        self.sync = self

    def status(self, now_ms):
        """Return the oldest status of those that it heard."""
        return next(one for one in self.words if frames.head(one)[0] == frames.STATUS)

    def link_opened(self, now_ms):
        """The host has connected."""
        self._next = 0

    def link_closed(self):
        """The host has gone."""

    def outgoing(self, now_ms):
        """Return the next old frame."""
        return self.words[self._next] if self._next < len(self.words) else None

    def sent(self, now_ms):
        """The link has taken it."""
        self._next += 1

    def drop_due(self, now_ms):
        """It stays."""
        return False

    def receive(self, frame, now_ms):
        """Keep what the host writes, and pass it on."""
        self.heard.append(frame)
        if self.passes:
            self.board.receive(frame, now_ms)


def listened(venue):
    """Return a list that gets every frame that a board of the venue sends from now on."""
    words, collector = [], venue.station.collector

    def heard_by(take):
        def listen(address, frame, now_ms):
            words.append(bytes(frame))
            take(address, frame, now_ms)

        return listen

    collector.on_advert, collector.on_notification = (
        heard_by(collector.on_advert),
        heard_by(collector.on_notification),
    )
    return words


def done_unheard(venue):
    """Run until the first table is frozen, and the host has not heard of it."""
    take = venue.station.collector.on_notification

    def hear(address, frame, now_ms):
        if frames.head(frame)[0] < frames.FIRST_RECORD:
            take(address, frame, now_ms)

    venue.station.collector.on_notification = hear
    assert venue.air.run(20_000, lambda: venue.boards[0].match.frozen_ms)


def kept_back(venue, kind):
    """Return the first frame of a kind to the first board, which never gets it."""
    board, kept = venue.boards[0], []
    receive = board.receive

    def hold(frame, now_ms):
        if frames.head(frame)[0] == kind:
            kept.append(frame)
        else:
            receive(frame, now_ms)

    board.receive = hold
    assert venue.air.run(20_000, lambda: kept)
    board.receive = receive
    return kept[0]


def restarted(venue, folder):
    """Kill the host, and start it again over the same archive."""
    venue.restart()


def restored(venue, folder):
    """Lose the laptop; restore the copy that ``copied`` made, and start it."""
    for board in venue.boards:
        venue.air.cut(board)
    venue.station.close()
    venue.path = folder / "new.db"
    restore(folder / "stick", venue.path, PHRASE, 5)
    venue.station = Station(venue.path)
    venue.air.collector = venue.station.collector
    venue.station.collector.now_ms = venue.air.now_ms


def copied(venue, folder, master):
    stick = folder / "stick"
    stick.mkdir(exist_ok=True)
    backup.write_key(master, venue.path, stick, PHRASE, cost=1 << 10)
    backup.write(venue.archive, stick)
