"""The beacon at its limits: a stolen board's keys in a million frames, and a thousand boards that listen."""

import asyncio
import random
from dataclasses import dataclass, field

import beaconhall
import pytest
from burst import Burst, at

from firmware.core import beacon, intents
from firmware.core.beacon_receiver import EARLY, KEY, MAC, UNSAFE, BeaconReceiver
from host.keys.beacon_chain import BeaconChain

LOOK_S = 0.1
LONGEST_S = 60


@dataclass
class Recall:
    """How many boards had records, and how many seconds later (of ``host.sim``) the host that began
    again had heard each board.
    """

    waiting: int = 0
    heard_s: list[float] = field(default_factory=list)

    async def play(self, hall, away_s):
        """Start a round; soon after, the host ends, and another begins ``away_s`` later."""
        await hall.wired()
        await asyncio.sleep(30)
        start_ms = hall.venue.now_ms() + 12_000
        hall.station.desk.start(start_ms)
        told_s = await hall.until(
            lambda: all(app.match.start_ms == start_ms for app in hall.apps), 11
        )
        assert told_s is not None
        await asyncio.sleep(15)
        begun_s = await hall.restart(away_s)
        self.waiting = sum(app.sync.waiting > 0 for app in hall.apps)
        while len(self.heard_s) < len(hall.tables) and hall.loop.time() - begun_s < LONGEST_S:
            await asyncio.sleep(LOOK_S)
            statuses = hall.station.collector.statuses.values()
            heard = sum(one.heard_ms is not None for one in statuses)
            passed_s = round(hall.loop.time() - begun_s, 1)
            self.heard_s += [passed_s] * (heard - len(self.heard_s))
        return self


TRIES = 1_000_000
SLICE = 50  # `make test` tries one of so many
SECRET, EVENT = bytes(range(32)), 5
ERROR_MS = 120
BAD = intents.SetStart(1)
KINDS = beacon.TICK, beacon.ACKED, beacon.COMMAND, beacon.TIMES
TABLE, ROUND, MILESTONE, ASKED = 100, 3, 1, b"asks"


class Thief:
    """Who holds a board of the hall: the group key, every key that was disclosed, all that was
    heard. It sends the moment it knows more than it should, and makes up what it lacks.
    """

    def __init__(self, chain, seed):
        self.chain, self.luck = chain, random.Random(f"thief {seed}")
        self.heard = []
        self.attacks = (self.forged, self.forged, self.replayed, self.bent, self.made_up, self.key)

    def _known(self, now_ms, back=40):
        """Return an interval whose key is disclosed, the newest ones most often."""
        newest = self.chain.disclosable(now_ms)
        return max(0, newest - self.luck.choice((0, 0, 0, 1, 2, 3, self.luck.randrange(back))))

    def _key_of(self, interval):
        at_ms = self.chain.start_ms + (interval + beacon.DELAY) * beacon.INTERVAL_MS
        return self.chain.disclose(at_ms)[5:21]

    def forged(self, now_ms):
        """Sign under a disclosed key, for its interval or a later one."""
        interval = self._known(now_ms)
        claimed = interval + self.luck.choice((0, 0, 1, 2, 3, 4))
        kind, body = self.luck.choice((
            (beacon.COMMAND, beacon.pack_command(60_000 + self.luck.randrange(5000), 0, BAD)),
            (beacon.TICK, beacon.pack_tick((now_ms + 9000, ROUND, beacon.RUNNING, 9, 1, 0, 9))),
            (beacon.ACKED, beacon.pack_all(ROUND, beacon.WHOLE | MILESTONE, ())),
            (beacon.TIMES, beacon.pack_times(((ASKED, self.luck.randrange(32)),))),
        ))  # fmt: skip
        return beacon.sign(self._key_of(interval), self.chain.group, kind, claimed, body)

    def replayed(self, now_ms):
        """Repeat what was said before; its interval, too, may be written anew."""
        frame = self.luck.choice(self.heard)
        if self.luck.random() < 0.5:
            return frame
        interval = self.chain.interval(now_ms) - self.luck.randrange(3)
        return self._grouped(frame[:3] + interval.to_bytes(2, "little") + frame[5:])

    def bent(self, now_ms):
        """Change a bit of what was said just now, and mend the group tag."""
        frame, at = bytearray(self.heard[-1]), self.luck.randrange(3, beacon.SIZE)
        frame[at] ^= 1 << self.luck.randrange(8)
        return self._grouped(bytes(frame))

    def made_up(self, now_ms):
        """Return chance under a right head and group tag."""
        interval = self.chain.interval(now_ms)
        head = bytes((beacon.VERSION << 6 | self.luck.randrange(1, beacon.TIMES + 1), 0, 0))
        return self._grouped(head + interval.to_bytes(2, "little") + self.luck.randbytes(22))

    def key(self, now_ms):
        """Disclose a wrong key, or a right one under another interval."""
        interval = self._known(now_ms)
        key = self.luck.choice((self._key_of(interval), self.luck.randbytes(16)))
        claimed = interval + self.luck.choice((-1, 1, 2, 3, 30))
        return beacon.disclose(key, self.chain.group, max(0, claimed))

    def _grouped(self, frame):
        tag = beacon.group_tag(self.chain.group, frame)
        return frame[:1] + tag.to_bytes(2, "little") + frame[3:]


