"""The font that every page is served with: whose it is, what it can say, and how it travels."""

import gzip
import importlib.metadata
import importlib.resources
import io
import itertools
import string

import pagefiles
import pytest
import tree
from PIL import ImageFont
from virtualdesk import VirtualDesk
from webclient import Browser

from host.base import catalogues
from host.web import font, static_files, texts

ADDRESS = f"/static/{static_files.of_pages().digest}/{font.PATH}"
ITALIAN = "àèéìíîòóùúÀÈÉÌÍÎÒÓÙÚ’“”«»–·…"
SHAPES = "▲●→×−"
TALLEST, BOLD, REGULAR = 100, 700, 400


def set_in(weight):
    made = ImageFont.truetype(io.BytesIO(font.whole()), TALLEST)
    made.set_variation_by_axes([weight])
    return made


def drawn(made, char):
    return bytes(made.getmask(char))


def test_its_licence_lets_us_serve_it():
    told = importlib.metadata.metadata("fontpkg-source-sans-3")
    assert told["License-Expression"] == "OFL-1.1"
    text = importlib.resources.files(font.PACKAGE).joinpath("LICENSE").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in text
    assert "fontpkg-source-sans-3==" in (tree.ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("weight", [REGULAR, BOLD])
def test_its_digits_have_one_width(weight):
    made = set_in(weight)
    assert len({made.getlength(digit) for digit in string.digits}) == 1


def test_bold_is_bolder():
    assert drawn(set_in(REGULAR), "H") != drawn(set_in(BOLD), "H")


def test_it_has_a_picture_for_every_letter_that_the_pages_say():
    told = itertools.chain(*texts.english().values())
    for language, domain in itertools.product(catalogues.languages(), ("host", "pages")):
        told = itertools.chain(told, *catalogues.catalogue(language, domain).texts.values())
    wanted = sorted(
        {
            char
            for text in (*told, string.printable.strip(), ITALIAN, SHAPES)
            for char in text
            if not char.isspace()
        }
    )
    for weight in (REGULAR, BOLD):
        made = set_in(weight)
        missing = drawn(made, "\U0010fffe")
        assert missing and not [char for char in wanted if drawn(made, char) == missing]


def test_it_travels_packed_and_is_kept(service):
    nobody = Browser(service)  # the page that says "open your own link" has it too
    packed = nobody.get(ADDRESS, accept_encoding="gzip, deflate, br")
    assert packed.status == 200 and packed.headers["content-type"] == "font/ttf"
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "accept-encoding"
    assert "max-age" in packed.headers["cache-control"]
    assert "no-store" not in packed.headers["cache-control"]
    assert gzip.decompress(packed.body) == font.whole() and len(packed.body) < len(font.whole()) / 2
    again = nobody.get(ADDRESS, if_none_match=packed.headers["etag"])
    assert (again.status, again.body) == (304, b"")


def test_it_travels_as_it_is_where_nothing_may_be_packed(service):
    answer = Browser(service).get(ADDRESS)
    assert answer.status == 200 and answer.body == font.whole()
    assert "content-encoding" not in answer.headers


def test_pages_are_set_in_it(chromium, tmp_path):
    with VirtualDesk(tmp_path, tables=2, seed=7) as desk:
        page = chromium.open(desk.links["organiser"])
        for name in pagefiles.pages():
            page.goto(f"{desk.url}/{name}")
            page.wait_for_selector("main *")
            loaded = page.evaluate(
                "async () => { await document.fonts.ready; return [...document.fonts].map((one) =>"
                " [one.family, one.status]); }"
            )
            assert loaded == [['"Source Sans 3"', "loaded"]] or loaded == [
                ["Source Sans 3", "loaded"]
            ], name
        assert not chromium.strangers and not chromium.errors
