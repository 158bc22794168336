"""The files panel in Chromium: TOM's next round in two clicks, and its file back in one."""

import pytest
import tomfile
import webevening
from playwright.sync_api import expect
from webevening import Person

from host.desk import paper_entry
from host.desk.staff import Staff

FORM = "--format", "p18 swiss bo3 constructed 50"
OPEN = [(0, 101, 102), (0, 103, 104)]
DECIDED = [(1, 101, 102), (2, 103, 104)]
NEXT = [(0, 101, 104), (0, 102, 103)]
PEOPLE = range(101, 105)


@pytest.fixture
def desk(tmp_path):
    """Round 1 of TOM's file, played with results from paper."""
    webevening.imported(tmp_path, "cup.tdf", tomfile.event(OPEN, people=PEOPLE), *FORM)
    with webevening.EveningDesk(tmp_path) as desk:

        def play(station):
            station.desk.publish(1)
            for table, outcome, games in ((1, "A", (2, 0)), (2, "B", (0, 2))):
                paper_entry.enter(Staff(station, "Ada"), table, outcome, games, "slip", sure=True)

        desk.ask(play)
        desk.advance(2)
        yield desk


@pytest.mark.refusals
def test_toms_next_round_takes_two_clicks_and_its_file_one(chromium, desk):
    olga = Person(chromium, desk, "organiser", "laptop", "en-GB")
    page = olga.go("#files")
    save = page.locator(".files a[href='/api/export/tdf']")
    expect(page.locator(".files", has_text="2 results are filled in")).to_be_visible()
    with olga.clicks("save for TOM", 1), page.expect_download() as saved:
        save.click()
    assert saved.value.suggested_filename == "cup.plusthree.tdf"
    filled = saved.value.path().read_text(encoding="utf-8")
    assert filled == tomfile.event(DECIDED, people=PEOPLE)
    paired = tomfile.event(DECIDED, NEXT, people=PEOPLE)
    given = {"name": "cup.tdf", "mimeType": "", "buffer": paired.encode()}
    with olga.clicks("read TOM's next round", 2):
        with page.expect_file_chooser() as choosing:
            page.locator(".picked").click()
        choosing.value.set_files(given)
        shown = page.locator(".file .c-rounds")
        expect(shown).to_contain_text("Round 2 is new: 2 matches, 50 minutes")
        page.go_back()
        page.go_forward()
        expect(shown).to_be_visible()  # a browser that goes back takes nothing, and loses nothing
        assert desk.ask(lambda station: station.archive.roster.rounds) == [1]
        page.locator("[data-act=read_file][data-step=take]").click()
        expect(page.locator(".file h2")).to_have_text("cup.tdf was taken")
    page.locator(".file [data-act=publish]").click()
    olga.done()
    assert desk.ask(lambda station: station.desk.round) == 2
    page.locator(".picked input").set_input_files(given | {"buffer": paired[:900].encode()})
    expect(page.locator(".file .bad")).to_contain_text("is not whole")
    page.locator(".picked input").set_input_files(given | {"buffer": b"0" * 8_000_001})
    expect(page.locator(".file .bad")).to_contain_text("more than 8 MB")
