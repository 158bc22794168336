"""Standings, pairing, squad, set-up and score cases of XW15 (docs/cases.md)."""

import csv
import io
import pathlib
import tempfile

from firmware.core import events, intents, luck, play
from firmware.core.systems import xw15
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.private_files import write_whole
from host.cases import match_case
from host.cases.match_case import SIDES, Story
from host.cases.need import Case, Got, listing, mapping, need, truth, whole, word
from host.cases.rolls import DECIDES
from host.event import squad_lists
from host.event.squad_lists import SquadList
from host.tournament import xwing_setup, xwing_squads
from host.tournament.xwing_pairing import Player, Question, pair_drawn, pair_first, pair_next
from host.tournament.xwing_standings import BOTH, Bye, Match, standings, worth


def run_standings(subject: Json) -> Got:
    """Return the order (``"ask"`` after a full tie), points, margins and strengths of schedule."""
    rounds = listing(mapping(subject, "standings").get("rounds"), "rounds")
    played = [
        [_entry(match, f"round {number}") for match in listing(matches, f"round {number}")]
        for number, matches in enumerate(rounds, 1)
    ]
    try:
        table = standings(played)
    except UserError as mistake:
        raise ValueError(str(mistake)) from None
    got: Got = {
        "points": {line.player: line.points for line in table.lines},
        "margin": {line.player: line.margin for line in table.lines},
        "sos": {line.player: line.sos for line in table.lines},
        "order": [line.player for line in table.lines],
    }
    if table.ties:
        level = "; ".join(", ".join(names) for names in table.ties)
        got |= {"order": "ask", "ask": f"level in everything: {level}"}
    return got


def _entry(value: Json, where: str) -> Match | Bye:
    entry = mapping(value, f"{where}: a match")
    if "bye" in entry:
        return Bye(word(entry["bye"], f"{where}: bye"))
    return _match(entry, where)


def _match(entry: Case, where: str) -> Match:
    a, b = word(entry.get("a"), f"{where}: a"), word(entry.get("b"), f"{where}: b")
    destroyed = None
    if entry.get("destroyed") is not None:
        destroyed = _two(entry["destroyed"], f"{where}: destroyed", "is two numbers")
    wiped, conceded, expelled = (
        _sides(entry, key, a, b, where) for key in ("wiped", "concede", "expelled")
    )
    need(conceded != BOTH, f"{where}: one concedes")
    seat = {0: None, 1: 0, 2: 1}[conceded]
    return Match(a, b, destroyed, wiped, seat, expelled)


def _two(value: Json, what: str, wanted: str) -> tuple[int, int]:
    """Return ``(a's, b's)`` from an array of two numbers."""
    numbers = [whole(number, what, 0, 999) for number in listing(value, what)]
    need(len(numbers) == 2, f"{what} {wanted}")
    return numbers[0], numbers[1]


def _sides(entry, key, a, b, where):
    """Return the players named under ``key``, one or several, as bits: 1 for a, 2 for b."""
    named = entry.get(key) or []
    named = [named] if isinstance(named, str) else listing(named, f"{where}: {key}")
    need(all(name in (a, b) for name in named), f"{where}: {key} names nobody of this match")
    return (1 if a in named else 0) | (2 if b in named else 0)


def run_pairing(subject: Json) -> Got:
    """Return the ``pairs``, the ``bye`` and ``level`` (the players among whom it was drawn), or
    ``ask`` with a sentence.
    """
    subject = mapping(subject, "a pairing")
    number = whole(subject.get("round"), "round", 1, 99)
    players = [_player(entry) for entry in listing(subject.get("players"), "players")]
    need(len({player.id for player in players}) == len(players), "a player is there twice")
    try:
        pairings = _pair(number, players, subject.get("seed"))
    except Question as question:
        return {"ask": str(question)}
    pairs = [list(pair) for pair in pairings.pairs]
    return {"pairs": pairs, "bye": pairings.bye, "level": list(pairings.level)}


def _pair(number, players, seed):
    seed = None if seed is None else whole(seed, "seed", 0, 2**32)
    if number > 1:
        return pair_next(players, seed=seed)
    if seed is None:  # the players are in the order in which they were drawn
        return pair_drawn(players)
    return pair_first(players, seed)


def _player(entry: Json) -> Player:
    entry = mapping(entry, "a player")
    name = word(entry.get("id"), "id")
    met = listing(entry.get("met", []), f"{name}: met")
    parties = [
        f"{key} {word(entry[key], f'{name}: {key}')}"
        for key in ("family", "travel")
        if entry.get(key)
    ]
    return Player(
        name,
        points=whole(entry.get("points", 0), f"{name}: points"),
        margin=whole(entry.get("margin", 0), f"{name}: margin"),
        met=frozenset(word(other, f"{name}: met") for other in met),
        had_bye=truth(entry.get("had_bye", False), f"{name}: had_bye"),
        parties=frozenset(parties),
    )


