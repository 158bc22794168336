"""The cookie of a link, and the CSRF token that proves that a request comes from our page.

Cookie: the link's id, a nonce, and an HMAC over both under a key kept beside the archive; the CSRF
token is another HMAC over the cookie. Nothing is stored per browser, and revoking a link
invalidates all its cookies.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable

from host.archive import master_key, places

_TAG = 32  # hex digits
_LONGEST = 200
LASTS_S = 7 * 24 * 3600


def key_beside(archive_path: places.Place) -> bytes:
    """Return the key of this archive's cookies; make it if missing, readable only by its owner."""
    return master_key.load_or_make(places.sibling(archive_path, ".web.key"))


class Sessions:
    """Makes and reads cookies under a ``key``; ``secure``: the desk uses TLS. ``word`` names the
    event where several are served: each has a cookie of its own in a browser.
    """

    def __init__(self, key: bytes, secure: bool, word: str = ""):
        self._key, self.secure = key, secure
        own = f"-{word}" if word else ""
        self.cookie = f"__Host-plusthree{own}" if secure else f"plusthree{own}"

    def make(self, link_id: int, draw: Callable[[int], str] = secrets.token_hex) -> str:
        """Return a new cookie's value for a link."""
        plain = f"{link_id}.{draw(12)}"
        return f"{plain}.{self._tag('cookie', plain)}"

    def header(self, value: str) -> str:
        """Return the Set-Cookie header of a value."""
        secure = "; Secure" if self.secure else ""
        return (
            f"{self.cookie}={value}; Path=/; Max-Age={LASTS_S}; HttpOnly; SameSite=Strict{secure}"
        )

    def link_of(self, value: str | None) -> int | None:
        """Return the link id in a cookie's value, or None."""
        plain, _, tag = (value or "")[:_LONGEST].rpartition(".")
        if not hmac.compare_digest(
            self._tag("cookie", plain).encode(), tag.encode("utf-8", "replace")
        ):
            return None
        number = plain.partition(".")[0]
        return int(number) if number.isascii() and number.isdigit() else None

    def csrf(self, value: str) -> str:
        """Return the CSRF token of a cookie's value."""
        return self._tag("csrf", value)

    def is_csrf(self, value: str, token: str | None) -> bool:
        """Return whether ``token`` is the CSRF token of a cookie's value."""
        return hmac.compare_digest(
            self.csrf(value).encode(), (token or "").encode("utf-8", "replace")
        )

    def registration_token(self, event: int, opening: int) -> str:
        """Return the token of the page on which players register, for an opening of it."""
        return self._tag("door", f"{event}.{opening}")

    def _tag(self, label: str, text: str) -> str:
        whole = f"{label}\0{text}".encode("utf-8", "replace")
        return hmac.new(self._key, whole, hashlib.sha256).hexdigest()[:_TAG]
