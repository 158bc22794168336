"""Describes a system's table in sentences: tree, acts, randomizers and points."""

from collections.abc import Iterator, Sequence

from firmware.core import phases
from host.base.commands import COMMANDS
from host.systems import vocabulary as words
from host.systems.rules import Policy

ACTS = {command.kind: command.meaning for command in COMMANDS}  # "": possible everywhere
SITUATIONS = {
    "last": "The last turn ends in game {game}",
    "between": "Time between games, after game {game}",
    "level": "Time after game {game} ended level, the Tiebreaker's starter not determined",
    "halted": "Time during a Tiebreaker Game (game {game})",
    "unstarted": "Time before game 1's starter is determined",
    "extra": "After time, game {game} is won",
    "won": "The match is won in time, in game {game}",
    "tied": "Both win at once after time, in game {game}",
    "even": "Both win at once in time, in game {game}",
    "left": "A player concedes the match in game {game}",
    "wiped": "A side has lost all its ships",
}
VERDICTS = {
    "tie": "a tie",
    "leader": "who leads in games wins",
    "winner": "who won stays the winner, late or not",
    "leader_or_tie": "more games won wins; equal is a tie",
    "prizes_or_play_on": (
        "fewer prizes left wins; equal: play goes on until someone has fewer or wins"
    ),
    "prizes_or_tie": "fewer prizes left wins; equal is a tie",
    "prizes_or_ask": "fewer prizes left wins; equal is for a judge",
    "tiebreaker": "a Tiebreaker Game decides",
    "tiebreaker_as_even": "a Tiebreaker Game decides that game",
    "score": "the higher score in points wins; a side that is gone has lost",
    "other": "the other player wins",
    "ask": "the text is silent: a judge decides",
    "ask_always": "the text is silent: a judge decides, late or not",
    "more_prizes_or_play_on": (
        "more prizes left wins; equal: play goes on until someone has more or wins"
    ),
    "more_prizes_or_tie": "more prizes left wins; equal is a tie",
    "more_prizes_or_ask": "more prizes left wins; equal is for a judge",
    "on": "play goes on",
    "none": "",
}
PHASES = {
    "idle": "no pairing yet",
    "seated": "paired; no clock runs",
    "pregame": "set-up before the round",
    "playing": "the round's clock runs",
    "frozen": "the table's clock stands",
    "time": "time is up and the table is asked",
    "overtime": "the turns after time",
    "finishing": "what is in progress at zero is finished",
    "resolving": "something is still asked",
    "play_on": "level: until someone is ahead",
    "tiebreaker": "a Tiebreaker Game",
    "proposed": "an outcome waits for both seats",
    "agreed": "the match has ended",
}
FIRST = {
    "f": "a flip decides", "c": "the winner of a toss chooses", "l": "the loser chooses",
    "d": "who chose last time chooses again",
    "o": "who did not choose last time chooses", "?": "a judge decides",
}  # fmt: skip
RANDOMIZERS = {"coin": "coin", "d6": "die", "attack": "attack die", "defence": "defence die"}
PURPOSES = {
    "first_player": "who plays first", "card": "a card's effect", "initiative": "initiative",
    "colours": "ID colours", "combat": "combat",
}  # fmt: skip
NEEDS = {
    "switch": "the head judge's (organiser's) switch", "consent": "both players' consent",
    "informal": "an informal event",
}  # fmt: skip

_AS_EVEN = words.number_of(words.VERDICTS, "tiebreaker_as_even")


def tree(cells: str, sections: Sequence[str], best_of: int) -> Iterator[tuple[str, str, str]]:
    """Yield ``(situation, verdict, section)`` of a tree for a match of ``best_of`` games.

    ``cells``: its rows with spaces between, each three verdicts and the place of their section.
    """
    rows = cells.split(" ")
    most = min(best_of, 3)  # the third verdict is for later games, too
    even = rows[phases.EVEN - 1]
    for (word, _), row in zip(words.SITUATIONS, rows, strict=True):
        games_by: dict[tuple[str, str], list[str]] = {}  # those with the same verdict and section
        for game, letter in enumerate(row[:most], 1):
            source = even if letter == _AS_EVEN else row
            number = ord(source[3]) - ord("0")  # from 1, may exceed 9; 0: no section
            section = sections[number - 1] if number else ""
            verdict = VERDICTS[words.word_of(words.VERDICTS, letter)]
            games_by.setdefault((verdict, section), []).append(str(game))
        for (verdict, section), games in games_by.items():
            if not verdict:
                continue
            situation = SITUATIONS[word]
            if best_of > 1 and len(games) == most:
                situation = situation.replace("game {game}", "any game")
            yield situation.format(game=" or ".join(games)), verdict, section


def policy(value: Policy) -> Iterator[tuple[str, str, str]]:
    """Yield ``(randomizers, purposes, condition)`` of a POLICY; the last rows are refusals."""
    rows, otherwise = value
    for dice_bits, purpose_bits, need_bits, allowed, *_ in rows:
        randomizers = words.places_of(words.RANDOMIZERS, dice_bits)
        dice = ", ".join(RANDOMIZERS[word] for word in randomizers)
        purposes = words.places_of(words.PURPOSES, purpose_bits)
        needs = " and ".join(NEEDS[word] for word in words.words_of(words.NEEDS, need_bits))
        condition = f"needs {needs}" if needs else "allowed"
        section = f" ({allowed})" if allowed else ""
        yield dice, ", ".join(PURPOSES[word] for word in purposes), condition + section
    yield "anything else", "", f"refused ({otherwise})" if otherwise else "refused"
    yield "Rock/Paper/Scissors", "", "never (P18 4.7)"


def points(row: bytes | None) -> str:
    """Return a system's points in one sentence; ``row``: its four or five bytes for a tree."""
    names = {
        "win": "a win",
        "narrow": "a narrow or counted win",
        "draw": "a draw",
        "loss": "a loss",
    }
    worth = row or bytes([words.UNKNOWN] * len(words.WORTH))
    parts = [
        f"{names[word]} {'unknown' if number == words.UNKNOWN else number}"
        for word, number in zip(words.WORTH, worth, strict=False)
    ]
    if len(worth) > len(words.WORTH):
        parts.append(f"each game won {worth[len(words.WORTH)]} more")
    sentence = ", ".join(parts)
    return sentence if row else f"{sentence} (the event's organiser sets them)"
