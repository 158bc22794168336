"""Personal links to the web desk: a role and a name each, kept as digests and revocable.

No link ends by itself, and nothing here knows the time. ``host/web/desk_service.py`` ends the pages
that a revoked one has open; ``host/web/reads_desk.py`` and ``people_acts.py`` list which are valid.

The token is given out once, when the link is made; the archive holds only its SHA-256, so that a
copy of the archive gives no access. A token has 128 bits, so it cannot be guessed.
"""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from host.archive.database import Database, SqlValue
from host.base import plain_text
from host.base.errors import UserError

_BYTES = 16
_NAME_MOST = 60
VIEWER, JUDGE, HEAD, ORGANISER = ROLES = "viewer", "judge", "head", "organiser"
HOMES = {VIEWER: "/wall", JUDGE: "/judge", HEAD: "/judge", ORGANISER: "/desk"}


@dataclass(frozen=True)
class AccessLink:
    """One person's link; ``role`` is one of ``ROLES``, each with all rights of the one before."""

    id: int
    role: str
    name: str
    made_unix_ms: int
    revoked: bool


class AccessLinks:
    """The links of an archive."""

    def __init__(self, archive: Database):
        self._archive = archive

    def make(
        self,
        role: str,
        name: str,
        author: str,
        unix_ms: int,
        draw: Callable[[int], str] = secrets.token_urlsafe,
    ) -> tuple[int, str]:
        """Make a link; return its id and the token, which is shown only once.

        ``draw(n)`` gives a random text of n bytes. Raises UserError for a name that is empty, too
        long or cannot be seen.
        """
        try:
            name = plain_text.line(name)
        except ValueError as mistake:
            raise UserError("the name {why}", why=mistake.args[0]) from None
        if not name or len(name) > _NAME_MOST:
            raise UserError("a link needs a person's name of 1 to {most} letters", most=_NAME_MOST)
        token = draw(_BYTES)
        sql = "INSERT INTO links (role, name, digest, author, made_unix_ms) VALUES (?, ?, ?, ?, ?)"
        with self._archive.transaction():
            _, row_id = self._archive.write(sql, role, name, _digest(token), author, unix_ms)
        return row_id, token

    def find(self, token: str) -> AccessLink | None:
        """Return the AccessLink of a token, None for none and for a revoked one. Raises Foreign."""
        return self._one("digest = ?", _digest(token))

    def get(self, link_id: int) -> AccessLink | None:
        """Return the AccessLink with an id, None for none and for a revoked one. Raises Foreign."""
        return self._one("l.id = ?", link_id)

    @property
    def every(self) -> list[AccessLink]:
        """Every link ever made, revoked ones too, oldest first."""
        return self._select("TRUE")

    def revoke(self, link_id: int, author: str, unix_ms: int) -> None:
        """Revoke a link for good; raises UserError when there is none."""
        if self.get(link_id) is None:
            raise UserError(
                "there is no link {number} in use: look at the list of links", number=link_id
            )
        sql = "INSERT INTO revoked_links (id, author, unix_ms) VALUES (?, ?, ?)"
        with self._archive.transaction():
            self._archive.write(sql, link_id, author, unix_ms)

    def _one(self, where: str, value: SqlValue) -> AccessLink | None:
        self._archive.require_own()
        return next((link for link in self._select(where, value) if not link.revoked), None)

    def _select(self, where: str, *values: SqlValue) -> list[AccessLink]:
        sql = (
            "SELECT l.id, role, name, made_unix_ms, r.id IS NOT NULL FROM links l"
            f" LEFT JOIN revoked_links r ON r.id = l.id WHERE {where} ORDER BY l.id"
        )
        return self._archive.select(_link, sql, *values)


def _link(number: int, role: str, name: str, made_unix_ms: int, revoked: int) -> AccessLink:
    return AccessLink(number, role, name, made_unix_ms, bool(revoked))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def may(role: str | None, least: str) -> bool:
    """Whether ``role`` (None: not signed in) has the rights of ``least``."""
    return role in ROLES and ROLES.index(role) >= ROLES.index(least)
