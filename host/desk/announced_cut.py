"""The announced elimination phase: XW15's four rounds are followed by one only if announced.

Source: XW15 Regole Escalation. The event file says ``# cut: 8``; it is locked at the event's first
start, as the rounds' lengths are. An elimination that was not announced is only remarked on: the
organiser decides.
"""

from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import round_lengths
from host.systems.rules import Rules

CUT = "cut"  # the notice: how many players go on


def announced(archive: Archive) -> int | None:
    """Return how many players the announced elimination has, None if none was announced."""
    found = archive.notices.understood(CUT, int)
    return (found[-1] or None) if found else None


def announce(archive: Archive, size: int, author: str, unix_ms: int) -> None:
    """Store the elimination's size, 0 for none; raises UserError when the event has begun with
    another one.
    """
    if (size or None) == announced(archive):
        return
    if round_lengths.begun(archive):
        raise UserError("the event has begun: an elimination must be announced before it")
    archive.notices.add(CUT, str(size), author, unix_ms)


def remark(rules: Rules, bits: int, size: int | None) -> Sentence | None:
    """Return a Sentence if an elimination round was not announced (``size`` None), else None."""
    if not (rules.CAPS and bits & 1) or size is not None:
        return None
    return Sentence("no elimination was announced before the event (Regole Escalation)")
