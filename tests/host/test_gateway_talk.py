"""The PC's half of a gateway's protocol: its words and its clock, delays between gateways, a real line."""

import asyncio
import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from stories import run_by

from firmware.core import usb
from host.collector.carriers import serial_line
from host.collector.carriers.gateway_clock import GatewayClock
from host.collector.carriers.gateway_delays import ENOUGH, MOST_US, GatewayDelays
from host.collector.carriers.gateway_talk import GatewayTalk, Heard
from host.collector.carriers.gateways import Gateways
from host.collector.carriers.serial_line import SerialLine

ADDRESS = bytes((9, 8, 7, 6, 5, 0xC4))
HELLO = usb.pack(usb.HELLO, 0, usb.VERSION, 8, 1000, ADDRESS)
S = 1_000_000
DELAYS = st.integers(200, 70_000)  # us


def asked(talk, now_us):
    """Return the messages that the PC writes now."""
    return [(kind, *values) for kind, _, values in usb.Splitter().feed(talk.output(now_us))]


def met(ticks=1000, now_us=0):
    """Return a talk with a gateway that stands at ``ticks`` and has answered at once."""
    talk = GatewayTalk(now_us)
    talk.received(HELLO, now_us)
    ((_, nonce),) = asked(talk, now_us)
    talk.received(usb.pack(usb.PONG, 1, nonce, ticks, 0, 0), now_us)
    return talk


def test_nothing_is_written_before_it_has_introduced_itself():
    talk = GatewayTalk(0)
    assert not talk.output(S) and not talk.received(usb.pack(usb.PONG, 1, 1, 1, 0, 0), S)
    assert talk.received(b"AT\r\n\x00" + usb.pack(usb.HEARD, 2, 1, 1, ADDRESS, b"x"), S) == []
    assert not talk.output(2 * S) and talk.version is None
    talk.received(HELLO, 2 * S)
    assert talk.listening and talk.address == "C4:05:06:07:08:09"
    assert [kind for kind, *_ in asked(talk, 2 * S)] == [usb.PING]


def test_another_version_is_known_and_not_spoken_to():
    talk = GatewayTalk(0)
    talk.received(usb.pack(usb.HELLO, 0, 2, 8, 0, ADDRESS), 0)
    assert talk.version == 2 and not talk.listening and not talk.output(S)


