"""Reads TOM's tournament file (.tdf): players, pods, rounds and matches with their outcome codes.

The format is not published; this is known from public readers: ``tournament`` has ``data``,
``players``, ``pods``; a pod its ``rounds``; a round its ``matches``. A match has ``player1`` and
``player2``, or one ``player`` for a bye or a missed round. Round type 1 is single elimination.
``roundtime`` and ``finalsroundtime`` are minutes, 0 for no limit. A finished tournament has
``standings``: for each pod the players who finished, by ``place``. ``gametype`` is
TRADING_CARD_GAME or another game's name. Only the year of a birth date is kept.
"""

import pathlib
from dataclasses import dataclass
from typing import NoReturn

from host.base.sentences import Sentence, SentenceValue
from host.formats.tom_xml import MOST_BYTES, Element, TdfError, parse, value_span

OPEN, PLAYER_1, PLAYER_2, TIE = 0, 1, 2, 3
OUTCOMES = {
    OPEN: "open",
    PLAYER_1: "player 1 wins",
    PLAYER_2: "player 2 wins",
    TIE: "tie",
    4: "assigned bye",
    5: "bye",
    8: "late loss",
    9: "deleted",
    10: "double loss",
}
_CODES = {str(code): code for code in OUTCOMES}
_SEATS = "player", "player1", "player2"
BYES = (4, 5)
LATE_LOSS, DOUBLE_LOSS = 8, 10
DELETED = 9
PODS = {
    "0": "Juniors",
    "1": "Seniors",
    "2": "Masters",
    "8": "Juniors + Seniors",
    "9": "Seniors + Masters",
    "10": "All",
}
_ELIMINATION = "1"
_CARD_GAME = "TRADING_CARD_GAME"
_MOST_MINUTES = 999
_MOST_ROUND, _MOST_TABLE = 255, 65535
_MOST_NAME, _MOST_NUMBER = 200, 32


@dataclass(frozen=True)
class TdfPlayer:
    """A player in the file, with the line; ``dropped``: the round after which the player left, or
    None.
    """

    number: str
    name: str
    birth_year: int | None
    dropped: int | None
    late: bool
    line: int


@dataclass(frozen=True)
class TdfMatch:
    """A match: ``numbers`` of one or two players; ``span``: start and end of its outcome code."""

    pod: str
    round: int
    elimination: bool
    table: int
    numbers: tuple[str, ...]
    outcome: int
    span: tuple[int, int]
    line: int

    @property
    def playable(self) -> bool:
        """Whether the match has two players."""
        return len(self.numbers) == 2 and self.outcome != DELETED


@dataclass(frozen=True)
class Tdf:
    """A file as read: its bytes, the event's name, players by number, matches in file order."""

    path: pathlib.Path
    raw: bytes
    name: str
    players: dict[str, TdfPlayer]
    matches: tuple[TdfMatch, ...]
    # of a Swiss round and of an elimination round; 0 means no limit
    minutes: tuple[int, int] | None = None
    places: tuple[tuple[str, tuple[str, ...]], ...] = ()  # each pod's players as TOM ranks them

    @property
    def last_round(self) -> int | None:
        """The highest round with a match, or None if TOM has not paired yet."""
        return max((match.round for match in self.matches if match.playable), default=None)

    @property
    def open_round(self) -> int | None:
        """The highest round with an open match, or None."""
        open_matches = [match for match in self.matches if match.playable and match.outcome == OPEN]
        return max((match.round for match in open_matches), default=None)


def read(path: pathlib.Path, raw: bytes | None = None) -> Tdf:
    """Return the Tdf at ``path``, which is never written; ``raw``: its bytes, None to read them
    there. Raises TdfError.
    """
    if raw is None:
        try:
            with open(path, "rb") as file:
                raw = file.read(MOST_BYTES + 1)
        except OSError as failure:
            raise TdfError(path, None, "cannot be read: {why}", why=failure.strerror) from None
    return tdf_of(path, raw)


