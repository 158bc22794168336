"""The page on which players register: at a secret address, for everybody with the organiser's code.
It takes a number and a name, limited per device and in all.
"""

from collections.abc import Mapping

from host.base.errors import UserError
from host.base.json_values import Json
from host.desk import registration
from host.desk.acts import fields
from host.desk.acts.fields import NAME, Field, text
from host.web.desk_service import DeskService

LARGEST = 2_000  # bytes of an entry
_FIELDS: Mapping[str, Field] = {"number": Field(text(0, 32), ""), "name": NAME}
_EACH = 8, 10_000  # entries of a device at once, and ms until one more
_ALL = 100, 200
_MOST_DEVICES = 5_000


class Bucket:
    """A token bucket: lets ``most`` pass at once, and one more every ``every_ms``."""

    def __init__(self, most: int, every_ms: int):
        self._most, self._every_ms = most, every_ms
        self._left, self._since_ms = float(most), 0

    def take(self, now_ms: int) -> bool:
        """Return whether one may pass now."""
        passed_ms, self._since_ms = max(0, now_ms - self._since_ms), now_ms
        self._left = min(self._most, self._left + passed_ms / self._every_ms)
        if self._left < 1:
            return False
        self._left -= 1
        return True


class RegistrationPage:
    """Takes the registrations for a DeskService."""

    def __init__(self, service: DeskService):
        self._service = service
        self._all, self._each = Bucket(*_ALL), dict[str, Bucket]()  # by a device's address

    def enter(self, address: str, raw: bytes) -> dict[str, Json]:
        """Take an entry from a device; return the answer for the player.

        Raises Malformed for a body that the page does not send, UserError for an entry that is not
        accepted.
        """
        values, service = fields.read(_FIELDS, fields.body_of(raw)), self._service
        if len(self._each) >= _MOST_DEVICES:
            self._each.clear()
        own = self._each.setdefault(address, Bucket(*_EACH))
        if not (own.take(service.now_ms) and self._all.take(service.now_ms)):
            raise UserError("that was too often: wait a minute, and try again")
        service.station.collector.now_ms = service.now_ms
        answer = registration.enter(service.station, str(values["number"]), str(values["name"]))
        service.change_feed.touch()
        return {"told": answer}
