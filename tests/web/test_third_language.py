"""A third language, added by files alone: pages, paper, a board's screen."""

import pseudo
import pytest
from playwright.sync_api import expect
from tabletop import Venue
from virtualdesk import VirtualDesk
from webclient import Browser, office_of

from host import cli
from host.base import catalogues
from host.reports.paper import pages
from host.sim.scenes import ALL
from host.sim.shots import Studio
from host.web import texts


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locale")
    pseudo.lay(folder)
    return folder


@pytest.fixture(autouse=True)
def folder(files, monkeypatch):
    monkeypatch.setattr(catalogues, "FOLDER", files)


@pytest.fixture
def venue(tmp_path):
    made = Venue(tmp_path / "a.db", tables=4)
    yield made
    made.station.close()


def test_nothing_is_left_to_translate(capsys):
    catalogues.check()
    assert catalogues.languages() == ("en", pseudo.CODE)
    cli.main(["dev", "screens", "words", "--check"])
    assert "not translated" not in capsys.readouterr().out


def test_the_host_speaks_it(venue):
    person = Browser(office_of(venue, address="http://desk.test:8080"), "organiser", name="Olga")
    person.language = "eo,en;q=0.5"
    assert person.act("blink", table=77).json["error"] == pseudo.said(
        "table 77 has no board: swap a spare in"
    )
    shut = Browser(person.service).get("/judge").body.decode()
    assert (
        f'<p lang="eo">{pseudo.said("Open the desk with your own link or QR code. The organiser has it.")}'
        in shut
    )


def test_pages_are_sent_all_of_it():
    told = texts.page_texts(pseudo.CODE)
    assert (told["language"], told["languages"]) == ("eo", ["en", "eo"])
    assert told["texts"]["no_round"] == pseudo.said("No round yet")
    assert told["texts"]["wall.playing"] == tuple(map(pseudo.said, texts.english()["wall.playing"]))


def test_paper_is_printed_in_it(venue):
    page = pages.page("pairings", pages.Content(venue.archive, venue.station.hall), pseudo.CODE)
    assert '<html lang="eo">' in page and pseudo.said("Pairings by table") in page


def test_paper_is_asked_for_by_its_code(venue, here):
    asked = ["paper", "names", "a.db", "--no-pdf", "--language"]
    assert cli.main([*asked, "eo"]) == 0 and list(here.glob("paper/*.eo.html"))
    with pytest.raises(SystemExit):
        cli.main([*asked, "it"])


@pytest.mark.parametrize("model", ["feathers3", "lilygo"])
def test_a_board_is_drawn_in_it(model):
    scene = next(scene for scene in ALL if scene.screen == "idle")
    english, other = (
        Studio(model, language).shot(*scene).image.tobytes() for language in ("en", "eo")
    )
    assert english != other


def test_a_browser_reads_it_and_turns_to_it(chromium, tmp_path):
    with VirtualDesk(tmp_path, tables=2, seed=7) as desk:
        desk.open_round()
        page = chromium.open(desk.links["judge"], locale="eo")
        expect(page.locator(".calls h2")).to_contain_text(pseudo.said("Calls"))
        assert page.get_attribute("html", "lang") == "eo"
        page.click("[data-act=turn]")
        expect(page.locator(".calls h2")).to_contain_text("Calls")
        button = page.locator("[data-act=turn]")
        expect(button).to_have_text("EO")
        expect(button).to_have_attribute("aria-label", "EO: In Esperanto")
        button.click()
        expect(page.locator(".calls h2")).to_contain_text(pseudo.said("Calls"))
        page.context.close()
