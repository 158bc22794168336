"""Lines about earlier events: the last presses, the last rolls, a judge's act."""

from firmware.core import events, luck, takeback
from firmware.core.ledger import Ledger
from firmware.ui.hand import Recall
from firmware.ui.table import SHAPES, Table, heads, team_seat

LINES = 4


def lines(what: int, page: int, ledger: Ledger, table: Table, now_ms: int) -> list[str]:
    """Return four lines, newest first; a ``page`` beyond the last shows the first."""
    journal = ledger.journal
    if what == Recall.ACT:
        place = takeback.last_act(journal)
        act = "undo_none" if place is None else "acted_%d" % journal.kind(place)
        return [table.say(act)] + [""] * (LINES - 1)
    if what == Recall.PRESSES:
        places, line = takeback.presses(journal), _press_line
    else:
        whole, line = range(journal.first, journal.end), _roll_line
        places = [place for place in whole if journal.kind(place) == events.ROLLED]
    newest_first = list(reversed(places))
    pages = max(1, (len(places) + LINES - 1) // LINES)
    begin = page % pages * LINES
    shown = [line(ledger, place, table, now_ms) for place in newest_first[begin : begin + LINES]]
    return shown + [""] * (LINES - len(shown))


def _press_line(ledger, place, table, now_ms):
    """Return the line about a press, with how long ago that was."""
    event = ledger.journal.event_at(place)
    ago_s = max(0, now_ms - event.at_ms) // 1000
    words = {
        "who": _who(ledger.match, event),
        "first": getattr(event, "first", 0),
        "second": getattr(event, "second", 0),
    }
    text = table.say_of("did_%d" % event.kind, words)
    return "–%d:%02d  %s" % (ago_s // 60, ago_s % 60, text)


def _who(match, event):
    """Return the players of a press: shapes, or seats of a team; for WIPED_OUT all that are out."""
    if isinstance(event, events.WipedOut):
        out = event.seats
        if match.team:
            return " ".join([team_seat(match, i) for i in range(4) if out >> i & 1])
        return "".join([SHAPES[i] for i in (0, 1) if out >> i & 1])
    ended = isinstance(event, events.TurnEnded)
    seat = event.next_seat if ended else getattr(event, "seat", 0)
    if match.team and (ended or isinstance(event, events.TurnStarted)):
        return team_seat(match, seat)
    return SHAPES[seat & 1]


def _roll_line(ledger, place, table, now_ms):
    """Return the line about a roll."""
    log = ledger.journal
    roll = log.event_at(place)
    return "%d  %s%s" % (roll.number, _faces(table, roll), _agreed(log, place))


def _agreed(log, place):
    """Return what shows that both have agreed to a roll, before the next one."""
    for later in range(place + 1, log.end):
        kind = log.kind(later)
        if kind == events.ROLLED:
            break
        if kind == events.ROLL_AGREED and log.event_at(later).rolled == luck.AGREED:
            return " ✔"
    return ""


def _faces(table, roll):
    """Return the text of what a roll showed."""
    face, many = roll.face, roll.flips
    if many == luck.UNTIL:
        return table.say_of("rolled_until", {"heads": face})
    if many:
        return table.say_of("rolled_many", {"heads": heads(face), "flips": many})
    if roll.randomizer:
        return str(face)
    return table.say("rolled_%d" % face)