def tdf_of(path: pathlib.Path, raw: bytes) -> Tdf:
    """Return the Tdf of a file's bytes; ``path`` is for messages. Raises TdfError."""
    root = parse(path, raw)
    reading = _Reading(path, raw)
    if root.name != "tournament":
        reading.refuse(
            root, "begins with <{name}>, not with TOM's <tournament>", name=root.name[:40]
        )
    game = root.attributes.get("gametype", _CARD_GAME)
    if game != _CARD_GAME:
        text = (
            "is a tournament of another game ({game}): its rounds are not the card game's, "
            "keep it in TOM"
        )
        reading.refuse(root, text, game=game[:40])
    for part in ("data", "players", "pods"):
        count = len(root.all(part))
        if count != 1:
            reading.refuse(
                root, "should hold one <{part}> and holds {count}", part=part, count=count
            )
    for player in root.all("players", "player"):
        reading.player(player)
    for pod in root.all("pods", "pod"):
        reading.pod(pod)
    name, [data] = root.words("data", "name"), root.all("data")
    reading.require_short(data, name, _MOST_NAME, Sentence("the event's name"))
    swiss = reading.minutes(root, "roundtime")
    elimination = reading.minutes(root, "finalsroundtime")
    minutes = None if swiss is None or elimination is None else (swiss, elimination)
    places = tuple(reading.places(pod) for pod in root.all("standings", "pod"))
    return Tdf(path, raw, name, reading.players, tuple(reading.matches), minutes, places)


