"""``plusthree audit luck``: every flip counts once; only a crooked board stands out."""

import json
import random
import re
import xml.etree.ElementTree as ET

import pytest
from commands import plusthree
from rolled import EVENT, MASTER, connect, play, rolls_of
from unguarded import unguarded

from firmware.core import events, frames
from host.archive import master_key
from host.archive.records import ArchivedRecord
from host.archive.roster import Board, Event
from host.archive.store import Archive
from host.audit import p_values, roll_statistics
from host.keys import signatures
from host.reports.paper import pdf
from host.reports.paper import roll_report as paper

ROLLS = 400


def archived(path, faces_of, devices=(1, 2, 3)):
    """Return an Archive of made-up rolls; ``faces_of(device)`` gives (a, b) of each ROLLED."""
    archive = Archive(path, connect)
    archive.roster.open_event(Event(EVENT, "Cup & Co", 0))
    for device in devices:
        archive.roster.add_board(Board(device, 1, device), 0)
        key = frames.stream_key(frames.board_key(MASTER, device, 1), EVENT, frames.UP, 1)
        entries = []
        for counter, (a, b) in enumerate(faces_of(device)):
            frame = signatures.sign(
                key, events.ROLLED, device, 1, counter, frames.plain(5, a, b, counter + 1)
            )
            entries.append(ArchivedRecord(device, 1, 1, counter, EVENT, 5, frame))
        archive.commit(entries)
    return archive


def even(device):
    luck = random.Random(device)
    return [
        (0x10, luck.randrange(2) + 1) if luck.random() < 0.5 else (0x11, luck.randrange(6) + 1)
        for _ in range(ROLLS)
    ]


def crooked(device):
    luck = random.Random(device)
    return [(0x10, 1 if luck.random() < (0.7 if device == 2 else 0.5) else 2) for _ in range(ROLLS)]


def test_a_sample_as_json_says_how_often_each_face_was_rolled():
    sample = roll_statistics.Sample("event", "Cup", "a coin", 2, [1, 2, 2, 1, 1])
    found = sample.as_json()
    assert (found["rolls"], found["counts"]) == (5, [3, 2])


def test_a_test_that_there_was_too_little_for_is_a_dash_in_its_own_column():
    tests = {"faces": roll_statistics.Test(1, 0.25), "serial": roll_statistics.Test(1, 0.75)}
    sample = roll_statistics.Sample("event", "Cup", "a coin", 2, [1, 2], tests)
    cells = re.findall(r"<td[^>]*>(.*?)</td>", paper.page([sample], "Luck"))[-4:]
    assert "0.25" in cells[0] and cells[1:3] == ["–", "–"] and "0.75" in cells[3]


def test_each_flip_counts_once():
    assert roll_statistics.faces_of(events.Rolled(0, 0, 2, 2, 0, 1)) == [2]
    assert roll_statistics.faces_of(events.Rolled(0, 1, 2, 5, 0, 1)) == [5]
    assert roll_statistics.faces_of(events.Rolled(0, 0, 2, 0b101, 3, 1)) == [1, 2, 1]
    assert roll_statistics.faces_of(events.Rolled(0, 0, 2, 2, 255, 1)) == [1, 1, 2]


def test_honest_boards_do_not_stand_out(tmp_path):
    with archived(tmp_path / "a.db", even) as archive:
        found = roll_statistics.samples([archive])
    assert [one.level for one in found] == ["board"] * 6 + ["event"] * 2
    assert sum(len(one.faces) for one in found if one.level == "event") == 3 * ROLLS
    assert "Nothing stands out: 29 tests" in roll_statistics.verdict(found)
    made_up = [test for one in found for test in one.tests.values()]
    assert all(test.adjusted >= test.p for test in made_up)


def test_a_crooked_board_is_named(tmp_path):
    with archived(tmp_path / "a.db", crooked) as archive:
        found = roll_statistics.samples([archive])
    assert [one.name for one in found if one.stands_out and one.level == "board"] == [
        "Cup & Co, board 2"
    ]
    assert "Cup & Co, board 2 (coin)" in roll_statistics.verdict(found)


