"""Attackers on the air: they replay, forge with a stolen board's key, relay, or keep connecting.

A relay advertises in a board's name under its own address and forwards frames both ways, late: it
connects to the board while the host is connected to it. The host may take it for the board, but
nothing worse than delay may follow. An impostor has no key: it keeps a board's answers back until
one says that an order was done; the host is killed just then, and when it starts again it hears the
board's old frames alone, and whatever it sends goes on to the board.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from firmware.core import answers, events, frames, intents, payload
from host.keys import signatures
from host.sim.torture.faulty_air import flip_bit

if TYPE_CHECKING:
    from host.sim.torture.types import FaultyAir, StolenKey
    from host.sim.types import Later, Linkable, Peer

FAR = 1000  # a relay's address minus its board's
DELAY_S = (0.05, 3)
_SEND_S = 0.2
_HEARD_FRAMES = 60  # old frames: a host that started again takes each once, in their order
_ON_A_LINK = 6  # of them, so that some are left for the link on which an order comes
EVERY_S = 0.7
_HOLD_S = 20
_RECORDS = (
    (events.ROUND_SET, 1), (events.MATCH_ENDED, 0), (events.RESULT_RULED, 1), (events.EXTENDED, 0),
    (events.OUTCOME_PROPOSED, 1), (events.RESULT_CONFIRMED, 0), (events.ANSWERED, 0),
)  # fmt: skip
_KINDS = tuple(range(events.ROUND_SET, events.ORGANISER_SAID + 1))


class Relay:
    """A relay to the board at ``address`` on ``air``; ``used()`` is called for each connection it
    makes.
    """

    def __init__(self, air: FaultyAir, address: int, delay_s: float, used: Callable[[], None]):
        self._air, self._board, self._delay_s, self._used = air, air.links[address], delay_s, used
        self.address = FAR + address
        self.welcome, self.live, self._on = True, False, True
        self.session: Peer | None = None
        air.links[self.address] = air.relays[address] = self

    def stop(self) -> None:
        """Remove the relay."""
        self._on = False
        board_address = self.address - FAR
        if self._air.relays.get(board_address) is self:
            del self._air.relays[board_address]
        self.end()

    def _later(self, act, *args):
        self._air.loop.call_later(self._delay_s, act, *args)

    def repeat_advert(self, frame: bytes) -> None:
        """Send the board's advert again."""

        def send():
            if self._on:
                self._air.tell(self.address, frame)

        self._later(send)

    # the link that the host uses

    @property
    def connected(self) -> bool:
        """Whether it takes no connection now, as a board that has one."""
        if not self._on or self.session is not None:
            return True
        return self._board.connected or not self._board.welcome

    def open(self, session: Peer) -> None:
        """The host has connected; connect to the board."""
        self.session = session
        if not self._on or self._board.connected:
            self._later(session.end)
            return
        self.live = True
        self._used()
        self._board.open(self)

    def close(self) -> None:
        """The host's connection has ended."""
        self.session = None
        self.end()

    def put(self, frame: bytes) -> None:
        """Forward a frame to the board."""

        def send():
            if self._is_connected_to_board():
                self._board.put(frame)

        self._later(send)

    # the session that the board sees

    def _is_connected_to_board(self):
        return self.live and self._board.session is self

    def up(self, frame: bytes) -> None:
        """Forward a frame to the host."""
        if self.session is not None:
            self._later(self.session.up, frame)

    def end(self) -> None:
        """The board or the host has disconnected."""
        was_connected, self.live = self._is_connected_to_board(), False
        if was_connected:
            self._board.close()
        if self.session is not None:
            self._later(self.session.end)

    def vanish(self, later: Later) -> None:
        """The board has gone; the host notices after the supervision time-out."""
        self.live = False
        if self.session is not None:
            later(self.session.end)


