"""Gateways come and go on a PC's USB: the real program on virtual chips, the real carrier."""

from gatewayhub import served
from gatewayline import frame_of, on_air


def test_two_gateways_tell_of_a_board_twice_and_one_that_is_pulled_out_is_missed(plugged):
    async def story(hub, carrier, said, told):
        await hub.run(3)
        assert [str(one) for one in said] == [
            "the gateway on usb0 hears boards", "the gateway on usb1 hears boards",
        ]  # fmt: skip
        assert [note[1] for note in told.of("deaf")] == [True, False]
        for chip in hub.chips.values():
            on_air(chip, frame_of(1), 0.3)
        await hub.run(1)
        assert [note[1:3] for note in told.of("heard")] == [(None, frame_of(1))] * 2
        hub.pull("usb0")
        assert len(carrier.gateways.all) == 1
        await hub.run(1)
        assert said[-1] == "the gateway on usb0 is gone: plug it in again"
        assert len(told.of("deaf")) == 2, "the other one hears"
        hub.pull("usb1")
        await hub.run(0.2)
        assert [note[1] for note in told.of("deaf")] == [True, False, True]

    served(story, usb0=plugged(), usb1=plugged())


def test_one_that_is_put_in_is_heard_within_two_seconds_of_its_port(plugged):
    async def story(hub, carrier, said, told):
        await hub.run(5)
        assert not said and [note[1] for note in told.of("deaf")] == [True]
        hub.plug("usb3", plugged())
        await hub.run(2)
        assert carrier.gateways.all and [note[1] for note in told.of("deaf")] == [True, False]
        chip = hub.pull("usb3")
        await hub.run(3)
        hub.plug("usb3", chip)
        await hub.run(2)
        assert carrier.gateways.all

    served(story)


def test_one_that_stands_still_is_missed_within_two_seconds(plugged):
    async def story(hub, carrier, said, told):
        for phase in range(6):  # after a word, and before the next
            await hub.run(4 + phase * 0.1)
            assert carrier.gateways.all, "it is found again"
            hub.chips["usb0"].cable.reading = False  # nothing comes any more
            await hub.run(2)
            assert not carrier.gateways.all and said[-1].endswith("plug it in again")
            hub.chips["usb0"].cable.reading = True

    served(story, usb0=plugged())


def test_nothing_is_written_to_another_device_which_is_let_be(bare):
    silent = "import time, usb_cdc\nusb_cdc.data.timeout = 0\nwhile True:\n    time.sleep(1)\n"
    boot = "import usb_cdc\nusb_cdc.enable(console=False, data=True)\n"
    chip = bare(usb=True, boot=boot, code=silent)
    chip.power(4)

    async def story(hub, carrier, said, told):
        await hub.run(8)
        assert not chip.cable._down and not said and not chip.cable.opened

    served(story, other=chip)