def run_squads(subject: Json) -> Got:
    """Check the ``lines`` of a squad list, each an array of cells.

    Returns ``faults`` (sentences), ``lines`` (the numbers of faulty lines) and ``allowed``. If any
    line has one cell more than ``COLUMNS``, the list has the column of obstacles.
    """
    listed = listing(mapping(subject, "squads").get("lines"), "lines")
    lines = [listing(line, "a line") for line in listed]
    heads = [*xwing_squads.COLUMNS]
    if any(len(line) > len(heads) for line in lines):
        heads.append(xwing_squads.OBSTACLES)
    written = io.StringIO()
    csv.writer(written).writerows([heads, *lines])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "squads.csv")
        write_whole(path, written.getvalue())
        ships, faults = xwing_squads.read(path)
    faults = sorted([*faults, *xwing_squads.faults_of(ships)])
    return {
        "lines": sorted({line for line, _ in faults}),
        "faults": [sentence for _, sentence in faults],
        "allowed": not faults,
    }


def run_setup(subject: Json) -> Got:
    """Return the requested facts on the set-up of a match.

    ``totals``: who decides the initiative; ``has_initiative``: who places each obstacle;
    ``factions``: how colours are decided; ``event``: whether the organiser and the judges may play.
    """
    subject = mapping(subject, "a setup")
    got = {}
    if "totals" in subject:
        match = _match_with_squads(*_two(subject["totals"], "totals", "are two"), mirror=False)
        got["initiative"] = DECIDES[luck.initiative(match)]
    if "has_initiative" in subject:
        got["placing"] = _placing(word(subject["has_initiative"], "has_initiative", SIDES))
    if "factions" in subject:
        factions = [word(name, "factions") for name in listing(subject["factions"], "factions")]
        need(len(factions) == 2, "factions are two")
        agreed = truth(subject.get("agreed", True), "agreed")
        mirror = squad_lists.same_faction(*(SquadList(name, ()) for name in factions))
        tossed = luck.needs(_match_with_squads(0, 0, mirror), luck.COIN, luck.COLOURS) is not None
        got["colours"] = "coin" if tossed and not agreed else None
    if "event" in subject:
        category = word(subject["event"], "event", ("informal", "competitive", "premier"))
        second = truth(subject.get("second_organiser", False), "second_organiser")
        got["organiser_plays"] = xwing_setup.organiser_may_play(category, second)
        got["judges_play"] = xwing_setup.judge_may_play(category)
    return got


def _placing(initiative):
    """Return the side that places each obstacle, by a table's match."""
    match, order = match_case.Match(xw15), []
    first = [
        intents.SetRound(1, 1, 1, 1),
        intents.SetFormat(1, xw15.NUMBER, 2, 50),
        intents.PlaceObstacle(1, SIDES.index(initiative)),
    ]
    presses = [intents.PlaceObstacle(1, seat) for seat in (0, 1)]
    for intent in first + presses * 9:  # only the press of the seat whose turn it is does something
        for event in match.decide(intent, 1):
            match.apply(event)
            if event.kind == events.TURN_ENDED and match.obstacle <= play.OBSTACLES:
                order.append(SIDES[match.placing])
    return order


def _match_with_squads(a, b, mirror):
    """Return a table's match after the desk has set both totals and the mirror match."""
    story = Story(xw15, {})
    intent = intents.SetSquads(match_case.START_MS, int(mirror), 0, a, b)
    story.write(story.match.decide(intent, match_case.START_MS))
    return story.match


def run_scores(subject: Json) -> Got:
    """Return how many of a match's scores are impossible (``odd``); if none, points and margins.

    A score is impossible if no set of the other squad's ships adds up to it. Raises ValueError for
    bad data.
    """
    subject = mapping(subject, "scores")
    number = whole(subject.get("round"), "round", 1, 4)
    match = _match(subject | {"a": "A", "b": "B"}, "scores")
    if match.destroyed is None:
        raise ValueError("scores: destroyed is missing")
    squads = _ships(subject.get("squads_a")), _ships(subject.get("squads_b"))
    odd = xwing_setup.oddities(match.destroyed, squads, xw15.CAPS[number - 1])
    got: Got = {"odd": len(odd)}
    if not odd:
        points, margins = worth(match, number)
        got |= {"points": list(points), "margin": list(margins)}
    return got


def _ships(value: Json) -> list[int] | None:
    """Return the points of each ship of a squad, or None if there is no list."""
    if not value:
        return None
    return [whole(points, "a ship", 0, 150) for points in listing(value, "ships")]
