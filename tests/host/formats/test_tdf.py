"""TOM's files: read, filled and written byte for byte; damaged and hostile ones are refused."""

import contextlib
import json
import pathlib

import pytest
import tomfile
from commands import FORMAT, plusthree, put
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.core import intents
from host.archive.people import People
from host.archive.store import Archive
from host.event import event_log
from host.formats import tom_file, tom_results, tom_round
from host.formats.csv_reader import SheetError
from host.formats.round_format import parse_format
from host.formats.tom_results import KnownResult
from host.web import roundcard

FIXTURES = pathlib.Path(__file__).parent / "tdf"
VARIANTS = {
    "as TOM writes": lambda raw: raw,
    "CRLF": lambda raw: raw.replace(b"\n", b"\r\n"),
    "BOM": lambda raw: b"\xef\xbb\xbf" + raw,
    "single quotes and blanks": lambda raw: raw.replace(b'outcome="0"', b"note='>' outcome = '0'"),
    "one line": lambda raw: raw.replace(b"\n", b"").replace(b"\t", b""),
    "comments": lambda raw: raw.replace(b"<matches>", b'<matches><!-- <match outcome="0"> -->'),
}


def known(file):
    """Return a result for every open match, the seats turned in every other one."""
    told = []
    for place, match in enumerate(m for m in file.matches if m.playable and m.outcome == 0):
        a, b = match.numbers if place % 2 else match.numbers[::-1]
        told.append(
            KnownResult(
                match.round,
                a,
                b,
                "AB"[place % 2] if match.elimination else ("A", "B", "tie")[place % 3],
            )
        )
    return told


@pytest.fixture
def read(tmp_path):
    def read(text, change=lambda raw: raw):
        path = tmp_path / "cup.tdf"
        path.write_bytes(change(text if isinstance(text, bytes) else text.encode()))
        return tom_file.read(path)

    return read


@pytest.mark.parametrize("name", tomfile.WHOLE)
def test_the_committed_files_are_the_generators(name):
    assert (FIXTURES / f"{name}.tdf").read_bytes() == tomfile.WHOLE[name]().encode()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", tomfile.WHOLE)
def test_only_the_matches_touched_differ(read, tmp_path, name, variant):
    file = read((FIXTURES / f"{name}.tdf").read_bytes(), VARIANTS[variant])
    results = known(file)
    filled = tom_results.fill(file, results)
    assert len(filled.with_state(tom_results.FILLED)) == len(results) > 0 and not filled.unmatched
    copy = tom_results.write_copy(file, filled, tmp_path / "out")
    after = copy.read_bytes()
    assert len(after) == len(file.raw)
    touched = {match.span[0] for match in filled.with_state(tom_results.FILLED)}
    assert {
        n for n, pair in enumerate(zip(file.raw, after, strict=True)) if pair[0] != pair[1]
    } == touched
    assert file.path.read_bytes() == file.raw
    winners = {told.round: {} for told in results}
    for told in results:
        winners[told.round][frozenset((told.a, told.b))] = {"A": told.a, "B": told.b, "tie": None}[
            told.outcome
        ]
    for match in tom_file.read(copy).matches:
        if match.span[0] in touched:
            won = match.numbers[match.outcome - 1] if match.outcome < 3 else None
            assert won == winners[match.round][frozenset(match.numbers)]


def test_what_is_read(read):
    file = read(tomfile.byes())
    assert file.name == "Coppa d'Inverno" and len(file.players) == 7 and file.open_round == 2
    assert file.players["306"].dropped == 1 and file.players["307"].late
    assert not file.players["301"].late
    assert [m.outcome for m in file.matches] == [1, 10, 5, 4, 8, 0, 0, 5, 9]
    assert (
        file.players["302"].name == "さくら 田中" and file.players["305"].name == "Siobhán O'Connor"
    )


def test_of_a_birth_date_only_the_year_is_kept(read):
    file = read(tomfile.pods())
    assert {player.birth_year for player in file.players.values()} == {2015, 2011, 1998}
    assert not any(
        "05/09" in repr(player) or "11/30" in repr(player) for player in file.players.values()
    )


