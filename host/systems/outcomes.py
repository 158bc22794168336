"""Checks that a system's table has an outcome for every way in which play can end.

Every situation that can occur needs an outcome. ``on`` (play goes on) is only possible after the
last turn, until somebody wins, and after a game drawn in time, with the next game.
"""

from collections.abc import Iterator

from firmware.core import intents, phases
from host.systems import vocabulary as words
from host.systems.rules import Rules

_ON, _NONE = "o", "-"
_GAMES = 3  # a row has a verdict for each, then its section
# situation: the play that leads to it (None: time or a concession), and its words
_REACHED = (
    (phases.LAST, None, "the last turn ends the game"),
    (phases.UNSTARTED, intents.SET_STARTER, "time is called before the first game"),
    (phases.BETWEEN, intents.SET_STARTER, "time is called between two games"),
    (phases.EXTRA, intents.WIN_GAME, "a game is won after time"),
    (phases.WON, intents.WIN_GAME, "the match is won in time"),
    (phases.TIED, intents.LEVEL_GAME, "both complete a win condition after time"),
    (phases.EVEN, intents.LEVEL_GAME, "both complete a win condition in time"),
    (phases.LEFT, None, "a player concedes"),
    (phases.WIPED, intents.WIPE_OUT, "one side's ships are gone"),
)
_NAMES = {number: word for word, number in words.SITUATIONS}
_MAY_GO_ON = (phases.LAST, phases.EVEN)


def faults(rules: Rules, several: bool = False) -> Iterator[tuple[str, str]]:
    """Yield ``(place, sentence)`` for every outcome that a system's table lacks.

    ``several``: of matches of several games, which use the tree ``all``. The system may then be an
    older event's, whose boards stay as they are: its seats are not checked.
    """
    names = ("all",) if len(rules.TREES) == 1 else words.TREES
    for name, tree in zip(names, rules.TREES, strict=False):
        single = name.endswith("_bo1") or (name == "all" and not several)
        yield from _of_tree(rules, name, tree.decode("ascii").split(" "), single)
    yield from _at_zero(rules)
    if not several:
        yield from _of_seats(rules)


def _of_tree(rules: Rules, name: str, rows: list[str], single: bool) -> Iterator[tuple[str, str]]:
    """Yield the faults of one tree; ``single``: of matches of one game."""
    for situation, cause in _reached(rules):
        verdicts = _possible(rows, situation, single)
        for undecided in [_NONE] if situation in _MAY_GO_ON else [_NONE, _ON]:
            if undecided in verdicts:
                game = verdicts.index(undecided) + 1
                yield (
                    f"trees.{name}.{_NAMES[situation]}",
                    f"is without an outcome in game {game}: {cause}, and nothing follows",
                )
    if _ON in _possible(rows, phases.LAST, single) and intents.WIN_GAME not in rules.PLAYS:
        sentence = "lets play go on, and nobody can win: win_game is needed in plays"
        yield f"trees.{name}.last", sentence
    letters = {letter for cell in rows for letter in cell[:3]}
    if letters & {"g", "G"} and intents.COUNT_PRIZES not in rules.PLAYS:
        yield f"trees.{name}", "knows a Tiebreaker Game, so count_prizes is needed in plays"


def _reached(rules: Rules) -> Iterator[tuple[int, str]]:
    """Yield each situation that play by a system can lead to, with its words."""
    for situation, play, cause in _REACHED:
        if play is not None and play not in rules.PLAYS:
            continue
        if situation == phases.WIPED and not rules.CAPS:
            continue
        yield situation, cause


def _possible(rows: list[str], situation: int, single: bool) -> str:
    """Return a row's verdicts (letters) for the games in which its situation can occur."""
    verdicts = rows[situation - 1][:_GAMES]
    if situation == phases.UNSTARTED:
        return verdicts[:1]
    another_follows_a_draw = rows[phases.EVEN - 1][0] == _ON
    if another_follows_a_draw:  # so that even a single game may be the third
        return verdicts
    if situation == phases.BETWEEN:  # after the first game or the second, if there are several
        return "" if single else verdicts[:2]
    return verdicts[:1] if single else verdicts


def _at_zero(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield a fault for each fact that a table needs at zero and nobody could enter."""
    asked, of_turns = rules.ASKED, {intents.START_TURN, intents.END_TURN}
    turns = of_turns & set(rules.PLAYS)
    if not asked:
        yield "asked", "is empty: a table that nobody touched would stand at its zero for ever"
    if len(turns) == 1:
        (lacking_play,) = of_turns - turns
        lacking = words.word_of(words.PLAYS, lacking_play)
        yield "plays", f"{lacking} is needed: the turn in progress at zero has to end"
    if turns and not asked & phases.TURN:
        sentence = (
            "lacks turn: whose turn it is at zero would never be known (without turns, plays"
            " has no start_turn)"
        )
        yield "asked", sentence
    if not turns and asked & phases.TURN:
        yield "asked", "asks for a turn, and plays knows none: start_turn and end_turn"
    if not turns and any(count for count, _ in rules.OVERTIME):
        yield "overtime", "has turns after time, and plays knows none: start_turn and end_turn"
    if intents.SET_STARTER in rules.PLAYS and not asked & phases.SCORE:
        yield "asked", "lacks score: the games won so far would never be known"


def _of_seats(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield a fault if a board would show shared turns that nobody can begin or end."""
    if not rules.SEATS and intents.START_TURN not in rules.PLAYS:
        sentence = (
            'is empty, so that both share turns that plays does not know: say seats = ["A",'
            ' "B"], or add start_turn and end_turn to plays'
        )
        yield "seats", sentence