def test_it_is_asked_twice_a_second_and_gone_before_two_seconds_of_silence():
    talk = met()
    assert [bool(talk.output(at_us)) for at_us in range(0, S, 100_000)].count(True) == 1
    assert not talk.gone(3 * S // 2) and talk.gone(2 * S - 100_000)
    talk.received(usb.pack(usb.PLACES, 2, 8, 0, 0), 2 * S)
    assert not talk.gone(7 * S // 2)


def test_what_it_hears_has_the_pcs_time():
    talk = met(ticks=5000, now_us=7 * S)
    message = usb.pack(usb.HEARD, 2, 5900, -70, ADDRESS, bytes(24))
    assert talk.received(message, 8 * S) == [
        Heard("C4:05:06:07:08:09", bytes(24), -70, 7 * S + 900_000)
    ]
    assert not talk.doubtful


@given(st.integers(0, (1 << 29) - 1))
def test_a_time_that_cannot_be_is_counted_and_never_believed(ticks):
    talk = met(ticks=5000, now_us=7 * S)
    (heard,) = talk.received(usb.pack(usb.HEARD, 2, ticks, -70, ADDRESS, b"x"), 8 * S)
    assert 8 * S - 2_100_000 <= heard.at_us <= 8 * S
    # 1.6 ms: a tick, and a second of drift
    assert talk.lies == (not -1001 <= usb.since_ms(ticks, 5000) <= 1001)


def test_a_clock_that_jumps_is_noticed_and_taken_anew():
    talk = met(ticks=5000, now_us=0)
    ((_, nonce),) = asked(talk, S)
    talk.received(usb.pack(usb.PONG, 2, nonce, 9000, 3, 1), S)
    assert talk.clock.steps == 1 and talk.doubtful and (talk.heard, talk.lost) == (3, 1)
    assert talk.clock.at_us(9000) == S


def test_an_answer_to_nothing_that_was_asked_changes_no_clock():
    talk = met(ticks=5000)
    before = talk.clock.at_us(5000)
    talk.received(usb.pack(usb.PONG, 2, 999, 1, 0, 0), S)
    assert talk.clock.at_us(5000) == before and not talk.clock.steps


def test_as_many_adverts_are_under_way_as_there_are_places():
    talk = met(ticks=1000)
    at_us = 2 * S
    assert [talk.send(bytes(31), at_us, 60, S) for _ in range(9)] == [True] * 8 + [False]
    sent = usb.Splitter().feed(talk.output(S))
    sends = [(counter, values) for kind, counter, values in sent if kind == usb.SEND]
    assert [values for _, values in sends] == [(3000, 60, bytes(31))] * 8
    # it has taken three of them, and two of its places are in use by now
    talk.received(usb.pack(usb.PLACES, 2, 6, sends[2][0], 4), S)
    assert talk.late == 4 and talk.send(b"x", at_us, 60, S) and not talk.send(b"x", at_us, 60, S)


def test_an_advert_for_the_past_or_for_a_clock_that_is_not_known_is_refused():
    talk = met()
    assert not talk.send(b"x", S - 1, 60, S) and not talk.send(b"x", 7 * S, 60, S)
    new = GatewayTalk(0)
    new.received(HELLO, 0)
    assert not new.send(b"x", 2 * S, 60, S)


AGED = [  # of 20 answers the two that bound the clock are seconds apart
    *[(200, 200)] * 4, (200, 323), (200, 2378), (200, 17112), (200, 205), (1571, 50023),
    (701, 3620), (3127, 1367), (54355, 310), (19430, 826), (69889, 649), (26087, 218), (532, 200),
    (550, 200), (3548, 353), (21386, 340), (5407, 200),
]  # fmt: skip


@given(st.integers(-500, 500), st.integers(0, (1 << 29) - 1), st.lists(st.tuples(DELAYS, DELAYS)))
@example(500, 0, AGED)
def test_the_clock_is_never_further_off_than_it_says(ppm, begun, delays):
    """Whatever the two ways take, at any drift that a board can have, over a wrap of its ticks."""
    clock, now_us = GatewayClock(), 0

    def ticks_at(at_us):
        return usb.later(begun, int(at_us * (1 + ppm / 1e6)) // 1000)

    for there_us, back_us in delays:
        read_us, end_us = now_us + there_us, now_us + there_us + back_us
        clock.answered(now_us, end_us, ticks_at(read_us))
        for later_us in (0, 30 * S):
            at_us = read_us + later_us
            assert abs(clock.at_us(ticks_at(at_us)) - at_us) <= clock.error_us(at_us) + 1000
        now_us = end_us + 500_000
    assert clock.steps == 0


@given(st.binary(max_size=300))
def test_any_bytes_are_survived(data):
    talk = met()
    for heard in talk.received(data, S):
        assert isinstance(heard, Heard)
    talk.output(S)


SLOT_US = 25_000


def frames_of(delays, sender, witnesses, count=40, first=0):
    """Have ``sender`` send; ``witnesses`` is {name: delay of the stamp in us, or a function}."""
    for number in range(first, first + count):
        frame, at_us = b"%s %d" % (sender.encode(), number), 1_000_000 + number * SLOT_US
        delays.note_asked(frame, sender, at_us)
        for witness, late_us in witnesses.items():
            late = late_us(number) if callable(late_us) else late_us
            delays.note_heard(frame, sender, witness, at_us + late, 1_000)


def test_the_least_of_many_is_the_delay():
    delays = GatewayDelays()
    frames_of(delays, "a", {"b": lambda number: 9_000 + number % 7 * 4_000})
    assert delays.delay_us("a") == 8_000 == delays.correction_us("a")
    assert delays.delay_us("b") is None and delays.correction_us("b") == 0


def test_a_few_frames_are_not_believed():
    delays = GatewayDelays()
    frames_of(delays, "a", {"b": 9_000}, ENOUGH - 1)
    assert delays.correction_us("a") == 0


def test_a_delay_that_is_over_is_forgotten():
    delays = GatewayDelays()
    frames_of(delays, "a", {"b": 4_000})
    frames_of(delays, "a", {"b": 15_000}, 3_000, 100)
    assert delays.delay_us("a") == 14_000


def test_a_frame_that_was_sent_twice_tells_nothing():
    delays = GatewayDelays()
    for number in range(40):
        delays.note_asked(b"key", "a", number * SLOT_US)
        delays.note_heard(b"key", "a", "b", number * SLOT_US + 5_000, 0)
    assert delays.delay_us("a") is None and not delays.liars("a")


@pytest.mark.parametrize("alone", (False, True))
@given(st.lists(st.integers(-500_000, 500_000), min_size=20, max_size=60), st.integers(0, 15_000))
def test_whatever_a_liar_says_an_honest_witness_or_the_bound_holds_the_clocks(alone, lies, us):
    delays, others = GatewayDelays(), {} if alone else {"b": us}
    frames_of(delays, "a", {"liar": lambda number: lies[number % len(lies)], **others}, 60)
    assert 0 <= delays.correction_us("a") <= (MOST_US if alone else us)


def test_what_is_heard_before_it_could_leave_is_a_lie_and_corrects_nothing():
    delays = GatewayDelays()
    frames_of(delays, "a", {"b": 9_000})
    frames_of(delays, "a", {"b": -30_000}, ENOUGH, 100)
    assert delays.liars("a") == ["b"] and delays.correction_us("a") == 0
    delays.forget("b")
    assert delays.liars("a") == []


MOST_S = 60  # nothing waits so long when it works


class Device:
    """The gateway's end: a terminal whose other end is the port ``name``."""

    def __init__(self):
        tty = pytest.importorskip("tty")  # Windows has no pseudo-terminals
        self.end, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        self.name, self.told, self.open = os.ttyname(self._theirs), [], False
        self._splitter, self.changed = usb.Splitter(), asyncio.Event()
        asyncio.get_running_loop().add_reader(self.end, self._read)

    def opened(self, name, owner):
        line = SerialLine(name, owner)  # what came before is thrown away
        self.open = True
        self.changed.set()
        return line

    def _read(self):
        self.told += self._splitter.feed(os.read(self.end, 1000))
        self.changed.set()

    def put(self, kind, counter, *values):
        os.write(self.end, usb.pack(kind, counter, *values))

    async def until(self, holds):
        while not holds():
            self.changed.clear()
            await self.changed.wait()

    def pull(self):
        asyncio.get_running_loop().remove_reader(self.end)
        os.close(self.end)
        os.close(self._theirs)


class Told:
    def __init__(self, device):
        self.notes, self._device = [], device

    def take(self, *said):
        self.notes.append(said)
        self._device.changed.set()

    def listens(self, who, whether):
        self.take(who, whether)


def played(story):
    """Run ``story(device, told, said)`` beside real Gateways whose only port is the device's."""

    async def main():
        device = Device()
        told, said, ports = Told(device), [], [device.name]

        async def there():
            return ports

        async with asyncio.timeout(MOST_S):
            task = asyncio.ensure_future(Gateways(told, said.append, there, device.opened).run())
            try:
                await story(device, told, said)
            finally:
                task.cancel()
                await asyncio.wait({task})

    asyncio.run(main())


@run_by(played, scene=3)
async def test_it_is_met_asked_heard_and_missed_as_it_is_pulled_out(device, told, said):
    await device.until(lambda: device.open)
    device.put(usb.HELLO, 0, usb.VERSION, 8, 1000, ADDRESS)
    await device.until(lambda: device.told)
    assert device.told[0][0] == usb.PING and told.notes == [("gateways", True)]
    device.put(usb.PONG, 1, device.told[0][2][0], 1000, 0, 0)
    for counter in range(2, 102):
        device.put(usb.HEARD, counter, 1000, -60, ADDRESS, bytes((counter,)) * 24)
    await device.until(lambda: len(told.notes) == 101)
    assert told.notes[-1] == ("heard", None, bytes((101,)) * 24)
    device.pull()
    await device.until(lambda: len(told.notes) == 102)
    assert told.notes[-1] == ("gateways", False)


def test_a_port_that_cannot_be_opened_is_tried_again():
    async def main():
        with pytest.raises(OSError):
            SerialLine("/dev/no-such-port", None)

    asyncio.run(main())


def test_a_port_is_one_programs_alone():
    far, near = os.openpty()

    async def main():
        line = SerialLine(os.ttyname(near), Device())
        with pytest.raises(OSError):
            SerialLine(os.ttyname(near), Device())
        line.close()

    asyncio.run(main())
    for end in (far, near):
        os.close(end)


def test_ports_of_others_and_consoles_are_let_be(monkeypatch):
    from serial.tools import list_ports, list_ports_common

    def port(device, vid, interface):
        made = list_ports_common.ListPortInfo(device, skip_link_detection=True)
        made.vid, made.interface = vid, interface
        return made

    found = [
        port("/dev/ttyACM3", 0x239A, "CircuitPython CDC2 control"),
        port("/dev/ttyACM0", 0x239A, "CircuitPython CDC control"), port("COM7", 0x303A, None),
        port("/dev/ttyUSB0", 0x10C4, None), port("/dev/ttyS0", None, None),
    ]  # fmt: skip
    monkeypatch.setattr(list_ports, "comports", lambda: found)
    assert asyncio.run(serial_line.ports()) == ["/dev/ttyACM3", "COM7"]
