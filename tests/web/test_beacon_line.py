"""Staff read on *Boards* by whom the beacon goes out, and the organiser switches it."""

import browser
import pytest
from playwright.sync_api import expect
from tabletop import Venue
from virtualdesk import VirtualDesk

from host.base.sentences import Sentence
from host.web import views
from host.web.snapshot import OrderSheet, Snapshot


@pytest.fixture
def station(tmp_path):
    venue = Venue(tmp_path / "a.db", tables=2)
    yield venue.station
    venue.station.close()


def test_staff_are_told_in_their_language_by_whom_it_goes_out(station):
    def seen(view):
        parts = Snapshot(station, OrderSheet(station.archive.orders)).whole(1000)
        return views.nest(view, parts, False)["beacon"]

    assert seen(views.STAFF) is None
    station.beacon = Sentence("the beacon goes out by these gateways: {names}", names="usb0, door")
    said = {
        "en": "the beacon goes out by these gateways: usb0, door",
        "it": "il beacon parte da questi gateway: usb0, door",
    }
    station.beacon_on = True
    assert seen(views.STAFF) == {"said": said, "on": True}
    station.switch_beacon(False, "Ada")
    assert seen(views.STAFF) == {"said": said, "on": False}
    assert seen(views.PLAIN) is None


def test_the_organiser_is_asked_before_it_is_switched_off(chromium, tmp_path):
    def begin(station):
        station.beacon, station.beacon_on = Sentence("the beacon goes out"), True

    def switched(desk):
        return desk.ask(lambda station: station.beacon_on)

    with VirtualDesk(tmp_path, tables=2, seed=5) as desk:
        desk.ask(begin)
        desk.advance(2)
        page = chromium.open(desk.links["organiser"], size="phone", at=f"{desk.url}/desk#boards")
        off = page.get_by_role("button", name="Switch the beacon off")
        on = page.get_by_role("button", name="Switch the beacon on")
        for answer in ("dismiss", "accept"):
            expect(off).to_be_visible()
            assert switched(desk)
            page.once("dialog", lambda dialog, answer=answer: getattr(dialog, answer)())
            with page.expect_event("dialog"):
                off.click()
            desk.advance(2)
        expect(on).to_be_visible()
        assert not switched(desk)
        browser.photograph(page, "beacon_off")
        on.click()
        expect(off).to_be_visible()
        assert switched(desk)
        page.context.close()