class _Reading:
    """The state while reading, with the checks that depend on earlier elements."""

    def __init__(self, path, raw):
        self._path, self._raw = path, raw
        self.players, self.matches, self._pods = {}, [], set()

    def refuse(self, element: Element, sentence: str, **values: SentenceValue) -> NoReturn:
        """Raise TdfError for an element, with its line."""
        raise TdfError(self._path, element.line, sentence, **values)

    def require_short(self, element: Element, text: str, most: int, what: Sentence) -> None:
        """Raise TdfError for a text of more than ``most`` characters."""
        if len(text) > most:
            self.refuse(element, "{what} is longer than {most} characters", what=what, most=most)

    def player(self, element: Element) -> None:
        """Read a player. Raises TdfError."""
        number = element.attributes.get("userid", "").strip()
        self.require_short(element, number, _MOST_NUMBER, Sentence("a player's number"))
        if not number:
            self.refuse(element, "a player has no number (userid)")
        if number in self.players:
            self.refuse(element, "player {number} is there twice", number=number)
        name = f"{element.words('firstname')} {element.words('lastname')}".strip()
        what = Sentence("the name of player {number}", number=number)
        self.require_short(element, name, _MOST_NAME, what)
        if not name:
            self.refuse(element, "player {number} has no name", number=number)
        late = element.words("late") == "true" or element.words("starter") == "false"
        year, dropped = self._year(element), self._dropped_after(element)
        self.players[number] = TdfPlayer(number, name, year, dropped, late, element.line)

    def _dropped_after(self, player: Element) -> int | None:
        """Return the round after which a player left, or None."""
        dropped = player.first("dropped")
        if dropped is None or dropped.words("status") == "0":
            return None
        text = dropped.words("round")
        return self._number(dropped, text, 0, _MOST_ROUND, Sentence("the round of a drop"))

    def _year(self, player: Element) -> int | None:
        year = player.words("birthdate").rpartition("/")[2]
        return int(year) if year.isascii() and year.isdigit() and len(year) == 4 else None

    def pod(self, pod: Element) -> None:
        """Read a pod and its rounds. Raises TdfError."""
        category = pod.attributes.get("category", "")
        if category not in PODS:
            self.refuse(pod, "pod category {category!r} is not known", category=category[:20])
        name = PODS[category]
        if category in self._pods:
            self.refuse(pod, "the pod {pod} is there twice", pod=name)
        self._pods.add(category)
        numbers = set()
        for element in pod.all("rounds", "round"):
            text, what = element.attributes.get("number", ""), Sentence("a round's number")
            number = self._number(element, text, 1, _MOST_ROUND, what)
            if number in numbers:
                twice = "round {number} of {pod} is there twice"
                self.refuse(element, twice, number=number, pod=name)
            numbers.add(number)
            self._round(category, number, element)

    def _round(self, category: str, number: int, element: Element) -> None:
        kind = element.attributes.get("type", "")
        if not kind.isdigit():
            self.refuse(element, "round {number} does not say of what type it is", number=number)
        lines: dict[str, int] = {}  # of each player's match
        for child in element.all("matches", "match"):
            match = self._match(category, number, kind == _ELIMINATION, child)
            self.matches.append(match)
            if match.outcome == DELETED:
                continue
            for player in match.numbers:
                if player in lines:
                    text = "player {player} is paired already in line {line}"
                    self.refuse(child, text, player=player, line=lines[player])
                lines[player] = match.line

    def _match(self, category, number, elimination, match):
        outcome = match.attributes.get("outcome")
        if outcome is None:
            self.refuse(match, "a match has no outcome")
        if outcome not in _CODES:
            text = "outcome {outcome!r} is not known; the file is left as it is"
            self.refuse(match, text, outcome=outcome[:20])
        code = _CODES[outcome]
        players = self._seats(match)
        if len(players) == 1 and code in (PLAYER_1, PLAYER_2, TIE):
            text = "a match of one player has the outcome {code} ({meaning})"
            self.refuse(match, text, code=code, meaning=OUTCOMES[code])
        if len(players) == 2 and code in BYES:
            text = "a match of two players has the outcome {code} ({meaning})"
            self.refuse(match, text, code=code, meaning=OUTCOMES[code])
        table = self._number(
            match, match.words("tablenumber") or "0", 0, _MOST_TABLE, Sentence("a table's number")
        )
        span = value_span(self._raw, match, "outcome")
        return TdfMatch(category, number, elimination, table, players, code, span, match.line)

    def _seats(self, match):
        """Return the numbers of a match's one or two players. Raises TdfError."""
        seats = [element for element in match.children if element.name in _SEATS]
        seats.sort(key=lambda element: element.name)
        names = [element.name for element in seats]
        if names not in (["player1", "player2"], ["player"], ["player1"]):
            self.refuse(match, "a match has neither two players nor one")
        numbers = tuple(element.attributes.get("userid", "").strip() for element in seats)
        for number in numbers:
            if number not in self.players:
                text = "player {number!r} of a match is not among the players"
                self.refuse(match, text, number=number[:_MOST_NUMBER])
        if len(set(numbers)) < len(numbers):
            self.refuse(match, "player {number} is paired with themselves", number=numbers[0])
        return numbers

    def minutes(self, root: Element, name: str) -> int | None:
        """Return a round's minutes, 0 for no limit, or None without a valid number."""
        text = root.words("data", name)
        valid = text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= _MOST_MINUTES
        return int(text) if valid else None

    def places(self, pod: Element) -> tuple[str, tuple[str, ...]]:
        """Return a pod's category and the numbers of the players who finished, by place."""
        placed: list[tuple[int, str]] = []
        if pod.attributes.get("type") == "finished":
            for player in pod.all("player"):
                number = player.attributes.get("id", "").strip()
                place = player.attributes.get("place", "")
                valid = place.isascii() and place.isdigit() and len(place) < 6
                if number in self.players and valid:
                    placed.append((int(place), number))
        return pod.attributes.get("category", ""), tuple(number for _, number in sorted(placed))

    def _number(self, element, text, least, most, what):
        valid = text.isascii() and text.isdigit() and len(text) < 10
        if not valid or not least <= int(text) <= most:
            template = "{text!r} is not {what}: from {least} to {most}"
            self.refuse(element, template, text=text[:20], what=what, least=least, most=most)
        return int(text)
