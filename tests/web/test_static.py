"""What the pages are made of: our own files alone, every text with its key, and a font that can say all of it."""

import gzip
import importlib.metadata
import importlib.resources
import io
import itertools
import os
import pathlib
import re
import string

import pagefiles
import pytest
import tree
from PIL import ImageFont
from starlette.applications import Starlette
from virtualdesk import VirtualDesk
from webclient import Browser

from host.base import catalogues, commands
from host.desk.acts.table import ON_PAGES
from host.reports.export_forms import FORMS
from host.systems import vocabulary
from host.web import font, static_files, texts
from host.web.page import page_of

MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new"
    r" Function|createContextualFragment"
)
ELSEWHERE = re.compile(r"(?:https?:)?//[a-z]", re.IGNORECASE)
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", re.IGNORECASE)
IMPORT = re.compile(r'from "(\.[^"]+)"')
SERVED = f"/static/{static_files.of_pages().digest}/"
BOARD_FILLS = ("#0072b2", "#56b4e9", "#f0e442", "#d55e00")  # firmware/ui/colours.py


def read(path):
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", pagefiles.scripts(), ids=lambda path: path.name)
def test_a_script_makes_no_markup_and_calls_nobody(path):
    text = read(path)
    assert not MARKUP.search(text)
    assert [
        found
        for found in ELSEWHERE.findall(re.sub(r"^\s*//.*$|\s//\s.*$", "", text, flags=re.M))
        if found
    ] in ([], ["http://w"])
    assert all((path.parent / name).is_file() for name in IMPORT.findall(text))


@pytest.mark.parametrize("path", pagefiles.styles(), ids=lambda path: path.name)
def test_a_style_calls_nobody(path):
    named = re.findall(r"url\(([^)]*)\)", read(path))
    assert named == ([f'"../{font.PATH}"'] if path.name == "base.css" else [])
    assert "@import" not in read(path)


@pytest.mark.parametrize("name, text", pagefiles.pages().items())
def test_a_page_has_nothing_inline(name, text):
    assert not INLINE.search(text) and not ELSEWHERE.search(text.replace("<!doctype html>", ""))
    named = re.findall(r'(?:href|src)="([^"]+)"', text)
    assert all(one.startswith(SERVED) for one in named)
    named.remove(f"{SERVED}{font.PATH}")
    files = [pagefiles.STATIC / one.removeprefix(SERVED) for one in named]
    assert len(files) >= 4 and pagefiles.STATIC / "js" / f"{name}.js" in files
    assert all(map(pathlib.Path.is_file, files))


def test_the_fills_are_the_boards_own():
    text = read(pagefiles.STATIC / "css" / "base.css").lower()
    assert all(colour in text for colour in BOARD_FILLS)


def test_motion_is_only_for_those_who_want_it():
    for path in pagefiles.styles():
        calm = re.sub(
            r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}", "", read(path),
            flags=re.S,
        )  # fmt: skip
        assert "animation" not in calm and "transition" not in calm, path.name