def test_what_toms_user_has_decided_is_left_and_told(read):
    file = read(tomfile.swiss())
    decided = file.matches[0]
    told = [
        KnownResult(1, *decided.numbers, "B"),
        KnownResult(1, *file.matches[1].numbers[::-1], "A"),
        KnownResult(2, "1", "2", "A"),
    ]
    filled = tom_results.fill(file, told)
    assert filled.raw == file.raw
    assert filled.with_state(tom_results.DIFFERS) == [decided]
    assert filled.with_state(tom_results.SAME) == [file.matches[1]]
    assert filled.unmatched == (told[2],)
    assert "TOM says: 1" in tom_results.typing_list(file, filled)[0]


def test_a_tie_in_elimination_is_not_written(read):
    file = read(tomfile.cut())
    match = file.matches[2]
    filled = tom_results.fill(file, [KnownResult(2, *match.numbers, "tie")])
    assert filled.raw == file.raw and filled.with_state(tom_results.TIED) == [match]
    assert "ask the head judge" in tom_results.typing_list(file, filled)[0]


def test_the_list_to_type_is_in_table_order(read):
    file = read(tomfile.pods())
    lines = tom_results.typing_list(file, tom_results.fill(file, known(file)))
    assert [int(line.split("table")[1].split()[0]) for line in lines] == [1, 2, 3, 4, 5, 6]
    assert all("→" in line and "wins" in line or "(tie)" in line for line in lines)


def test_a_copy_never_takes_a_name_that_is_taken(read, tmp_path):
    file = read(tomfile.swiss())
    filled = tom_results.fill(file, known(file))
    first, second = (tom_results.write_copy(file, filled, tmp_path) for _ in range(2))
    assert [first.name, second.name] == ["cup.plusthree-1.tdf", "cup.plusthree-2.tdf"]
    third = tom_results.write_copy(tom_file.read(first), filled_again(first), tmp_path)
    assert third.name == "cup.plusthree-3.tdf"  # TOM may have the first copy open


def filled_again(path):
    return tom_results.fill(tom_file.read(path), [])


def test_a_file_that_tom_saved_meanwhile_is_not_copied(read, tmp_path):
    file = read(tomfile.swiss())
    filled = tom_results.fill(file, known(file))
    file.path.write_bytes(file.raw + b"\n")
    with pytest.raises(SheetError, match="changed on disk"):
        tom_results.write_copy(file, filled, tmp_path / "out")
    assert not list((tmp_path / "out").iterdir()) if (tmp_path / "out").exists() else True


def test_a_round_goes_in_as_an_event_file(read):
    file = tom_round.event_file(read(tomfile.byes()), parse_format("p18 elimination bo3 50"))
    assert file.event == "Coppa d'Inverno" and file.round == 2 and file.format.bits & 1 == 0
    assert [(one.table, one.a.number, one.b and one.b.number) for one in file.pairings] == [
        (2, "307", "301"), (1, "302", "303"), (None, "304", None),
    ]  # fmt: skip
    assert (
        tom_round.event_file(read(tomfile.cut()), parse_format("p18 bo3 50")).format.bits & 1 == 1
    )
    assert len(tom_round.event_file(read(tomfile.pods()), parse_format("p18 30")).pairings) == 6
    assert (
        len(tom_round.event_file(read(tomfile.pods()), parse_format("p18 30"), pod="1").pairings)
        == 2
    )


@pytest.mark.parametrize(("text", "more", "words"), [
    (tomfile.swiss(), {"round_number": 7}, "no matches in round 7"),
    (tomfile.swiss().replace("number>1<", "number>2<"), {}, "table 2 is given already in line"),
    (tomfile.swiss().replace("number>1<", "number>0<"), {}, "no table yet"),
    (tomfile.pods().replace('type="2" stage="2"', 'type="1" stage="2"', 1), {}, "elimination for Juniors alone"),
])  # fmt: skip
def test_a_round_that_cannot_be_played_as_it_stands(read, text, more, words):
    with pytest.raises(SheetError, match=words):
        tom_round.event_file(read(text), parse_format("p18 30"), **more)


FILES = [make().encode() for make in tomfile.WHOLE.values()]
PIECES = [
    b"<", b">", b'"', b"'", b"&", b"/>", b"<match", b"</match>", b' outcome="0"', b'outcome="10"',
    b"&#48;", b"\0", b"\xff", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x?>", b"<!DOCTYPE t>",
    b"&amp;", b"0", b"-1", b"\xef\xbb\xbf", b"userid", b"\r\n",
]  # fmt: skip


