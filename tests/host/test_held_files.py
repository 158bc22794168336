"""Commands that write a file which is held, a folder, or where none can be: one sentence each."""

import pytest
from tabletop import MASTER, Venue

from host import cli
from host.archive import master_key
from host.base import private_files


@pytest.fixture
def venue(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = Venue(tmp_path / "plusthree.db", tables=2)
    made.begin(1)
    made.station.close()
    master_key.keep("plusthree.db.key", MASTER)
    return tmp_path


WRITTEN = {
    "out/results.csv": ("export", "csv", "--out", "out"),
    "out/everything.json": ("export", "json", "--out", "out"),
    "out/pairings-round-1.en.html": ("paper", "pairings", "--no-pdf", "--out", "out"),
    "out/luck.html": ("audit", "luck", "plusthree.db", "--html", "out/luck.html"),
    "out/codes.txt": ("paper", "codes", "--text", "--out", "out/codes.txt"),
    "out/report.zip": ("doctor", "report", "--out", "out/report.zip"),
    "out/s.toml": ("board", "provision", "--device", "77", "--out", "out/s.toml"),
}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("way", ("held", "a folder", "no folder"))
def test_what_cannot_be_written_is_one_sentence(venue, capsys, monkeypatch, name, way):
    def refuse(part, path):
        raise PermissionError(13, "Permission denied", str(part), None, str(path))

    if way == "held":  # as Windows says it
        (venue / "out").mkdir()
        (venue / name).write_text("before")
        monkeypatch.setattr(private_files.os, "replace", refuse)
    elif way == "a folder":
        (venue / name).mkdir(parents=True)
    else:
        (venue / "out").write_text("a file")
    assert cli.main([*WRITTEN[name]]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and ("cannot be written" in said or "no folder" in said), said
    assert name.rpartition("/")[2] in said or way == "no folder", said
    if way == "held":
        assert (venue / name).read_text() == "before" and len(list((venue / "out").iterdir())) == 1
