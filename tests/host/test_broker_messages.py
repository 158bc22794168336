"""What machines and collector say over a broker: as it was packed, or not at all."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.base.errors import UserError
from host.hall import broker, broker_messages
from host.hall.broker_messages import Down, MachineState
from host.hall.broker_receiver import LOOK_S, BrokerReceiver
from host.hall.forwarder import STATE_S
from host.hall.machines import GONE_S, LATEST_S, Machines
from host.sim import clock

FRAMES = st.lists(st.binary(min_size=1, max_size=27), max_size=64)
WORD = st.integers(0, (1 << 32) - 1)


class Ears:
    def __init__(self):
        self.frames, self.hears = [], []

    def take(self, word, address, frame):
        self.frames.append(frame)

    def listens(self, who, whether):
        self.hears.append(whether)


def machines():
    ears, said = Ears(), []
    return ears, said, Machines(ears, lambda sentence: said.append(str(sentence)))


def state(there=True, gateways=1, dropped=0):
    return broker_messages.pack_state(MachineState(there, gateways, 0, dropped))


@given(WORD, WORD, FRAMES)
def test_frames_come_as_they_were_packed(session, number, frames):
    told = broker_messages.unpack_up(broker_messages.pack_up(session, number, frames))
    assert told == (session, number, tuple(frames))


@given(
    WORD, st.integers(0, (1 << 64) - 1), st.integers(0, 65535), st.integers(0, 2),
    st.binary(min_size=1, max_size=31),
)  # fmt: skip
def test_an_advert_comes_as_it_was_packed(epoch, unix_ms, span_ms, turn, advert):
    down = Down(epoch, unix_ms, span_ms, turn, advert)
    assert broker_messages.unpack_down(broker_messages.pack_down(down)) == down


@given(st.binary(max_size=200))
def test_bytes_of_anybody_raise_nothing(payload):
    broker_messages.unpack_up(payload)
    broker_messages.unpack_down(payload)
    broker_messages.unpack_state(payload)
    _, _, there = machines()
    there.take_frames("a", payload, 0.0)
    there.take_state("../x", payload, 0.0)


@pytest.mark.parametrize(
    "payload",
    [b"{}", b"[]", b"null", b"[" * 100_000, b'{"version": 1, "there": 1, "gateways": 1, "waiting": 0, "dropped": 0}',
     b'{"version": 1, "there": true, "gateways": -1, "waiting": 0, "dropped": 0}', b'{"version": 2, "there": true, "gateways": 1, "waiting": 0, "dropped": 0}'],
)  # fmt: skip
def test_what_is_no_state_is_counted(payload):
    ears, _, there = machines()
    there.take_state("door", payload, 0.0)
    assert there.strange == 1 and not ears.hears


def test_a_message_twice_is_harmless_and_a_gap_is_told():
    ears, said, there = machines()
    one = broker_messages.pack_up(7, 0, [bytes(24)])
    for _ in range(3):
        there.take_frames("door", one, 0.0)
    there.take_frames("door", broker_messages.pack_up(7, 4, [bytes(24), bytes(27), b"x"]), 0.0)
    machine = there.known["door"]
    assert (machine.repeated, machine.missed) == (2, 3)
    assert ears.frames == [bytes(24)] * 4, "beacons and scraps are no board's"
    assert len(said) == 1 and "has dropped messages of the machine door" in said[0]


def test_another_start_of_a_machine_begins_to_count_anew():
    _, said, there = machines()
    for session, number in ((7, 0), (7, 1), (8, 0), (8, 1), (7, 2), (8, 2)):
        there.take_frames("door", broker_messages.pack_up(session, number, []), 0.0)
    assert said == [] and there.known["door"].missed == 0


def test_a_machine_is_there_until_it_says_nothing_or_its_will_is_told():
    ears, said, there = machines()
    there.take_state("door", state(), 10.0)
    there.tick(10.0 + GONE_S)
    there.tick(10.1 + GONE_S)
    there.take_state("door", state(), 20.0)
    there.take_state("door", broker_messages.pack_state(broker_messages.GONE), 21.0)
    assert [line.split()[3:5] for line in said] == [["is", "there:"], ["is", "gone:"]] * 2
    assert ears.hears == [True, False, True, False]


@pytest.mark.parametrize("dies_s", (0.01, 0.2, STATE_S - 0.01))
def test_a_machine_that_vanishes_is_missed_within_two_seconds(dies_s):
    """It dies so long after its last word; the looks at it come as late as they can."""
    ears, _, there = machines()
    for word in range(10):
        there.take_state("door", state(), word * STATE_S)
        there.tick(word * STATE_S + 0.01)
        assert all(ears.hears)
    last_s = 9 * STATE_S
    look_s = last_s + GONE_S
    while ears.hears[-1]:
        there.tick(look_s)
        look_s += LOOK_S
    assert look_s - LOOK_S - (last_s + dies_s) <= 2 - LATEST_S


def test_nothing_is_kept_for_machines_that_are_not_there():
    async def main():
        there = broker.parse("mqtts://hall@db.example/cup")
        ears = BrokerReceiver(there, "desk", Ears(), print, now_us=lambda: 0, unix_us=lambda: 0)
        assert ears.send(bytes(31), 1000, 12) == 0 and ears._down.empty()
        ears.machines.take_state("door", state(gateways=2), 0.0)
        assert ears.send(bytes(31), 1000, 12) == 2 and not ears._down.empty()
        assert ears.names == ["door (2)"]

    clock.run(main())


def test_a_collector_that_stood_still_itself_misses_nobody():
    async def main():
        loop, said = asyncio.get_running_loop(), []
        ears = BrokerReceiver(
            broker.parse("mqtts://hall@db.example/cup"), "desk", Ears(), said.append,
            now_us=lambda: round((loop.time() + stood_s[0]) * 1e6),
        )  # fmt: skip
        stood_s = [0.0]
        ears.machines.take_state("door", state(), 0.0)
        looking = asyncio.ensure_future(ears._watch_machines())
        await asyncio.sleep(1)
        stood_s[0] = 5.0  # and what has come meanwhile is read right after it
        await asyncio.sleep(LOOK_S * 1.5)
        ears.machines.take_state("door", state(), loop.time() + 5.0)
        await asyncio.sleep(1)
        assert ears.machines.known["door"].state.online
        await asyncio.sleep(2)
        assert not ears.machines.known["door"].state.online
        looking.cancel()

    clock.run(main())


def test_what_a_broker_has_kept_of_a_machine_brings_nobody_back():
    ears, said, there = machines()
    there.take_state("door", state(), 0.0, kept=True)
    assert not said and not ears.hears


def test_what_a_machine_had_to_drop_is_told_once_for_each_time():
    _, said, there = machines()
    for dropped in (0, 5, 5, 9):
        there.take_state("door", state(dropped=dropped), 1.0)
    assert sum("dropped frames" in line for line in said) == 2


def test_more_machines_than_any_hall_has_are_let_be():
    _, _, there = machines()
    for number in range(200):
        there.take_state(f"m{number}", state(), 0.0)
    assert len(there.known) == 64 and there.strange == 136


@pytest.mark.parametrize(
    "address, why",
    [("mqtt://db.example/cup", "reached by TLS"), ("mqtts://db.example", "mqtts://USER@HOST/HALL"),
     ("mqtts://a:b@db.example/cup", "put the broker's password into"), ("mqtts://db.example/a/b", "mqtts://USER"),
     ("mqtts://db.example:x/cup", "mqtts://USER"), ("http://db.example/cup", "mqtts://USER"), ("mqtts://h/+", "mqtts://USER")],
)  # fmt: skip
def test_an_address_that_is_none_is_told(address, why):
    with pytest.raises(UserError, match=why):
        broker.parse(address)


def test_an_address_is_read():
    told = broker.parse("mqtts://hall@db.example/cup")
    assert told[:5] == ("db.example", 8883, "hall", "cup", True)
    assert broker.parse("mqtt://127.0.0.1:1900/cup").tls is False
