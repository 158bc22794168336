"""``plusthree audit luck``: every flip counts once; only a crooked board stands out."""

import json
import random
import re
import xml.etree.ElementTree as ET

from rolled import EVENT, MASTER, connect, play, rolls_of
from unguarded import unguarded

from firmware.core import events, frames
from host import cli
from host.archive import master_key
from host.archive.records import ArchivedRecord
from host.archive.roster import Board, Event
from host.archive.store import Archive
from host.audit import roll_statistics
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
            frame = frames.sign(
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
    assert cli.main(["audit", "luck", str(tmp_path / "a.db"), "--html", str(page), "--json"]) == 0
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
    assert cli.main(["audit", "luck", str(archive.path), "--html", str(page)]) == 0
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
    assert cli.main(["audit", "luck", str(archive.path), "--html", str(page)]) == 0
    assert "1 things do not fit" in capsys.readouterr().out
    assert "stored here once, and gone" in page.read_text()


def test_without_a_browser_there_is_the_page(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(pdf, "chromium", lambda: None)
    archived(tmp_path / "a.db", even).close()
    target = tmp_path / "luck.pdf"
    assert cli.main(["audit", "luck", str(tmp_path / "a.db"), "--pdf", str(target)]) == 0
    assert "No PDF" in capsys.readouterr().out and target.with_suffix(".html").is_file()


def test_no_rolls_and_no_archive(tmp_path, capsys):
    archived(tmp_path / "a.db", lambda device: []).close()
    assert cli.main(["audit", "luck", str(tmp_path / "a.db")]) == 0
    assert "too few rolls" in capsys.readouterr().out
    assert cli.main(["audit", "luck", str(tmp_path / "none.db")]) == 2
    assert paper.page([], "t").startswith("<!DOCTYPE")