def test_a_file_that_changes_on_the_disk_is_read_again(tmp_path):
    (tmp_path / "js").mkdir()
    script = tmp_path / "js" / "a.js"
    script.write_text("1", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("none of a page's", encoding="utf-8")
    asked = Browser(None, app=Starlette(routes=[static_files.StaticFiles(tmp_path).mount]))
    first = asked.get("/static/today/js/a.js")
    assert (first.body, first.headers["content-type"]) == (b"1", "text/javascript; charset=utf-8")
    script.write_text("2", encoding="utf-8")
    os.utime(script, ns=(0, 0))
    assert asked.get("/static/today/js/a.js").body == b"2"
    script.unlink()
    nothing = "js/a.js", "secret.txt", "js", "", "../conftest.py", "js/../js/a.js", "%2e%2e/a.js"
    assert {asked.get(f"/static/today/{one}").status for one in nothing} == {404}
    assert asked.get("/static/js/a.js").status == 404


def test_a_browser_keeps_a_file_while_it_is_what_its_address_says(tmp_path):
    script = tmp_path / "a.js"

    def program(text):
        lay(text)
        files = static_files.StaticFiles(tmp_path)
        browser = Browser(None, app=Starlette(routes=[files.mount]))
        return files.digest, lambda digest: browser.get(f"/static/{digest}/a.js")

    def lay(text):
        script.write_text(text, encoding="utf-8")
        os.utime(script, ns=(0, int(text)))

    def kept(answer):
        return answer.body.decode(), "immutable" in answer.headers.get("cache-control", "")

    (old, before), (new, after) = program("1"), program("2")
    assert old != new and kept(after(new)) == ("2", True)
    assert kept(after(old)) == ("2", False), "an update that came between page and script"
    assert kept(before(old)) == ("2", False), "who edits a script sees it with the next load"
    lay("1")
    assert kept(before(old)) == ("1", True) and program("1")[0] == old


def test_no_page_is_kept_and_all_files_of_one_are(service):
    organiser = Browser(service, "organiser")
    for name in pagefiles.pages():
        assert organiser.get(f"/{name}").headers["cache-control"] == "no-store"
    for address in re.findall(r'(?:href|src)="([^"]+)"', page_of("desk").decode()):
        answer = organiser.get(address)
        assert answer.status == 200 and "max-age" in answer.headers["cache-control"], address


ROOT = pathlib.Path(__file__).parents[2]
TEXTS = texts.english()
ALL = TEXTS | texts.of_acts()
TELL_THEMSELVES = (  # acts: what was done
    "put_back", "result", "codes", "clock", "to_head", "penalize", "withdraw_penalty", "zone",
    "swap_players", "give", "seat_at", "undo_pairing", "release", "feature", "count_missed",
    "look_at_players", "rename_event",
)  # fmt: skip
SAME_IN_BOTH = {
    "min", "turn", "bye", "met.bye", "round", "round_number", "round_state", "pod", "conduct.pod",
    "checks.premier", "export.cryodex", "export.listfortress",
}  # fmt: skip


def test_a_reason_to_refuse_a_frame_is_called_as_its_text():
    sources = [
        path
        for room in ("collector", "keys", "desk")
        for path in (ROOT / "host" / room).glob("*.py")
    ]
    code = "".join(path.read_text(encoding="utf-8") for path in sources)
    reasons = [key.removeprefix("refused.") for key in TEXTS if key.startswith("refused.")]
    assert reasons and not [reason for reason in reasons if f'"{reason}"' not in code]


def test_no_text_is_empty():
    assert not [key for key, forms in TEXTS.items() if not all(text.strip() for text in forms)]


def test_no_english_is_left_in_italian():
    italian = catalogues.catalogue("it", texts.DOMAIN).texts
    same = {key for key, forms in TEXTS.items() if italian[key, forms[0]] == forms}
    assert same == SAME_IN_BOTH


def test_every_key_is_used_and_every_used_key_is_there():
    keys, words, families = pagefiles.said()
    assert not [key for key in keys if key not in ALL]
    assert not [key for key in ALL if key not in words and not key.startswith(tuple(families))]
    assert not [family for family in families if not any(key.startswith(family) for key in ALL)]


@pytest.mark.parametrize(("family", "names"), [
    ("phase.", "idle seated pregame playing frozen time overtime finishing resolving play_on tiebreaker proposed agreed"),
    ("state.", "idle seated pregame playing warning frozen time overtime deciding done call"),
    ("call.", "judge rules deck result absent help failed different ruling conflict roll approval"),
    ("what.", " ".join(command.word for command in commands.COMMANDS)),
    ("done.", " ".join(one.name for one in ON_PAGES if one.name not in TELL_THEMSELVES and one.intent is None)),
    ("export.", " ".join(FORMS)),
    ("round.", "draft published seated running closed"),
    ("happened.",
        "extension freeze resume late ruling paper reopened prizes roll taken_back refused disputed call code wrong_code approved game_loss"),
    ("fate.", "pending done refused dropped"),
    ("message.", "0 1 2 3 4 5 6 7"),
    ("need.", "call dispute conflict ruling approval roll uncertain no_board silent records_lost low late"),
    ("refused.", "version board tag link revoked generation epoch counter crowd contradiction result"),
    ("by.", "agreed ruled announced code paper file"),
    ("role.", "viewer judge head organiser"),
    ("check.kind.", " ".join(str(number) for _, number in vocabulary.RANDOMIZERS)),
    ("check.for.", " ".join(str(number) for _, number in vocabulary.PURPOSES)),
])  # fmt: skip
def test_every_word_of_the_host_has_a_text(family, names):
    assert not [name for name in names.split() if family + name not in ALL]


def test_what_an_act_is_called_is_its_rows_title_in_every_language_unless_the_pages_differ():
    said = {one: texts.page_texts(one)["texts"] for one in ("en", "it")}
    assert said["en"]["happened.freeze"] == "clock stopped"
    assert said["it"]["happened.freeze"] == "orologio fermato"
    assert said["it"]["what.freeze"] == "ferma l’orologio"
    assert not texts.of_acts().keys() & TEXTS.keys()
    assert not [key for key, title in texts.of_acts().items() if said["it"][key] == title]
    assert not [key for key, title in _titles().items() if TEXTS.get(key) == (title,)]


def _titles():
    """Return ``{key: title}`` of every row, whether the pages say it otherwise or not."""
    return {
        key: one.title
        for one in commands.COMMANDS
        for key in (f"what.{one.word}", f"happened.{one.incident}")
        if one.title
    }


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
