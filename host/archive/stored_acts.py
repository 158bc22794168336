"""Acts of staff that are no notices, as the archive's tables keep them: entries of players, boards'
keys and moves, links, restores.
"""

import json
from typing import NamedTuple

from host.archive.audited_tables import RowKey
from host.archive.people import People
from host.archive.roster import AWAY, REVOKED, SPARE
from host.archive.store import Archive
from host.base.json_values import Json

SHELL = "command line"  # the author where a command stores nobody's name
PROVISIONED, MOVED, SPARED, BOARD_REVOKED, HANDED_ON = (
    "board provisioned", "board moved", "board made a spare", "board revoked", "board handed on",
)  # fmt: skip
LINK_MADE, LINK_REVOKED, RESTORED = "link made", "link revoked", "restored"


class StoredAct(NamedTuple):
    """One act: its row, a word for it, its facts as the archive keeps them (mostly JSON), its
    author and its Unix time in ms.
    """

    row: RowKey
    what: str
    value: str
    author: str
    unix_ms: int


def notices(archive: Archive) -> list[StoredAct]:
    """Return the notices of the current event, whoever stored them."""
    return [
        StoredAct(
            RowKey("notices", (notice["id"],)), str(notice["what"]), str(notice["value"]),
            str(notice["author"]), int(notice["unix_ms"]),
        )
        for notice in archive.notices.all
    ]  # fmt: skip


def entries(archive: Archive) -> list[StoredAct]:
    """Return the entries, drops and returns of players in the current event."""
    return [
        _act("entries", (entry["id"],), entry["what"], entry["author"], entry["unix_ms"],
             player=entry["player"], reason=entry["reason"])
        for entry in People(archive).log
    ]  # fmt: skip


def of_no_event(archive: Archive) -> list[StoredAct]:
    """Return the acts on boards, links and the archive itself, of whichever event."""
    return [*_boards(archive), *_moves(archive), *_links(archive), *_restores(archive)]


def _boards(archive: Archive) -> list[StoredAct]:
    rows = archive.query("SELECT device, generation, table_number, since_unix_ms FROM boards")
    return [
        _act("boards", (device, generation), PROVISIONED, SHELL, unix_ms, board=device, table=table)
        for device, generation, table, unix_ms in rows
    ]


def _moves(archive: Archive) -> list[StoredAct]:
    sql = "SELECT id, device, table_number, author, reason, unix_ms FROM moves"
    return [
        _act("moves", (row,), _move_kind(table), author, unix_ms,
             board=device, table=table, reason=reason)
        for row, device, table, author, reason, unix_ms in archive.query(sql)
    ]  # fmt: skip


def _move_kind(table):
    return {SPARE: SPARED, REVOKED: BOARD_REVOKED, AWAY: HANDED_ON}.get(table, MOVED)


def _links(archive: Archive) -> list[StoredAct]:
    made = "SELECT id, role, name, author, made_unix_ms FROM links"
    revoked = (
        "SELECT r.id, role, name, r.author, unix_ms FROM revoked_links r JOIN links l USING (id)"
    )
    acts = []
    for sheet, what, sql in (("links", LINK_MADE, made), ("revoked_links", LINK_REVOKED, revoked)):
        for link, role, name, author, unix_ms in archive.query(sql):
            acts.append(_act(sheet, (link,), what, author, unix_ms, id=link, role=role, name=name))
    return acts


def _restores(archive: Archive) -> list[StoredAct]:
    rows = archive.query("SELECT id, unix_ms FROM restores")
    return [_act("restores", (row,), RESTORED, SHELL, unix_ms) for row, unix_ms in rows]


def _act(sheet, key, what, author, unix_ms, **facts: Json) -> StoredAct:
    return StoredAct(RowKey(sheet, key), what, json.dumps(facts), author, unix_ms)
