"""PDF on any laptop: by which browser, and where none is found the same lists and slips."""

import re
import unicodedata

import pypdf
import pytest
from anyascii import anyascii

from host.base import catalogues
from host.reports.paper import letters, page_reader, pdf, plain_pdf

KINDS = "pairings", "names", "slips", "outstanding", "incidents"
HEAD = "# event: Città di Castèl Müller\n# format: p18 swiss bo3 constructed 50\n"
COLUMNS = "table,number_a,name_a,number_b,name_b\n"
LONG = "Massimiliano Bartolomeo Castelfranchi-Montecuccoli degli Erri"
NAMES = (
    f"1,1001,Zoë Martin,1002,{LONG}\n2,1004,Łukasz Żółć,1005,Đặng Thị Ngọc\n"
    "3,1006,Αλέξης Παπάς,1007,Иван Петров\n4,1008,山田 太郎,1009,محمد علي\n,1003,Ñandú Núñez,,\n"
)
MORE = "".join(f"{n},2{n},Ann Player{n},3{n},Bo Other{n}\n" for n in range(5, 30))


@pytest.fixture
def evening(evening):
    evening.done("import", evening.file("round1.csv", HEAD + COLUMNS + NAMES + MORE))
    return evening


@pytest.mark.parametrize(
    ("system", "folder"),
    (("linux", "/usr/share/fonts"), ("freebsd14", "/usr/share/fonts"),
     ("darwin", "/System/Library/Fonts")),
)  # fmt: skip
def test_every_system_has_places_for_a_font_of_more_letters(system, folder):
    assert any(name.startswith(folder) for name in plain_pdf.other_fonts(system))


def words(text):
    return set(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text)))


def text_of(path):
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def told(path):
    """Return the words that a page of ours prints: of slips the slips alone."""
    page = page_reader.read(path.read_text(encoding="utf-8"))
    if page.slips:
        page.blocks.clear()
    return words(page.text.replace(page_reader.BOX, " ").replace(page_reader.LINE, " "))


def printed(evening, language, browser, monkeypatch, kinds=KINDS):
    """Print pages by this browser, or without one; return the PDFs by kind."""
    monkeypatch.setattr(pdf, "chromium", lambda: browser)
    out = evening.folder / f"{language}-{bool(browser)}"
    for kind in kinds:
        evening.done("paper", kind, "--language", language, "--out", out)
    return {kind: out / f"{kind}-round-1.{language}.pdf" for kind in kinds}


@pytest.mark.parametrize("language", catalogues.languages())
def test_without_a_browser_nothing_is_missing_on_the_paper(evening, monkeypatch, language):
    for kind, path in printed(evening, language, None, monkeypatch).items():
        found = words(text_of(path))
        for word in told(path.with_suffix(".html")):
            assert word in found or words(anyascii(word)) <= found, (kind, word)


@pytest.mark.parametrize("kind", ["slips", "names"])
def test_a_browser_prints_the_same_words(
    chromium_program, chromium_on_path, evening, monkeypatch, kind
):
    # names by what most people have, slips by what may be found before it
    browser = chromium_program if kind == "names" else chromium_on_path
    (plain,) = printed(evening, "it", None, monkeypatch, (kind,)).values()
    (rich,) = printed(evening, "it", browser, monkeypatch, (kind,)).values()
    latin = {word for word in words(text_of(rich)) if word == anyascii(word) and len(word) > 1}
    assert len(latin) > 60 and latin <= words(text_of(plain))


def test_letters_that_no_font_has_are_written_in_latin_ones(evening, monkeypatch, tmp_path):
    (path,) = printed(evening, "en", None, monkeypatch, ("pairings",)).values()
    bare = tmp_path / "bare.pdf"
    plain_pdf.print_page(path.with_suffix(".html"), bare, fonts=[])
    found = words(text_of(bare))
    assert words(anyascii("山田 太郎")) <= found and words(anyascii("محمد علي")) <= found
    assert {"Zoë", "Łukasz", "Đặng", "Ngọc", "Παπάς", "Петров"} <= found
    assert ord("ż") in letters.letters_of() and ord("山") not in letters.letters_of()


def test_slips_are_eight_to_a_sheet(evening, monkeypatch):
    (path,) = printed(evening, "en", None, monkeypatch, ("slips",)).values()
    pages = pypdf.PdfReader(path).pages
    assert [page.extract_text().count("Table") for page in pages] == [8, 8, 8, 5]


WINDOWS = {"PROGRAMFILES": r"C:\Program Files", "PROGRAMFILES(X86)": r"C:\Program Files (x86)"}
EDGE = r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe"
CHROME = r"C:\Program Files\Google\Chrome\Application\chrome.exe"
MAC = "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"
OWN = "/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


@pytest.fixture(autouse=True)
def nothing_on_the_path(monkeypatch):
    monkeypatch.setenv("PATH", "")


@pytest.mark.parametrize(("system", "environment", "files", "found"), [
    ("win32", WINDOWS, {EDGE}, EDGE),
    ("win32", WINDOWS, {EDGE, CHROME}, CHROME),
    ("win32", {}, {EDGE}, None),
    ("darwin", {"HOME": "/Users/ada"}, {MAC}, MAC),
    ("darwin", {"HOME": "/Users/ada"}, {MAC, OWN}, OWN),
    ("linux", {"HOME": "/home/ada"}, {MAC, EDGE}, None),
])  # fmt: skip
def test_a_browser_is_found_where_the_system_keeps_it(system, environment, files, found):
    assert pdf.chromium(system, environment, files.__contains__) == found


def test_one_on_the_path_counts_first(tmp_path, monkeypatch):
    own = tmp_path / "chromium"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pdf.chromium("darwin", {}, lambda path: True) == str(own)