@st.composite
def mangled(draw):
    raw = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(raw)))
        end = min(len(raw), start + draw(st.integers(0, 30)))
        raw = (
            raw[:start]
            + draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=4)))
            + raw[end:]
        )
    return raw


@settings(max_examples=400, deadline=None)
@given(mangled(), st.sampled_from(("A", "B", "tie")))
def test_a_mangled_file(raw, outcome):
    with contextlib.suppress(SheetError):
        file = tom_file.tdf_of("cup.tdf", raw)
        told = [KnownResult(m.round, *m.numbers, outcome) for m in file.matches if m.playable]
        filled = tom_results.fill(file, told)
        after = tom_file.tdf_of("cup.tdf", filled.raw)
        touched = {match.span[0] for match in filled.with_state(tom_results.FILLED)}
        untouched = [m for m in file.matches if m.span[0] not in touched]
        places = [n for n, m in enumerate(file.matches) if m.span[0] not in touched]
        assert [after.matches[n].outcome for n in places] == [m.outcome for m in untouched]
        tom_results.typing_list(file, filled)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(raw):
    with pytest.raises(SheetError) as caught:
        tom_file.tdf_of("cup.tdf", raw)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("code", ["&#48;", "&#x30;"])
def test_an_outcome_behind_a_character_reference(code):
    file = tom_file.tdf_of(
        "cup.tdf", tomfile.swiss().replace('outcome="0"', f'outcome="{code}"', 1).encode()
    )
    match = next(m for m in file.matches if m.outcome == 0)
    filled = tom_results.fill(file, [KnownResult(match.round, *match.numbers, "A")])
    assert filled.raw == tomfile.swiss().replace('outcome="0"', 'outcome="1"', 1).encode()


GOOD = tomfile.swiss()
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
DOCTYPE = '<?xml version="1.0"?>\n<!DOCTYPE tournament [{}]>\n'


def doctype(inside):
    return GOOD.replace('<?xml version="1.0" encoding="UTF-8"?>\n', DOCTYPE.format(inside))


def replaced(old, new, count=1):
    assert old in GOOD
    return GOOD.replace(old, new, count)


