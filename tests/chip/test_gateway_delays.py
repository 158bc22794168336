"""Two gateways that hear each other: one that sends late is asked earlier."""

from gatewayhub import Hub, served

from host.collector.beacon_caster import advert
from host.collector.carriers.gateway_delays import MOST_US

SLOT_US = 25_000


async def sends(hub, gateways, seconds):
    """Have gateways take turns of 100 ms with frames that nobody repeats."""
    for number in range(round(seconds * 1e6) // SLOT_US):
        frame = bytes((65,)) + number.to_bytes(26, "little")
        at_us = hub.now_us() + 150_000
        gateways.send(advert(frame), at_us, 25, number // 4 % 2)
        await hub.run(SLOT_US / 1e6)


def test_one_that_is_late_is_asked_earlier_and_one_that_is_too_late_is_told(monkeypatch, plugged):
    monkeypatch.setattr(Hub, "STEP_S", 0.005)
    monkeypatch.setattr(Hub, "AIR_S", {"usb0": 0.016, "usb1": 0.045})

    async def story(hub, carrier, said, told):
        await hub.run(2)
        await sends(hub, carrier.gateways, 8)
        delays = carrier.gateways.delays
        first, second = (one.talk.address for one in carrier.gateways.all)
        assert 2_000 <= delays.correction_us(first) <= 16_000
        assert delays.correction_us(second) == MOST_US < delays.delay_us(second) <= 50_000
        (late,) = [str(one) for one in said if "late" in str(one)]
        assert late.startswith("the gateway on usb1 sends ")
        hub.pull("usb0")
        await hub.run(0.2)
        assert delays.correction_us(second) == 0, "nobody bears it out any more"

    served(story, usb0=plugged(), usb1=plugged())
