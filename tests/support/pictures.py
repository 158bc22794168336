"""The pictures of README and ``docs/``, all made by ``make pictures`` (which needs Chromium).

``docs/pictures.json`` says what each was made from: the digests of the boards' screens in it, or
the pages' texts that can be read on it. ``tests/rules/test_docs.py`` compares both with today's.
"""

import contextlib
import hashlib
import io
import json
import pathlib
import tempfile
from typing import NamedTuple

import browser
import tomfile
import tree
from commands import plusthree
from newdesk import NewDesk
from PIL import Image
from playwright.sync_api import expect
from virtualdesk import VirtualDesk

from host.desk.event_import import import_file
from host.formats.import_file import ImportedFile
from host.formats.round_format import parse_format
from host.reports.paper import pdf
from host.server.console import Console
from host.sim.faces import GROUND
from host.sim.programme import FAMILY, GIVEN
from host.sim.shots import Studio, name_of, scenes_of, sheet_of
from host.web import texts

DOCS = tree.ROOT / "docs"
NOTES = DOCS / "pictures.json"


class Row(NamedTuple):
    """Screens of one board in one language, as ``SCREEN.CASE``."""

    board: str
    language: str
    screens: tuple[str, ...]


GALLERY = (
    Row("feathers3", "en", (
        "seated.one", "clock.running", "warning", "overtime.second",
        "proposed.claimed", "judge.waiting", "frozen", "not_sent", "result.best_of_three", "prizes",
    )),
    Row("lilygo", "it", ("clock.running", "last", "judge_still.here", "prizes", "result.second_line")),
    Row("feathers3-35", "en", ("clock.long_names", "last", "reason")),
)  # fmt: skip
SCREENS = Row("feathers3", "en", (
    "seated.one", "clock.running", "last", "overtime.second", "proposed.claimed", "judge.waiting",
))  # fmt: skip
BOARDS = {"gallery.png": GALLERY, "screens.png": (SCREENS,)}
PAGES = "pages.png"
DRAWN = "imports.svg"  # by ``dev rules imports``

GAP_PX, COLUMNS = 12, 3
TABLES, PLAYED_S, CALLS, LONGER = 16, 15 * 60, 3, 7
TABLES_OF_CUP = range(1, 13)
PLAYERS = "\n".join(
    f"{1000 + n}\t{GIVEN[n % 10]}\t{FAMILY[n % 8]}" for n in range(2 * len(TABLES_OF_CUP))
)
TOMS_FILE = "cup.tdf"
PENALTIES = (
    "penalty 1004 caution play misread a card", "penalty 1011 warning slow game 2",
    "penalty 1004 warning tardy three minutes late", "penalty 1017 prizes deck 59 cards",
)  # fmt: skip
_PHONE, _WIDE = (304, 658), (574, 323)  # of 390x844 and 1366x768


def _shots(row):
    studio = Studio(row.board, row.language)
    for name in row.screens:
        screen, _, case = name.partition(".")
        scene = next(one for one in scenes_of(screen) if one.case == case)
        yield studio.shot(*scene)


def digests(rows):
    """Return ``{"BOARD LANGUAGE SCREEN.CASE": digest of its pixels}``."""
    return {
        f"{row.board} {row.language} {name_of(one.screen, one.case)}": hashlib.sha256(
            one.image.tobytes()
        ).hexdigest()[:16]
        for row in rows
        for one in _shots(row)
    }


