"""Machines of gateways and a collector around a real mosquitto: nothing heard is lost, what is said is as packed."""

import argparse
import asyncio
import contextlib
import random

import pytest
import servers
from hall import Told
from hypothesis import given
from hypothesis import strategies as st
from stories import run_by

from host.base.errors import UserError
from host.cli import main as run_command
from host.cli import serve
from host.collector.beacon_caster import ALL
from host.collector.carriers.gateway_carrier import GatewayCarrier
from host.collector.carriers.gateways import Gateways
from host.hall import broker, broker_messages
from host.hall.broker_messages import Down, MachineState
from host.hall.broker_receiver import LOOK_S, BrokerReceiver, Sources
from host.hall.forwarder import STATE_S, Forwarder
from host.hall.machines import GONE_S, LATEST_S, Machines
from host.sim import clock

PATIENCE_S = 60  # of a test on a busy machine; it waits for what it expects, never for a time


class Wire:
    """A connection's way to the broker; ``cut`` swallows what goes over it."""

    def __init__(self, port):
        self._to, self.cut, self.port = port, False, 0
        self._writers = set()

    async def lay(self):
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def _connected(self, reader, writer):
        try:
            there = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, there[1]}
        with contextlib.suppress(asyncio.CancelledError):  # the test is over
            await asyncio.gather(self._pass(reader, there[1]), self._pass(there[0], writer))

    async def _pass(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if not self.cut:
                    writer.write(data)
                    await writer.drain()
        if not self.cut:
            writer.close()

    def break_off(self):
        for one in self._writers:
            one.close()
        self._writers.clear()

    def close(self):
        self._server.close()
        self.break_off()


class Script:
    """A machine's gateways without gateways: a test says what they hear."""

    def __init__(self, count=2):
        self.count, self.apart, self.sent, self.now = count, count, [], 0

    def now_us(self):
        return self.now

    async def run(self):
        await asyncio.Event().wait()

    @property
    def names(self):
        return [f"usb{place}" for place in range(self.count)]

    def send(self, advert, at_us, span_ms, turn):
        self.sent.append((advert, at_us, span_ms, turn))
        return self.count


class Scene:
    """A hall around a broker, inside a running loop; ``until(found)`` waits for what must come."""

    def __init__(self, mosquitto):
        self.mosquitto = mosquitto
        self.frames, self.said, self.hears = [], [], None
        self._news = asyncio.Event()
        self._tasks, self._wires = [], []

    # as Ears
    def take(self, word, address, frame):
        self.frames.append(frame)
        self._news.set()

    def listens(self, who, whether):
        self.hears = whether
        self._news.set()

    def say(self, sentence):
        self.said.append(str(sentence))
        self._news.set()

    async def wired(self):
        """Return a Wire, and the address of the broker at its end."""
        wire = await Wire(self.mosquitto.port).lay()
        self._wires.append(wire)
        there = broker.parse(self.mosquitto.address, self.mosquitto.ca)
        return wire, there._replace(port=wire.port)

    async def machine(self, name="door", unix_ms=lambda: 0, most=20_000):
        """Start a machine; return it, with ``wire`` and ``script``."""
        wire, there = await self.wired()
        script = Script()
        made = Forwarder(there, name, self.say, lambda receiver, report: script, unix_ms, most)
        made.wire, made.script = wire, script
        made.work = self.work(made.run())
        return made

    async def collector(self, epoch=0, name="desk", now_us=None, unix_us=lambda: 0):
        """Start a collector's ears; return them, with their ``wire``."""
        wire, there = await self.wired()
        steady = now_us or (lambda: round(asyncio.get_running_loop().time() * 1e6))
        ears = BrokerReceiver(there, name, self, self.say, epoch, steady, unix_us)
        ears.wire = wire
        self.work(ears.run())
        return ears

    def work(self, what):
        self._tasks.append(asyncio.ensure_future(what))
        return self._tasks[-1]

    async def until(self, found):
        async with asyncio.timeout(PATIENCE_S):
            while not found():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.2):
                        await self._news.wait()
                self._news.clear()

    async def told(self, words):
        """Wait until a sentence with ``words`` was said."""
        await self.until(lambda: any(words in one for one in self.said))

    async def end(self):
        for one in self._tasks:
            one.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for one in self._wires:
            one.close()


