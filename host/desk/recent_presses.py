"""The last ten presses at a table, as lines for a judge."""

from collections.abc import Sequence

from firmware.core import events, team
from host.archive.roster import Pairing, Player
from host.base.errors import UserError
from host.base.words import clock
from host.desk.station import Station

# the text of each event; {who} is the player, the other values are the event's fields
_TEXTS = {
    events.STARTER_SET: "{who} starts game {game}",
    events.TURN_STARTED: "{who}'s turn begins",
    events.TURN_ENDED: "the turn is over, {who} is next",
    events.GAME_WON: "{who} won the game",
    events.GAME_LEVELLED: "both at once",
    events.PRIZES_COUNTED: "prizes left {first} and {second}",
    events.DESTROYED_COUNTED: "points destroyed {first} and {second}",
    events.WIPED_OUT: "{who} out",
    events.CONCEDED: "{who} concedes",
    events.STATE_TOLD: "games told {first}-{second}",
    events.TURN_TOLD: "told: {who} plays",
    events.RESULT_CLAIMED: "result entered {first}-{second}",
    events.RESULT_CONFIRMED: "{who} confirms",
    events.RESULT_REFUSED: "{who} refuses",
}
_PLACED = "obstacle {turn} of 6 is {who}'s"
_TURNS = (events.TURN_STARTED, events.TURN_ENDED, events.TURN_TOLD)


def lines(station: Station, table: int) -> list[str]:
    """Return a line for each of the last ten presses not taken back, newest first. Raises UserError
    if the table's board was never heard.
    """
    fold = station.hall.fold_at(table)
    if fold is None:
        raise UserError(
            "of table {table} nothing was heard yet: look whether its board is on", table=table
        )
    match, now_ms = fold.match, station.collector.now_ms
    pairing = station.archive.roster.pairing_at(match.round, table) if match.round else None
    seated = zip(_players(pairing, match), "▲●")
    names = [f"{player.name} ({shape})" for player, shape in seated] or ["▲", "●"]
    found = [
        f"{clock(now_ms - event.at_ms)} ago{_into_round(match, event.at_ms)}: "
        f"{_in_words(match, names, event)}"
        for _, event in reversed(fold.presses)
    ]
    return found or [f"table {table}: no press stands"]


def _in_words(match, names: Sequence[str], event: events.Event) -> str:
    """Return what a press did, in words."""
    if isinstance(event, events.PrizesCounted) and event.teller == team.PILES:  # all four at once
        prizes = team.unpack(event.first, event.second)
        return "prizes left " + ", ".join(map("{} {}".format, team.ORDER, prizes))
    text = _TEXTS[event.kind]
    if _is_placing(match, event):
        text = _PLACED
    return text.format(who=_who(match, names, event), **vars(event))


def _is_placing(match, event: events.Event) -> bool:
    """Whether a player placed an obstacle: in a system whose players share each game round, an
    ended turn with a number.
    """
    return isinstance(event, events.TurnEnded) and bool(event.turn) and not match.rules.SEATS


def _players(pairing: Pairing | None, match) -> Sequence[Player]:
    """Return the players in the order of their seats."""
    if pairing is None or pairing.b is None:
        return []
    return (pairing.b, pairing.a) if match.swapped else (pairing.a, pairing.b)


def _who(match, names: Sequence[str], event: events.Event) -> str:
    """Return the name of the player (of the players, of a seat in a team match) in an event."""
    if isinstance(event, events.WipedOut):
        everybody = team.ORDER if match.team else names
        out = [name for seat, name in enumerate(everybody) if event.seats >> seat & 1]
        return " and ".join(out) or "nobody"
    seat = event.next_seat if isinstance(event, events.TurnEnded) else getattr(event, "seat", 0)
    if event.kind in _TURNS and match.team:
        return team.ORDER[seat & 3]
    if event.kind in _TURNS and not match.rules.SEATS and not _is_placing(match, event):
        return "a game round"
    return names[seat & 1]


def _into_round(match, at_ms: int) -> str:
    """Return the time since the round's start in words, "" without a start."""
    return "" if match.start_ms is None else f", {clock(at_ms - match.start_ms)} into the round"