class Hall:
    """The host, the thief and one other board, whose clock is as wrong as it says it may be."""

    def __init__(self):
        self.chain, self.luck = BeaconChain(SECRET, EVENT, 0), random.Random("hall")
        self.thief, self.now_ms = Thief(self.chain, 1), 20_000
        self.receiver = BeaconReceiver(self.luck.randbytes)
        self.receiver.table, self.receiver.round, self.receiver.asked = TABLE, ROUND, ASKED
        self.receiver.milestone = MILESTONE
        self.receiver.follow_chain(self.chain.anchor(self.now_ms))
        self.said, self.done, self.forged = {}, [], 0
        self.kinds = [0] * (max(KINDS) + 1)  # frames that the board has taken

    def speak(self):
        """The host sends its command of these ten seconds, one of all else, and a key."""
        counter = self.now_ms // 10_000
        self.said[counter] = intents.SetStart(10_000 * counter + 9_000)
        body = beacon.pack_command(counter, 3, self.said[counter])
        kind, other = self.luck.choice((
            (beacon.TICK, beacon.pack_tick((self.now_ms, ROUND, beacon.RUNNING, 9, 1, 0, 9))),
            (beacon.ACKED, beacon.pack_acked(ROUND, MILESTONE, 80, 1 << 20)),
            (beacon.TIMES, beacon.pack_times(((ASKED, 2), (b"them", 3)))),
        ))  # fmt: skip
        frames = (
            self.chain.sign(beacon.COMMAND, body, self.now_ms),
            self.chain.sign(kind, other, self.now_ms),
            self.chain.disclose(self.now_ms),
        )
        self.thief.heard += frames
        return frames

    def go_on(self, number):
        """A frame of the thief, at times the host's own, a moment later."""
        self.now_ms += self.luck.choice((0, 0, 1, 20))
        board_ms = self.now_ms + (ERROR_MS if number % 2 else -ERROR_MS)
        attack = self.luck.choice(self.thief.attacks)
        for frame in (attack(self.now_ms),) if number % 40 else self.speak():
            self.receiver.hear(frame, self.now_ms, board_ms, ERROR_MS)
            proven = self.receiver.step(board_ms, ERROR_MS)
            if proven is None:
                continue
            self.kinds[proven[0] & 63] += 1
            self.forged += bytes(proven) not in self.thief.heard
            if beacon.kind_of(proven) == beacon.COMMAND:
                self.done.append(beacon.command_of(proven))


def test_no_other_board_changes_state(printed, progress, proving):
    hall, tries = Hall(), TRIES // (1 if proving else SLICE)
    for number in range(tries):
        hall.go_on(number)
        if number % 50_000 == 0:
            progress(f"# {number} of {tries}, {len(hall.done)} commands of the host")
    progress(f"# taken by kind: {hall.kinds}, not the host's: {hall.forged}")
    said, done, refused = hall.said, hall.done, hall.receiver.refused
    printed(
        "a stolen board's frames",
        [f"{tries} tried, {len(done)} of {len(said)} commands taken, refused {refused}"],
    )
    assert all(said.get(counter) == intent for counter, _, intent in done)
    assert not hall.forged and all(hall.kinds[kind] for kind in KINDS)
    counters = [counter for counter, _, _ in done]
    assert counters == sorted(set(counters)) and len(done) > len(said) // 4
    assert all(refused[reason] for reason in (EARLY, UNSAFE, KEY, MAC))


TABLES, SEED = 1000, 1
LOOKS = {1: 20, 3: 12}  # 20 s apart
AWAY_S, HEARD_S = 6, 20
ACKED_S = {1: (11, 15), 3: (6, 6)}  # from the burst's begin, by gateways: 99 %, all


# with one, tests/sim/test_beacon_at_tables.py plays it in `make test`
@pytest.mark.parametrize("gateways", (pytest.param(1, marks=pytest.mark.prove), 3))
def test_a_thousand_tables(proving, printed, tmp_path, gateways):
    tables, looks = (TABLES, LOOKS[gateways]) if proving else (6, 3)
    seen = beaconhall.played(
        lambda hall: Burst().play(hall, looks), tmp_path, tables=tables, seed=SEED,
        gateways=gateways,
    )  # fmt: skip
    shares = (0.5, 0.9, 0.99, 1)
    stored, acked = ([at(one, s, tables) for s in shares] for one in (seen.stored_s, seen.acked_s))
    rows = [
        f"start at all tables: {seen.start_s} s",
        f"second edges, 99 %: {seen.edges_ms} ms, every 20 s",
        f"results on the disk (50, 90, 99, 100 %): {stored} s",
        f"acknowledged: {acked} s",
    ]
    printed(f"beacon: {tables} tables, {gateways} gateways, seed {SEED}", rows)
    assert seen.start_s <= 4
    assert max(seen.edges_ms[2:]) <= 10
    assert len(seen.acked_s) == seen.results == tables  # nothing is lost
    most, last = ACKED_S[gateways]
    assert acked[2] <= most and acked[3] <= last


def test_a_host_that_begins_again_hears_a_thousand_boards(proving, printed, tmp_path):
    """The laptop dies soon after a start, whose records most boards still have to tell."""
    tables, seed = (TABLES, SEED) if proving else (8, 2)
    seen = beaconhall.played(
        lambda hall: Recall().play(hall, AWAY_S), tmp_path, tables=tables, seed=seed
    )
    shares = [at(seen.heard_s, one, tables) for one in (0.5, 0.9, 0.99, 1)]
    printed(
        f"beacon: {tables} tables, one gateway, a host that begins again, seed {seed}",
        [f"heard (50, 90, 99, 100 %): {shares} s; {seen.waiting} boards had records to tell"],
    )
    assert seen.waiting > tables // 2
    assert len(seen.heard_s) == tables and seen.heard_s[-1] <= HEARD_S