def played(story, mosquitto):
    async def main():
        scene = Scene(mosquitto)
        try:
            await story(scene)
        finally:
            await scene.end()

    asyncio.run(main())


FEW, MANY = 1, 20
AWAY_S, A_SECOND = 300, 60  # frames that a machine hears


@pytest.fixture(autouse=True)
def password(monkeypatch):
    monkeypatch.setenv(broker.PASSWORD, servers.PASSWORD)


def frame(number):
    return number.to_bytes(24, "big")


@run_by(played, "mosquitto")
async def test_what_two_machines_hear_comes_to_the_collector(scene):
    await scene.collector()
    door, stage = await scene.machine("door"), await scene.machine("stage")
    await scene.told("the machine door is there: 2 gateways hear boards")
    await scene.told("the machine stage is there")
    for number in range(500):
        (door if number % 2 else stage).take("heard", None, frame(number))
    await scene.until(lambda: len(scene.frames) >= 500)
    assert sorted(scene.frames) == [frame(number) for number in range(500)]
    assert scene.hears and not door.dropped


@run_by(played, "mosquitto")
async def test_a_machine_that_disappears_is_missed(scene, printed):
    await scene.collector()
    door = await scene.machine("door")
    await scene.told("the machine door is there")
    door.wire.cut = True
    begun_s = asyncio.get_running_loop().time()
    await scene.told("the machine door is gone")
    took_s = asyncio.get_running_loop().time() - begun_s
    printed("a machine that disappears", [f"told after {took_s:.1f} s"])
    assert not scene.hears
    door.take("heard", None, frame(1))
    door.wire.cut = False
    await scene.until(lambda: frame(1) in scene.frames)
    await scene.until(lambda: scene.hears)


@run_by(played, "mosquitto")
async def test_a_stranger_gets_nothing_and_says_so_once(scene, monkeypatch):
    monkeypatch.setenv(broker.PASSWORD, "wrong")
    door = await scene.machine("door")
    await scene.told("Not authorized): what is heard waits here; see to the user in its address")
    await scene.collector()
    await scene.told("keep what they have; see to the user in its address and to the password in")
    door.take("heard", None, frame(1))
    monkeypatch.setenv(broker.PASSWORD, servers.PASSWORD)
    await scene.until(lambda: frame(1) in scene.frames)
    assert sum("waits here" in one for one in scene.said) == 1


@run_by(played, "mosquitto")
async def test_a_broker_of_somebody_elses_is_not_talked_to(scene, mosquitto, tmp_path):
    servers._certify(tmp_path)
    mosquitto.ca = str(tmp_path / "cert.pem")
    await scene.machine("door")
    await scene.told("certificate verify failed")
    await scene.told("waits here; copy the broker's certificate here for --ca")


@run_by(played, "mosquitto")
async def test_two_machines_of_one_name_are_told_until_one_is_gone(scene):
    """As a card that was copied from PC to PC has them."""
    await scene.collector()
    first, second = await scene.machine("door"), await scene.machine("door")
    await scene.told("if another machine is called door, give each its own name (--name)")
    await scene.until(lambda: sum("called door" in one for one in scene.said) == 2)
    lines = len(scene.said)
    first.work.cancel()
    await scene.until(lambda: any("takes what is heard" in one for one in scene.said[lines:]))
    second.take("heard", None, frame(1))
    await scene.until(lambda: frame(1) in scene.frames)
    assert sum("called door" in one for one in scene.said) == 2


@run_by(played, "mosquitto")
async def test_what_is_too_much_for_a_machine_is_counted_and_told(scene):
    await scene.collector()
    door = await scene.machine("door", most=100)
    await scene.told("the machine door is there")
    for number in range(300):
        door.take("heard", None, frame(number))
    assert door.dropped == 200
    await scene.told("the machine door could not reach the broker for so long")
    await scene.until(lambda: len(scene.frames) >= 100)
    assert set(scene.frames) == {frame(number) for number in range(200, 300)}


@pytest.mark.parametrize(
    "mosquitto", ["max_queued_messages 5\nmax_inflight_messages 2"], indirect=True
)
@run_by(played, "mosquitto")
async def test_what_a_full_broker_drops_is_told(scene):
    ears = await scene.collector()
    door = await scene.machine("door")
    await scene.told("the machine door is there")
    ears.wire.cut = True
    ears.wire.break_off()
    for number in range(4000):
        door.take("heard", None, frame(number))
    await scene.until(lambda: door._unconfirmed is None and not door._waiting)
    ears.wire.cut = False
    await scene.until(lambda: scene.frames)
    door.take("heard", None, frame(9999))
    await scene.told("the broker has dropped messages of the machine door")
    await scene.until(lambda: frame(9999) in scene.frames)
    assert ears.machines.known["door"].missed > 0


