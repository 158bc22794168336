"""Paper: every kind in both languages, with names that would like to be more than names."""

import html.parser
import json
import os
import re
import stat

import pytest
from commands import plusthree
from fair import Fair
from tabletop import EVENT, Venue

from firmware.core import intents, seeds
from host.archive import master_key
from host.archive.roster import Format, Pairing, Player
from host.base import catalogues, surnames
from host.base.errors import UserError
from host.keys import judge_codes
from host.reports.paper import pages, pdf, sheet
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


@pytest.fixture
def venue(tmp_path):
    venue = Venue(tmp_path / "plusthree.db", tables=2)
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
    venue.begin(2)
    venue.win(venue.boards[0], seat=1)
    desk.extend(2, 3, "Rosa <b>", "deck \u202echeck")
    desk.stamp_late(2, "A", "Rosa <b>")
    desk.rule(2, "B", (0, 1), "Rosa <b>", "no show", final=True)
    venue.drain()
    assert venue.boards[1].ask(air.now_ms, intents.CALL_JUDGE, 1)
    venue.drain()
    yield venue
    venue.station.close()


def shown(venue, kind, language="en", **more):
    content = Content(venue.archive, venue.station.hall, pack=PACK, **more)
    return pages.page(kind, content, language)


@pytest.mark.parametrize("language", catalogues.languages())
@pytest.mark.parametrize("kind", [kind for kind in pages.KINDS if kind != "codes"])
def test_a_page_holds_nothing_but_itself(venue, kind, language):
    page = shown(venue, kind, language)
    tags = Tags(page)
    assert tags.tags <= TAGS and tags.open == []
    assert tags.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class", "scope"}
    assert "://" not in page and "url(" not in page and "default-src 'none'" in page
    assert not any(char in page for char in "\u202e\u2066\u061c\x1b")
    assert f'lang="{language}"' in page


def test_everybody_is_on_the_pairings_once(venue):
    for kind in ("pairings", "names", "slips"):
        text = Tags(shown(venue, kind)).text
        for name in map(sheet.plain, EVIL[:4]):
            listed = surnames.by_surname(name) if kind == "names" else ""
            ways = {name, listed} - {""}  # by surname, and as the opponent
            found = sum(text.count(way) for way in ways)
            assert found == (2 if kind == "names" else 1), (kind, name)
    assert "<img src=x" in Tags(shown(venue, "names")).text and "<img" not in shown(venue, "names")


def test_names_are_by_surname_whatever_their_accents(venue):
    rows = shown(venue, "names").split("<tbody>")[1].split("<tr>")[1:]
    first = [Tags(row.partition("</td>")[0] + "</td>").text for row in rows]
    assert first == [
        EVIL[2], "Abgnux", "الفاتح, محمد", "onerror=alert(1)>, <img src=x", "Żółć, Łukasz &"
    ]  # fmt: skip


def test_the_log_says_who_did_what_and_why(venue):
    log = shown(venue, "incidents")
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
    assert "tempo aggiunto, 3 min in tutto" in shown(venue, "incidents", "it")


def test_what_is_outstanding(venue):
    assert "Every result is in." in shown(venue, "outstanding")
    text = Tags(shown(venue, "outstanding", round_number=1)).text
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


def test_codes_say_that_there_are_none(venue):
    with pytest.raises(UserError, match="no one-time codes"):
        shown(venue, "codes")


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


@pytest.mark.parametrize("language", catalogues.languages())
def test_a_real_chromium_prints_every_page(chromium_on_path, venue, here, language):
    assert plusthree("paper", "all", "--language", language) == 0
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


def test_codes_are_those_that_were_asked_for(venue):
    request = judge_codes.CodeRequest(tables=(2,), count=3, first=4)
    keyring = venue.station.keyring
    text = Tags(shown(venue, "codes", keyring=keyring, code_request=request)).text
    board = venue.archive.roster.board_at(2)
    wanted = judge_codes.codes(venue.station.keyring, venue.archive, board, 3, 4)
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
