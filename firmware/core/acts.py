"""The events of the desk's acts on a table: its format, start, freezes and extensions."""

from firmware.core import events, phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event, Events, Intent, Match

UNTIMED_S = 65535


def set_format(match: "Match", intent: "Intent") -> "Events":
    """The round's format, of the loaded system alone; even games are an organiser's system's (from
    16 on).
    """
    _, at, a, b, c = intent
    if a != match.rules.NUMBER or not b & (2 if a < 16 else 0x306):
        return ()
    return ((events.FORMAT_SET, at, a, b, c),)


def _begun(match: "Match") -> bool:
    """Return whether the round has begun at this table."""
    if match.clock_ms is None or match.start_ms is None:  # ruled on before
        return False
    phase = match.held if match.phase == phases.FROZEN else match.phase
    return phase > phases.PREGAME


def set_start(match: "Match", intent: "Intent") -> "Events":
    """The round's start, until it has begun."""
    if (
        _begun(match)
        or None not in (match.frozen_ms, match.start_ms)
        and match.start_ms < match.frozen_ms  # pyright: ignore[reportOperatorIssue]  (both are set)
    ):
        return ()  # a spare that took over is frozen, with a start long ago
    return ((events.START_SET, intent[1], 0, 0, 0),)


def freeze(match: "Match", intent: "Intent") -> "Events":
    """The table's clock stops at a moment before its zero, or while an overtime clock runs."""
    at = intent[1]
    if not _begun(match):
        return ((events.FROZEN, at, match.phase, 0, 0),)
    assert match.clock_ms is not None and match.zero_ms is not None
    at = max(at, match.clock_ms)
    if not match.called:
        return ((events.FROZEN, at, match.phase, 0, 0),) if at < match.zero_ms else ()
    if at < match.zero_ms:  # ordered before zero, received after it: time was not up
        back = resumed(match, at)
        return (back, (events.FROZEN, at, back[2], 0, 0))
    clock_s = match.overtime[1]
    if match.phase != phases.OVERTIME or at >= match.zero_ms + clock_s * 1000:
        return ()
    return ((events.FROZEN, at, match.phase, 0, 0),)


def resume(match: "Match", intent: "Intent") -> "Events":
    """The clock continues with the time left; before the round, the 2:00 and the round start
    again.
    """
    assert match.frozen_ms is not None
    at = max(intent[1], match.frozen_ms)
    lost = lost_ms(match, at)
    told = ((events.RESUMED, at, match.held, lost & 0xFFFF, lost >> 16),)
    left_ms = pregame_left_ms(match, match.frozen_ms)
    if left_ms is None or left_ms <= 0:
        return told
    return told + ((events.PREGAME_BEGUN, at, match.game + 1, 0, 0),)


def pregame_left_ms(match: "Match", now_ms: int) -> int | None:
    """Return what is left of the 2:00 between two games, below 0 after them; None at other times.

    They run beside the round's clock, until the next game's starter is determined; before a
    Tiebreaker Game after time, too.
    """
    waits = match.progress == 2 and not match.called
    if phases.TIEBREAKER == (match.phase if match.frozen_ms is None else match.held):
        waits = match.progress != 1
    if match.pregame_ms is None or not waits:
        return None
    return match.pregame_ms + match.rules.PREGAME_S * 1000 - now_ms


def lost_ms(match: "Match", at_ms: int) -> int:
    """Return all ms that a stopped table has lost if its clock runs on at ``at_ms``.

    Before the round the table gets the whole 2:00 again, and the full round (rules F1); a set-up
    without a clock gets only the time it was frozen.
    """
    if match.start_ms is None:
        return match.lost_ms
    assert match.frozen_ms is not None
    stood_ms, start_ms = match.frozen_ms, match.start_ms + match.lost_ms
    if stood_ms < start_ms:
        begun_ms = start_ms - match.rules.PREGAME_S * 1000
        if match.rules.PREGAME_S < UNTIMED_S or begun_ms > stood_ms:
            stood_ms = begun_ms
    return match.lost_ms + max(0, at_ms - stood_ms)


def extend(match: "Match", intent: "Intent") -> "Events":
    """The table's total extension changes (a judge's act alone: rules P8)."""
    _, at, a, b, _ = intent
    if b == match.extension_s:
        return ()
    return ((events.EXTENDED, at, a, b, 0),)


def see_extension(match: "Match", intent: "Intent") -> "Events":
    """A seat has seen the extension; that is not consent."""
    _, at, a, _, _ = intent
    if a > 1 or not match.extension_s or match.seen >> a & 1:
        return ()
    return ((events.EXTENSION_SEEN, at, a, 0, 0),)


def stamp_late(match: "Match", intent: "Intent") -> "Events":
    """A judge's stamp, the seats as bits in all; it counts from now on."""
    _, at, a, _, _ = intent
    if a > 3:
        return ()
    return ((events.STAMPED_LATE, at, a, 0, 0),)


def set_score(match: "Match", intent: "Intent") -> "Events":
    """The games won so far, and whether one is in progress, when a board takes a table over."""
    _, at, a, b, c = intent
    if a > 3 or max(b, c) > match.best_of // 2 or match.progress == 1:
        return ()
    told = ((events.STATE_TOLD, at, 0, b, c),)
    if a >> 1 != match.swapped:
        told += ((events.SEAT_CONFIRMED, at, 2, 0, a >> 1),)
    return told + ((events.STARTER_SET, at, 0, b + c + 1, 0),) if a & 1 else told


def resumed(match: "Match", at_ms: int) -> "Event":
    """Return the event that reverses TIME_CALLED: play resumes, also in a Tiebreaker Game."""
    if match.situation in (phases.EVEN, phases.TIED, phases.LEVEL, phases.HALTED):
        return (events.PLAY_RESUMED, at_ms, phases.TIEBREAKER, 0, phases.EVEN)
    return (events.PLAY_RESUMED, at_ms, phases.PLAYING, 0, 0)