class Impostor(Relay):
    """An impostor of the board at ``address`` on ``air``; ``done()`` is called when an order was
    carried out that the host has not heard of.
    """

    def __init__(self, air: FaultyAir, address: int, done: Callable[[], None]):
        self._done, self._begun = done, False
        self._next = 0  # the index of the next heard frame
        self._end_of_link = 0  # the index of the first that is left for a later link
        self._heard_frames = _heard_frames_of(air, address)
        super().__init__(air, address, _SEND_S, lambda: None)
        air.censors[address] = self

    @property
    def able(self) -> bool:
        """Whether it has heard enough to speak in the board's name."""
        return bool(self._heard_frames)

    def stop(self) -> None:
        """Leave the air."""
        board_address = self.address - FAR
        if self._air.censors.get(board_address) is self:
            del self._air.censors[board_address]
        super().stop()

    def passes(self, frame: bytes) -> bool:
        """Return whether the board's frame may reach the host."""
        if self._begun:
            return False
        answer = events.of_record(frame)
        if not isinstance(answer, events.Answered):
            return True
        if not answer.broadcast and answer.asked < frames.FIRST_COMMAND:
            return True
        joined = not answer.broadcast and answer.asked == intents.JOIN_EVENT
        if answer.refusal == answers.DONE and not joined:
            self._begun = True
            self._done()
            self._send_next()
        return False

    def repeat_advert(self, frame: bytes) -> None:
        """Say nothing new."""

    def open(self, session: Peer) -> None:
        """The host has connected: send it a few more old frames."""
        self._end_of_link = self._next + _ON_A_LINK
        super().open(session)

    def up(self, frame: bytes) -> None:
        """Keep the frames that the board sends on the connection."""

    def _send_next(self):
        """Send the next old frame on the connection to the host; the first one as an advert."""
        if not self._on:
            return
        self._air.loop.call_later(_SEND_S, self._send_next)
        if self.session is None or not self.session.live:
            self._air.tell(self.address, self._heard_frames[0])
        elif self._next < min(self._end_of_link, len(self._heard_frames)):
            self.session.up(self._heard_frames[self._next])
            self._next += 1


def _heard_frames_of(air: FaultyAir, address: int) -> list[bytes]:
    """Return the last statuses and time questions that were heard of a board, a status first."""
    kinds = frames.STATUS, frames.TIME_ASKED
    heard = [
        frame
        for up, board, frame in air.captured
        if up and board == address and frames.kind_of(frame) in kinds
    ]
    heard = heard[-_HEARD_FRAMES:]
    while heard and frames.kind_of(heard[0]) != frames.STATUS:
        heard.pop(0)
    return heard


def _nonsense(table):
    """Return a few events with random numbers, the same ones for a table each time."""
    luck = random.Random(f"nonsense {table}")
    return [events.unpack(luck.choice(_KINDS), _random_payload(luck)) for _ in range(6)]


def _random_payload(luck):
    """Return a payload of random numbers at one second."""
    return frames.plain(1000, luck.randrange(256), *luck.choices(range(1 << 16), k=2))


class PhoneConnection:
    """A stranger's connection to a board: accepts every frame and never authenticates."""

    def __init__(self, link: Linkable, closed: Callable[[int], None]):
        self._link, self.live, self._closed = link, True, closed
        self.address = link.address

    def up(self, frame: bytes) -> None:
        """Ignore a notified frame."""

    def end(self) -> None:
        """The board or the phone has disconnected."""
        if self.live:
            self._closed(self.address)
            self.live = False
            if self._link.session is self:
                self._link.close()

    def vanish(self, later: Later) -> None:
        """The board has gone; nobody needs to be told."""
        self.live = False


