"""Whoever tampers with an event is found or refused: every place, with and without a key, before and
after the host went on over it.

tampering.md here is the table; ways of one place that end alike share a row. `make prove` tries all
of it and prints it, `make test` a few ways.
"""

import contextlib
import inspect
import re
import shutil
import sqlite3
from typing import NamedTuple

import pytest
import tree
from tamper_scene import PHRASE, Laid, exporting, said, sentences, served
from tamper_ways import ARCHIVE, BECAUSE, EXPORTS, HOLDER, NOBODY, PAPER, STICK, THIEF, WAYS

from host.archive import schema
from host.base.errors import UserError

FOUND, REFUSED, UNSEEN = "found", "refused", "cannot be found"
AS_IT_WAS = "the event is as it was"  # nothing of it is changed, or its boards sent it again
COPY, RECEIPT, TABLES = "copy", "receipt", "rows"
_OURS = "DOES NOT FIT"


class Verdict(NamedTuple):
    """What came of a try: one of the words above, and the command that said so, or why none can."""

    word: str
    by: str

    def __str__(self):
        return (
            f"{self.word}, because {self.by}" if self.word == UNSEEN else f"{self.word}: {self.by}"
        )


class Judge:
    """Compares each try with the same commands over a scene that nobody tampered with."""

    def __init__(self, laid, folder):
        self._laid, self._folder = laid, folder
        self._honest = {
            (place, ran): self._heard(laid.scene(folder), place, ran)
            for place in (ARCHIVE, STICK)
            for ran in (False, True)
        }
        assert not any(isinstance(one, Verdict) for one in self._honest.values()), self._honest

    def tried(self, way, means, ran):
        """Return the Verdict on a try; ``ran``: after the host went on over it.

        Of what the master key's holder did it is the receipt's, without any copy; of others the
        audit's, alone and beside a copy, without a receipt.
        """
        scene = self._laid.scene(self._folder)
        try:
            way.act(scene, means)
            if way.place == EXPORTS:
                return Verdict(FOUND, "export") if _exported_anew(scene) else Verdict(UNSEEN, "")
            heard = self._heard(scene, way.place, ran)
        finally:
            shutil.rmtree(scene.folder)
        if isinstance(heard, Verdict):
            return heard
        place = STICK if way.place == STICK else ARCHIVE
        without = COPY if means == HOLDER or way.place == PAPER else RECEIPT
        for verdict in _verdicts(heard, self._honest[place, ran]):
            if verdict.by != without:
                return verdict
        same = self._as_honest(heard, place, ran)
        return Verdict(UNSEEN, AS_IT_WAS if same else BECAUSE.get(way.name, ""))

    def _as_honest(self, heard, place, ran):
        """Return whether an archive holds just what the copy out of reach does."""
        honest = self._honest[place, ran]
        return all(heard[name] == honest[name] for name in (TABLES, COPY))

    def _heard(self, scene, place, ran):
        """Return what each command says, or the Verdict of the one that refuses."""
        path, heard = scene.path, {}
        if place == STICK:
            path = scene.folder / "new" / "a.db"
            path.parent.mkdir()
            code, text = said("restore", scene.stick, path)
            if code == 2:
                return Verdict(REFUSED, "restore")
            heard["restore"] = {one for one in text.splitlines() if one.startswith("passed over")}
        if ran and not _serves(scene, path):
            return Verdict(REFUSED, "serve")
        options = {
            "audit": ("--final",),
            COPY: ("--final", "--against", scene.kept),
            RECEIPT: ("--final", "--receipt", scene.words),
        }
        for name, words in options.items():
            code, heard[name] = sentences(path, words, ran)
            if code == 2 and name == RECEIPT:
                return Verdict(REFUSED, RECEIPT)
            if code == 2:
                return Verdict(REFUSED, "audit")
        if not ran and _refuses(path):
            return Verdict(REFUSED, "serve")
        heard[TABLES] = rows_of(path)
        return heard


