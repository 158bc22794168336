"""Bluetooth or a gateway that another program of ours has: said, and taken over when that ends."""

import asyncio
import os

import pytest
from fakechild import Fake
from tabletop import Venue

from host.base import hold
from host.base.errors import UserError
from host.collector.carriers import failure_words, radio_process
from host.collector.carriers.gateways import HELD, Gateways
from host.collector.carriers.radio_process import HeldRadio, ProcessCarrier


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
