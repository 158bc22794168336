"""Gateways beside this PC's Bluetooth: the host is deaf only while neither hears."""

import argparse
import asyncio

from hall import Told

from host.cli import serve
from host.collector.carriers import failure_words
from host.collector.carriers.gateway_carrier import GatewayCarrier
from host.collector.carriers.pump import Pump
from host.collector.carriers.radio_process import ProcessCarrier
from host.sim import clock


def test_the_host_is_deaf_while_nobody_hears():
    async def main():
        told = Told()
        pump = Pump(told, lambda: 7, told.todo.append, {})
        for who, whether in (
            ("bluetooth", False), ("gateways", True), ("gateways", True), ("bluetooth", True),
            ("gateways", False), ("bluetooth", False), ("bluetooth", False),
        ):  # fmt: skip
            pump.listens(who, whether)
        pump.stop()
        assert [note[1] for note in told.of("deaf")] == [True, False, True]

    clock.run(main())


class Gateway:
    """What hears beside a radio, as a script."""

    def __init__(self, ears, report):
        self._ears = ears

    async def run(self):
        self._ears.listens("gateways", True)
        self._ears.take("heard", None, bytes(24))
        await asyncio.sleep(20)
        self._ears.listens("gateways", False)
        await asyncio.Event().wait()


def test_gateways_go_on_where_the_radio_does_not_even_start():
    async def no_process():
        raise OSError("no such program")

    async def main():
        told, said = Told(), []
        carrier = ProcessCarrier(told, lambda: 0, said.append, no_process, gateways=Gateway)
        task = asyncio.ensure_future(carrier.run())
        await asyncio.sleep(15)
        assert told.of("heard") and [note[1] for note in told.of("deaf")][-1] is False
        assert said == [failure_words.DIED]
        await asyncio.sleep(10)
        assert [note[1] for note in told.of("deaf")][-1] is True
        task.cancel()
        await asyncio.wait({task})

    clock.run(main())


def test_serve_hears_by_gateways_alone_if_it_is_told_so():
    async def main():
        for only, kind in ((True, GatewayCarrier), (False, ProcessCarrier)):
            args = argparse.Namespace(gateways_only=only, adapter=None, broker=None)
            assert isinstance(serve._carrier(args, Told(), lambda: 0, print), kind)

    clock.run(main())
