"""Boards that other archives under the same master key have: no number, and no key, is given twice.

``serve`` gives several archives one master key, so that boards may be handed on. A number and a
generation that two of them gave away would be one key in two boards.
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
    """Another archive: every board that it ever gave a key, and the numbers that it uses now."""

    path: pathlib.Path
    boards: list[Board]
    in_use: frozenset[int]


def neighbours(archive: places.Place, master: bytes) -> tuple[list[Neighbour], list[str]]:
    """Return the archives with the key ``master`` in an archive's folder, and a line for each that
    cannot be read. They are only read, also while ``serve`` has them.
    """
    own = places.local(archive)
    found: list[Neighbour] = []
    unread: list[str] = []
    for key in sorted(own.parent.glob("*.key")):
        path = key.with_suffix("")
        if path.name == own.name or not path.is_file() or not _is(key, master):
            continue
        try:
            with ArchiveView(path, begun=False) as view:
                roster = view.roster
                found.append(Neighbour(path, roster.boards, frozenset(roster.current_boards)))
        except (UserError, sqlite3.Error) as failure:
            unread.append(
                f"{path} has the same master key, and its boards are not known: {failure}"
            )
    return found, unread


def require_free(board: Board, own: Iterable[Board], others: Iterable[Neighbour]) -> None:
    """Raise UserError for a board's number that another archive uses and ours does not, and for a
    key that another archive has given out.
    """
    mine = any(one.device == board.device for one in own)
    for other in others:
        if board.device in other.in_use and not mine:
            raise UserError(
                "board {device} is in use in {archive}, under the same master key: choose another"
                " number, or hand it on while serve has both (docs/desk.md)",
                device=board.device, archive=str(other.path),
            )  # fmt: skip
        newest = max(
            (one.generation for one in other.boards if one.device == board.device), default=-1
        )
        if board.generation <= newest:
            raise UserError(
                "board {device} already had key generation {newest} in {archive}, under the same"
                " master key; a new one must be {next} or more",
                device=board.device, newest=newest, archive=str(other.path), next=newest + 1,
            )  # fmt: skip


def _is(key: pathlib.Path, master: bytes) -> bool:
    try:
        return master_key.load(key) == master
    except UserError:  # of whatever it is, it is not ours
        return False
