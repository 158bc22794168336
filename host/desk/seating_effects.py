"""The effects of a change of a round's seating, in words, before it is stored: the new pairings,
and warnings for the organiser (a rematch, a difference in points, a second bye).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from host.archive import draft_pods, teams
from host.archive.roster import Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk.round_seating import RoundSeating, numbers_of
from host.event.fold import Hall
from host.event.scores import Round, round_of
from host.tournament import elimination, ranking, xwing_standings
from host.tournament.rule_packs import Pack


@dataclass(frozen=True)
class Past:
    """The players' records before a round, by player number.

    ``points`` are empty if the rules leave them open; ``met``: the rounds in which two players met;
    ``byes``: the rounds of each player's byes; ``pods``: each player's pod; ``homes``: each team's
    affiliation.
    """

    points: Mapping[str, int] = field(default_factory=dict)
    met: Mapping[frozenset[str], list[int]] = field(default_factory=dict)
    byes: Mapping[str, list[int]] = field(default_factory=dict)
    pods: Mapping[str, int] = field(default_factory=dict)
    homes: Mapping[str, str] = field(default_factory=dict)


def past(archive: Archive, hall: Hall, number: int, pack: Pack | None) -> Past:
    """Return the Past of a stored round."""
    rounds = [round_of(archive, hall, each) for each in archive.roster.rounds if each < number]
    met: dict[frozenset[str], list[int]] = {}
    byes: dict[str, list[int]] = {}
    for played in rounds:
        for score in played.scores:
            if score.bye:
                byes.setdefault(score.pairing.a.number, []).append(played.number)
            else:
                met.setdefault(frozenset(numbers_of(score.pairing)), []).append(played.number)
        for given in played.counted:
            if given.bye:
                byes.setdefault(given.player.number, []).append(played.number)
    drawn = draft_pods.in_force(archive, number)
    circles = enumerate(drawn.circles, 1) if drawn else ()
    pods = {player: pod for pod, circle in circles for player in circle}
    homes = {
        team.number: team.affiliation for team in teams.of(archive).values() if team.affiliation
    }
    return Past(points_of(rounds, pack), met, byes, pods, homes)


def points_of(rounds: list[Round], pack: Pack | None) -> dict[str, int]:
    """Return the players' points in the Swiss rounds, empty if the rules do not define any."""
    swiss = elimination.swiss_of(rounds)
    if not swiss:
        return {}
    rules = swiss[-1].rules
    if rules and rules.CAPS and (pack is None or rules is xwing_standings.TEXT):
        try:
            return {line.number: int(line.values[0]) for line in ranking.ranking(swiss, pack).lines}
        except UserError:  # destroyed points are missing; the standings name the table
            return {}
    if pack is None or any(played.system != pack.system for played in swiss):
        return {}
    return {record.player: record.points for record in ranking.records(swiss, pack)}


def effects(before: RoundSeating, after: RoundSeating) -> list[Sentence]:
    """Return a Sentence on each change: of matches, byes, losses and fixed tables."""
    found = [*_matches(before, after), *_byes(before, after), *_fixed_tables(before, after)]
    return found or [Sentence("nothing changes")]


