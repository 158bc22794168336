"""Lines about earlier events: the last presses, the last rolls, a judge's act."""

from firmware.core import events, judging, luck, takeback
from firmware.ui import facts, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Ledger
    from firmware.ui.types import Face, Words

PRESSES = 0
ROLLS = 1
ACT = 2  # what a judge can take back
LINES = 4
_ACTED = 448  # text acted_23
_NONE = 272  # text undo_none
_DID = 23  # text did_20
_ROLLED = 39  # text rolled_1
_UNTIL = 255


def lines(
    what: int, page: int, ledger: "Ledger", screens: "Face", words: "Words", now_ms: int
) -> list[str]:
    """Return four lines, newest first; a ``page`` beyond the last shows the first. Some of the
    ``words`` are overwritten: an evening's last memory may be needed here.
    """
    journal = ledger.journal
    if what == ACT:
        return [_act(journal, screens, words)] + [""] * (LINES - 1)
    if what == PRESSES:
        places, line = takeback.presses(journal), _press_line
    else:
        places, line = _rolls(journal), _roll_line
    end = len(places) - page % max(1, (len(places) + LINES - 1) // LINES) * LINES
    found = [""] * LINES
    for at in range(min(end, LINES)):
        found[at] = line(ledger, places[end - 1 - at], screens, words, now_ms)
    return found


def _line(screens, words, number, numbers=(0, 0), shape=""):
    words[word.ENTERED], words[word.ENTERED_TOO] = numbers
    words[word.SEAT] = shape
    return screens.line(number, words)


def _act(journal, screens, words):
    place = judging.last(journal)
    number = _NONE if place is None else _ACTED + judging.ACTS.find(bytes((journal.kind(place),)))
    return _line(screens, words, number)


def _press_line(ledger, place, screens, words, now_ms):
    """Return the line about a press, with how long ago that was."""
    event = ledger.journal.told(place)
    number = _DID + event.kind - (20 if event.kind < 30 else 26)
    ago_s = max(0, now_ms - event.at_ms) // 1000
    said = _line(screens, words, number, _press_numbers(event), _who(ledger.match, event))
    return "\x05%d:%02d  %s" % (ago_s // 60, ago_s % 60, said)


def _press_numbers(event):
    """Return the two numbers that the text of a press may name: a count, or the game."""
    if isinstance(event, events.StarterSet):
        return event.game, 0
    return getattr(event, "first", 0), getattr(event, "second", 0)


def _who(match, event):
    """Return the players of a press: shapes, or seats of a team; for WIPED_OUT all that are out."""
    if isinstance(event, events.WipedOut):
        out = event.seats
        if match.team:
            return " ".join([facts.team_seat(match, i) for i in range(4) if out >> i & 1])
        return "".join([facts.SHAPES[i] for i in (0, 1) if out >> i & 1])
    ended = isinstance(event, events.TurnEnded)
    seat = event.next_seat if ended else getattr(event, "seat", 0)
    if match.team and (ended or isinstance(event, events.TurnStarted)):
        return facts.team_seat(match, seat)
    return facts.SHAPES[seat & 1]


def _rolls(log):
    """Return the places of a match's rolls, oldest first."""
    return [place for place in range(log.first, log.end) if log.kind(place) == events.ROLLED]


def _roll_line(ledger, place, screens, words, now_ms):
    """Return the line about a roll."""
    log = ledger.journal
    roll = log.told(place)
    return "%d  %s%s" % (roll.number, _roll_said(screens, words, roll), _agreed(log, place))


def _agreed(log, place):
    """Return what shows that both have agreed to a roll, before the next one."""
    for later in range(place + 1, log.end):
        kind = log.kind(later)
        if kind == events.ROLLED:
            break
        if kind == events.ROLL_AGREED and log.told(later).rolled == luck.AGREED:
            return " \x04"
    return ""


def _roll_said(screens, words, roll):
    face, many = roll.face, roll.flips
    if many == _UNTIL:
        return _line(screens, words, _ROLLED + 4, (face, 0))
    if many:
        return _line(screens, words, _ROLLED + 3, (facts.heads(face), many))
    if roll.randomizer:
        return str(face)
    return _line(screens, words, _ROLLED + face - 1)
