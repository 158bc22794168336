"""Who won a game or the match: evaluates a system's tree for a table's situation.

A tree has 11 rows, one per situation (``phases``). A row has 4 characters: the verdicts in games 1,
2 and 3, and the section (its place in ``SECTIONS``, from 1; 0: none). Verdicts: ``t`` tie, ``l``
leader in games, ``w`` leader, even if late, ``m`` leader or else tie, ``p`` fewest prizes or else
play on, ``d`` fewest prizes or else tie, ``q`` fewest prizes or else ask (``PDQ``: most prizes),
``g`` Tiebreaker Game (``G``: by the section of row EVEN), ``s`` score in points, ``c`` the side
that did not concede, ``?`` ask, ``!`` ask, even if late, ``o`` play goes on, ``-`` cannot occur.
In TOML they are words (docs/systems.md).

A verdict is a proposal with its section, ``(outcome, section, missing, award)``: outcome code,
section as its place in the system's ``SECTIONS`` from 1 (0 none), what is missing (``phases``
bits), and who is awarded the current game (0 nobody, 1 or 2). Nothing here changes a match or
depends on a system's name.
"""

from firmware.core import events, phases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware.core.types import Match, Verdict

NONE = 0
# 1 and 2: seat 0, seat 1 wins
TIE = 3
TIEBREAKER = 4
PLAY_ON = 5
ASK = 6

NAMES = (None, "A", "B", "tie", "tiebreaker", "play_on", "ask")


def _format_place(match: "Match") -> int:
    """Return where TREES and POINTS have a format: 0 and 1 Swiss, 2 and 3 elimination."""
    several = 1 if match.best_of > 1 else 0
    return 2 * match.elimination + several


def row(match: "Match", situation: int) -> tuple[str, int]:
    """Return ``(letter, section)`` of the match's tree for a situation in the current game."""
    trees = match.rules.TREES
    place = 4 if match.team else _format_place(match)
    tree = trees[place if place < len(trees) else 0]
    at = (situation - 1) * 5  # of a row: a letter a game, the section, a blank
    game = min(match.game, 3)
    return chr(tree[at + game - 1]), tree[at + 3] - ord("0")


def in_play(match: "Match") -> bool:
    """Return whether a game can be won now: one is in progress, or may be without any press."""
    if match.missing & phases.SCORE and match.best_of > 1:
        return False
    if match.progress == phases.NOT_BEGUN:
        return not match.tiebreaker
    return match.progress == phases.IN_PROGRESS


def all_played(match: "Match") -> bool:
    """Return whether this game is the last of an even number, of which all are played."""
    return match.best_of % 2 == 0 and match.game >= match.best_of


def game_won(match: "Match", at_ms: int, seat: int) -> "events.Event":
    """Return the event of ``seat`` winning the current game, with what it decides and its section.
    In play-on and in a Tiebreaker Game the section in force is kept (docs/rules.md, Who won).
    """
    if match.called:
        situation = phases.EXTRA
    else:
        decided = match.score[seat] + 1 > match.best_of // 2 or all_played(match)
        situation = phases.WON if decided else 0
    section = (match.section or row(match, situation)[1]) if situation else 0
    return events.GameWon(at_ms, seat, section, 0, situation, 0)


def playing(match: "Match") -> int:
    """Return who plays or is next, as in WIPED_OUT: the seat + 1, 0 if unknown."""
    return 0 if match.seat is None else 1 + match.seat


def winner_of(pair: "Sequence[int]") -> int:
    """Return the outcome of the larger number winning: 1, 2, or TIE."""
    first, second = pair
    if first == second:
        return TIE
    return 1 if first > second else 2


def verdict(match: "Match") -> "Verdict":
    """Return the verdict of the system's tree for the match's situation."""
    situation = match.situation
    letter, section = row(match, situation)
    won_on_table = situation in _BY_WIN
    if won_on_table and max(match.score) > match.best_of // 2:
        letter = "w"
    late_loses = match.rules.LOSES_IF_LATE and situation in _LATE_COUNTS and letter not in "!w"
    if late_loses and match.late in (1, 2):  # one of the two
        return 3 - match.late, row(match, phases.LAST)[1], 0, 0
    if letter == "c" or (won_on_table and letter != "?"):
        section = match.section
    if letter == "G":
        letter, section = "g", row(match, phases.EVEN)[1]
    if letter in "pdqPDQ":
        return _by_prizes(match, section, letter)
    if letter == "s":
        return _by_points(match, section)
    if letter == "c":
        assert match.conceded is not None
        won = 2 - match.conceded  # the other seat
    elif letter in "lwm":  # the leader in games
        won = winner_of(match.score)
        if won == TIE and letter != "m":
            won = ASK
    else:
        won = {"t": TIE, "g": TIEBREAKER, "o": PLAY_ON}.get(letter, ASK)
    return won, section, 0, 0


