"""Paper: every kind in both languages and in three fonts, with names that would be more; PDF by what browser there is."""

import html.parser
import json
import os
import re
import stat
import unicodedata

import pypdf
import pytest
from anyascii import anyascii
from commands import plusthree
from fair import Fair
from tabletop import EVENT, SOON_MS, Venue

from firmware.core import intents, seeds
from host.archive import master_key, teams
from host.archive.roster import Format, Pairing, Player
from host.archive.teams import Team
from host.base import catalogues, surnames
from host.base.errors import UserError
from host.keys import judge_codes
from host.reports.paper import letters, page_reader, pages, pdf, plain_pdf, sheet
from host.reports.paper.content import Content
from host.tournament import rule_packs

EVIL = [
    "<img src=x onerror=alert(1)>", "Ab\u202egnu\u2066x", '"><script>1</script>',
    "Łukasz & Żółć", "محمد الفاتح", "a\x1b[2Jb",
]  # fmt: skip
PACK = rule_packs.load("pokemon-swiss")
TAGS = set("html head meta title style body h1 p table thead tbody tr th td bdi div span".split())


class Tags(html.parser.HTMLParser):
    """Every tag and attribute of a page, its text, and the tables' cells."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text, self.open = set(), set(), "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text += data


def half_played(path):
    """Return a Venue whose second round is half over."""
    venue = Venue(path, tables=2)
    roster = venue.archive.roster
    pairings = [
        Pairing(2, n, n, Player(str(20 + n), EVIL[2 * n - 2]), Player(str(30 + n), EVIL[2 * n - 1]))
        for n in (1, 2)
    ]
    roster.store_round(
        2, Format(0, 3 << 1, 50), [*pairings, Pairing(2, 3, None, Player("49", EVIL[4]), None)]
    )
    venue.station.refresh()
    desk, air = venue.station.desk, venue.air
    venue.begin(2, SOON_MS)
    venue.win(venue.boards[0], seat=1)
    desk.extend(2, 3, "Rosa <b>", "deck \u202echeck")
    desk.stamp_late(2, "A", "Rosa <b>")
    desk.rule(2, "B", (0, 1), "Rosa <b>", "no show", final=True)
    venue.drain()
    assert venue.boards[1].ask(air.now_ms, intents.CALL_JUDGE, 1)
    venue.drain()
    return venue


@pytest.fixture
def venue(tmp_path):
    made = half_played(tmp_path / "plusthree.db")
    yield made
    made.station.close()


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory):
    """The same Venue, for tests that change nothing."""
    made = half_played(tmp_path_factory.mktemp("paper") / "plusthree.db")
    yield made
    made.station.close()


def shown(venue, kind, language="en", **more):
    content = Content(venue.archive, venue.station.hall, pack=PACK, **more)
    return pages.page(kind, content, language)


@pytest.mark.parametrize("language", catalogues.languages())
@pytest.mark.parametrize("kind", [kind for kind in pages.KINDS if kind != "codes"])
def test_a_page_holds_nothing_but_itself(looked_at, kind, language):
    page = shown(looked_at, kind, language)
    tags = Tags(page)
    assert tags.tags <= TAGS and tags.open == []
    assert tags.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class", "scope"}
    assert "://" not in page and "url(" not in page and "default-src 'none'" in page
    assert not any(char in page for char in "\u202e\u2066\u061c\x1b")
    assert f'lang="{language}"' in page


def test_everybody_is_on_the_pairings_once(looked_at):
    for kind in ("pairings", "names", "slips"):
        text = Tags(shown(looked_at, kind)).text
        for name in map(sheet.plain, EVIL[:4]):
            listed = surnames.by_surname(name) if kind == "names" else ""
            ways = {name, listed} - {""}  # by surname, and as the opponent
            found = sum(text.count(way) for way in ways)
            assert found == (2 if kind == "names" else 1), (kind, name)
    assert "<img src=x" in Tags(shown(looked_at, "names")).text and "<img" not in shown(
        looked_at, "names"
    )


def test_names_are_by_surname_whatever_their_accents(looked_at):
    rows = shown(looked_at, "names").split("<tbody>")[1].split("<tr>")[1:]
    first = [Tags(row.partition("</td>")[0] + "</td>").text for row in rows]
    assert first == [
        EVIL[2], "Abgnux", "الفاتح, محمد", "onerror=alert(1)>, <img src=x", "Żółć, Łukasz &"
    ]  # fmt: skip


def test_the_log_says_who_did_what_and_why(looked_at):
    log = shown(looked_at, "incidents")
    text = Tags(log).text
    for part in (
        "extension, 3 min in total",
        "late or away: ▲",
        "result ruled: ● wins (0–1)",
        "judge called",
        "at the table",
    ):
        assert part in text
    assert "Rosa &lt;b&gt;" in log and "deck check" in text and "no show" in text
    assert "tempo aggiunto, 3 min in tutto" in shown(looked_at, "incidents", "it")


def test_what_is_outstanding(looked_at):
    assert "Every result is in." in shown(looked_at, "outstanding")
    text = Tags(shown(looked_at, "outstanding", round_number=1)).text
    assert "Given0 Family" in text and "Given2 Family" in text


def test_slips_fit_what_is_played(venue):
    assert Tags(shown(venue, "slips")).text.count("Signature") == 4
    assert "tie" in Tags(shown(venue, "slips")).text
    boxes = " ".join(f'<span class="box"></span> {games}' for games in (0, 1, 2))
    assert shown(venue, "slips").count(f"<td>{boxes}</td>") == 4, "two games win a best of three"
    venue.archive.roster.store_round(
        3, Format(2, 3 | 2 << 8, 90), [Pairing(3, 1, 1, Player("1", "A"), Player("2", "B"))]
    )
    text = Tags(shown(venue, "slips")).text
    assert "Points destroyed" in text and "tie" not in text


def test_codes_say_that_there_are_none(looked_at):
    with pytest.raises(UserError, match="no one-time codes"):
        shown(looked_at, "codes")


def put_browser(folder, script):
    path = folder / pdf.NAMES[0]
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.mark.skipif(os.name != "posix", reason="a shell script stands in for the browser")
def test_pdf_where_there_is_a_chromium(venue, here, monkeypatch, capsys):
    monkeypatch.setenv("PATH", f"{here}:/bin:/usr/bin")
    put_browser(
        here,
        'for one in "$@"; do case $one in --print-to-pdf=*) printf %%PDF-1.4 > "${one#*=}";; esac;'
        " done",
    )
    assert plusthree("paper", "all", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["files"]) == 10
    assert all(os.path.exists(path) for path in told["files"])
    put_browser(here, "exit 3")
    assert plusthree("paper", "slips") == 2 and "exit 3" in capsys.readouterr().err


@pytest.mark.usefixtures("chromium_on_path", "venue")
def test_a_real_chromium_prints_every_page(here):
    assert plusthree("paper", "all") == 0
    found = sorted((here / "paper").glob("*.pdf"))
    assert len(found) == 5 and all(path.read_bytes().count(b"/Page") for path in found)


def test_codes_are_those_that_the_boards_take(venue, tmp_path, capsys, monkeypatch):
    text = Tags(shown(venue, "codes", keyring=venue.station.keyring)).text
    board = venue.archive.roster.board_at(2)
    for number, code in judge_codes.codes(
        venue.station.keyring, venue.archive, board, judge_codes.CodeRequest.count
    ):
        assert f"{number + 1}\u00a0·\u00a0{code[:3]}\u00a0{code[3:]}" in text
    assert plusthree("paper", "codes", venue.path, "--no-pdf") == 2
    assert "no master key" in capsys.readouterr().err
    master_key.load_or_make(master_key.path_of(venue.path))
    monkeypatch.chdir(tmp_path)
    assert plusthree("paper", "codes", venue.path, "--no-pdf", "--json") == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert os.name != "posix" or stat.S_IMODE(os.stat(file).st_mode) == 0o600


def test_codes_are_those_that_were_asked_for(looked_at):
    request = judge_codes.CodeRequest(tables=(2,), count=3, first=4)
    keyring = looked_at.station.keyring
    text = Tags(shown(looked_at, "codes", keyring=keyring, code_request=request)).text
    board = looked_at.archive.roster.board_at(2)
    wanted = judge_codes.codes(looked_at.station.keyring, looked_at.archive, board, 3, 4)
    assert re.findall(r"(\d)\u00a0·\u00a0(\d+)\u00a0(\d+)", text) == [
        (str(number + 1), code[:3], code[3:]) for number, code in wanted
    ]


ROLLED = {
    "en": ("none yet", "committed to a secret seed"),
    "it": ("ancora nessuno", "seme segreto"),
}


@pytest.mark.parametrize("language", catalogues.languages())
def test_commitments_are_printed_in_groups_and_those_that_lack_are_named(tmp_path, language):
    fair = Fair(tmp_path / "f.db", tables=3)
    fair.air.away.add("radio 103")
    fair.station.desk.publish(1)
    fair.air.run(60_000)
    rows = shown(fair, "commitments", language).split("<tbody>")[1].split("</tr>")
    tables = [Tags(row.partition("</td>")[0] + "</td>").text.strip() for row in rows[:3]]
    assert tables == ["1", "2", "3"]
    for board, row in zip(fair.boards[:2], rows, strict=False):
        place = board.device, EVENT, 1, board.device - 100, board.device - 100
        said = seeds.commitment(place, board.ledger.seeds.seed)
        groups = [f"{said[at]:02X}{said[at + 1]:02X}" for at in range(0, 24, 2)]
        assert " ".join(groups) in Tags(row).text and board.ledger.seeds.seed.hex() not in row
    assert ROLLED[language][0] in rows[2]
    assert ROLLED[language][1] in shown(fair, "commitments", language)
    fair.station.close()


FONTS = {
    "as it is": None,
    "serif": '"DejaVu Serif", "Noto Serif", Georgia, serif',
    "mono": '"DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace',
}
TEAM = Format(1, 1 << 1 | 128, 50)
ROUNDS = {"p18": Format(0, 3 << 1, 50), "xw15": Format(2, 3 | 2 << 8, 90), "team": TEAM}
PAPER_PX = round(186 / 25.4 * 96)  # what @page leaves between its margins
PAIRS = 16
LONG = "Massimiliano Bartolomeo Castelfranchi-Montecuccoli"
# what leaves its slip or its table's cell; in a wide font names are cut on purpose
CUT = """
(names) => {
  const found = [];
  for (const slip of document.querySelectorAll(".slip")) {
    const frame = slip.getBoundingClientRect();
    for (const part of slip.querySelectorAll("p, th, td, .line, .box")) {
      const box = part.getBoundingClientRect();
      if (box.right > frame.right + 0.5 || box.bottom > frame.bottom + 0.5 || part.scrollWidth > part.clientWidth + 1 && !part.matches(".line, .box"))
        found.push(`${part.tagName} "${part.textContent.slice(0, 40)}" leaves its slip`);
    }
  }
  if (names) for (const one of document.querySelectorAll(".slip .p div"))
    if (one.scrollHeight > one.clientHeight + 1) found.push(`"${one.textContent}" is cut`);
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the paper");
  return found;
}
"""


def team(player):
    """Return a Team under a player's number and name, with two members of long names."""
    members = [Player(f"{player.number}{seat}", LONG) for seat in "12"]
    return Team(player.number, player.name, "Gioco Libero", "Torino", *members)


