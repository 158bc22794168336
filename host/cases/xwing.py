"""Standings, pairing, squad and set-up cases of XW15 (docs/cases.md)."""

import csv
import io
import pathlib
import tempfile

from host.base.errors import UserError
from host.cases.need import listing, mapping, need, truth, whole, word
from host.tournament import xwing_setup, xwing_squads
from host.tournament.xwing_pairing import Player, Question, pair_drawn, pair_first, pair_next
from host.tournament.xwing_standings import Bye, Match, standings, worth


def run_standings(subject):
    """Return the order (``"ask"`` in a full tie), points, margins and strengths of schedule."""
    rounds = listing(mapping(subject, "standings").get("rounds"), "rounds")
    played = [
        [_match(one, f"round {number}") for one in listing(matches, f"round {number}")]
        for number, matches in enumerate(rounds, 1)
    ]
    try:
        table = standings(played)
    except UserError as mistake:
        raise ValueError(str(mistake)) from None
    got = {
        name: {line.player: getattr(line, name) for line in table.lines}
        for name in ("points", "margin", "sos")
    }
    got["order"] = [line.player for line in table.lines]
    if table.ties:
        level = "; ".join(", ".join(names) for names in table.ties)
        got |= {"order": "ask", "ask": f"level in everything: {level}"}
    return got


def _match(one, where):
    mapping(one, f"{where}: a match")
    if "bye" in one:
        return Bye(word(one["bye"], f"{where}: bye"))
    a, b = word(one.get("a"), f"{where}: a"), word(one.get("b"), f"{where}: b")
    destroyed = one.get("destroyed")
    if destroyed is not None:
        listing(destroyed, f"{where}: destroyed")
        need(len(destroyed) == 2, f"{where}: destroyed is two numbers")
        destroyed = tuple(whole(number, f"{where}: destroyed", 0, 999) for number in destroyed)
    wiped, conceded = _sides(one, "wiped", a, b, where), _sides(one, "concede", a, b, where)
    need(conceded < 3, f"{where}: one concedes")
    return Match(
        a, b, destroyed, wiped, (None, 0, 1)[conceded], _sides(one, "expelled", a, b, where)
    )


def _sides(one, key, a, b, where):
    """Return the players named under ``key`` as bits: a name or several."""
    named = one.get(key) or []
    named = [named] if isinstance(named, str) else listing(named, f"{where}: {key}")
    need(all(name in (a, b) for name in named), f"{where}: {key} names nobody of this match")
    return (a in named) | (b in named) << 1


def run_pairing(subject):
    """Return the pairs and the bye, or ``ask`` with a sentence."""
    mapping(subject, "a pairing")
    number = whole(subject.get("round"), "round", 1, 99)
    players = [_player(one) for one in listing(subject.get("players"), "players")]
    need(len({p.id for p in players}) == len(players), "a player is there twice")
    try:
        found = _paired(number, players, subject.get("seed"))
    except Question as question:
        return {"ask": str(question)}
    return {"pairs": [list(pair) for pair in found.pairs], "bye": found.bye}


def _paired(number, players, seed):
    if number > 1:
        return pair_next(players)
    if seed is None:  # drawn elsewhere, in this order
        return pair_drawn(players)
    return pair_first(players, whole(seed, "seed", 0, 2**32))


def _player(one):
    mapping(one, "a player")
    name = word(one.get("id"), "id")
    met = listing(one.get("met", []), f"{name}: met")
    parties = [
        f"{key} {word(one[key], f'{name}: {key}')}" for key in ("family", "travel") if one.get(key)
    ]
    return Player(
        name,
        whole(one.get("points", 0), f"{name}: points"),
        whole(one.get("margin", 0), f"{name}: margin"),
        frozenset(word(other, f"{name}: met") for other in met),
        truth(one.get("had_bye", False), f"{name}: had_bye"),
        frozenset(parties),
    )


def run_squads(subject):
    """Check ``lines`` of a squad list, each an array of cells; the faults come as line numbers.

    Where a line has one cell more than the others need, the list has the column of obstacles.
    """
    lines = [
        listing(line, "a line")
        for line in listing(mapping(subject, "squads").get("lines"), "lines")
    ]
    wide = any(len(line) > len(xwing_squads.COLUMNS) for line in lines)
    written = io.StringIO()
    csv.writer(written).writerows([xwing_squads.COLUMNS + (xwing_squads.OBSTACLES,) * wide, *lines])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "squads.csv")
        path.write_text(written.getvalue(), encoding="utf-8")
        ships, faults = xwing_squads.read(path)
    faults = sorted([*faults, *xwing_squads.faults_of(ships)])
    return {
        "lines": sorted({line for line, _ in faults}),
        "faults": [sentence for _, sentence in faults],
        "allowed": not faults,
    }


def run_setup(subject):
    """Return who decides the initiative, who places obstacles and chooses colours, and whether the organiser may play."""
    mapping(subject, "a setup")
    got = {}
    if "totals" in subject:
        totals = [whole(total, "totals", 0, 999) for total in listing(subject["totals"], "totals")]
        need(len(totals) == 2, "totals are two")
        got["initiative"] = xwing_setup.initiative(*totals)
    if "has_initiative" in subject:
        got["placing"] = list(
            xwing_setup.placing(word(subject["has_initiative"], "has_initiative", ("A", "B")))
        )
    if "factions" in subject:
        factions = [word(name, "factions") for name in listing(subject["factions"], "factions")]
        need(len(factions) == 2, "factions are two")
        got["colours"] = xwing_setup.colours(
            *factions, truth(subject.get("agreed", True), "agreed")
        )
    if "event" in subject:
        category = word(subject["event"], "event", ("informal", "competitive", "premier"))
        second = truth(subject.get("second_organiser", False), "second_organiser")
        got["organiser_plays"] = xwing_setup.organiser_may_play(category, second)
    return got


def run_scores(subject):
    """Return how many scores of a match no choice of ships gives, and its points and margins."""
    mapping(subject, "scores")
    number = whole(subject.get("round"), "round", 1, 4)
    one = _match(subject | {"a": "A", "b": "B"}, "scores")
    need(one.destroyed is not None, "scores: destroyed is missing")
    lists = [subject.get("squads_a"), subject.get("squads_b")]
    values = [
        ships and [whole(n, "a ship", 0, 150) for n in listing(ships, "ships")] for ships in lists
    ]
    odd = xwing_setup.oddities(one.destroyed, values, number)
    got = {"odd": len(odd)}
    if not odd:
        points, margins = worth(one, number)
        got |= {"points": list(points), "margin": list(margins)}
    return got
