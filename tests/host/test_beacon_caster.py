"""Which gateways send which parts of the beacon."""

from firmware.core import beacon
from host.collector.beacon_caster import ALL, BeaconCaster
from host.collector.beacon_sender import BeaconSender, HallState

WHOLE_MS = 16 * beacon.CYCLE_MS


class Sent:
    """Gateways that note what they are to send, in ms of the event."""

    def __init__(self):
        self.now_ms, self.turns = WHOLE_MS, {}

    def now_us(self):
        return self.now_ms * 1000

    def send(self, advert, at_us, span_ms, turn):
        assert at_us % (1000 * beacon.CYCLE_MS) + span_ms * 1000 <= beacon.PART_MS * 1000 + 6000
        self.turns.setdefault(at_us // 1000 // beacon.CYCLE_MS, set()).add(turn)


def test_all_send_most_parts_and_every_other_one_a_few_that_the_rest_hear():
    sender, sent = BeaconSender(bytes(32), 5), Sent()
    sender.tell(HallState(1, beacon.RUNNING, 2, 1))
    caster = BeaconCaster(sender, sent, lambda: sent.now_ms)
    while sent.now_ms < 3 * WHOLE_MS:
        caster.step()
        sent.now_ms += 50
    turns = [sent.turns[cycle] for cycle in range(17, 33)]
    assert turns.count({ALL}) == 14 and turns.count({0}) == turns.count({1}) == 1
