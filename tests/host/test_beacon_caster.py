"""Which gateways send which parts of the beacon."""

import pytest

from firmware.core import beacon
from host.collector import beacon_caster
from host.collector.beacon_caster import ALL, ALONE, BeaconCaster
from host.collector.beacon_sender import BeaconSender, HallState

WHOLE_MS = 16 * beacon.CYCLE_MS


class Sent:
    """Gateways that note what they are to send, in ms of the event."""

    def __init__(self, apart=1):
        self.now_ms, self.turns, self.apart, self.frames = WHOLE_MS, {}, apart, []

    def now_us(self):
        return self.now_ms * 1000

    def send(self, advert, at_us, span_ms, turn):
        assert at_us % (1000 * beacon.CYCLE_MS) + span_ms * 1000 <= beacon.PART_MS * 1000 + 6000
        self.frames.append((at_us // 1000, turn, advert[4:]))
        self.turns.setdefault(at_us // 1000 // beacon.CYCLE_MS, set()).add(turn)


def test_all_send_most_parts_and_every_other_one_a_few_that_the_rest_hear():
    sender, sent = BeaconSender(bytes(32), 5), Sent()
    sender.set_hall(HallState(1, beacon.RUNNING, 2, 1))
    caster = BeaconCaster(sender, sent, lambda: sent.now_ms)
    while sent.now_ms < 3 * WHOLE_MS:
        caster.step()
        sent.now_ms += 50
    turns = [sent.turns[cycle] for cycle in range(17, 33)]
    assert turns.count({ALL}) == 14 and turns.count({0}) == turns.count({1}) == 1


def test_gateways_that_can_be_told_apart_send_different_acknowledgements_at_a_time():
    sender, sent = BeaconSender(bytes(32), 5), Sent(apart=3)
    sender.set_hall(HallState(1, beacon.RUNNING, 1000, 1, awaited=500), range(1, 1001))
    for table in range(1, 501):
        sender.acknowledge(table, 2)
    caster = BeaconCaster(sender, sent, lambda: sent.now_ms)
    while sent.now_ms < 2 * WHOLE_MS:
        caster.step()
        sent.now_ms += 50
    acked = {}
    for at_ms, turn, frame in sent.frames:
        acks = beacon.kind_of(frame) == beacon.ACKED
        assert turn < ALONE or acks
        if turn >= ALONE:
            acked.setdefault(at_ms, {})[turn - ALONE] = frame
    assert len(acked) > 20
    for frames in acked.values():
        assert set(frames) == {0, 1, 2} and len(set(frames.values())) > 1


@pytest.mark.parametrize(
    ("turn", "which"), ((ALL, [0, 1, 2]), (0, [0, 2]), (1, [1]), (ALONE + 1, [1]), (ALONE + 3, []))
)
def test_a_turn_says_which_gateways_send(turn, which):
    assert [place for place in range(3) if beacon_caster.sends(place, turn, 3)] == which
    assert beacon_caster.sends(0, 1, 1)  # one alone always does
