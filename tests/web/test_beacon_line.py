"""Staff read on *Boards* by whom the beacon goes out; viewers do not."""

import pytest
from tabletop import Venue

from host.base.sentences import Sentence
from host.web import views
from host.web.ordersheet import OrderSheet
from host.web.snapshot import Snapshot


@pytest.fixture
def station(tmp_path):
    venue = Venue(tmp_path / "a.db", tables=2)
    yield venue.station
    venue.station.close()


def test_staff_are_told_in_their_language_by_whom_it_goes_out(station):
    def seen(view):
        parts = Snapshot(station, OrderSheet(station.archive.orders)).whole(1000)
        return views.nested(view, parts, False)["beacon"]

    assert seen(views.STAFF) is None
    station.beacon = Sentence("the beacon goes out by these gateways: {names}", names="usb0, door")
    assert seen(views.STAFF) == {
        "en": "the beacon goes out by these gateways: usb0, door",
        "it": "il beacon parte da questi gateway: usb0, door",
    }
    assert seen(views.PLAIN) is None