@run_by(played, "mosquitto")
async def test_the_hosts_adverts_leave_every_machine_and_none_of_an_earlier_collector(scene):
    old = await scene.collector(3, "old", lambda: 5_000_000, lambda: 90_000_000)
    door = await scene.machine("door", lambda: 90_100)
    door.script.now = 7_000_000
    await scene.told("the machine door is there")
    assert old.send(bytes(31), 5_700_000, 60) == 2
    await scene.until(lambda: door.script.sent)
    # due 0.7 s after 90.0 s: 0.6 s after what this machine's clocks say
    assert door.script.sent == [(bytes(31), 7_600_000, 60, ALL)]
    new = await scene.collector(4, "new", lambda: 5_000_000, lambda: 90_000_000)
    await scene.until(lambda: new.count)
    new.send(b"new", 5_700_000, 60, 1)
    await scene.until(lambda: len(door.script.sent) == 2)
    old.send(b"old", 5_700_000, 60)
    await scene.until(lambda: door.refused)
    assert [(one[0], one[3]) for one in door.script.sent] == [(bytes(31), ALL), (b"new", 1)]


@run_by(played, "mosquitto")
async def test_a_machine_whose_clock_is_wrong_is_named_here_and_there(scene):
    desk = await scene.collector(3, "desk", lambda: 5_000_000, lambda: 90_000_000)
    door = await scene.machine("door", lambda: 30_000)
    await scene.told("the machine door is there")
    for late_us in (0, 100_000, 200_000):
        desk.send(bytes(31), 5_000_000 + late_us, 60)
    await scene.told("the clock of this PC is 60 s off the collector's")
    await scene.told("the clock of the machine door is 60 s off, so its gateways send no beacon")
    door._unix_ms = lambda: 90_000
    desk.send(bytes(31), 5_300_000, 60)
    await scene.until(lambda: desk.machines.known["door"].state.clock_s == 0)


@run_by(played, "mosquitto")
async def test_the_hosts_adverts_are_not_waited_for_nor_kept(scene, mosquitto):
    ears, door = await scene.collector(), await scene.machine("door")
    await scene.until(lambda: ears.count)
    there = broker.parse(mosquitto.address, mosquitto.ca)
    async with there.client("ear", b"gone") as ear:
        await ear.subscribe(there.topic("down"), 1)
        for number in range(3):
            ears.send(bytes([number]), 0, 60)
        heard = [await anext(ear.messages) for _ in range(3)]
    assert [message.payload[-1:] for message in heard] == [b"\0", b"\1", b"\2"]
    assert {message.qos for message in heard} == {0}
    await scene.until(lambda: len(door.script.sent) == 3)