def rows_of(path):
    """Return how many rows an archive's tables have, with what no copy is compared with."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        counts = (
            f"{name} {db.execute(f'SELECT count(*) FROM {name}').fetchone()[0]}"
            for name in sorted(schema.GUARDED + ("players", "pairings", "boards", "rounds"))
            if name not in ("counterfoils", "sends")
        )
        return {*counts, *map(str, db.execute("SELECT * FROM reserved").fetchall())}


def _refuses(path):
    return said("serve", "--no-radio", "--no-web", path)[0] == 2


def _serves(scene, path):
    if _refuses(path):
        return False
    try:
        served(scene, path)
    except UserError:
        return False
    return True


def _verdicts(heard, honest):
    """Return a Verdict for each command that says more than of an honest scene."""
    more = {name: lines - honest[name] for name, lines in heard.items() if name != TABLES}
    named = [name for name, lines in more.items() if lines]
    named.sort(key=lambda name: not any(line.startswith(_OURS) for line in more[name]))
    return [Verdict(FOUND, name) for name in named]


def _exported_anew(scene):
    """Return whether the exports are not what the archive's own would be."""
    again = scene.folder / "again"
    again.mkdir()
    for form in ("csv", "json"):
        said(*exporting(scene, form, again))
    return any(
        not (scene.exports / one.name).exists()
        or (scene.exports / one.name).read_bytes() != one.read_bytes()
        for one in again.iterdir()
    )


QUICK = (
    "records: changed", "the head removed", "a link in the newest copy",
)  # fmt: skip
PAGE = (tree.ROOT / "tests" / "prove" / "tampering.md").read_text("utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ")][1:]


def ways_of(row):
    place, done, *ends = row.strip("| ").split(" | ")
    return [f"| {' | '.join([place, way, *ends])} |" for way in done.split("; ")]


LISTED = [line for row in ROWS for line in ways_of(row)]


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tampering")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLUSTHREE_PASSPHRASE", PHRASE)
        yield Judge(Laid(folder), folder)


def lines(judge, way):
    """Return the table's lines of a way: a second one where a stolen board can sign it."""
    held = [judge.tried(way, HOLDER, ran) for ran in (False, True)]
    found = []
    for means in (NOBODY, THIEF) if way.signs else (NOBODY,):
        cells = [judge.tried(way, means, ran) for ran in (False, True)] + held
        found.append(f"| {names(way)[len(found)]} | {' | '.join(map(str, cells))} |")
    return found


def names(way):
    """Return how the table's lines of a way begin."""
    whole = f"{way.place} | {way.name}"
    return [whole, f"{whole}, signed with a stolen board's key"] if way.signs else [whole]


def test_each_way_ends_as_the_page_says(judge, proving, printed, progress):
    tried = []
    for way in WAYS:
        if proving or way.name in QUICK:
            tried += lines(judge, way)
            progress(tried[-1])
    printed(f"tampering: {len(tried)} of {len(LISTED)} rows", tried)
    assert [line for line in tried if line not in LISTED] == []
    assert len(tried) == (len(LISTED) if proving else len(QUICK) + 1)


def test_the_page_has_each_way_once_and_a_reason_for_what_cannot_be_found():
    listed = [" | ".join(line.strip("| ").split(" | ")[:2]) for line in LISTED]
    assert sorted(listed) == sorted(name for way in WAYS for name in names(way))
    assert not [line for line in LISTED if "because  |" in line or "because |" in line]
    outcomes = ("found: ", "refused: ", "cannot be found, because ")
    for line in LISTED:
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        assert len(cells) == 6 and all(cell.startswith(outcomes) for cell in cells[2:]), line


@pytest.mark.parametrize("table", re.findall(r"CREATE TABLE (\w+)", inspect.getsource(schema)))
def test_every_table_of_an_archive_is_tampered_with(table):
    word = "audit log" if table == "counterfoils" else table
    assert any(way.name.startswith(f"{word}: ") for way in WAYS)
