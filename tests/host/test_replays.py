"""Whoever replays what boards said without a key has the host write almost nothing."""

import pytest

from firmware.core import frames, intents
from host.collector.frame_signer import FrameSigner

pytestmark = [pytest.mark.venue(tables=2, begun=True), pytest.mark.archives]

THEIRS = "radio of nobody"


class Replayer:
    """Hears everything that a board says, and says it again from a radio of its own."""

    def __init__(self, venue):
        self.venue, self.collector = venue, venue.station.collector
        self.records, self.news = [], []
        self._received = self.collector.on_notification
        self.collector.on_notification = self._listen

    def _listen(self, address, frame, now_ms):
        kind = frames.head(frame)[0]
        (self.records if kind >= frames.FIRST_RECORD else self.news).append(bytes(frame))
        self._received(address, frame, now_ms)

    def connected(self, device):
        """Have the host connect to the replayer instead of a board; return its writes as a list."""
        self.collector._connecting[THEIRS] = device
        self.collector.on_connected(THEIRS)
        return []

    def say(self, found, written, ms=60):
        """Replay a frame; note what the host writes, and what ends the connection."""
        self.venue.air.now_ms += ms
        now_ms = self.venue.air.now_ms
        self._received(THEIRS, found, now_ms)
        for action in self.collector.poll(now_ms):
            if action[1] == THEIRS:
                written.append(action)


@pytest.fixture
def replayer(venue):
    made = Replayer(venue)
    board = venue.boards[0]
    for _ in range(6):
        assert board.ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
        venue.drain()
        venue.station.desk.command(intents.EndCall, 1)
        venue.drain()
    venue.air.run(30_000)
    mine = frames.head(made.records[0])[1]
    made.records = [one for one in made.records if frames.head(one)[1] == mine]
    made.device = mine
    assert len(made.records) > 10
    return made


def acks(written):
    return [one for one in written if one[0] == "write" and frames.head(one[2])[0] == frames.ACK]


def reserved(venue):
    return venue.archive.query("SELECT sum(below) FROM reserved")[0][0]


def test_replayed_records_alone_get_no_frame_and_no_patience(replayer, venue):
    before, written, ms = reserved(venue), replayer.connected(replayer.device), 0
    while not any(one[0] == "disconnect" for one in written) and ms < 60_000:
        for one in replayer.records:
            replayer.say(one, written)
            ms += 60
    assert {one[0] for one in written} == {"disconnect"} and ms < 12_000
    assert reserved(venue) == before
    status = replayer.collector.statuses[replayer.device]
    assert status.failures and status.not_before_ms > venue.air.now_ms - 12_000


def test_old_news_are_no_proof_either(replayer, venue):
    written = replayer.connected(replayer.device)
    for one in replayer.news * 20:
        replayer.say(one, written)
    assert not [one for one in written if one[0] == "write"]


def test_behind_a_fresh_question_few_frames_are_spent_on_known_records(replayer, venue):
    board = next(one for one in venue.boards if one.journal.device == replayer.device)
    board.sync.link_opened(venue.air.now_ms)
    fresh = bytes(board.sync.outgoing(venue.air.now_ms))
    assert frames.head(fresh)[0] == frames.TIME_ASKED
    written = replayer.connected(replayer.device)
    replayer.say(fresh, written)
    for one in replayer.records * 20:
        replayer.say(one, written)
    assert 0 < len(acks(written)) <= 8


def test_known_records_that_come_together_share_a_frame(replayer, venue):
    """So that a board that was reset and sends its match again is served in one connection."""
    board = next(one for one in venue.boards if one.journal.device == replayer.device)
    board.sync.link_opened(venue.air.now_ms)
    written = replayer.connected(replayer.device)
    replayer.say(bytes(board.sync.outgoing(venue.air.now_ms)), written)
    for one in replayer.records[:9]:
        replayer.say(one, written, ms=15)
    assert len(acks(written)) <= 2
    replayer.say(replayer.records[0], written, ms=200)
    replayer.say(replayer.records[0], written, ms=200)
    assert 1 <= len(acks(written)) <= 4


def test_the_board_is_served_once_the_replayer_has_left(replayer, venue):
    written = replayer.connected(replayer.device)
    for one in replayer.records * 10:
        replayer.say(one, written)
    replayer.collector.on_disconnected(THEIRS)
    board = next(one for one in venue.boards if one.journal.device == replayer.device)
    assert board.ask(venue.air.now_ms, intents.CALL_JUDGE, 2)
    venue.drain()
    assert any(one.device == replayer.device for one in venue.archive.records())


def test_low_counters_raise_one_alarm_and_a_boot_brings_new_ones(venue):
    collector, status = venue.station.collector, venue.station.collector.statuses[101]
    with venue.archive.transaction():  # else PostgreSQL's archive takes it for another program's
        venue.archive.write("UPDATE reserved SET below = 62000 WHERE device = 101")
    collector._signers[101] = FrameSigner(venue.archive, venue.station.keyring, status)
    for _ in range(2):
        venue.station.desk.extend(1, 2, reason="slow")
        venue.drain()
    told = [one for one in collector.alarms if "switch it off and on" in one.sentence]
    assert [one.device for one in told] == [101]
    status.epoch += 1
    assert not collector._signers[101].runs_low