def test_a_broker_that_is_away_for_five_minutes_loses_nothing(mosquitto, proving, printed):
    """All that two machines hear in five minutes of a large hall waits with them."""
    each = AWAY_S * (A_SECOND if proving else A_SECOND // 20)
    ahead_s = 0

    async def story(scene):
        nonlocal ahead_s
        loop = asyncio.get_running_loop()
        ears = await scene.collector(now_us=lambda: round((loop.time() + ahead_s) * 1e6))
        machines = [await scene.machine("door"), await scene.machine("stage")]
        await scene.until(lambda: ears.count == 4)
        mosquitto.stop()
        await scene.until(lambda: sum("cannot be reached" in one for one in scene.said) == 3)
        assert ears.send(bytes(31), ears.now_us(), 60) == 0, "it would come too late"
        for number in range(2 * each):
            machines[number % 2].take("heard", None, frame(number))
        ahead_s, before = AWAY_S, len(scene.said)
        mosquitto.start()
        began_s = loop.time()
        await scene.until(lambda: len(scene.frames) >= 2 * each)
        took_s = loop.time() - began_s
        assert {*scene.frames} == {frame(number) for number in range(2 * each)}
        await scene.until(lambda: ears.count == 4)
        assert not any(one.dropped or one._waiting for one in machines)
        assert not any("dropped" in one for one in scene.said[before:])
        twice = len(scene.frames) - 2 * each
        told = f"{2 * each} frames of two machines after {took_s:.1f} s, {twice} of them twice"
        printed("a broker that was away for five minutes", [told])

    played(story, mosquitto)


async def harmed(scene, luck, ears, machines):
    """Do one bad thing, and end it."""
    what, one = luck.choice(("broker", "machine", "collector", "break")), luck.choice(machines)
    if what == "broker":
        scene.mosquitto.stop()
        one.take("heard", None, frame(luck.getrandbits(60) | 1 << 61))
        scene.mosquitto.start()
    elif what == "break":
        for wire in (one.wire, ears.wire):
            wire.break_off()
    else:
        wire = one.wire if what == "machine" else ears.wire
        wire.cut = True
        await scene.until(lambda: any("cannot be reached" in line for line in scene.said))
        wire.cut = False
        wire.break_off()


def test_whatever_is_away_nothing_of_what_was_heard_is_lost(mosquitto, proving, printed):
    repeated = missed = 0

    async def story(scene):
        nonlocal repeated, missed
        ears = await scene.collector()
        machines = [await scene.machine("door"), await scene.machine("stage")]
        await scene.until(lambda: ears.count == 4)
        heard = []
        for number in range(4):
            for place in range(200):
                heard.append(frame(1000 * number + place))
                luck.choice(machines).take("heard", None, heard[-1])
            await harmed(scene, luck, ears, machines)
        await scene.until(lambda: {*heard} <= {*scene.frames})
        await scene.until(lambda: ears.count == 4)
        assert not any(one.dropped for one in machines)
        repeated += sum(one.repeated for one in ears.machines.known.values())
        missed += sum(one.missed for one in ears.machines.known.values())

    for seed in range(MANY if proving else FEW):
        luck = random.Random(seed)
        mosquitto.forget()
        played(story, mosquitto)
    printed("brokers", [f"{seed + 1} seeds: {repeated} messages came twice, {missed} were missed"])


def test_a_command_without_a_broker_says_what_to_do(capsys):
    assert run_command(["board", "gateway", "--broker", "mqtt://db.example/cup"]) == 2
    assert "is reached by TLS" in capsys.readouterr().err


@run_by(played, "mosquitto")
async def test_a_boards_news_goes_by_a_machine_and_the_broker_into_the_archive(scene, venue):
    venue.begin()
    venue.drain()
    before = len(venue.archive.records())
    for board in venue.boards:
        venue.win(board)
    news = [record for board in venue.boards for record in board.history()]
    _, there = await scene.wired()
    collector, base_ms = venue.station.collector, venue.air.now_ms
    loop = asyncio.get_running_loop()
    begun_s = loop.time()

    def make(receiver, report):
        return Sources([Script(0), BrokerReceiver(there, "desk", receiver, report)])

    carrier = GatewayCarrier(
        collector, lambda: base_ms + round((loop.time() - begun_s) * 1000), scene.say, make
    )
    scene.work(carrier.run())
    door = await scene.machine("door")
    await scene.told("the machine door is there")
    for record in news * 2:
        door.take("heard", None, record)
    await scene.until(lambda: len(venue.station.hall.results(1)) == 2)
    assert carrier.gateways.count == 2
    assert len(venue.archive.records()) > before


def test_serve_hears_a_brokers_machines_beside_this_pcs_gateways():
    async def main():
        there = argparse.Namespace(
            gateways_only=True, broker="mqtts://hall@db.example/cup", ca=None, epoch=3
        )
        carrier = serve._carrier(there, Told(), lambda: 0, print)
        assert [type(one) for one in carrier.gateways._sources] == [Gateways, BrokerReceiver]

    clock.run(main())


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


def test_a_file_without_a_certificate_is_refused_before_anything_is_opened(tmp_path, capsys):
    ca = tmp_path / "cup.key"
    ca.write_text("none")
    asked = ["board", "gateway", "--broker", "mqtts://machine@db.example/cup", "--ca", str(ca)]
    assert run_command(asked) == 2
    assert f"{ca} holds no certificate" in capsys.readouterr().err


def test_an_address_is_read():
    told = broker.parse("mqtts://hall@db.example/cup")
    assert told[:5] == ("db.example", 8883, "hall", "cup", True)
    assert broker.parse("mqtt://127.0.0.1:1900/cup").tls is False
