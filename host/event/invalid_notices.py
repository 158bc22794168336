"""Counts notices that this program cannot have written; they are ignored and reported."""

from host.archive import draft_pods, fixed_tables, teams
from host.archive.store import Archive
from host.event import (
    announced_results,
    call_claims,
    calls_put_back,
    event_log,
    event_plan,
    file_minutes,
    imported_results,
    missed_rounds,
    paper_results,
    penalties,
    points,
    registrations,
    roll_policy,
    room_stops,
    squad_lists,
    typed_results,
    zones,
)

_KINDS = {  # in words, and how each is read
    typed_results.ADOPTED: ("a board set up by hand", typed_results.read_adoption),
    typed_results.ENTERED: ("a typed result", typed_results.read_result),
    typed_results.TRIED: ("a wrong code", typed_results.read_attempt),
    announced_results.NOTICE: ("an announced result", announced_results.read),
    paper_results.NOTICE: ("a result from paper", paper_results.read),
    calls_put_back.NOTICE: ("a call put back", calls_put_back.read),
    roll_policy.NOTICE: ("what may be rolled", roll_policy.read_switches),
    imported_results.NOTICE: ("results from a file", imported_results.read),
    file_minutes.KEPT: ("a file's round times", file_minutes.read),
    squad_lists.NOTICE: ("squad lists", squad_lists.read),
    draft_pods.NOTICE: ("draft pods", draft_pods.read),
    event_plan.BEGUN: ("what is played", event_plan.read_plan),
    event_plan.PARTIES: ("families and travel groups", event_plan.read_parties),
    registrations.ENTRY: ("a player's own entry", registrations.read_entry),
    registrations.TAKEN: ("a player's own entry that was accepted", registrations.read_decided),
    registrations.REFUSED: ("a player's own entry that was refused", registrations.read_decided),
    event_log.DOOR[False]: ("a door that was shut", registrations.read_switch),
    event_log.DOOR[True]: ("a door that was opened", registrations.read_switch),
    teams.NOTICE: ("teams", teams.read),
    fixed_tables.FIXED: ("a table that is kept", fixed_tables.read),
    fixed_tables.FEATURE: ("a feature table", fixed_tables.read_feature),
    missed_rounds.NOTICE: ("a missed round", missed_rounds.read),
    penalties.GIVEN: ("a penalty", penalties.read_given),
    penalties.WITHDRAWN: ("a penalty that was withdrawn", penalties.read_withdrawn),
    zones.NOTICE: ("the tables of a judge", zones.read),
    call_claims.CLAIMED: ("who goes to a call", call_claims.read),
    room_stops.STOPPED: ("a stop of the whole room", room_stops.read_stop),
    room_stops.RUN_ON: ("the end of a stop of the whole room", room_stops.read_end),
}
NAMES = {what: words for what, (words, _) in _KINDS.items()} | {points.POINTS: "points"}


def counts(archive: Archive) -> dict[str, int]:
    """Return how many of the current event's notices are unreadable, by subject."""
    notices = archive.notices
    invalid = {what: notices.read(what, reader).count(None) for what, (_, reader) in _KINDS.items()}
    readable = notices.understood(points.POINTS, points.read)  # a text, no JSON
    invalid[points.POINTS] = len(notices.every(points.POINTS)) - len(readable)
    return {what: count for what, count in invalid.items() if count}
