"""The radio in a process of its own: started again when it dies or hangs, and the desk goes on.

A radio that another program of ours has is said, and taken over when that ends.
"""

import asyncio
import functools
import os
import pathlib
import sys

import pytest
from fakechild import Fake
from hall import Told
from pcchild import BOARD, FRAME
from stories import run_by
from tabletop import Venue

from host.base import hold
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.collector.carriers import failure_words, json_lines, radio_process
from host.collector.carriers.gateways import HELD, Gateways
from host.collector.carriers.radio_process import HeldRadio, ProcessCarrier
from host.sim import clock

CHILD = pathlib.Path(__file__).parent.parent / "support" / "pcchild.py"
MOST_S = 60  # for a real process to start; nothing waits so long when it works


class Awaited(Told):
    def __init__(self):
        super().__init__()
        self.changed = asyncio.Event()

    async def until(self, holds):
        while not holds():
            self.changed.clear()
            await self.changed.wait()

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        if name in ("on_advert", "on_connected", "on_disconnected", "on_notification", "deaf"):
            super().__getattribute__("changed").set()
        return found

    def due_ms(self, now_ms):
        return now_ms + 20


def real(story, mode, **waits):
    """Run ``story(told, said, task)`` beside a real radio process in ``mode``."""

    async def main():
        told, said = Awaited(), []
        start = functools.partial(
            radio_process.start_process, None, (sys.executable, str(CHILD), mode)
        )
        carrier = ProcessCarrier(told, lambda: 0, said.append, start, **waits)
        task = asyncio.ensure_future(carrier.run())
        try:
            async with asyncio.timeout(MOST_S):
                return await story(told, said, task)
        finally:
            task.cancel()
            await asyncio.wait({task})

    return asyncio.run(main())


@pytest.mark.parametrize("mode", ["well", "prints"])
@run_by(real, "mode", scene=3)
async def test_frames_go_through_a_real_process_both_ways(told, said, task):
    await told.until(lambda: told.of("heard"))
    told.todo = [("connect", BOARD)]
    await told.until(lambda: told.of("opened"))
    told.todo = [("write", BOARD, bytes(range(24)))]
    await told.until(lambda: told.of("received"))
    told.todo = [("disconnect", BOARD)]
    await told.until(lambda: told.of("closed"))
    assert told.of("heard")[0][1:3] == (BOARD, FRAME)
    assert told.of("received")[0][1:3] == (BOARD, bytes(range(24))[::-1]) and said == []


def test_a_process_that_stands_still_as_it_closes_a_link_is_started_again():
    async def story(told, said, task):
        await told.until(lambda: told.of("heard"))
        told.todo = [("connect", BOARD)]
        await told.until(lambda: told.of("opened"))
        told.todo = [("write", BOARD, FRAME), ("disconnect", BOARD)]
        await told.until(lambda: told.of("closed"))
        before = len(told.of("heard"))
        await told.until(lambda: len(told.of("heard")) > before)
        return said[0], task.done()

    assert real(story, "hangs", tick_s=0.2, again_s=0) == (failure_words.HUNG, False)


GOOD = [("deaf", True), ("deaf", False), ("heard", BOARD, FRAME)]


def faked(story, *scripts):
    """Run ``story(told, said, processes, carrier)``; each start takes the next script."""

    async def main():
        told, said, processes = Told(), [], []
        waiting = [*scripts]

        async def start():
            messages, ends = waiting.pop(0) if waiting else (GOOD, False)
            processes.append(Fake(messages, ends))
            return processes[-1]

        loop = asyncio.get_running_loop()
        carrier = ProcessCarrier(told, lambda: round(loop.time() * 1000), said.append, start)
        carrier.task = loop.create_task(carrier.run())
        try:
            return await story(told, said, processes, carrier)
        finally:
            carrier.task.cancel()
            await asyncio.wait({carrier.task})

    return clock.run(main())


def test_a_process_that_dies_at_once_is_started_every_five_seconds_and_told_of_once():
    async def story(told, said, processes, carrier):
        await asyncio.sleep(21)
        return len(processes), said, carrier.task.done()

    assert faked(story, *[([], True)] * 9) == (5, [failure_words.DIED], False)


def test_when_it_works_again_that_is_told():
    async def story(told, said, processes, carrier):
        await asyncio.sleep(21)
        return said

    assert faked(story, ([], True), ([], True)) == [failure_words.DIED, failure_words.ANSWERED]


@run_by(faked, scene=4)
async def test_its_links_have_ended_with_it_and_boards_grow_no_older(
    told, said, processes, carrier
):
    await asyncio.sleep(1)
    told.todo = [("connect", BOARD)]
    await asyncio.sleep(1)
    assert processes[0].written == [("connect", BOARD)]
    processes[0].stdout.feed_eof()
    await asyncio.sleep(1)
    assert told.of("closed") == [("closed", BOARD)]
    assert [note[1] for note in told.of("deaf")] == [True, False, True]


