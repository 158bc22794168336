"""Boards of other archives under the same master key: no number and no key is given twice.

``serve`` gives several archives one master key, so that boards may be handed on. If two of them
gave out the same number and generation, two boards would have the same key.
"""

import pathlib
import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from host.archive import master_key, places
from host.archive.roster import Board
from host.base.errors import UserError
from host.event.archive_view import ArchiveView


class Neighbour(NamedTuple):
    """Another archive: every board to which it ever gave a key, and the numbers in use now."""

    path: pathlib.Path
    boards: list[Board]
    in_use: frozenset[int]


def neighbours(archive: places.Place, master: bytes) -> tuple[list[Neighbour], list[str]]:
    """Return the archives under the key ``master`` in an archive's folder and in those beside it
    (events have one each), and a line for each that cannot be read. The archives are opened
    read-only, even while ``serve`` runs on them.
    """
    own = places.local(archive)
    folder = own.parent.resolve()
    keys = [*folder.glob("*.key"), *folder.parent.glob("*/*.key")]
    found: list[Neighbour] = []
    unread: list[str] = []
    real = {parent: parent.resolve() for parent in {key.parent for key in keys}}
    for key in sorted({real[key.parent] / key.name for key in keys}):  # a link names none twice
        path = key.with_suffix("")
        if path == folder / own.name or not path.is_file() or not _holds(key, master):
            continue
        try:
            with ArchiveView(path, need_event=False) as view:
                roster = view.roster
                found.append(Neighbour(path, roster.boards, frozenset(roster.current_boards)))
        except (UserError, sqlite3.Error) as failure:
            unread.append(
                f"{path} has the same master key, and its boards are not known: {failure}"
            )
    return found, unread


def require_free(board: Board, own: Iterable[Board], neighbours: Iterable[Neighbour]) -> None:
    """Raise UserError for a board's number that another archive uses and ours does not, and for a
    key that another archive has given out.
    """
    mine = any(each.device == board.device for each in own)
    for other in neighbours:
        if board.device in other.in_use and not mine:
            raise UserError(
                "board {device} is in use in {archive}, under the same master key: choose another"
                " number, or hand it on while serve has both (docs/desk.md)",
                device=board.device, archive=str(other.path),
            )  # fmt: skip
        newest = max(
            (each.generation for each in other.boards if each.device == board.device), default=-1
        )
        if board.generation <= newest:
            raise UserError(
                "board {device} already had key generation {newest} in {archive}, under the same"
                " master key; a new one must be {next} or more",
                device=board.device, newest=newest, archive=str(other.path), next=newest + 1,
            )  # fmt: skip


def _holds(key: pathlib.Path, master: bytes) -> bool:
    try:
        return master_key.load(key) == master
    except UserError:  # whatever it is, it is not our key
        return False