HOSTILE = {
    "billion laughs": (doctype('<!ENTITY l0 "ha">' + LAUGHS).replace("Milano", "&l9;"), "a DTD or an entity"),
    "quadratic blowup": (doctype(f'<!ENTITY a "{"a" * 9999}">').replace("Milano", "&a;" * 999), "a DTD or an entity"),
    "external entity": (doctype('<!ENTITY x SYSTEM "file:///etc/passwd">').replace("Milano", "&x;"), "a DTD or an entity"),
    "external DTD": (GOOD.replace("<tournament ", '<!DOCTYPE t SYSTEM "http://example.org/t.dtd"><tournament ', 1), "a DTD"),
    "parameter entity": (doctype('<!ENTITY % p SYSTEM "http://example.org/p">%p;'), "a DTD or an entity"),
    "undefined entity": (replaced("Milano", "&nothing;"), "is not whole: undefined entity"),
    "10 MB": (replaced("Milano", "x" * 10_000_000), "far too large"),
    "10 MB of elements": (replaced("<city>", "<b/>" * 500_000 + "<city>"), "filled as no tournament is"),
    "elements between texts": (replaced("<city>", "x<b/>" * 150_000 + "<city><city>"), "is not whole: mismatched tag"),
    "nested deep": (replaced("<city>", "<a>" * 5000 + "</a>" * 5000 + "<city>"), "nested or filled"),
    "wrong encoding": (GOOD.encode("latin-1", "replace").replace(b"?", b"\xfc"), "is not UTF-8"),
    "windows-1252 declared": (replaced("UTF-8", "windows-1252"), "says that it is 'windows-1252', not UTF-8"),
    "unknown encoding declared": (replaced("UTF-8", "x-none"), "says that it is 'x-none', not UTF-8"),
    "UTF-16": (GOOD.encode("utf-16"), "is UTF-16, not UTF-8"),
    "UTF-7 smuggled": (replaced("UTF-8", "UTF-7"), "says that it is 'UTF-7', not UTF-8"),
    "NUL": (replaced("Milano", "Mil\0ano"), "holds a NUL"),
    "control character": (replaced("Milano", "Mil\x07ano"), "is not whole: not well-formed"),
    "truncated": (GOOD[: len(GOOD) // 2], "is not whole"),
    "truncated in a tag": (GOOD[: GOOD.index("<match ") + 9], "is not whole"),
    "empty": ("", "is empty"),
    "blanks": ("  \n\n", "is empty"),
    "HTML": ("<html><body>Not found</body></html>", "not with TOM's <tournament>"),
    "JSON": ('{"tournament": 1}', "is not whole"),
    "two roots": (GOOD + "<tournament/>", "is not whole: junk after document element"),
    "another namespace": (replaced("<tournament ", '<tournament xmlns="urn:x" '), "not with TOM's <tournament>"),
    "no players": (replaced("players>", "people>", 2), "one <players> and holds 0"),
    "two pods sections": (replaced("<pods>", "<pods></pods><pods>"), "one <pods> and holds 2"),
    "unknown outcome": (replaced('outcome="0"', 'outcome="7"'), "outcome '7' is not known"),
    "outcome as a word": (replaced('outcome="0"', 'outcome="win"'), "outcome 'win' is not known"),
    "outcome with a zero before": (replaced('outcome="0"', 'outcome="01"'), "outcome '01' is not known"),
    "outcome in other digits": (replaced('outcome="0"', 'outcome="٣"'), "is not known"),
    "no outcome": (replaced('match outcome="0"', "match"), "has no outcome"),
    "outcome twice": (replaced('outcome="0"', 'outcome="0" outcome="1"'), "duplicate attribute"),
    "duplicated id": (replaced('<player userid="102">', '<player userid="101">'), "player 101 is there twice"),
    "player without id": (replaced('<player userid="102">', '<player userid=" ">'), "has no number"),
    "player without name": (
        replaced("<firstname>Ольга</firstname>", "").replace("<lastname>Кузнецова</lastname>", "<lastname> </lastname>"),
        "player 104 has no name",
    ),
    "endless name": (replaced("<firstname>Zoë", "<firstname>" + "Z" * 300), "longer than 200"),
    "endless id": (replaced('<player userid="102">', f'<player userid="{"1" * 40}">'), "longer than 32"),
    "match of strangers": (replaced('<player1 userid="101"/>', '<player1 userid="999"/>'), "'999' of a match is not among"),
    "match against oneself": (replaced('<player2 userid="105"/>', '<player2 userid="101"/>'), "paired with themselves"),
    "paired twice": (replaced('<player2 userid="105"/>', '<player2 userid="106"/>'), "paired already in line"),
    "three in a match": (replaced('<player1 userid="101"/>', '<player1 userid="101"/><player userid="103"/>'), "neither two"),
    "bye of two": (replaced('outcome="0"', 'outcome="5"'), "of two players has the outcome 5 (bye)"),
    "pod twice": (replaced("</pods>", '<pod category="2"></pod></pods>'), "the pod Masters is there twice"),
    "unknown pod": (replaced('category="2"', 'category="77"'), "pod category '77'"),
    "round twice": (replaced('<round number="2"', '<round number="1"'), "round 1 of Masters is there twice"),
    "round of no number": (replaced('<round number="2"', '<round number="-1"'), "'-1' is not a round's number"),
    "round of no type": (replaced('type="2" stage="2"', 'stage="2"'), "does not say of what type"),
    "table of words": (replaced("number>1<", "number>one<"), "'one' is not a table's number"),
    "table too high": (replaced("number>1<", "number>70000<"), "'70000' is not a table's number"),
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
    assert plusthree("import", "cup.tdf", "--format", "p18 bo3 50") == 2
    told = capsys.readouterr()
    assert not told.out and told.err.count("\n") == 1 and words in told.err
    assert [one.name for one in tmp_path.iterdir()] == ["cup.tdf"] and path.read_bytes() == before


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SheetError, match="cannot be read"):
        tom_file.read(tmp_path / "none.tdf")


def test_finished_rounds_come_with_results_byes_and_drops(run):
    told = run("import", put("cup.tdf", tomfile.evening(3)), "--format", FORMAT)
    assert "round 3 of 3: 3 matches, 1 bye" in told
    assert "round 1 was read: 4 results, 4 matches" in told
    assert "round 2 was read: 3 results, 3 matches" in told
    table = json.loads(
        run("show", "standings", "--pack", "pokemon-swiss", "--round", "3", "--json", code=1)
    )
    points = {line["number"]: line["points"] for line in table["lines"]}
    assert points["501"] == 6 and sum(points.values()) == 7 * 3 + 2 * 3  # seven matches, two byes
    assert "round 3 of 3: stored" in run("show", "status")
    with Archive("plusthree.db") as archive:
        assert [one.player.number for one in People(archive).every if one.dropped] == ["508"]


def test_the_next_round_keeps_opponents_and_points(run):
    run("import", put("cup.tdf", tomfile.evening(2, range(501, 508))), "--format", FORMAT)
    run("pair", "next.csv", "--pack", "pokemon-swiss", "--seed", "3")
    pairs = {
        frozenset(m.numbers) for m in tom_file.read(pathlib.Path("cup.tdf")).matches if m.playable
    }
    rows = [
        line.split(",") for line in pathlib.Path("next.csv").read_text("utf-8-sig").splitlines()
    ]
    drafted = {frozenset((row[1], row[3])) for row in rows if len(row) > 4 and row[0].isdigit()}
    assert len(drafted) == 3 and not drafted & pairs


def test_a_tournament_that_is_over_is_read_whole_and_each_difference_is_named(run):
    places = [501, 502, 503, 504, 507, 506, 505]
    told = run("import", put("cup.tdf", tomfile.evening(2, places)), "--format", FORMAT)
    assert "round 2 was read: 3 results, 3 matches" in told
    assert "round 2 of 2: over" in run("show", "status")
    lines = run("show", "standings", "--pack", "pokemon-swiss", code=1).splitlines()
    assert any("place 2 in cup.tdf" in line and "(502)" in line for line in lines)
    assert not any("(501): place" in line for line in lines)  # first here and there


# Swiss ranks 501, 505, 504, 503; both first seeds lose their semi-final and 504 wins the final
SEMI_FINALS = [(2, 501, 503), (2, 505, 504)]
BRACKET = [SEMI_FINALS, [(1, 504, 503)]]
FINISHED = [504, 503, 501, 505, 506, 502, 507]


def _told_of_places(run, places, bracket=BRACKET, *words):
    """Import an evening with a cut; return what ``standings`` says of TOM's places."""
    run("import", put("cup.tdf", tomfile.evening(3, places, bracket)), "--format", FORMAT)
    said = run("show", "standings", "--pack", "pokemon-swiss", *words, code=1).splitlines()
    return [line for line in said if "place" in line and "cup.tdf" in line]


def test_places_of_a_finished_cut_are_those_of_its_bracket(run):
    assert _told_of_places(run, FINISHED) == []


def test_a_finalist_whom_tom_places_otherwise_is_named(run):
    told = _told_of_places(run, [503, 504, *FINISHED[2:]])
    assert [line[-len("place 1 in cup.tdf, 2 here") :] for line in told] == [
        "place 1 in cup.tdf, 2 here",
        "place 2 in cup.tdf, 1 here",
    ]
    assert "(503)" in told[0] and "(504)" in told[1]


def test_a_match_for_third_place_decides_between_the_losers_of_the_semi_finals(run):
    bracket = [SEMI_FINALS, [(1, 504, 503), (1, 505, 501)]]
    assert len(_told_of_places(run, FINISHED, bracket)) == 2
    right = tomfile.evening(3, [504, 503, 505, 501, *FINISHED[4:]], bracket)
    run("import", put("cup.tdf", right), "--format", FORMAT)
    said = run("show", "standings", "--pack", "pokemon-swiss", code=1)
    assert "cup.tdf" not in said


def test_places_are_not_compared_while_a_match_of_the_bracket_is_open(run):
    assert _told_of_places(run, FINISHED[::-1], [SEMI_FINALS, [(0, 504, 503)]]) == []


def test_places_of_a_cut_are_not_compared_with_a_ranking_from_before_it(run):
    assert _told_of_places(run, FINISHED[::-1], BRACKET, "--round", "3") == []


def test_without_its_bracket_a_cut_leaves_the_others_to_compare(run):
    run("import", put("cup.tdf", tomfile.evening(3, FINISHED, BRACKET)), "--format", FORMAT,
        "--round", "3")  # fmt: skip
    assert "place" not in run("show", "standings", "--pack", "pokemon-swiss", code=1)
    run("import", put("b.tdf", tomfile.evening(3, [*FINISHED[:4], 502, 506, 507], BRACKET)),
        "--format", FORMAT, "--round", "3")  # fmt: skip
    told = run("show", "standings", "--pack", "pokemon-swiss", code=1)
    assert told.count("in b.tdf") == 2


def test_what_was_not_read_is_said_by_import_and_status(run):
    text = tomfile.evening(3)
    first, rest = text.index('<round number="1"'), text.index('<round number="2"')
    put("cup.tdf", text[:first] + text[rest:])
    said = "round 1 is not in this archive: standings and opponents leave it out"
    assert said in run("import", "cup.tdf", "--format", FORMAT)
    assert said in run("show", "status")


def test_toms_times_are_kept_and_told_where_they_differ(run):
    told = run("import", put("cup.tdf", tomfile.cut()), "--format", FORMAT)
    assert "cup.tdf gives an elimination round 75 minutes, this one has 50" in told
    assert "cup.tdf gives an elimination round 75 minutes" in run("show", "status")
    assert "elimination bo3 constructed 50" in told  # a judge approves, as in every elimination
    run("import", put("b.tdf", tomfile.swiss()), "--format", FORMAT, "b.db")
    later = tomfile.swiss().replace("roundtime>50<", "roundtime>40<")
    later = later.replace("<data>", "<data><x/>").replace('number="2"', 'number="3"')
    told = run("import", put("c.tdf", later), "b.db")  # no format: TOM's minutes
    assert "p18 swiss bo3 constructed 40" in told


def test_a_cut_that_is_paired_here_has_toms_minutes(run):
    run("import", put("cup.tdf", tomfile.evening(3, range(501, 508))), "--format", FORMAT)
    run("pair", "cut.csv", "--pack", "pokemon-swiss", "--cut", "4", "--seed", "1")
    assert "elimination bo3 constructed 75" in pathlib.Path("cut.csv").read_text("utf-8-sig")


def test_a_tournament_not_yet_paired_says_so_and_what_to_do(run):
    text = tomfile.swiss()
    text = text[: text.index("<rounds>") + 8] + text[text.index("</rounds>") :]
    told = run("import", put("new.tdf", text), "--format", FORMAT, code=2)
    assert "not paired yet (8 players)" in told and "pair round 1 in TOM" in told
    words = ("pair", "r1.csv", "--players", "new.tdf", "--format", FORMAT)
    assert "101" in run(*words, "--pack", "pokemon-swiss", "--event", "Cup")


def test_a_double_loss_and_a_missed_round_are_losses(run):
    run("import", put("b.tdf", tomfile.byes()), "--format", FORMAT)
    assert "both lose (file)" in run("show", "results", "--all")
    lines = json.loads(run("show", "results", "--all", "--json"))
    double = next(line for line in lines if line["outcome"] == "neither")
    assert double["games_a"] is None and {double["number_a"], double["number_b"]} == {"303", "306"}
    run("export", "tdf", "--tdf", "b.tdf", "--round", "1")


def test_a_result_typed_into_tom_later_comes_with_the_next_import(run):
    run("import", put("cup.tdf", tomfile.evening(2)), "--format", FORMAT)
    decided = tomfile.evening(2).replace('outcome="0"', 'outcome="2"', 1)
    told = run("import", put("cup.tdf", decided), "--format", FORMAT)
    assert "round 2 was read: 1 result, 3 matches" in told
    assert "results: 1 of 3" in run("show", "status")


def test_a_round_of_the_file_that_is_done_can_neither_be_dropped_nor_paired_anew(run):
    run("import", put("cup.tdf", tomfile.evening(2)), "--format", FORMAT)
    with Archive("plusthree.db") as archive:
        assert archive.orders.last_round(intents.SET_ROUND) is None
        assert roundcard.published(archive, 1) and not roundcard.published(archive, 2)
        assert roundcard.RoundRecord(archive, 1).short({1, 2, 3, 4}, 0)["state"] == "closed"


def test_the_log_says_in_words_what_the_file_told(run):
    run("import", put("cup.tdf", tomfile.evening(2, range(501, 508))), "--format", FORMAT)
    with Archive("plusthree.db") as archive:
        told = {str(line["what"]): str(line["value"]) for line in event_log.lines(archive)}
    assert told["results from a file"] == "round 2: cup.tdf"
    assert told["round times from a file"] == "cup.tdf: 50 and 75 minutes"
    assert told["standings from a file"] == "round 2: cup.tdf"