# won on the table: the section is the one in force when it was won
_BY_WIN = (phases.WON, phases.EXTRA)
# where a late player loses (criterion 1): after the final turn, or time between games
_LATE_COUNTS = (phases.LAST, phases.BETWEEN, phases.LEVEL, phases.TIED, phases.EXTRA)


def _by_prizes(match: "Match", section: int, letter: str) -> "Verdict":
    """Return the verdict by prizes: fewer left wins (capital: more); the letter decides ties."""
    if match.prizes is None:
        if match.outcome == PLAY_ON:
            return PLAY_ON, section, 0, 0
        return ASK, section, phases.PRIZES, 0
    prizes, adjusted = match.prizes, match.adjusted
    left = prizes[0] + adjusted[0], prizes[1] + adjusted[1]
    with_more = winner_of(left)
    if with_more == TIE:
        return {"p": PLAY_ON, "d": TIE, "q": ASK}[letter.lower()], section, 0, 0
    winner = with_more if letter in "PDQ" else 3 - with_more
    return winner, section, 0, winner


def _by_points(match: "Match", section: int) -> "Verdict":
    """Return the verdict by points: the higher score wins, a side whose ships are gone loses. A tie
    in elimination is asked about; one that an older version proposed (to 2026-11) stands.
    """
    both = tally(match)
    if None in both:
        return ASK, section, phases.DESTROYED, 0
    without_ships = gone(match)
    if without_ships in (1, 2):
        won = 3 - without_ships
    else:
        won = winner_of(both)  # pyright: ignore[reportArgumentType]  (both are known)
    if won == TIE and match.elimination and match.outcome != TIE:
        won = ASK
    return won, section, 0, 0


def gone(match: "Match") -> int:
    """Return the sides (bits) whose ships all count as destroyed; a concession overrides this."""
    return match.wiped if match.conceded is None else 1 << match.conceded


def tally(match: "Match") -> tuple[int | None, int | None]:
    """Return the points each side destroyed, None if unknown (rules X9, X11, X13)."""
    first, second = match.destroyed or (None, None)
    lost = match.wiped | gone(match)  # sides, as bits: the other one destroyed all their ships
    if lost & 2:
        first = match.cap
    if lost & 1:
        second = match.cap
    return first, second


_UNKNOWN = 255  # in a system's ``POINTS``


def points(match: "Match") -> tuple[int | None, ...]:
    """Return both sides' points, None for each that is undefined or undecided. A winner entered by
    hand has none if the win may be a narrow one, and no points destroyed tell: the board does not
    guess.
    """
    won = match.outcome
    table, place = match.rules.POINTS, _format_place(match)
    if won not in (1, 2, TIE) or place >= len(table) or match.team:
        return None, None
    win, narrow, draw, loss, *more = table[place]
    per_game = more[0] if more else 0
    both = [draw, draw]
    if won != TIE:
        both = [loss, loss]
        if _maybe_narrow(match):
            both[won - 1] = _UNKNOWN
        else:
            both[won - 1] = narrow if _narrow(match) else win
    return tuple([
        None if points == _UNKNOWN else points + per_game * games
        for points, games in zip(both, match.score)
    ])  # fmt: skip


def _maybe_narrow(match: "Match") -> bool:
    """Return whether a winner was entered by hand, and nothing tells how narrow the win is."""
    if not match.claimed:
        return False
    if not match.rules.LEAD:
        return bool(match.called)  # only a count after time makes a win narrow
    both = tally(match)
    return None in both or winner_of(both) != match.outcome  # pyright: ignore[reportArgumentType]  (both are known)


def _narrow(match: "Match") -> bool:
    """Return whether a win is a narrow one: awarded by a count, or by less than the ``LEAD``."""
    if match.award:
        return True
    if not match.rules.LEAD or gone(match):
        return False
    first, second = tally(match)
    assert first is not None and second is not None
    return abs(first - second) < match.rules.LEAD
