"""Who else is on the air: somebody with a tape, a stolen board, a phone that keeps connecting."""

from __future__ import annotations

import random
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from firmware.core import events, frames, intents
from host.sim.torture.rough import flipped

if TYPE_CHECKING:
    from host.sim.torture.types import RoughAir, StolenKey
    from host.sim.types import Later, Linkable


EVERY_S = 0.7
_HOLD_S = 20
_RECORDS = (
    (events.ROUND_SET, 1), (events.MATCH_ENDED, 0), (events.RESULT_RULED, 1), (events.EXTENDED, 0),
    (events.OUTCOME_PROPOSED, 1), (events.RESULT_CONFIRMED, 0), (events.ANSWERED, 0),
)  # fmt: skip
_KINDS = tuple(range(events.ROUND_SET, events.ORGANISER_SAID + 1))


def _nonsense(table):
    """Return a few events with any numbers, the same for a table each time."""
    some = random.Random(f"nonsense {table}")
    return [
        (some.choice(_KINDS), some.randrange(256), *some.choices(range(1 << 16), k=2))
        for _ in range(6)
    ]


class Phone:
    """A stranger's link to a board: it takes what comes and says nothing that helps."""

    def __init__(self, link: Linkable, told: Callable[[int], None]):
        self._link, self.live, self._told = link, True, told
        self.address = link.address

    def up(self, frame: bytes) -> None:
        """Listen."""

    def end(self) -> None:
        """The board has hung up, or the phone."""
        if self.live:
            self._told(self.address)
            self.live = False
            if self._link.session is self:
                self._link.close()

    def vanish(self, later: Later) -> None:
        """The board has died: the phone is nobody's concern."""
        self.live = False


class Foes:
    """Acts on ``air`` with the luck of the fault; ``thief`` is ``(device, generation, key)``."""

    def __init__(self, air: RoughAir, thief: StolenKey, event: Callable[[], int], tables: int):
        self._air, self._thief, self._tables = air, thief, tables
        self.thief = thief[0]
        self._event = event  # a function: the number of the current event
        self._counter = 0
        self.held: Callable[[int], None] = lambda address: None  # a phone's link to a board ends

    def replay(self, luck: Random) -> None:
        """Play a few frames of the tape again, to where they came from or elsewhere."""
        self.whisper(luck.randrange(1, self._tables + 1), luck)
        for tape in (self._air.tape, self._air.commands) * 4:
            if not tape:
                continue
            up, address, frame = tape[luck.randrange(len(tape))]
            if luck.random() < 0.3:
                address = luck.randrange(1, self._tables + 1)
            self._air.inject(up, address, frame)

    def garbage(self, luck: Random) -> None:
        """Say what looks like ours: the right length and version, and nothing else right."""
        for _ in range(20):
            first = frames.VERSION << 6 | luck.randrange(64)
            device = luck.randrange(1, self._tables + 3)
            frame = bytes([first, device, 0]) + luck.randbytes(frames.SIZE - 3)
            self._air.inject(luck.random() < 0.5, luck.randrange(1, self._tables + 1), frame)

    def forge(self, luck: Random) -> None:
        """Sign with the stolen key, as the stolen board and as others, up and down."""
        device, _, key = self._thief
        victim = luck.randrange(1, self._tables + 1)
        as_whom = device if luck.random() < 0.5 else victim
        self.whisper(victim, luck)
        for direction in (frames.UP, frames.DOWN):
            frame = self._signed(luck, key, as_whom, direction)
            self._air.inject(direction == frames.UP, victim, frame)
        up, address, taped = self._air.tape[-1] if self._air.tape else (True, 1, bytes(frames.SIZE))
        self._air.inject(not up, address, taped)  # and what one side said, to the other side
        self._air.inject(up, address, flipped(taped, luck))

    def _signed(self, luck, key, device, direction):
        epoch = luck.choice((1, 1, 2, 3))
        if direction == frames.UP:
            kind, first = luck.choice(_RECORDS)
            payload = frames.plain(
                luck.randrange(1 << 24), first, luck.randrange(3), luck.randrange(self._tables + 1)
            )
        else:
            kind = luck.randrange(1, intents.SET_SCORE + 1)
            payload = frames.plain(
                luck.randrange(1 << 24), luck.randrange(4), luck.randrange(1000), 0
            )
        self._counter += 1
        own = frames.stream_key(key, luck.choice((0, self._event())), direction, epoch)
        return frames.sign(own, kind, device, epoch, self._counter % 65536, payload)

    def claim(self, luck: Random) -> None:
        """Tell a whole match of somebody else's pairing, as the stolen board and well signed."""
        device, _, key = self._thief
        table, event = luck.randrange(1, self._tables + 1), self._event()
        story = (
            (events.BOOTED, 0, 0, 0), (events.EPOCH_CLOSED, 0, 0, 0),
            (events.EVENT_JOINED, 0, event, 0),
            (events.ROUND_SET, 1, table, table), (events.FORMAT_SET, 0, 6, 50),
            (events.RESULT_RULED, 1 | 128, 2, 0), (events.MATCH_ENDED, 0, 0, 0), *_nonsense(table),
        )  # fmt: skip
        for counter, (kind, *numbers) in enumerate(story):
            under = (
                0 if kind in (events.BOOTED, events.EPOCH_CLOSED, events.EVENT_JOINED) else event
            )
            own = frames.stream_key(key, under, frames.UP, 1)
            frame = frames.sign(own, kind, device, 1, counter, frames.plain(1000, *numbers))
            self._air.inject(True, device, frame)

    def ring(self, table: int) -> None:
        """Connect to a board as soon as nobody else holds it, and sit there."""
        link = self._air.links[table]
        if link.session is None:
            phone = Phone(link, lambda address: self.held(address))
            link.open(phone)
            self._air.loop.call_later(_HOLD_S, phone.end)

    def whisper(self, table: int, luck: Random) -> bool:
        """Say something over the phone's link, if there is one: garbage, the tape, with the stolen
        key; say whether.
        """
        self.ring(table)
        link = self._air.links[table]
        if not isinstance(link.session, Phone):
            return False
        for say in (self._noise, self._taped, self._taped, self._stolen):
            link.put(say(luck, table))
        return True

    def _noise(self, luck, table):
        return luck.randbytes(frames.SIZE)

    def _taped(self, luck, table):
        """What a host once told this board, or another, with this board's name on it."""
        own = [one for one in self._air.commands if one[1] == table] or self._air.commands
        if not own:
            return self._noise(luck, table)
        frame = luck.choice(own)[2]
        return frame[:1] + table.to_bytes(2, "little") + frame[3:] if luck.random() < 0.3 else frame

    def _stolen(self, luck, table):
        device, _, key = self._thief
        return self._signed(luck, key, luck.choice((device, table)), frames.DOWN)
