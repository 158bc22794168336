"""TOM's files: read, filled, written: only the outcomes touched differ, byte for byte."""

import pathlib

import pytest
import tomfile

from host.formats import tom_file, tom_results, tom_round
from host.formats.csv_reader import SheetError
from host.formats.round_format import parse_format
from host.formats.tom_results import KnownResult

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
    assert (
        file.players["306"].dropped == 1
        and file.players["307"].late
        and not file.players["301"].late
    )
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
    assert filled.with_state(tom_results.DIFFERS) == [decided] and filled.with_state(
        tom_results.SAME
    ) == [file.matches[1]]
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


@pytest.mark.parametrize(
    ("text", "more", "words"),
    [
        (tomfile.swiss(), {"round_number": 7}, "no matches in round 7"),
        (tomfile.swiss().replace("number>1<", "number>2<"), {}, "table 2 is given already in line"),
        (tomfile.swiss().replace("number>1<", "number>0<"), {}, "no table yet"),
        (
            tomfile.pods().replace('type="2" stage="2"', 'type="1" stage="2"', 1),
            {},
            "elimination for Juniors alone",
        ),
    ],
)
def test_a_round_that_cannot_be_played_as_it_stands(read, text, more, words):
    with pytest.raises(SheetError, match=words):
        tom_round.event_file(read(text), parse_format("p18 30"), **more)
