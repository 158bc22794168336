"""Every page in three different fonts at every size: nothing is covered or cut.

`make test` has every size in our font, and two of them in the others; `make prove` has all.
"""

import io
import os

import browser
import pytest
import tree
from PIL import Image, ImageChops
from playwright.sync_api import expect
from virtualdesk import VirtualDesk

FONTS = {
    "ours": "",
    "serif": '"DejaVu Serif", "Noto Serif", Georgia, serif',
    "mono": '"DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace',
}
SIZES = ((390, 844), (768, 1024), (1366, 768), (1920, 1080), (3840, 2160))
BOXES = tree.ROOT / "tests" / "support" / "boxes.js"
PANELS = ("outstanding", "results", "people", "room", "checks", "boards", "files", "links", "log")
FEWER = SIZES[0], SIZES[2]
PROVING = bool(os.environ.get("PLUSTHREE_PROVE"))
WIDEST = FONTS if PROVING else ("ours", "mono")  # what has room in these has it in a serif, too
# of its space, in width or in height, the clock takes at least: a narrow 1 at an end leaves some
FILLED = 0.85
STAGES = (  # what happens, one after the other, and what the wall then shows
    (lambda desk: None, ".big.words"),
    (lambda desk: (desk.open_round(), desk.advance(50 * 60)), ".s-warning .big.clock"),
    (lambda desk: desk.advance(5 * 60), ".big.time"),
)
DRESS = """async (families) => {
    document.documentElement.style.setProperty("--sans", families);
    await document.fonts.ready;
    document.fonts.dispatchEvent(new Event("loadingdone"));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
ASKING = f"async () => {{ await document.fonts.ready; {BOXES.read_text(encoding='utf-8')} }}"
pytestmark = pytest.mark.desk(tables=12, run_s=840, calls=[7, 12])


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """A desk whose first round is not published yet."""
    with VirtualDesk(tmp_path_factory.mktemp("fresh"), tables=6, seed=7) as desk:
        yield desk


@pytest.fixture
def dressed(chromium, desk):
    """A function that opens the page ``name`` in a font, until the test is over."""
    opened = []

    def page(name, font="ours"):
        link, at = desk.links[browser.PAGES[name]], f"{desk.url}/{name}"
        one = chromium.open(link, at=at)
        opened.append(one)
        expect(one.locator(browser.READY)).to_be_visible()
        one.evaluate(ASKING)
        dress(one, font)
        return one

    yield page
    for one in opened:
        one.context.close()


def dress(page, font):
    page.evaluate(DRESS, FONTS[font])


def sizes_in(font):
    return SIZES if PROVING or font == "ours" else FEWER


def troubles(page, sizes):
    found = []
    for size in browser.sized(page, sizes):
        told = page.evaluate("[...boxes.covered(), ...boxes.hidden(), ...boxes.spilled()]")
        told += page.evaluate("boxes.small()") if size == SIZES[0] else []
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            told.append("the page is wider than the window")
        found += [(size, line) for line in told]
    return found


def ink_of(page):
    """Return where the wall's big text is, as shares of its stage's width and height."""
    ink = tuple(
        page.evaluate(
            "getComputedStyle(document.querySelector('.big')).color.match(/\\d+/g).map(Number)"
        )
    )
    picture = Image.open(io.BytesIO(page.locator(".stage").screenshot())).convert("RGB")
    other = ImageChops.difference(picture, Image.new("RGB", picture.size, ink)).convert("L")
    left, top, right, bottom = other.point([255] + 255 * [0]).getbbox()
    return (
        left / picture.width, top / picture.height, right / picture.width,
        bottom / picture.height,
    )  # fmt: skip


def cut(page, sizes, least=0):
    """Return the sizes at which the wall's big text is cut, or fills less than a share."""
    found = []
    for size in browser.sized(page, sizes):
        left, top, right, bottom = ink_of(page)
        if (
            min(left, top) <= 0
            or max(right, bottom) >= 1
            or max(right - left, bottom - top) < least
        ):
            found.append(size)
    return found