def _six(row):
    images = [one.image for one in _shots(row)]
    wide, high = images[0].width + GAP_PX, images[0].height + GAP_PX
    whole = Image.new(
        "RGB", (COLUMNS * wide + GAP_PX, len(images) // COLUMNS * high + GAP_PX), GROUND
    )
    for n, image in enumerate(images):
        whole.paste(image, (GAP_PX + n % COLUMNS * wide, GAP_PX + n // COLUMNS * high))
    return whole


def _gallery():
    """Return one picture of each board's sheet, as ``plusthree dev screens shots`` draws it."""
    sheets = [sheet_of(list(_shots(row))) for row in GALLERY]
    whole = Image.new(
        "RGB", (max(one.width for one in sheets), sum(one.height for one in sheets)), GROUND
    )
    top = 0
    for one in sheets:
        whole.paste(one, (0, top))
        top += one.height
    return whole


def _photo(page, **more):
    return Image.open(io.BytesIO(page.screenshot(**more))).convert("RGB")


def _pages(chromium):
    """Return the picture of an event's pages, and the texts that can be read on it: a round as it
    is played, and below it how an organiser begins, drafts, reads a file, keeps the register and
    publishes standings.
    """
    seen, found = [], {key: forms for key, forms in texts.english().items() if len(forms) == 1}

    def take(page, size):
        page.evaluate("document.fonts.ready")
        read = set(page.locator("body").inner_text().splitlines())
        seen.extend(text for (text,) in found.values() if text in read)
        return _photo(page).resize(size, Image.Resampling.LANCZOS)

    (wide, high), (narrow, tall) = _WIDE, _PHONE
    across = 4 * GAP_PX + 2 * narrow + wide
    below = 2 * GAP_PX + tall
    whole = Image.new("RGB", (across, below + 3 * (high + GAP_PX)), GROUND)
    with _folder() as folder, VirtualDesk(folder, tables=TABLES) as desk:
        queue, table, wall, hall = _evening(chromium, desk)
        whole.paste(take(queue, _PHONE), (GAP_PX, GAP_PX))
        whole.paste(take(table, _PHONE), (2 * GAP_PX + narrow, GAP_PX))
        whole.paste(take(wall, _WIDE), (3 * GAP_PX + 2 * narrow, GAP_PX))
        whole.paste(take(hall, _WIDE), (3 * GAP_PX + 2 * narrow, 2 * GAP_PX + high))
    columns = GAP_PX, across - GAP_PX - wide
    with _folder() as first, _folder() as second:
        for at, page in enumerate(_organised(chromium, first, second)):
            down, right = divmod(at, len(columns))
            whole.paste(take(page, _WIDE), (columns[right], below + down * (high + GAP_PX)))
    return whole, sorted(set(seen))


@contextlib.contextmanager
def _folder():
    with tempfile.TemporaryDirectory() as folder:
        yield pathlib.Path(folder)


def _organised(chromium, folder, toms):
    """Begin an event in a new archive; yield the organiser's page as it begins, drafts, reads a
    file (another event's, as TOM has it), keeps penalties and publishes standings, and the players'
    page.
    """
    with NewDesk(folder) as desk:
        page = chromium.open(desk.links["organiser"], "laptop", device_scale_factor=2)
        page.locator("[name=name]").fill("Winter Cup")
        page.locator("[name=system][value=p18]").click()
        page.locator("[name=pack]").click()
        page.locator("[name=players]").fill(PLAYERS)
        expect(page.locator(".list .sentence bdi")).to_contain_text("1000")
        page.evaluate("scrollTo(0, 0)")
        yield page
        page.locator("[data-form=begin] [type=submit]").click()
        page.locator("[data-act=draw_first]").click()
        for seat in (1, 4):
            page.locator(f".seat >> nth={seat}").click()
        expect(page.locator(".draft-bar .does li").first).to_be_visible()
        yield page
        with NewDesk(toms) as other:
            yield _read(chromium, other)
        desk.ask(_play_round)
        page.goto(f"{desk.url}/desk#penalties")
        expect(page.locator(".panel-penalties tbody tr")).to_have_count(len(PENALTIES))
        yield page
        page.goto(f"{desk.url}/desk#standings")
        expect(page.locator(".panel-standings tbody tr").first).to_be_visible()
        yield page
        page.goto(f"{desk.url}/standings")
        expect(page.locator("tbody tr").first).to_be_visible()
        yield page


def _read(chromium, desk):
    """Return the page that shows what TOM's next file changes."""
    desk.ask(_import_first)
    page = chromium.open(desk.links["organiser"], "laptop", device_scale_factor=2)
    page.goto(f"{desk.url}/desk#files")
    given = {"name": TOMS_FILE, "mimeType": "", "buffer": tomfile.evening(2).encode()}
    page.locator(".picked input").set_input_files(given)
    expect(page.locator(".file .change").first).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    return page


def _import_first(service):
    file = ImportedFile(TOMS_FILE, raw=tomfile.evening(1).encode())
    form = parse_format("p18 swiss bo3 constructed 50")
    import_file(service.archive, file.event_file(form), 0)
    service.station.refresh()
    service.change_feed.reload()


def _play_round(service):
    _typed(
        service, "publish 1", *(f"result {table} A 2 {table % 2} slip" for table in TABLES_OF_CUP)
    )
    _typed(service, *PENALTIES, "standings publish")
    service.change_feed.touch()


def _typed(service, *lines):
    console = Console(service.station, "Olga")
    console.serve_pages(service)
    for line in lines:
        told = console.run(line)
        assert not console.refused, told


def _evening(chromium, desk):
    """Play the first third of a round; return the pages of judge, table, wall and hall."""
    desk.open_round()
    desk.advance(PLAYED_S)
    desk.ask(lambda station: station.desk.extend(LONGER, 5, "Olga", "deck check"))
    desk.call_judge(CALLS)
    desk.advance(20)

    def opened(role, path, size, scheme="light"):
        page = chromium.open(desk.links[role], size, scheme=scheme, device_scale_factor=2)
        page.goto(desk.url + path)
        return page

    queue = opened("judge", "/judge", "phone", "dark")
    table, wall, hall = (
        opened("judge", "/judge", "phone"), opened("viewer", "/wall", "laptop"),
        opened("viewer", "/hall", "laptop"),
    )  # fmt: skip
    for page in (queue, table, wall, hall):
        expect(page.locator(browser.READY).first).to_be_visible()
    table.locator(f".card[data-table='{LONGER}']").click()
    expect(table.locator("dialog.sheet")).to_be_visible()
    return queue, table, wall, hall


def main():
    with browser.browsers(pdf.chromium()) as made, made.shared() as chromium:
        pages, read = _pages(chromium)
    # few colours fill a page: with all of its own it would be four times as large
    few = pages.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(DOCS / PAGES, optimize=True)
    _gallery().save(DOCS / "gallery.png", optimize=True)
    _six(SCREENS).save(DOCS / "screens.png", optimize=True)
    notes = {name: digests(rows) for name, rows in BOARDS.items()} | {PAGES: read}
    NOTES.write_text(json.dumps(notes, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    plusthree("dev", "rules", "imports", "--page", "--svg", DOCS / DRAWN)


if __name__ == "__main__":
    main()