def test_the_page_says_it_all_and_is_well_formed(tmp_path, capsys):
    archived(tmp_path / "a.db", even).close()
    page = tmp_path / "luck.html"
    assert plusthree("audit", "luck", tmp_path / "a.db", "--html", page, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["samples"][0]["counts"] and not told["pdf_skipped"]
    text = page.read_text()
    assert text.count("<svg") == 3 and "Signature" in text and "Cup &amp; Co" in text
    for part in text.split("<svg")[1:]:
        ET.fromstring("<svg" + part.split("</svg>")[0] + "</svg>")


def test_the_page_says_whether_the_rolls_fit_their_seeds(tmp_path, capsys):
    archive = play(tmp_path / "r.db", 4)
    entries = archive.records()
    master_key.keep(master_key.path_of(archive.path), MASTER)
    archive.close()
    page = tmp_path / "luck.html"
    assert plusthree("audit", "luck", archive.path, "--html", page) == 0
    said = (
        f"{len(rolls_of(entries))} rolls recomputed from their seeds; the event is closed and this"
        " is all of it: everything that is here fits"
    )
    assert said in capsys.readouterr().out and said in page.read_text()
    with unguarded(archive.path) as db:
        db.execute(
            "DELETE FROM records WHERE counter = ? AND epoch = ?",
            (entries[-1].counter, entries[-1].epoch),
        )
    assert plusthree("audit", "luck", archive.path, "--html", page) == 0
    assert "1 thing does not fit" in capsys.readouterr().out
    assert "stored here once, and gone" in page.read_text()


def test_without_a_browser_there_is_the_page(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(pdf, "chromium", lambda: None)
    archived(tmp_path / "a.db", even).close()
    target = tmp_path / "luck.pdf"
    assert plusthree("audit", "luck", tmp_path / "a.db", "--pdf", target) == 0
    assert "No PDF" in capsys.readouterr().out and target.with_suffix(".html").is_file()


def test_no_rolls_and_no_archive(tmp_path, capsys):
    archived(tmp_path / "a.db", lambda device: []).close()
    assert plusthree("audit", "luck", tmp_path / "a.db") == 0
    assert "too few rolls" in capsys.readouterr().out
    assert plusthree("audit", "luck", tmp_path / "none.db") == 2
    assert paper.page([], "t").startswith("<!DOCTYPE")


# value, degrees of freedom, tail: the usual table of critical values, three digits
TABLE = (
    (3.841, 1, 0.05), (6.635, 1, 0.01), (10.828, 1, 0.001), (11.070, 5, 0.05), (15.086, 5, 0.01),
    (20.515, 5, 0.001), (1.145, 5, 0.95), (14.067, 7, 0.05), (24.322, 7, 0.001), (49.802, 35, 0.05),
    (82.529, 63, 0.05), (293.248, 255, 0.05), (124.342, 100, 0.05), (0.554, 5, 0.99),
)  # fmt: skip


@pytest.mark.parametrize(("value", "freedom", "tail"), TABLE)
def test_chi_square_is_the_tables(value, freedom, tail):
    assert p_values.chi_square_tail(value, freedom) == pytest.approx(tail, rel=2e-3)


def test_the_normal_tails():
    for z, tail in ((1.95996, 0.05), (-2.57583, 0.01), (3.29053, 0.001), (0, 1)):
        assert p_values.two_sided(z) == pytest.approx(tail, rel=1e-4)


def test_holm_by_hand():
    assert p_values.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert p_values.holm([]) == [] and p_values.holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.parametrize("sides", (2, 6, 8))
def test_even_luck_gets_even_p_values(sides):
    luck = random.Random(sides)
    found = {name: [] for name in ("spread", "pairs", "runs", "serial")}
    for _ in range(200):
        faces = [luck.randrange(sides) + 1 for _ in range(1000)]
        found["spread"].append(
            p_values.uniform([faces.count(face) for face in range(1, sides + 1)])[1]
        )
        found["pairs"].append(p_values.pairs(faces, sides, 3)[1])
        found["runs"].append(p_values.runs(faces, sides)[1])
        found["serial"].append(p_values.serial(faces, sides)[1])
    for name, values in found.items():
        assert min(values) > 1e-4, name
        assert 60 <= sum(value < 0.5 for value in values) <= 140, name


def test_crooked_luck_does_not():
    luck = random.Random(1)
    faces = [luck.choice((1, 1, 1, 2, 2)) for _ in range(2000)]
    assert p_values.uniform([faces.count(1), faces.count(2)])[1] < 1e-6
    sticky = [1]
    for _ in range(2000):
        sticky.append(sticky[-1] if luck.random() < 0.6 else 3 - sticky[-1])
    assert p_values.runs(sticky, 2)[1] < 1e-6 and p_values.serial(sticky, 2)[1] < 1e-6
    assert p_values.pairs(sticky, 2)[1] < 1e-6


def test_few_rolls_say_nothing():
    assert p_values.uniform([3, 2]) is None and p_values.runs([1] * 9, 2) is None
    assert p_values.serial([1] * 9, 2) is None
