"""The heads of journals that boards told of and did not deliver: kept as evidence, not to be acted on."""

from firmware.core import frames

_DUE_MS = 10_000  # records mostly follow their status within this


class Undelivered:
    """Keeps the signed status of a board whose records do not come, so that they cannot be denied later."""

    def __init__(self, archive, holdings):
        self._archive, self._holdings = archive, holdings
        self._kept, self._waiting = {}, {}

    def heard(self, verified, now_ms):
        """Note the head in an authentic status."""
        place, head = (
            (verified.device, verified.generation),
            (verified.epoch, frames.status_of(verified.frame)[4]),
        )
        if head > max(self._kept.get(place, (0, 0)), self._waiting.get(place, ((0, 0),))[0]):
            since_ms = self._waiting[place][2] if place in self._waiting else now_ms
            self._waiting[place] = head, verified, since_ms

    def keep(self, now_ms):
        """Store those that records have not followed in time."""
        due = [
            place
            for place, (_, _, since_ms) in self._waiting.items()
            if now_ms - since_ms >= _DUE_MS
        ]
        missed = []
        for place in due:
            (epoch, head), verified, _ = self._waiting.pop(place)
            if self._holdings.lacks(*place, epoch, head):
                self._kept[place] = epoch, head
                missed.append(verified)
        if missed:
            with self._archive.transaction():
                for verified in missed:
                    self._archive.audit_log.head(verified)
