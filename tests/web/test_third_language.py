"""A third language, added by files alone: pages, paper, a board's screen."""

import re

import pytest
from babel.messages.pofile import write_po
from commands import plusthree
from playwright.sync_api import expect
from tabletop import Venue
from virtualdesk import VirtualDesk
from webclient import Browser, office_of

from host.base import catalogues
from host.cli.dev import extraction
from host.reports.paper import pages
from host.sim.scenes import ALL
from host.sim.shots import Studio
from host.web import texts

CODE = "eo"
_PLAIN, _ACCENTED = "aeiouyncAEIOUN", "àèìòùýñçÀÈÌÒÙÑ"
_PLACES = re.compile(r"(\{[^{}]*\}|%[A-Za-z0-9])")


def said(text):
    """Return a text in the made-up language; its places stay."""
    table = str.maketrans(_PLAIN, _ACCENTED)
    parts = _PLACES.split(text)
    return "".join(part if at % 2 else part.translate(table) for at, part in enumerate(parts))


def lay(folder):
    """Write the language's catalogues below a ``folder`` of languages."""
    for domain in catalogues.DOMAINS:
        made = extraction.blank(domain, CODE)
        for one in extraction.template(domain):
            if one.id:
                forms = tuple(map(said, one.id)) if one.pluralizable else said(one.id)
                made.add(one.id, forms, context=one.context)
        path = folder / CODE / "LC_MESSAGES" / f"{domain}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, made)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    languages = tmp_path_factory.mktemp("locale")
    lay(languages)
    return languages


@pytest.fixture(autouse=True)
def languages(files, monkeypatch):
    monkeypatch.setattr(catalogues, "FOLDER", files)


@pytest.fixture
def venue(tmp_path):
    made = Venue(tmp_path / "a.db", tables=4)
    yield made
    made.station.close()


def test_nothing_is_left_to_translate(capsys):
    catalogues.check()
    assert catalogues.languages() == ("en", CODE)
    plusthree("dev", "screens", "words", "--check")
    assert "not translated" not in capsys.readouterr().out


def test_the_host_speaks_it(venue):
    person = Browser(office_of(venue, address="http://desk.test:8080"), "organiser", name="Olga")
    person.language = "eo,en;q=0.5"
    assert person.act("blink", table=77).json["error"] == said(
        "table 77 has no board: swap a spare in"
    )
    shut = Browser(person.service).get("/judge").body.decode()
    assert (
        f'<p lang="eo">{said("Open the desk with your own link or QR code. The organiser has it.")}'
        in shut
    )


def test_pages_are_sent_all_of_it():
    told = texts.page_texts(CODE)
    assert (told["language"], told["languages"]) == ("eo", ["en", "eo"])
    assert told["texts"]["no_round"] == said("No round yet")
    assert told["texts"]["wall.playing"] == tuple(map(said, texts.english()["wall.playing"]))


def test_paper_is_printed_in_it(venue):
    page = pages.page("pairings", pages.Content(venue.archive, venue.station.hall), CODE)
    assert '<html lang="eo">' in page and said("Pairings by table") in page


def test_paper_is_asked_for_by_its_code(venue, here):
    asked = ["paper", "names", "a.db", "--no-pdf", "--language"]
    assert plusthree(*asked, "eo") == 0 and list(here.glob("paper/*.eo.html"))
    with pytest.raises(SystemExit):
        plusthree(*asked, "it")


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
        expect(page.locator(".calls h2")).to_contain_text(said("Calls"))
        assert page.get_attribute("html", "lang") == "eo"
        page.click("[data-act=turn]")
        expect(page.locator(".calls h2")).to_contain_text("Calls")
        button = page.locator("[data-act=turn]")
        expect(button).to_have_text("EO")
        expect(button).to_have_attribute("aria-label", "EO: In Esperanto")
        button.click()
        expect(page.locator(".calls h2")).to_contain_text(said("Calls"))
        page.context.close()
