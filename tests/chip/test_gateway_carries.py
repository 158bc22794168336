"""What gateways carry: a board's news into the real archive, the host's adverts onto the air."""

from gatewayhub import served
from gatewayline import on_air
from tabletop import Venue

BOARD = "C4:05:06:07:08:09"


def test_a_boards_news_goes_by_a_gateway_into_the_archive(plugged, tmp_path):
    venue = Venue(tmp_path / "a.db", tables=2, seed=3)
    venue.begin()
    venue.drain()
    before = len(list(venue.archive.records()))
    for board in venue.boards:
        venue.win(board)
    news = [record for board in venue.boards for record in board.history()][-40:]

    async def story(hub, carrier, said, collector):
        await hub.run(3)
        for place, record in enumerate([*news, *news]):  # a board repeats what nobody acknowledged
            on_air(hub.chips["usb0"], record, 0.5 + place * 0.05)
        await hub.run(6)
        assert carrier.gateways.all[0].talk.heard >= 2 * len(news) * 0.9

    collector = venue.station.collector
    collector.now_ms = venue.air.now_ms
    served(story, collector, usb0=plugged())
    assert len(list(venue.archive.records())) > before
    assert len(venue.station.hall.results(1)) == 2
    venue.station.close()


def test_what_the_host_has_sent_leaves_every_gateway_at_the_same_time(plugged):
    async def story(hub, carrier, said, told):
        await hub.run(4)
        assert carrier.gateways.send(bytes(31), hub.now_us() + 700_000, 60) == 2
        due_us = hub.now_us() + 700_000
        await hub.run(1)
        for chip in hub.chips.values():
            (sent_ms,) = chip.times("advert", 31)
            begun_ms = (chip.now_us - hub.now_us()) // 1000
            assert abs(sent_ms - begun_ms - due_us / 1000) <= 20

    served(story, usb0=plugged(), usb1=plugged())


def test_a_connection_is_refused_at_once(plugged):
    async def story(hub, carrier, said, told):
        told.todo = [("connect", BOARD), ("write", BOARD, bytes(24)), ("disconnect", BOARD)]
        await hub.run(1)
        assert told.of("closed") == [("closed", BOARD)]

    served(story)
