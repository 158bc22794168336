"""Damaged and hostile files of TOM's: one clear sentence each, and nothing is changed."""

import pytest
import tomfile

from host import cli
from host.formats import tom_file
from host.formats.csv_reader import SheetError

GOOD = tomfile.swiss()
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
DOCTYPE = '<?xml version="1.0"?>\n<!DOCTYPE tournament [{}]>\n'


def doctype(inside):
    return GOOD.replace('<?xml version="1.0" encoding="UTF-8"?>\n', DOCTYPE.format(inside))


def changed(old, new, count=1):
    assert old in GOOD
    return GOOD.replace(old, new, count)


HOSTILE = {
    "billion laughs": (doctype('<!ENTITY l0 "ha">' + LAUGHS).replace("Milano", "&l9;"), "a DTD or an entity"),
    "quadratic blowup": (doctype(f'<!ENTITY a "{"a" * 9999}">').replace("Milano", "&a;" * 999), "a DTD or an entity"),
    "external entity": (doctype('<!ENTITY x SYSTEM "file:///etc/passwd">').replace("Milano", "&x;"), "a DTD or an entity"),
    "external DTD": (GOOD.replace("<tournament ", '<!DOCTYPE t SYSTEM "http://example.org/t.dtd"><tournament ', 1), "a DTD"),
    "parameter entity": (doctype('<!ENTITY % p SYSTEM "http://example.org/p">%p;'), "a DTD or an entity"),
    "undefined entity": (changed("Milano", "&nothing;"), "is not whole: undefined entity"),
    "10 MB": (changed("Milano", "x" * 10_000_000), "far too large"),
    "10 MB of elements": (changed("<city>", "<b/>" * 500_000 + "<city>"), "filled as no tournament is"),
    "elements between texts": (changed("<city>", "x<b/>" * 150_000 + "<city><city>"), "is not whole: mismatched tag"),
    "nested deep": (changed("<city>", "<a>" * 5000 + "</a>" * 5000 + "<city>"), "nested or filled"),
    "wrong encoding": (GOOD.encode("latin-1", "replace").replace(b"?", b"\xfc"), "is not UTF-8"),
    "windows-1252 declared": (changed("UTF-8", "windows-1252"), "says that it is 'windows-1252', not UTF-8"),
    "unknown encoding declared": (changed("UTF-8", "x-none"), "says that it is 'x-none', not UTF-8"),
    "UTF-16": (GOOD.encode("utf-16"), "is UTF-16, not UTF-8"),
    "UTF-7 smuggled": (changed("UTF-8", "UTF-7"), "says that it is 'UTF-7', not UTF-8"),
    "NUL": (changed("Milano", "Mil\0ano"), "holds a NUL"),
    "control character": (changed("Milano", "Mil\x07ano"), "is not whole: not well-formed"),
    "truncated": (GOOD[: len(GOOD) // 2], "is not whole"),
    "truncated in a tag": (GOOD[: GOOD.index("<match ") + 9], "is not whole"),
    "empty": ("", "is empty"),
    "blanks": ("  \n\n", "is empty"),
    "HTML": ("<html><body>Not found</body></html>", "not with TOM's <tournament>"),
    "JSON": ('{"tournament": 1}', "is not whole"),
    "two roots": (GOOD + "<tournament/>", "is not whole: junk after document element"),
    "another namespace": (changed("<tournament ", '<tournament xmlns="urn:x" '), "not with TOM's <tournament>"),
    "no players": (changed("players>", "people>", 2), "one <players> and holds 0"),
    "two pods sections": (changed("<pods>", "<pods></pods><pods>"), "one <pods> and holds 2"),
    "unknown outcome": (changed('outcome="0"', 'outcome="7"'), "outcome '7' is not known"),
    "outcome as a word": (changed('outcome="0"', 'outcome="win"'), "outcome 'win' is not known"),
    "outcome with a zero before": (changed('outcome="0"', 'outcome="01"'), "outcome '01' is not known"),
    "outcome in other digits": (changed('outcome="0"', 'outcome="٣"'), "is not known"),
    "no outcome": (changed('match outcome="0"', "match"), "has no outcome"),
    "outcome twice": (changed('outcome="0"', 'outcome="0" outcome="1"'), "duplicate attribute"),
    "duplicated id": (changed('<player userid="102">', '<player userid="101">'), "player 101 is there twice"),
    "player without id": (changed('<player userid="102">', '<player userid=" ">'), "has no number"),
    "player without name": (
        changed("<firstname>Ольга</firstname>", "").replace("<lastname>Кузнецова</lastname>", "<lastname> </lastname>"),
        "player 104 has no name",
    ),
    "endless name": (changed("<firstname>Zoë", "<firstname>" + "Z" * 300), "longer than 200"),
    "endless id": (changed('<player userid="102">', f'<player userid="{"1" * 40}">'), "longer than 32"),
    "match of strangers": (changed('<player1 userid="101"/>', '<player1 userid="999"/>'), "'999' of a match is not among"),
    "match against oneself": (changed('<player2 userid="105"/>', '<player2 userid="101"/>'), "paired with themselves"),
    "paired twice": (changed('<player2 userid="105"/>', '<player2 userid="106"/>'), "paired already in line"),
    "three in a match": (changed('<player1 userid="101"/>', '<player1 userid="101"/><player userid="103"/>'), "neither two"),
    "bye of two": (changed('outcome="0"', 'outcome="5"'), "of two players has the outcome 5 (bye)"),
    "pod twice": (changed("</pods>", '<pod category="2"></pod></pods>'), "the pod Masters is there twice"),
    "unknown pod": (changed('category="2"', 'category="77"'), "pod category '77'"),
    "round twice": (changed('<round number="2"', '<round number="1"'), "round 1 of Masters is there twice"),
    "round of no number": (changed('<round number="2"', '<round number="-1"'), "'-1' is not a round's number"),
    "round of no type": (changed('type="2" stage="2"', 'stage="2"'), "does not say of what type"),
    "table of words": (changed("number>1<", "number>one<"), "'one' is not a table's number"),
    "table too high": (changed("number>1<", "number>70000<"), "'70000' is not a table's number"),
}  # fmt: skip


@pytest.fixture(params=HOSTILE)
def hostile(request, tmp_path):
    text, words = HOSTILE[request.param]
    path = tmp_path / "cup.tdf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path, words


def test_thirty_and_more():
    assert len(HOSTILE) >= 30


def test_one_sentence_and_nothing_changed(hostile, tmp_path, monkeypatch, capsys):
    path, words = hostile
    before = path.read_bytes()
    with pytest.raises(SheetError) as caught:
        tom_file.read(path)
    sentence = str(caught.value)
    assert words and words in sentence and "\n" not in sentence and len(sentence) < 400
    monkeypatch.chdir(tmp_path)
    assert cli.main(["import", "cup.tdf", "--format", "p18 bo3 50"]) == 2
    told = capsys.readouterr()
    assert not told.out and told.err.count("\n") == 1 and words in told.err
    assert [one.name for one in tmp_path.iterdir()] == ["cup.tdf"] and path.read_bytes() == before


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SheetError, match="cannot be read"):
        tom_file.read(tmp_path / "none.tdf")
