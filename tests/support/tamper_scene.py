"""An event that was played and closed, with everything that lies around, for people to tamper with.

``Laid`` makes it once; each try gets a ``Scene`` of its own: the organiser's PC (archive, key,
head, exports), the stick, and what is out of everybody's reach: a copy elsewhere and the receipt.
"""

import contextlib
import copy
import io
import random
import re
import secrets
import shutil
import sys
from dataclasses import dataclass

from commands import plusthree
from tabletop import MASTER, Air, Tabletop, Venue

from firmware.core import intents
from host.archive import chain_head, master_key, receipt
from host.archive.access_links import AccessLinks
from host.archive.people import DROPPED, RETURNED, People
from host.archive.roster import SPARE, Board, Format
from host.backup import backup
from host.desk import board_swap
from host.desk.station import Station
from host.event import points

PHRASE = "a long enough phrase"
STOLEN = 101  # the board whose key somebody has
_FAULTS = "DOES NOT FIT", "missing", "changed"
_ROUND_MS = 400_000
_VARIES = r"(records? |board )[0-9/]+( to [0-9/]+| \(key [0-9]+\))?"


@dataclass
class Scene:
    """One try's own copy of everything below ``folder``; ``boards`` go on where they stood."""

    folder: object
    words: str
    boards: list
    now_ms: int

    @property
    def path(self):
        return self.folder / "pc" / "a.db"

    @property
    def stick(self):
        return self.folder / "stick"

    def copy(self, number):
        return self.stick / f"a.{number}.backup"

    @property
    def exports(self):
        return self.folder / "exports"

    @property
    def older(self):
        """The archive and its head as they were before the last result, for whoever kept them."""
        return self.folder / "older" / "a.db"

    @property
    def kept(self):
        """A copy of the finished event that nobody else can reach."""
        return self.folder / "kept" / "a.db"


class Laid:
    """The event, played in ``folder``."""

    def __init__(self, folder):
        self._folder = folder / "laid"
        self._scene = Scene(self._folder, "", [], 0)
        for name in ("pc", "stick", "exports", "older", "kept", "other"):
            (self._folder / name).mkdir(parents=True)
        master_key.keep(master_key.path_of(self._scene.path), MASTER)
        venue = Venue(self._scene.path, tables=2)
        self._first_half(venue)
        self._second_half(venue)
        self._scene.now_ms, self._scene.boards = venue.air.now_ms, venue.boards
        for part in (self._scene.path, chain_head.path_of(self._scene.path)):
            shutil.copy(part, self._scene.kept.parent)
        shutil.copy(master_key.path_of(self._scene.path), self._scene.kept.parent)
        for form in ("csv", "json"):
            said(*exporting(self._scene, form, self._scene.exports))
        self._other()

    def _first_half(self, venue):
        archive, scene = venue.archive, self._scene
        archive.roster.add_board(Board(103, 1, SPARE), 0)
        venue.station.refresh()
        backup.write_key(MASTER, venue.path, scene.stick, PHRASE, cost=1 << 10)
        links = AccessLinks(archive)
        for name in ("Ada", "Bea"):
            links.make("judge", name, "Olga", 1, lambda size, name=name: f"token of {name}")
        links.revoke(2, "Olga", 2)
        venue.begin()
        venue.win(venue.boards[0])
        venue.station.desk.extend(2, 2, "Olga", "slow play")
        venue.drain()
        # its match goes on: the board refuses
        venue.station.desk.command(intents.ReopenResult, 2, (0,), "Olga", "too soon")
        venue.drain()
        backup.write(archive, scene.stick)
        archive.audit_log.keep_head()
        archive.copy_to(scene.older)
        shutil.copy(chain_head.path_of(scene.path), scene.older.parent)

    def _second_half(self, venue):
        archive, scene = venue.archive, self._scene
        venue.win(venue.boards[1])
        venue.drain()
        board_swap.revoke(venue.station, 103, "Olga", "broken")
        for what in (DROPPED, RETURNED):
            People(archive).mark("3", what, "Olga", 3)
        points.store(archive, {"win": 3}, "Olga", 4)
        backup.write(archive, scene.stick)
        board_swap.close_event(venue.station, "Olga")
        venue.drain()
        scene.words = receipt.receipt(archive)
        backup.write(archive, scene.stick)
        venue.station.close()

    def _other(self):
        """Lay down the archive of another event under the same key."""
        venue = Venue(self._folder / "other" / "a.db", tables=2, seed=2)
        venue.begin()
        venue.station.close()

    def scene(self, folder):
        place = folder / secrets.token_hex(4)
        shutil.copytree(self._folder, place)
        first = self._scene
        boards = [_again(board, first.now_ms) for board in first.boards]
        return Scene(place, first.words, boards, first.now_ms)


def _again(board, now_ms):
    made = Tabletop(board.device, board._key, random.Random(board.device))
    made.flash = copy.deepcopy(board.flash)
    made.boot(now_ms)
    return made


class Resumed(Venue):
    """The host opened again over a Scene's archive, with its boards."""

    def __init__(self, scene, path):
        self.path, self.boards = path, scene.boards
        self.station = Station(path)
        self.air = Air(self.station.collector, self.boards)
        self.air.now_ms = self.station.collector.now_ms = scene.now_ms

    def serve_round(self):
        """Play another round as far as that goes, and close the event again."""
        roster = self.archive.roster
        with contextlib.suppress(AssertionError):  # what was tampered with cannot be played
            roster.store_round(2, Format(self.rules.NUMBER, 3 << 1, 50), roster.pairings_of(1))
            self.station.refresh()
            self.begin(2)
            for board in self.boards:
                self.win(board)
        self.air.run(_ROUND_MS, lambda: self.drained)
        board_swap.close_event(self.station, "Olga", anyway=True)
        self.air.run(_ROUND_MS, lambda: self.drained)


def served(scene, path):
    """Have the host serve a round over an archive. Raises UserError where it refuses to."""
    venue = Resumed(scene, path)
    try:
        venue.serve_round()
    finally:
        venue.station.close()


def exporting(scene, form, folder):
    return "export", form, scene.path, "--out", folder


def said(*words):
    """Return (exit code, what is said) of a command of ours with nobody at the keyboard."""
    out, before = io.StringIO(), sys.stdin
    sys.stdin = io.StringIO("")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = plusthree(*words)
    finally:
        sys.stdin = before
    assert "Traceback" not in out.getvalue(), out.getvalue()
    return code, out.getvalue()


def sentences(path, options, ran):
    """Return (exit code, the audit's sentences); after a round without what may vary in them."""
    code, text = said("audit", path, *options)
    lines = {one for one in text.splitlines() if one.startswith(_FAULTS) or code == 2}
    return code, {re.sub(_VARIES, r"\1#", one) if ran else one for one in lines}