class Attackers:
    """Send hostile frames on ``air``, drawn from the fault's random numbers.

    ``stolen_key`` is ``(device, generation, key)`` of a stolen board; ``event`` returns the current
    event's number; ``tables`` is how many tables there are.
    """

    def __init__(
        self, air: FaultyAir, stolen_key: StolenKey, event: Callable[[], int], tables: int
    ):
        self._air, self._stolen_key, self._tables = air, stolen_key, tables
        self.stolen_device = stolen_key[0]
        self._event = event
        self._counter = 0
        # (board's address, since when it was connected: seconds of the loop)
        self.phone_closed: Callable[[int, float], None] = lambda address, since_s: None

    def replay(self, luck: Random) -> None:
        """Have a phone write to a board, and send a few captured frames again, to the address they
        belonged to or to another.
        """
        self.write_by_phone(luck.randrange(1, self._tables + 1), luck)
        for captured in (self._air.captured, self._air.commands) * 4:
            if not captured:
                continue
            up, address, frame = captured[luck.randrange(len(captured))]
            if luck.random() < 0.3:
                address = luck.randrange(1, self._tables + 1)
            self._air.inject(up, address, frame)

    def garbage(self, luck: Random) -> None:
        """Send frames with the right length and version and random content."""
        for _ in range(20):
            first = frames.VERSION << 6 | luck.randrange(64)
            device = luck.randrange(1, self._tables + 3)
            frame = bytes([first, device, 0]) + luck.randbytes(frames.SIZE - 3)
            self._air.inject(luck.random() < 0.5, luck.randrange(1, self._tables + 1), frame)

    def forge(self, luck: Random) -> None:
        """Send frames signed with the stolen key, in both directions, under the stolen board's id
        or a victim's.
        """
        device, _, key = self._stolen_key
        victim = luck.randrange(1, self._tables + 1)
        as_whom = device if luck.random() < 0.5 else victim
        self.write_by_phone(victim, luck)
        for direction in (frames.UP, frames.DOWN):
            frame = self._signed(luck, key, as_whom, direction)
            self._air.inject(direction == frames.UP, victim, frame)
        up, address, captured = True, 1, bytes(frames.SIZE)
        if self._air.captured:
            up, address, captured = self._air.captured[-1]
        self._air.inject(not up, address, captured)  # one side's frame, sent to the other side
        self._air.inject(up, address, flip_bit(captured, luck))

    def _signed(self, luck, key, device, direction):
        epoch = luck.choice((1, 1, 2, 3))
        if direction == frames.UP:
            kind, first = luck.choice(_RECORDS)
            packed = frames.plain(
                luck.randrange(1 << 24), first, luck.randrange(3), luck.randrange(self._tables + 1)
            )
        else:
            kind = luck.randrange(1, intents.SET_SCORE + 1)
            packed = frames.plain(
                luck.randrange(1 << 24), luck.randrange(4), luck.randrange(1000), 0
            )
        self._counter += 1
        own = frames.stream_key(key, luck.choice((0, self._event())), direction, epoch)
        return signatures.sign(own, kind, device, epoch, self._counter % 65536, packed)

    def forge_match(self, luck: Random) -> None:
        """Send a complete match for somebody else's pairing, correctly signed by the stolen
        board.
        """
        device, _, key = self._stolen_key
        table, event = luck.randrange(1, self._tables + 1), self._event()
        records = (
            events.Booted(1000, 0, 0, 0), events.EpochClosed(1000, 0, 0),
            events.EventJoined(1000, event, 0),
            events.RoundSet(1000, 1, table, table), events.FormatSet(1000, 0, 6, 50),
            events.ResultRuled(1000, 1, 1, 2, 0), events.MatchEnded(1000), *_nonsense(table),
        )  # fmt: skip
        # signed under the key of event 0: the board has not joined yet
        of_no_event = (events.BOOTED, events.EPOCH_CLOSED, events.EVENT_JOINED)
        for counter, record in enumerate(records):
            key_event = 0 if record.kind in of_no_event else event
            stream_key = frames.stream_key(key, key_event, frames.UP, 1)
            frame = signatures.sign(
                stream_key, record.kind, device, 1, counter, payload.pack(record)
            )
            self._air.inject(True, device, frame)

    def connect_phone(self, table: int) -> None:
        """Connect to a board if nobody is connected, and stay for ``_HOLD_S`` seconds."""
        link = self._air.links[table]
        if link.session is None:
            since_s = self._air.loop.time()
            phone = PhoneConnection(link, lambda address: self.phone_closed(address, since_s))
            link.open(phone)
            self._air.loop.call_later(_HOLD_S, phone.end)

    def write_by_phone(self, table: int, luck: Random) -> bool:
        """Write random, replayed and forged frames over the phone's connection; return whether
        there is one.
        """
        self.connect_phone(table)
        link = self._air.links[table]
        if not isinstance(link.session, PhoneConnection):
            return False
        for make in (self._noise, self._replayed, self._replayed, self._stolen):
            link.put(make(luck, table))
        return True

    def _noise(self, luck, table):
        return luck.randbytes(frames.SIZE)

    def _replayed(self, luck, table):
        """Return a frame that a host once sent to this board, or to another one, perhaps with this
        board's id in it.
        """
        commands = self._air.commands
        if not commands:
            return self._noise(luck, table)
        to_table = [frame for _, address, frame in commands if address == table]
        frame = luck.choice(to_table or [frame for _, _, frame in commands])
        if luck.random() < 0.3:
            frame = frame[:1] + table.to_bytes(2, "little") + frame[3:]
        return frame

    def _stolen(self, luck, table):
        device, _, key = self._stolen_key
        return self._signed(luck, key, luck.choice((device, table)), frames.DOWN)