@pytest.fixture(scope="module", params=ROUNDS)
def content(request, tmp_path_factory):
    venue = Venue(tmp_path_factory.mktemp("paper") / "plusthree.db", tables=2)
    pairs = [
        Pairing(2, n, n, Player(str(100 + n), LONG), Player(str(200 + n), LONG[::-1].title()))
        for n in range(1, PAIRS + 1)
    ]
    venue.archive.roster.store_round(2, ROUNDS[request.param], pairs)
    if ROUNDS[request.param] is TEAM:
        registered = [team(player) for one in pairs for player in (one.a, one.b)]
        teams.store(venue.archive, registered, "test", 0, begun=False)
    yield pages.Content(venue.archive, venue.station.hall)
    venue.station.close()


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("language", catalogues.languages())
def test_nothing_on_paper_is_cut(chromium, content, language, font):
    found = []
    page = chromium.context(viewport={"width": PAPER_PX, "height": 1000}).new_page()
    page.emulate_media(media="print")
    for kind in ("slips", "pairings", "names", "outstanding"):
        text = pages.page(kind, content, language)
        if FONTS[font]:
            text, times = re.subn(
                r"(html \{\s*font: 11pt/1.35) [^;]+;", rf"\1 {FONTS[font]};", text
            )
            assert times == 1
        page.set_content(text)
        found += [f"{kind}: {line}" for line in page.evaluate(CUT, FONTS[font] is None)]
        if kind == "slips":
            printed = page.pdf(prefer_css_page_size=True)
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == PAIRS / 8
    assert not found


KINDS = "pairings", "names", "slips", "outstanding", "incidents"
HEAD = "# event: Città di Castèl Müller\n# format: p18 swiss bo3 constructed 50\n"
COLUMNS = "table,number_a,name_a,number_b,name_b\n"
LONG_LIST = f"{LONG} degli Erri"
NAMES = (
    f"1,1001,Zoë Martin,1002,{LONG_LIST}\n2,1004,Łukasz Żółć,1005,Đặng Thị Ngọc\n"
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


def test_without_a_browser_nothing_is_missing_on_the_paper(evening, monkeypatch):
    for kind, path in printed(evening, "it", None, monkeypatch).items():
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


@pytest.fixture
def nothing_on_the_path(monkeypatch):
    monkeypatch.setenv("PATH", "")


@pytest.mark.usefixtures("nothing_on_the_path")
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


@pytest.mark.usefixtures("nothing_on_the_path")
def test_one_on_the_path_counts_first(tmp_path, monkeypatch):
    own = tmp_path / "chromium"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pdf.chromium("darwin", {}, lambda path: True) == str(own)