@pytest.mark.parametrize(("messages", "given_up_s"), [(GOOD, 11), ([], 40)])
def test_silence_is_a_hang_and_a_start_has_more_time(messages, given_up_s):
    async def story(told, said, processes, carrier):
        for second in range(60):
            if processes and processes[0].killed:
                return second, said
            await asyncio.sleep(1)

    second, said = faked(story, (messages, False))
    assert abs(second - given_up_s) <= 1 and said[0] == failure_words.HUNG


@run_by(faked, scene=4)
async def test_a_live_process_is_left_alone(told, said, processes, carrier):
    for _ in range(300):
        await asyncio.sleep(1)
        processes[-1].say(("alive",))
    assert (len(processes), said) == (1, [])


def test_no_radio_to_begin_with_is_told_and_ends_nothing():
    off = failure_words.HELP["POWERED_OFF"]

    async def first(told, said, processes, carrier):
        await asyncio.sleep(5)
        return said, carrier.task.done()

    async def later(told, said, processes, carrier):
        await asyncio.sleep(10)
        return said, carrier.task.done()

    assert faked(first, ([("missing", off)], False)) == ([off], False)
    assert faked(later, (GOOD, True), ([("missing", off)], False)) == (
        [failure_words.DIED, off],
        False,
    )


@pytest.mark.parametrize(
    "message",
    [
        ("heard", BOARD, FRAME), ("closed", BOARD), ("deaf", True), ("delay", 1.5), ("alive",),
        ("write", BOARD, FRAME),
        ("said", failure_words.several(3, failure_words.NARROW)),
        ("missing", failure_words.NO_START), ("said", Sentence("{a}", a="{b}")),
    ],
)  # fmt: skip
def test_a_message_comes_out_as_it_went_in(message):
    found = json_lines.decode(json_lines.encode(message))
    assert found == message
    assert getattr(found[-1], "values", None) == getattr(message[-1], "values", None)


@pytest.mark.parametrize(
    "line",
    [b"", b"\n", b"word", b"[]", b"7", b"null", b'["rm", "a"]', b'["heard", "a"]',
     b'["heard", "a", "zz"]', b'["alive", 1]',
     b'["said", {"a": 1}]', b'[["heard"], 1]', b"[" * 9999, b"\xff\xfe",
     b'["said", {"says": "{x}"}]', b'{"says": 1}'],
)  # fmt: skip
def test_what_is_no_message_is_none_or_harmless(line):
    found = json_lines.decode(line)
    assert found is None or found[0] == "said"


@pytest.fixture
def first(tmp_path, monkeypatch):
    monkeypatch.setattr(hold, "FOLDER", tmp_path)
    made = hold.Hold.of_pc("bluetooth-hci1")
    assert made.take() is None and made.take() is None
    return made


def test_an_adapter_that_another_program_has_is_not_taken(first):
    with pytest.raises(UserError, match=f"in use by another plusthree .*process {os.getpid()}"):
        asyncio.run(HeldRadio("hci1")())
    assert hold.Hold.of_pc("bluetooth-hci0").take() is None  # another adapter is another


def test_bluetooth_is_taken_over_when_the_other_program_ends(first, tmp_path, monkeypatch):
    reports, radio = [], HeldRadio("hci1")

    async def story(collector):
        said, started = asyncio.Event(), asyncio.Event()

        async def start_process(*_, **more):
            started.set()
            return Fake([], False)

        def report(sentence):
            reports.append(sentence)
            said.set()

        monkeypatch.setattr(radio_process, "start_process", start_process)
        times = {"tick_s": 0.01, "again_s": 0.01}
        running = asyncio.ensure_future(
            ProcessCarrier(collector, lambda: 0, report, radio, **times).run()
        )
        await said.wait()
        assert not radio._hold.held
        first.release()
        await started.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    venue = Venue(tmp_path / "v.db", tables=1)
    asyncio.run(story(venue.station.collector))
    venue.station.close()
    assert reports[0].template == failure_words.HELD.template and radio._hold.held


def test_a_gateway_that_another_program_has_is_said_once():
    reports, tries = [], []

    def refuse(port, owner):
        tries.append(port)
        raise OSError("Could not exclusively lock port")

    gateways = Gateways(None, reports.append, None, refuse, lambda: 0)
    for _ in range(6):
        gateways._follow_ports(["/dev/ttyACM1"])
    assert [str(one) for one in reports] == [str(HELD).format(port="/dev/ttyACM1")]
    gateways._follow_ports([])  # pulled out, and plugged in again
    for _ in range(3):
        gateways._follow_ports(["/dev/ttyACM1"])
    assert len(reports) == 2 and len(tries) == 9
