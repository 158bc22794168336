"""What a table board would run of the beacon, for ``test_beacon_memory``: deploy prunes the rest."""

from firmware.core import beacon
from firmware.core.anchor import AnchorParts
from firmware.core.beacon_receiver import BeaconReceiver


def main(entropy, frame, uptime_ms, now_ms, error_ms, anchor):
    """Return what a board keeps that has heard a frame, and asked whatever it would ask."""
    receiver, parts = BeaconReceiver(entropy), AnchorParts()
    receiver.table = receiver.round = 3
    parts.add(frame[0], frame)
    receiver.anchor(anchor)
    receiver.hear(frame, uptime_ms, now_ms, error_ms)
    proven = receiver.step(now_ms, error_ms)
    if proven is not None:
        told = beacon.shaped(proven), beacon.tick_of(proven), beacon.command_of(proven)
        return told, beacon.acked_of(proven, receiver.table), receiver.arrived_ms
    return receiver, parts, receiver.refused, receiver.commanded