def _matches(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    """Yield a Sentence on each match that is new, or has another table or other seats."""
    known = {frozenset(numbers_of(pairing)): pairing for pairing in before.pairings if pairing.b}
    for pairing in by_table(after):
        if pairing.b is None or pairing in before.pairings:
            continue
        values = {"a": pairing.a.name, "b": pairing.b.name, "table": pairing.table}
        old = known.get(frozenset(numbers_of(pairing)))
        if old is None:
            yield Sentence("table {table}: {a} – {b}", **values)
        elif old.table != pairing.table:
            yield Sentence("{a} – {b}: from table {old} to table {table}", **values, old=old.table)
        else:
            yield Sentence("table {table}: {a} is ▲ and {b} is ●", **values)


def _byes(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    """Yield a Sentence on each new bye and loss, and on each player taken out."""
    had = {pairing.a.number for pairing in before.pairings if pairing.b is None}
    for pairing in after.pairings:
        if pairing.b is None and pairing.a.number not in had:
            yield Sentence("{name} has a bye", name=pairing.a.name)
    for player in after.losses:
        if player not in before.losses:
            yield Sentence("{name} has a loss in this round", name=player.name)
    for player in players_of(before):
        if not after.has(player):
            yield Sentence("{name} does not play in this round", name=player.name)


def _fixed_tables(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    """Yield a Sentence on each fixed table that is new or released."""
    names = {player.number: player.name for player in players_of(after)}
    for number, table in after.fixed.items():
        if before.fixed.get(number) != table:
            text = "{name} stays at table {table} in every round from now on"
            yield Sentence(text, name=names.get(number, number), table=table)
    for number, table in before.fixed.items():
        if number not in after.fixed:
            text = "{name} no longer keeps table {table}; in this round nothing moves"
            yield Sentence(text, name=names.get(number, number), table=table)


def warnings(before: RoundSeating, after: RoundSeating, past: Past) -> list[Sentence]:
    """Return the warnings for the organiser before the change is stored."""
    meetings = {frozenset(numbers_of(pairing)) for pairing in before.pairings if pairing.b}
    found: list[Sentence] = []
    for pairing in by_table(after):
        if pairing.b is not None and frozenset(numbers_of(pairing)) not in meetings:
            found += _of_meeting(pairing.a, pairing.b, past)
    found += [*_of_byes(before, after, past), *_of_tables(before, after)]
    if after.elimination and _order(before) != _order(after):
        found.append(Sentence("this is an elimination: the next rounds follow from who meets here"))
    return found


def _of_meeting(a: Player, b: Player, past: Past) -> Iterator[Sentence]:
    """Yield the warnings about a new match of two players."""
    values = {"a": a.name, "b": b.name}
    met = past.met.get(frozenset((a.number, b.number)))
    if met:
        rounds = ", ".join(map(str, met))
        yield Sentence("a rematch: {a} and {b} met in round {rounds}", **values, rounds=rounds)
    if past.points:
        points = past.points.get(a.number, 0), past.points.get(b.number, 0)
        if points[0] != points[1]:
            yield Sentence.counted(
                "{a} ({first}) and {b} ({second}) are one point apart",
                "{a} ({first}) and {b} ({second}) are {count} points apart",
                count=abs(points[0] - points[1]), **values, first=points[0], second=points[1],
            )  # fmt: skip
    if past.pods.get(a.number) != past.pods.get(b.number):
        text = "{a} and {b} are of different pods: matches stay inside the pod (D03 App. A 1)"
        yield Sentence(text, **values)
    home = past.homes.get(a.number)
    if home and home == past.homes.get(b.number):
        yield Sentence("{a} and {b} are both of {home}", **values, home=home)


def _of_byes(before: RoundSeating, after: RoundSeating, past: Past) -> Iterator[Sentence]:
    """Yield the warnings about new byes."""
    had = {pairing.a.number for pairing in before.pairings if pairing.b is None}
    free = [pairing.a for pairing in after.pairings if pairing.b is None]
    for player in free:
        rounds = past.byes.get(player.number)
        if rounds and player.number not in had:
            text = "a second bye: {name} had one in round {rounds}"
            yield Sentence(text, name=player.name, rounds=", ".join(map(str, rounds)))
    if len(free) > 1 and len(free) > len(had) and not after.elimination:
        names = ", ".join(player.name for player in free)
        text = "{names} have byes: choose two of them to let them play each other"
        yield Sentence(text, names=names)


def _of_tables(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    """Yield a Sentence on each player with a fixed table who would play at another one."""
    names = {player.number: player.name for player in players_of(after)}
    for number, table in after.fixed.items():
        now, then = after.of(number), before.of(number)
        if now is None or now.b is None or now.table == table or now == then:
            continue
        text = "{name} keeps table {table}, and would play at table {here}"
        yield Sentence(text, name=names[number], table=table, here=now.table)


def players_of(seating: RoundSeating) -> list[Player]:
    """Return all players of a round, also those with a bye or a loss."""
    seated = [player for pairing in seating.pairings for player in (pairing.a, pairing.b) if player]
    return [*seated, *seating.losses]


def by_table(seating: RoundSeating) -> list[Pairing]:
    """Return a seating's pairings by table, byes last."""
    return sorted(seating.pairings, key=lambda pairing: (pairing.table is None, pairing.table))


def _order(seating: RoundSeating) -> list[set[str]]:
    return [numbers_of(pairing) for pairing in seating.pairings]
