"""Cryodex's JSON: read, written, read again; and one sentence for everything else."""

import json

import pytest

from host.formats import cryodex, cryodex_round
from host.formats.csv_reader import SheetError
from host.formats.import_file import ImportedFile
from host.formats.round_format import parse_format

GOOD = {
    "name": "Coppa d'Inverno",
    "players": [{"name": "Zoë", "mov": 75, "score": 5, "sos": 0, "rank": {"swiss": 1}}, {"name": '"Bo"'}, {"name": "=Cy"}],
    "rounds": [
        {"round-type": "swiss", "round-number": 1, "matches": [
            {"player1": "Zoë", "player1points": 40, "player2": '"Bo"', "player2points": 12,
             "result": "win"},
            {"player1": "=Cy", "player1points": 0, "result": "bye"},
        ]},
        {"round-type": "elimination", "round-number": 2,
         "matches": [{"player1": "Zoë", "player2": "=Cy", "result": "win"}]},
    ],
}  # fmt: skip


@pytest.fixture
def put(tmp_path):
    def put(value):
        path = tmp_path / "t.json"
        raw = value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode()
        path.write_bytes(raw)
        return path

    return put


def test_a_round_goes_in_as_an_event_file(put):
    file = ImportedFile(put(GOOD)).event_file(parse_format("xw15 50"), 1)
    assert file.event == "Coppa d'Inverno" and file.round == 1 and not file.format.bits & 1
    assert [(one.table, one.a.number, one.a.name,
             one.b and one.b.name) for one in file.pairings] == [
        (1, "1", "Zoë", '"Bo"'), (None, "3", "=Cy", None),
    ]  # fmt: skip
    last = ImportedFile(put(GOOD)).event_file(parse_format("xw15 70"))
    assert last.round == 2 and last.format.bits & 1 and last.format.bits >> 8 & 3 == 1


def test_what_is_written_is_read_again(put):
    before = cryodex.read(put(GOOD))
    players = [{"name": name, "score": None, "mov": 3, "rank": 1} for name in before.numbers]
    after = cryodex.read(put(cryodex.to_json(before.name, players, before.rounds)))
    assert (after.name, after.numbers) == (before.name, before.numbers)
    assert [[(m.names, m.result) for m in matches] for _, matches in after.rounds] == [
        [(m.names, m.result) for m in matches] for _, matches in before.rounds
    ]


def wrong(**changes):
    return GOOD | changes


MATCH = {"player1": "Zoë", "player2": '"Bo"', "result": "win"}


def match(**changes):
    return wrong(rounds=[{"round-type": "swiss", "matches": [{**MATCH, **changes}]}])


@pytest.mark.parametrize(("value", "words"), [
    (b"{", "t.json:1: is not JSON"),
    (b"\xff", "is not UTF-8"),
    (b"{}\0", "holds a NUL"),
    (b'{"name": NaN}', "NaN is not a number of JSON"),
    (b'{"name": 1, "name": 2}', "names something twice"),
    (b"[" * 100_000, "is nested as no tournament is"),
    ([], "an object with players and rounds"),
    ({}, "players as a list"),
    (wrong(players=[1]), "a player as an object"),
    (wrong(players=[{"name": 7}]), "names as texts"),
    (wrong(players=[{"name": "a\u0007b"}]), "is not a name"),
    (wrong(players=[{"name": "Zoë"}, {"name": " Zoë "}]), "Zoë is there twice"),
    (wrong(rounds=7), "rounds as a list"),
    (wrong(rounds=[{"round-type": "final", "matches": []}]), "neither swiss nor elimination"),
    (match(result="lost"), "the result 'lost' is not known"),
    (match(result="bye"), "a bye has one player"),
    (match(player2=None), "a bye has one player"),
    (match(player2="Nobody"), "Nobody is not among the players"),
    (match(player2="Zoë"), "Zoë is paired twice"),
    (match(player1points=-1), "'-1' is not a number of points"),
    (match(player1points=True), "'True' is not a number of points"),
])  # fmt: skip
def test_a_mistake_is_one_sentence(put, value, words):
    with pytest.raises(SheetError) as caught:
        cryodex.read(put(value))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_round_that_is_not_there(put):
    with pytest.raises(SheetError, match="has 2 rounds, and not a round 3"):
        cryodex_round.event_file(cryodex.read(put(GOOD)), parse_format("xw15 50"), 3)
