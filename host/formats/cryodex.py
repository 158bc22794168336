"""Cryodex's tournament JSON (the form it exports for List Juggler), read and written.

``{"name", "players": [{"name", "mov", "score", "sos", "rank": {"swiss"}}], "rounds":
[{"round-type": "swiss"|"elimination", "round-number", "matches": [{"player1", "player1points",
"player2", "player2points", "result": "win"|"draw"|"bye"}]}]}``. Players only have names; their
number is their place in the list. In an elimination round ``round-number`` is the number of
players left. There are no table numbers; a match's table is its place in the round.
"""

import pathlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn, Required, TypedDict, TypeVar

from host.base import plain_text
from host.base.json_values import Json
from host.base.sentences import Sentence, SentenceValue
from host.formats.csv_reader import SheetError
from host.formats.json_reader import value_of

RESULTS = ("win", "draw", "bye")
_SWISS, _ELIMINATION = "swiss", "elimination"
_MOST_PLAYERS = 10_000
_MOST_NAME = 200
_COLUMNS = {"score": "points", "mov": "margin", "sos": "sos"}
Kind = TypeVar("Kind", dict, list, str)


@dataclass(frozen=True)
class CryodexMatch:
    """Names of one or two players, points destroyed by each (None: unknown), and the result: win,
    draw or bye.
    """

    names: tuple[str, ...]
    points: tuple[int | None, int | None]
    result: str | None


class CryodexRound(NamedTuple):
    """A round's kind and matches."""

    elimination: bool
    matches: Sequence[CryodexMatch]


class CryodexPlayer(TypedDict, total=False):
    """A player of a file to be written; unknown values are None or left out."""

    name: Required[str]
    score: int | None
    mov: int | None
    sos: float | None
    rank: int | None


@dataclass(frozen=True)
class Cryodex:
    """A file as read; ``numbers``: name → player number.

    ``values``: player number → the file's ``points``, ``margin`` and ``sos``; ``ranks``: player
    number → place after the Swiss rounds. Both contain only what the file states.
    """

    path: pathlib.Path
    name: str | None
    numbers: dict[str, str]
    rounds: tuple[CryodexRound, ...]
    values: dict[str, dict[str, int]] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)


def read(path: pathlib.Path, raw: bytes | None = None) -> Cryodex:
    """Return the Cryodex file at ``path``; ``raw``: its bytes, None to read them there. Raises
    SheetError.
    """
    reading = _Reading(path)
    value = reading.need(value_of(path, raw), dict, Sentence("an object with players and rounds"))
    players = reading.need(value.get("players"), list, "players as a list")
    if len(players) > _MOST_PLAYERS:
        reading.refuse("names more than {most} players", most=_MOST_PLAYERS)
    names: list[str] = []
    values: dict[str, dict[str, int]] = {}
    ranks: dict[str, int] = {}
    for number, entry in enumerate(players, 1):
        player = reading.need(entry, dict, Sentence("a player as an object"))
        names.append(reading.name(player.get("name")))
        values[str(number)] = reading.values(player)
        rank = reading.rank(player)
        if rank is not None:
            ranks[str(number)] = rank
    for name, count in Counter(names).items():
        if count > 1:
            text = "the player {twice} is there twice; Cryodex tells players apart by name"
            reading.refuse(text, twice=name)
    numbers = {name: str(number) for number, name in enumerate(names, 1)}
    rounds = reading.need(value.get("rounds"), list, "rounds as a list")
    read_rounds = tuple(
        reading.round(number, each, numbers) for number, each in enumerate(rounds, 1)
    )
    event = value.get("name")
    event_name = reading.name(event) if event else None
    return Cryodex(path, event_name, numbers, read_rounds, values, ranks)


