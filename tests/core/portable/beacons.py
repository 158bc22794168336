"""Broadcast frames as they are packed, and what a board keeps of them, proves and drops."""

from firmware.core import beacon, intents
from firmware.core import beacon_receiver as receiving
from firmware.core.beacon_receiver import BeaconReceiver

GROUP = bytes(range(8))
START_MS, FIRST = 1000000, 40  # of the chain, and the index in the anchor
LAST = 80
TICK = (1023000, 3, beacon.RUNNING, 1000, 1060000, 8, 2)
STARTED = intents.SetStart(1060000)


def chain():
    """Return the keys 0 to LAST of a chain, and one key more of another."""
    walker, keys = beacon.walker(bytes(range(16))), {}
    for index in range(LAST, -1, -1):
        keys[index] = bytes(walker[5:])
        beacon.step_back(walker)
    return keys


KEYS = chain()


def entropy(size):
    return bytes(size)


def board(index=FIRST):
    """Return the receiver of table 100 in round 3, that knows the key of ``index``."""
    receiver = BeaconReceiver(entropy)
    receiver.table, receiver.round, receiver.milestone = 100, 3, 1
    receiver.follow_chain(beacon.pack_anchor(START_MS, index, GROUP, KEYS[index]))
    return receiver


def begins_ms(interval):
    return START_MS + interval * beacon.INTERVAL_MS


def signed(kind, body, interval, keys=KEYS):
    return beacon.sign(keys[interval], GROUP, kind, interval, body)


def command(counter, interval, intent=STARTED, of_round=3):
    return signed(beacon.COMMAND, beacon.pack_command(counter, of_round, intent), interval)


def key(index):
    return beacon.disclose(KEYS[index], GROUP, index)


def hear(receiver, frame, interval, error_ms=20):
    """Let a frame arrive at the beginning of an interval, when the disclosure just fits, too."""
    now_ms = begins_ms(interval)
    return receiver.hear(frame, now_ms - 7, now_ms, error_ms)


def proven(receiver, interval, error_ms=20):
    """Return what some steps in this interval prove."""
    found = []
    for _ in range(40):
        frame = receiver.step(begins_ms(interval), error_ms)
        if frame is not None:
            found.append(bytes(frame))
    return found


def test_vectors():
    walker = beacon.walker(bytes(range(16, 32)))
    beacon.step_back(walker)
    beacon.step_back(walker)
    key_3 = bytes(walker[5:])
    assert key_3.hex() == "c6e9dd23cb3ef39ff3f346cff21cac18"
    mac_key = "0967e3c2d9ba41da9a99fc7cb265083e1143fea38a7c721f1b17bbd8bd829e4a"
    assert beacon.mac_key(key_3).hex() == mac_key
    tick = beacon.pack_tick((2000, 3, beacon.RUNNING, 1000, 60000, 8, 2))
    said = beacon.pack_command(2, 3, intents.SetStart(60000))
    for frame, vector in (
        (beacon.sign(key_3, GROUP, beacon.TICK, 3, tick), "413b800300d00700000302e80360ea0000080274260ba3c2cf98a2"),
        (beacon.sign(key_3, GROUP, beacon.COMMAND, 3, said), "43a745030002000b0360ea000000000000000024747da5e2ff7eb0"),
        (beacon.disclose(key_3, GROUP, 3), "449ccb0300c6e9dd23cb3ef39ff3f346cff21cac18000000000000"),
    ):  # fmt: skip
        assert frame.hex() == vector


def test_bodies_come_back():
    assert beacon.tick_of(signed(beacon.TICK, beacon.pack_tick(TICK), 46)) == TICK
    assert beacon.command_of(command(65535, 46)) == (65535, 3, STARTED)
    acked = signed(beacon.ACKED, beacon.pack_acked(3, 2, 81, 1 << 95 | 1), 46)
    assert tuple(acked[5:7]) == (3, 2) and beacon.acks(acked, 81) and beacon.acks(acked, 176)
    for table in (80, 82, 175, 177, 0, 65535):
        assert not beacon.acks(acked, table)
    acked = signed(beacon.ACKED, beacon.pack_all(3, 2, (7, 600)), 46)
    assert tuple(acked[5:7]) == (3, 2) and beacon.acks(acked, 1) and beacon.acks(acked, 65000)
    assert not beacon.acks(acked, 7) and not beacon.acks(acked, 600)
    anchor = beacon.pack_anchor(5, 6, GROUP, KEYS[1])
    assert len(anchor) == beacon.ANCHOR_SIZE
    assert beacon.anchor_of(anchor) == (5, beacon.INTERVAL_MS, 6, GROUP, KEYS[1])


def test_a_command_counts_once_its_key_has_come():
    receiver = board()
    assert hear(receiver, command(1, 46), 46)
    assert not proven(receiver, 47)
    assert hear(receiver, key(46), 48)
    assert proven(receiver, 48) == [command(1, 46)]
    assert receiver.arrived_ms == begins_ms(46) - 7
    assert not hear(receiver, command(1, 49), 49)
    assert receiver.refused[receiving.USELESS] == 1
    assert hear(receiver, command(2, 49), 49)


def test_a_later_key_proves_earlier_frames():
    receiver = board()
    told = [command(1, 46), signed(beacon.TICK, beacon.pack_tick(TICK), 46),
            signed(beacon.ACKED, beacon.pack_acked(3, 1, 81, 1 << 19), 47)]  # fmt: skip
    for frame in told:
        assert hear(receiver, frame, beacon.u16(frame, beacon.INTERVAL, 46))
    assert hear(receiver, key(52), 54)
    found = proven(receiver, 54)
    assert found[0] == told[2] and len(found) == 3
    for frame in told:
        assert frame in found


def test_of_one_topic_the_highest_counter_counts():
    receiver = board()
    freeze, resume = intents.Freeze(1030000), intents.Resume(1030000)
    told = [command(2, 46, resume), command(1, 46, freeze), command(1, 46)]
    for frame in told:
        assert hear(receiver, frame, 46)
    assert hear(receiver, key(46), 48)
    found = proven(receiver, 48)
    assert told[0] in found and told[2] in found
    assert receiver.commanded == [0, 1, 2, 0, 0, 0]
    assert not hear(receiver, command(1, 49, freeze), 49)


def test_odd_shapes_are_dropped():
    receiver, frame = board(), command(1, 46)
    for odd in (b"", frame[:-1], frame + b"0", bytes(27), bytes((0x46,)) + frame[1:],
                bytes((0x83,)) + frame[1:], key(46)[:-1] + b"1",
                signed(beacon.COMMAND, frame[5:18] + b"1", 46),
                signed(beacon.COMMAND, frame[5:7] + bytes((intents.JOIN_EVENT,)) + frame[8:19], 46),
                signed(beacon.COMMAND, frame[5:7] + b"\xff" + frame[8:19], 46)):  # fmt: skip
        assert not hear(receiver, odd, 48)
    assert receiver.refused[receiving.SHAPE] == 10
    assert not hear(receiver, frame[:1] + b"00" + frame[3:], 46)
    assert receiver.refused[receiving.GROUP] == 1


def test_full_places_are_shared_by_chance():
    receiver, kept = board(), 0
    for counter in range(1, 40):
        kept += hear(receiver, command(counter, 46), 46)
    assert kept == 39 and receiver.refused[receiving.FULL] == 35  # this luck always says 0
    assert not hear(receiver, command(39, 46), 46)  # waits already
    assert hear(receiver, signed(beacon.TICK, beacon.pack_tick(TICK), 46), 46)
