"""The events of the desk's acts on a table: its format, start, freezes and extensions."""

from firmware.core import events, phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.core.types import Event, Events, Intent, Match

UNTIMED_S = 65535
SWAP = 2  # in place of a seat to confirm: both change places


def becomes(event: "Callable[..., Event]") -> "Callable[[Match, Intent], Events]":
    """Return the function of an intent that becomes an event of the same fields, and no more."""
    return lambda match, intent: (event(*intent.values),)


def _begun(match: "Match") -> bool:
    """Return whether the round has begun at this table."""
    if match.clock_ms is None or match.start_ms is None:  # also after a ruling before the round
        return False
    phase = match.held if match.phase == phases.FROZEN else match.phase
    return phase > phases.PREGAME


def set_start(match: "Match", intent: "Intent") -> "Events":
    """The round starts at another time, unless it has begun."""
    start_ms, frozen_ms = match.start_ms, match.frozen_ms
    if start_ms is not None and frozen_ms is not None and start_ms < frozen_ms:
        return ()  # a spare that took over is frozen, with a start long ago
    return () if _begun(match) else (events.StartSet(intent.at_ms),)


def freeze(match: "Match", intent: "Intent") -> "Events":
    """The table's clock stops at a moment before its zero, or while an overtime clock runs."""
    at_ms = intent.at_ms
    if not _begun(match):
        return (events.Frozen(at_ms, match.phase),)
    assert match.clock_ms is not None and match.zero_ms is not None
    at_ms = max(at_ms, match.clock_ms)
    if not match.called:
        return (events.Frozen(at_ms, match.phase),) if at_ms < match.zero_ms else ()
    if at_ms < match.zero_ms:  # ordered before zero, received after it: time was not up
        resumed = play_resumed(match, at_ms)
        return resumed, events.Frozen(at_ms, resumed.phase)
    end_ms = match.zero_ms + match.overtime_s * 1000
    if match.phase != phases.OVERTIME or at_ms >= end_ms:
        return ()
    return (events.Frozen(at_ms, match.phase),)


def resume(match: "Match", intent: "Intent") -> "Events":
    """The clock runs on with the time left; before the round its 2:00 and its start come again."""
    assert match.frozen_ms is not None
    at_ms = max(intent.at_ms, match.frozen_ms)
    happened = (events.Resumed(at_ms, match.held, lost_ms(match, at_ms)),)
    left_ms = pregame_left_ms(match, match.frozen_ms)
    if left_ms is None or left_ms <= 0:
        return happened
    return happened + (events.PregameBegun(at_ms, match.game + 1),)


def pregame_left_ms(match: "Match", now_ms: int) -> int | None:
    """Return what is left of the 2:00 between two games, negative once they are over; None at any
    other time. They run beside the round's clock until the next game's starter is determined, also
    before a Tiebreaker Game that follows time.
    """
    phase = match.phase if match.frozen_ms is None else match.held
    if phase == phases.TIEBREAKER:
        between_games = match.progress != phases.IN_PROGRESS
    else:
        between_games = match.progress == phases.GAME_OVER and not match.called
    if match.pregame_ms is None or not between_games:
        return None
    if match.start_ms is not None and match.pregame_ms <= match.start_ms:
        return None  # those before the round, in which a penalty ended a game
    return match.pregame_ms + match.rules.PREGAME_S * 1000 - now_ms


def lost_ms(match: "Match", at_ms: int) -> int:
    """Return all ms that a stopped table has lost if its clock runs on at ``at_ms``. A table that
    was stopped before the round gets the whole 2:00 again, and the full round (rules F1); a set-up
    without a clock gets only the time it was frozen.
    """
    if match.start_ms is None:
        return match.lost_ms
    assert match.frozen_ms is not None
    lost_from_ms, start_ms = match.frozen_ms, match.start_ms + match.lost_ms
    if match.frozen_ms < start_ms:
        lost_from_ms = start_ms - match.rules.PREGAME_S * 1000  # when the 2:00 began, or will
        if match.rules.PREGAME_S == UNTIMED_S:
            lost_from_ms = max(lost_from_ms, match.frozen_ms)
    return match.lost_ms + max(0, at_ms - lost_from_ms)


def set_score(match: "Match", intent: "Intent") -> "Events":
    """What a board that takes a table over must know: the games won, the flip for the next one, who
    sits where, the obstacles placed, and whether a game is in progress.
    """
    at_ms, first, second = intent.at_ms, intent.first, intent.second
    is_over = max(first, second) > match.best_of // 2
    if intent.swapped > 1 or is_over or match.progress == phases.IN_PROGRESS:
        return ()
    happened = (events.StateTold(at_ms, 0, 0, 0, intent.flipped, first, second),)
    if intent.swapped != match.swapped:
        happened += (events.SeatConfirmed(at_ms, SWAP, intent.swapped),)
    if intent.obstacle and match.phase <= phases.PREGAME:
        happened += (events.TurnEnded(at_ms, intent.placing, intent.obstacle, 0),)
    if intent.started:
        happened += (events.StarterSet(at_ms, 0, first + second + 1),)
    return happened


def play_resumed(match: "Match", at_ms: int) -> "events.Event":
    """Return the event that reverses TIME_CALLED: play resumes, also in a Tiebreaker Game."""
    if match.situation in (phases.EVEN, phases.TIED, phases.LEVEL, phases.HALTED):
        return events.PlayResumed(at_ms, phases.TIEBREAKER, phases.EVEN)
    return events.PlayResumed(at_ms, phases.PLAYING, 0)
