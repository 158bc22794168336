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
    own_entries,
    paper_results,
    penalties,
    points,
    roll_policy,
    room_stops,
    squad_lists,
    typed_results,
    zones,
)

NAMES = {
    typed_results.ADOPTED: "a board set up by hand",
    typed_results.ENTERED: "a typed result",
    typed_results.TRIED: "a wrong code",
    announced_results.NOTICE: "an announced result",
    paper_results.NOTICE: "a result from paper",
    calls_put_back.NOTICE: "a call put back",
    roll_policy.NOTICE: "what may be rolled",
    imported_results.NOTICE: "results from a file",
    file_minutes.KEPT: "a file's round times",
    squad_lists.NOTICE: "squad lists",
    draft_pods.NOTICE: "draft pods",
    event_plan.BEGUN: "what is played",
    event_plan.PARTIES: "families and travel groups",
    own_entries.ENTRY: "a player's own entry",
    own_entries.TAKEN: "a player's own entry that was accepted",
    own_entries.REFUSED: "a player's own entry that was refused",
    event_log.DOOR[False]: "a door that was shut",
    event_log.DOOR[True]: "a door that was opened",
    teams.NOTICE: "teams",
    fixed_tables.FIXED: "a table that is kept",
    fixed_tables.FEATURE: "a feature table",
    missed_rounds.NOTICE: "a missed round",
    penalties.GIVEN: "a penalty",
    penalties.WITHDRAWN: "a penalty that was withdrawn",
    zones.NOTICE: "the tables of a judge",
    call_claims.CLAIMED: "who goes to a call",
    room_stops.STOPPED: "a stop of the whole room",
    room_stops.RUN_ON: "the end of a stop of the whole room",
    points.POINTS: "points",
}
_READERS = {
    typed_results.ADOPTED: typed_results.read_adoption,
    typed_results.ENTERED: typed_results.read_result,
    typed_results.TRIED: typed_results.read_attempt,
    announced_results.NOTICE: announced_results.read,
    paper_results.NOTICE: paper_results.read,
    calls_put_back.NOTICE: calls_put_back.read,
    roll_policy.NOTICE: roll_policy.read_switches,
    imported_results.NOTICE: imported_results.read,
    file_minutes.KEPT: file_minutes.read,
    squad_lists.NOTICE: squad_lists.read,
    draft_pods.NOTICE: draft_pods.read,
    event_plan.BEGUN: event_plan.read_plan,
    event_plan.PARTIES: event_plan.read_parties,
    own_entries.ENTRY: own_entries.read_entry,
    own_entries.TAKEN: own_entries.read_decided,
    own_entries.REFUSED: own_entries.read_decided,
    event_log.DOOR[False]: own_entries.read_switch,
    event_log.DOOR[True]: own_entries.read_switch,
    teams.NOTICE: teams.read,
    fixed_tables.FIXED: fixed_tables.read,
    fixed_tables.FEATURE: fixed_tables.read_feature,
    missed_rounds.NOTICE: missed_rounds.read,
    penalties.GIVEN: penalties.read_given,
    penalties.WITHDRAWN: penalties.read_withdrawn,
    zones.NOTICE: zones.read,
    call_claims.CLAIMED: call_claims.read,
    room_stops.STOPPED: room_stops.read_stop,
    room_stops.RUN_ON: room_stops.read_end,
}
_TEXT_READERS = {points.POINTS: points.read}


def counts(archive: Archive) -> dict[str, int]:
    """Return how many of the current event's notices are unreadable, by subject."""
    invalid = {
        what: archive.notices.read(what, reader).count(None) for what, reader in _READERS.items()
    }
    notices = archive.notices
    invalid |= {
        what: len(notices.every(what)) - len(notices.understood(what, reader))
        for what, reader in _TEXT_READERS.items()
    }
    return {what: count for what, count in invalid.items() if count}