def test_the_three_fonts_differ(dressed):
    """A machine may lack some of them: then this says that less was looked at."""
    page = dressed("wall")
    widths = {}
    for font in FONTS:
        dress(page, font)
        widths[font] = tuple(page.evaluate("boxes.measured()"))
    if len(set(widths.values())) < len(FONTS):
        pytest.skip(f"this machine lacks a serif or a mono font: fewer fonts were tried {widths}")


@pytest.mark.parametrize("name", browser.PAGES)
def test_no_box_covers_a_control_and_no_clock_leaves_its_box(dressed, name):
    page = dressed(name)
    for font in FONTS:
        dress(page, font)
        sizes = sizes_in(font)
        assert (font, troubles(page, sizes)) == (font, [])
        assert (font, cut(page, sizes, FILLED) if name == "wall" else []) == (font, [])


def test_a_tables_sheet_covers_none_of_its_controls(dressed):
    page = dressed("judge")
    page.locator(".card").first.click()
    expect(page.locator("dialog.sheet")).to_be_visible()
    for opened in (False, True):
        page.evaluate(
            "(open) => document.querySelectorAll('dialog details').forEach((part) => part.open ||= open)",
            opened,
        )
        for font in WIDEST:
            dress(page, font)
            sizes = FEWER if opened else sizes_in(font)
            assert (font, troubles(page, sizes)) == (font, [])


def test_no_part_of_the_desk_covers_a_control(dressed):
    page = dressed("desk")
    for panel in PANELS:
        page.evaluate(f"location.hash = '{panel}'")
        expect(page.locator(f".panel-{panel}")).to_be_visible()
        for font in WIDEST:
            dress(page, font)
            assert (panel, font, troubles(page, FEWER)) == (panel, font, [])


@pytest.mark.parametrize("language", ["en-GB", "it-IT"])
def test_no_list_of_the_desk_scrolls_sideways_on_a_phone(chromium, desk, language):
    page = chromium.open(desk.links["organiser"], "phone", locale=language, at=f"{desk.url}/desk")
    for panel in PANELS:
        page.evaluate(f"location.hash = '{panel}'")
        expect(page.locator(f".panel-{panel}")).to_be_visible()
        expect(page.locator(f".panel-{panel} .parts > *").first).to_be_visible()
        wide = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).length"
        assert not page.locator(".scrolled, .scrolled td").evaluate_all(wide), panel


@pytest.mark.refusals
@pytest.mark.parametrize("where", ["page", "sheet"])
def test_notes_that_stay_leave_every_control_within_reach(dressed, where):
    page = dressed("judge", "serif")
    page.route("**/api/acts/*", lambda route: route.abort())
    if where == "sheet":
        page.locator(".card").first.click()
        page.click("dialog [data-act=freeze]")
    else:
        page.locator(".call [data-act=claim]").first.click()
    expect(page.locator(".note.bad")).to_be_visible()
    assert not [
        line
        for _ in browser.sized(page, FEWER)
        for line in page.evaluate("[...boxes.covered('end'), ...boxes.covered('start')]")
    ]


def test_the_wall_of_a_whole_round_is_never_cut(chromium, fresh):
    """In Italian, whose words are longer, and in the widest font."""
    for then, shown in STAGES:
        then(fresh)
        page = chromium.open(fresh.links["viewer"], locale="it-IT")
        expect(page.locator(shown)).to_be_visible()
        page.evaluate(ASKING)
        dress(page, "mono")
        sizes = sizes_in("mono")
        found = troubles(page, sizes), cut(page, sizes)
        page.context.close()
        assert found == ([], []), shown


def test_on_a_phone_the_chosen_panel_is_in_sight_however_it_was_turned(chromium, fresh):
    page = chromium.open(fresh.links["organiser"], at=f"{fresh.url}/desk#log")
    chosen = page.locator(".panels [aria-current]", has_text="Desk log")
    expect(chosen).to_be_visible()
    for _ in browser.sized(page, (SIZES[0], SIZES[2], SIZES[0])):
        expect(chosen).to_be_in_viewport(ratio=1)
