"""What a change of a round's seating does, in words, before it is done: who meets whom, and what
the organiser should know of it (a rematch, points apart, a second bye).
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
    """What is known of the players before a round.

    ``points`` by number, empty where the rules leave them open; ``met``: the rounds in which two
    met; ``byes``: the rounds of each player's byes; ``pods``: each player's pod; ``homes``: each
    team's affiliation.
    """

    points: Mapping[str, int] = field(default_factory=dict)
    met: Mapping[frozenset[str], list[int]] = field(default_factory=dict)
    byes: Mapping[str, list[int]] = field(default_factory=dict)
    pods: Mapping[str, int] = field(default_factory=dict)
    homes: Mapping[str, str] = field(default_factory=dict)


def past(archive: Archive, hall: Hall, number: int, pack: Pack | None) -> Past:
    """Return what is known before a stored round."""
    rounds = [round_of(archive, hall, one) for one in archive.roster.rounds if one < number]
    met: dict[frozenset[str], list[int]] = {}
    byes: dict[str, list[int]] = {}
    for one in rounds:
        for score in one.scores:
            if score.bye:
                byes.setdefault(score.pairing.a.number, []).append(one.number)
            else:
                met.setdefault(frozenset(numbers_of(score.pairing)), []).append(one.number)
        for given in one.counted:
            if given.bye:
                byes.setdefault(given.player.number, []).append(one.number)
    drawn = draft_pods.in_force(archive, number)
    circles = enumerate(drawn.circles, 1) if drawn else ()
    pods = {player: pod for pod, circle in circles for player in circle}
    homes = {one.number: one.affiliation for one in teams.of(archive).values() if one.affiliation}
    return Past(points_of(rounds, pack), met, byes, pods, homes)


def points_of(rounds: list[Round], pack: Pack | None) -> dict[str, int]:
    """Return the players' points in the Swiss rounds, empty where no rules give any."""
    swiss = elimination.swiss_of(rounds)
    if not swiss:
        return {}
    rules = swiss[-1].rules
    if rules and rules.CAPS and (pack is None or rules is xwing_standings.TEXT):
        try:
            return {line.number: int(line.values[0]) for line in ranking.ranking(swiss, pack).lines}
        except UserError:  # destroyed points are missing: standings say where
            return {}
    if pack is None or any(one.system != pack.system for one in swiss):
        return {}
    return {one.player: one.points for one in ranking.records(swiss, pack)}


def does(before: RoundSeating, after: RoundSeating) -> list[Sentence]:
    """Return what changes: matches, byes, losses, and tables that are kept."""
    told = [*_matches(before, after), *_byes(before, after), *_kept(before, after)]
    return told or [Sentence("nothing changes")]


def _matches(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    known = {frozenset(numbers_of(one)): one for one in before.pairings if one.b}
    for one in by_table(after):
        if one.b is None or one in before.pairings:
            continue
        values = {"a": one.a.name, "b": one.b.name, "table": one.table}
        there = known.get(frozenset(numbers_of(one)))
        if there is None:
            yield Sentence("table {table}: {a} – {b}", **values)
        elif there.table != one.table:
            yield Sentence(
                "{a} – {b}: from table {old} to table {table}", **values, old=there.table
            )
        else:
            yield Sentence("table {table}: {a} is ▲ and {b} is ●", **values)


def _byes(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    free = {one.a.number for one in before.pairings if one.b is None}
    for one in after.pairings:
        if one.b is None and one.a.number not in free:
            yield Sentence("{name} has a bye", name=one.a.name)
    for player in after.losses:
        if player not in before.losses:
            yield Sentence("{name} has a loss in this round", name=player.name)
    for player in players_of(before):
        if not after.has(player):
            yield Sentence("{name} does not play in this round", name=player.name)


def _kept(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    names = {one.number: one.name for one in players_of(after)}
    for number, table in after.fixed.items():
        if before.fixed.get(number) != table:
            said = "{name} stays at table {table} in every round from now on"
            yield Sentence(said, name=names.get(number, number), table=table)
    for number, table in before.fixed.items():
        if number not in after.fixed:
            said = "{name} no longer keeps table {table}; in this round nothing moves"
            yield Sentence(said, name=names.get(number, number), table=table)


def warnings(before: RoundSeating, after: RoundSeating, past: Past) -> list[Sentence]:
    """Return what the organiser should know before the change is done."""
    meetings = {frozenset(numbers_of(one)) for one in before.pairings if one.b}
    told: list[Sentence] = []
    for one in by_table(after):
        if one.b is not None and frozenset(numbers_of(one)) not in meetings:
            told += _of_meeting(one.a, one.b, past)
    told += [*_of_byes(before, after, past), *_of_tables(before, after)]
    if after.elimination and _order(before) != _order(after):
        told.append(Sentence("this is an elimination: the next rounds follow from who meets here"))
    return told


def _of_meeting(a: Player, b: Player, past: Past) -> Iterator[Sentence]:
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
        said = "{a} and {b} are of different pods: matches stay inside the pod (D03 App. A 1)"
        yield Sentence(said, **values)
    home = past.homes.get(a.number)
    if home and home == past.homes.get(b.number):
        yield Sentence("{a} and {b} are both of {home}", **values, home=home)


def _of_byes(before: RoundSeating, after: RoundSeating, past: Past) -> Iterator[Sentence]:
    had = {one.a.number for one in before.pairings if one.b is None}
    free = [one.a for one in after.pairings if one.b is None]
    for player in free:
        rounds = past.byes.get(player.number)
        if rounds and player.number not in had:
            said = "a second bye: {name} had one in round {rounds}"
            yield Sentence(said, name=player.name, rounds=", ".join(map(str, rounds)))
    if len(free) > 1 and len(free) > len(had) and not after.elimination:
        names = ", ".join(one.name for one in free)
        said = "{names} have byes: choose two of them to let them play each other"
        yield Sentence(said, names=names)


def _of_tables(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    """Yield a Sentence on each player who keeps a table and is to play elsewhere."""
    names = {one.number: one.name for one in players_of(after)}
    for number, table in after.fixed.items():
        now, then = after.of(number), before.of(number)
        if now is None or now.b is None or now.table == table or now == then:
            continue
        said = "{name} keeps table {table}, and would play at table {here}"
        yield Sentence(said, name=names[number], table=table, here=now.table)


def players_of(seating: RoundSeating) -> list[Player]:
    """Return everybody who sits in a round, or has a bye or a loss."""
    seated = [one for pairing in seating.pairings for one in (pairing.a, pairing.b) if one]
    return [*seated, *seating.losses]


def by_table(seating: RoundSeating) -> list[Pairing]:
    """Return a seating's pairings by table, byes last."""
    return sorted(seating.pairings, key=lambda one: (one.table is None, one.table))


def _order(seating: RoundSeating) -> list[set[str]]:
    return [numbers_of(one) for one in seating.pairings]