class _Reading:
    """The checks while a file is read; each raises SheetError with a sentence."""

    def __init__(self, path: pathlib.Path):
        self._path = path

    def refuse(self, sentence: str, **values: SentenceValue) -> NoReturn:
        """Raise SheetError with ``sentence``, a template for ``values``."""
        raise SheetError(self._path, None, sentence, **values)

    def need(self, value: Json, kind: type[Kind], what: str) -> Kind:
        """Return ``value`` if it is a ``kind``. Raises SheetError, naming ``what``, otherwise."""
        if not isinstance(value, kind):
            self.refuse("should give {what}", what=what)
        return value

    def name(self, value: Json) -> str:
        """Return a valid name with its blanks tidied. Raises SheetError."""
        text = self.need(value, str, Sentence("names as texts"))
        try:
            text = plain_text.line(text)
        except ValueError as mistake:
            self.refuse(
                "{value!r} is not a name: it {mistake}",
                value=plain_text.visible(text)[:40],
                mistake=mistake.args[0],
            )
        if not 0 < len(text) <= _MOST_NAME:
            self.refuse("{text!r} is not a name", text=text[:40])
        return text

    def values(self, player: dict[str, Json]) -> dict[str, int]:
        """Return the file's numbers of a player, under our columns; only integers count."""
        values = {column: player.get(word) for word, column in _COLUMNS.items()}
        return {column: value for column, value in values.items() if type(value) is int}

    def rank(self, player: dict[str, Json]) -> int | None:
        """Return a player's place after the Swiss rounds, or None if the file has none."""
        ranks = player.get("rank")
        place = ranks.get("swiss") if isinstance(ranks, dict) else None
        return place if type(place) is int and place > 0 else None

    def round(self, place: int, value: Json, numbers: dict[str, str]) -> CryodexRound:
        """Return a round; ``place`` is from 1, ``numbers``: name → number. Raises SheetError."""
        content = self.need(value, dict, Sentence("a round as an object"))
        kind = content.get("round-type")
        if kind not in (_SWISS, _ELIMINATION):
            self.refuse("round {place} is neither swiss nor elimination", place=place)
        matches: list[CryodexMatch] = []
        seated: set[str] = set()
        for entry in self.need(content.get("matches"), list, "a round's matches as a list"):
            match = self._match(place, self.need(entry, dict, Sentence("a match as an object")))
            for name in match.names:
                if name not in numbers:
                    text = "round {place}: {name} is not among the players"
                    self.refuse(text, place=place, name=name)
                if name in seated:
                    self.refuse("round {place}: {name} is paired twice", place=place, name=name)
                seated.add(name)
            matches.append(match)
        return CryodexRound(kind == _ELIMINATION, tuple(matches))

    def _match(self, place, match):
        result = match.get("result")
        if result is not None and result not in RESULTS:
            self.refuse(
                "round {place}: the result {value!r} is not known",
                place=place,
                value=str(result)[:20],
            )
        seats = [match.get(key) for key in ("player1", "player2")]
        names = tuple(self.name(name) for name in seats if name is not None)
        players = 1 if result == "bye" else 2
        if len(names) != players or seats[0] is None:
            self.refuse("round {place}: a bye has one player, a match has two", place=place)
        a = self._points(place, match.get("player1points"))
        b = self._points(place, match.get("player2points"))
        return CryodexMatch(names, (a, b), result)

    def _points(self, place, value):
        if value is None:
            return None
        if type(value) is not int or not 0 <= value <= 9999:
            self.refuse(
                "round {place}: {value!r} is not a number of points",
                place=place,
                value=str(value)[:20],
            )
        return value


def to_json(
    name: str, players: Iterable[CryodexPlayer], rounds: Iterable[CryodexRound]
) -> dict[str, Json]:
    """Return the JSON object of a tournament as Cryodex writes it; ``rounds`` in their order."""
    return {
        "name": name,
        "players": [_player(player) for player in players],
        "rounds": [
            {
                "round-type": _ELIMINATION if elimination else _SWISS,
                "round-number": 2 * len(matches) if elimination else number,
                "matches": [_match(match) for match in matches],
            }
            for number, (elimination, matches) in enumerate(rounds, 1)
        ],
    }


def _player(player: CryodexPlayer) -> dict[str, Json]:
    line: dict[str, Json] = {"name": player["name"]}
    scores = {key: player.get(key) for key in ("mov", "score", "sos")}
    line |= {key: value for key, value in scores.items() if value is not None}
    rank = player.get("rank")
    if rank is not None:
        line["rank"] = {"swiss": rank}
    return line


def _match(match: CryodexMatch) -> dict[str, Json]:
    line: dict[str, Json] = {}
    for number, (name, points) in enumerate(zip(match.names, match.points, strict=False), 1):
        line[f"player{number}"] = name
        if points is not None:
            line[f"player{number}points"] = points
    if match.result is not None:
        line["result"] = match.result
    return line
