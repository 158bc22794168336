"""Which boards wait for a link, and how much each needs it."""

from firmware.core import frames
from host.collector.listening_time import Listening

ABSENT_MS = 15000  # of listening: a filter may tell of a board every 10 s, and connecting to an absent one blocks


class ConnectionScheduler:
    """Ranks boards by their Watch; true while any waits. The parts say what is to be had or told."""

    def __init__(self, commander, placards, holdings):
        self._commander, self._placards, self._holdings = commander, placards, holdings
        self._ranks = {}  # device -> how much it needs a link, 0 most
        self.listening = Listening()

    def __bool__(self):
        return bool(self._ranks)

    def drop(self, device):
        """A board is out of use."""
        self._ranks.pop(device, None)

    def owed(self, watch):
        """Return the runs ``(epoch, first, count)`` that a board has and the archive has not."""
        place = watch.device, watch.generation, watch.epoch, watch.news_head
        return self._holdings.gaps(*place, self._commander.event)

    def complete(self, watch):
        """Whether all that a board had to tell since it or this host began is archived."""
        known = watch.visited and watch.news_head and watch.event == self._commander.event
        return known and not self.owed(watch)

    def review(self, watch):
        """Note how much a board needs a link."""
        wants = watch.has(frames.NAMES_WANTED) and self._placards.payloads(watch.table)
        needs = (
            self._commander.wanted(watch),
            watch.has(frames.UNSENT) or self.owed(watch),
            watch.has(frames.TIME_WANTED) or wants or watch.blink_s > 0,
            not watch.linked or not watch.visited and self._commander.holds(watch),
        )
        rank = next((rank for rank, need in enumerate(needs) if need), None)
        if rank is None:
            self.drop(watch.device)
        else:
            self._ranks[watch.device] = 0 if self._commander.presses(watch) else rank

    def reachable(self, watches, busy, now_ms):
        """Return ``(rank, served_ms, device)``, neediest first, of those heard lately and not ``busy``."""
        found, since_ms = [], self.listening.since(ABSENT_MS, now_ms)
        for device, rank in self._ranks.items():
            watch = watches[device]
            if device in busy or watch.address is None or watch.has(frames.SHUT):
                continue
            if watch.heard_ms >= since_ms:
                found.append((rank, watch.served_ms, device))
        return sorted(found)

    def chosen(self, watches, busy, taken, links, now_ms):
        """Return ``{address: device}`` to connect to, neediest first, beside the ``taken`` ones of ``links`` addresses."""
        found = {}
        for _, _, device in self.reachable(watches, busy, now_ms):
            if len(taken) + len(found) >= links:
                break
            watch = watches[device]
            if (
                watch.address not in taken
                and watch.address not in found
                and now_ms >= watch.not_before_ms
            ):
                found[watch.address] = device
        return found
