"""By whom ``serve`` sends the beacon, when it begins and when it ends."""


def test_it_says_by_whom_it_goes_out_and_ends_when_it_is_told(
    evening, plugged, monkeypatch, capsys
):
    evening.station.close()

    async def story(room):
        first, second = room.hub.chips.values()
        await room.hub.run(3)
        assert room.station.beacon == "the beacon goes out by these gateways: usb0, usb1"
        sent = [chip.times("advert") for chip in (first, second)]
        assert all(len(times) >= 15 for times in sent)
        room.type("beacon")
        room.type("beacon off")
        await room.hub.run(1)
        quiet = [len(chip.times("advert")) for chip in (first, second)]
        await room.hub.run(1)
        assert quiet == [len(chip.times("advert")) for chip in (first, second)]
        assert "switched off" in room.station.beacon
        room.type("beacon on")
        await room.hub.run(1)
        assert quiet < [len(chip.times("advert")) for chip in (first, second)]

    assert evening.served(story, usb0=plugged(), usb1=plugged()) == 0
    assert "\nthe beacon goes out by these gateways: usb0, usb1\n" in capsys.readouterr().out


def test_each_listens_between_two_parts_and_some_parts_are_one_gateways_alone(evening, plugged):
    evening.station.close()

    async def story(room):
        chips = list(room.hub.chips.values())
        await room.hub.run(5)
        for chip in chips:
            ends = {one.at_ms for one in chip.story if one.kind == "silence"}
            begun = {one.at_ms for one in chip.story if one.kind == "advert"}
            pauses = [min(b for b in begun if b >= a) - a for a in ends if a < max(begun)]
            assert max(pauses) >= 80, "it listens for a while, and not between two frames alone"

    assert evening.served(story, usb0=plugged(), usb1=plugged()) == 0


def test_without_a_gateway_nothing_of_it_is_there(evening, capsys):
    evening.station.close()

    async def story(room):
        await room.hub.run(2)
        room.type("beacon")
        await room.hub.run(1)
        assert room.station.beacon is None and not room.station.listeners

    assert evening.served(story) == 0
    assert "no gateway hears boards" in capsys.readouterr().out
