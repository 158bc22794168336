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
from host.desk.round_seating import RoundSeating
from host.event.fold import Hall
from host.event.scores import Round, round_of
from host.tournament import elimination, ranking, xwing_standings
from host.tournament.rule_packs import Pack


@dataclass(frozen=True)
class Past:
    """The players' records before a round, by player number.

    ``points`` are empty if the rules leave them open; ``met``: the rounds in which two players met;
    ``byes``: the rounds of each player's byes; ``pods``: each player's pod; ``affiliations``: those
    of teams.
    """

    points: Mapping[str, int] = field(default_factory=dict)
    met: Mapping[frozenset[str], list[int]] = field(default_factory=dict)
    byes: Mapping[str, list[int]] = field(default_factory=dict)
    pods: Mapping[str, int] = field(default_factory=dict)
    affiliations: Mapping[str, str] = field(default_factory=dict)


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
                met.setdefault(score.pairing.numbers, []).append(played.number)
        for missed in played.counted:
            if missed.bye:
                byes.setdefault(missed.player.number, []).append(played.number)
    drawn = draft_pods.in_force(archive, number)
    pods: dict[str, int] = {}
    for pod, players in enumerate(drawn.circles if drawn else (), 1):
        pods.update(dict.fromkeys(players, pod))
    affiliations = {
        team.number: team.affiliation for team in teams.of(archive).values() if team.affiliation
    }
    return Past(points_of(rounds, pack), met, byes, pods, affiliations)


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
    matches_before = {pairing.numbers: pairing for pairing in before.pairings if pairing.b}
    for pairing in by_table(after):
        if pairing.b is None or pairing in before.pairings:
            continue
        values = {"a": pairing.a.name, "b": pairing.b.name, "table": pairing.table}
        old = matches_before.get(pairing.numbers)
        if old is None:
            yield Sentence("table {table}: {a} – {b}", **values)
        elif old.table != pairing.table:
            yield Sentence("{a} – {b}: from table {old} to table {table}", **values, old=old.table)
        else:
            yield Sentence("table {table}: {a} is ▲ and {b} is ●", **values)


def _byes(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    """Yield a Sentence on each new bye and loss, and on each player taken out."""
    with_bye_before = {pairing.a.number for pairing in before.pairings if pairing.b is None}
    for pairing in after.pairings:
        if pairing.b is None and pairing.a.number not in with_bye_before:
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
    matches = {pairing.numbers for pairing in before.pairings if pairing.b}
    found: list[Sentence] = []
    for pairing in by_table(after):
        if pairing.b is not None and pairing.numbers not in matches:
            found += _match_warnings(pairing.a, pairing.b, past)
    found += _bye_warnings(before, after, past)
    found += _fixed_table_warnings(before, after)
    if after.elimination and _opponents(before) != _opponents(after):
        found.append(Sentence("this is an elimination: the next rounds follow from who meets here"))
    return found


def _match_warnings(a: Player, b: Player, past: Past) -> Iterator[Sentence]:
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
    affiliation = past.affiliations.get(a.number)
    if affiliation and affiliation == past.affiliations.get(b.number):
        yield Sentence("{a} and {b} are both of {home}", **values, home=affiliation)


def _bye_warnings(before: RoundSeating, after: RoundSeating, past: Past) -> Iterator[Sentence]:
    """Yield the warnings about new byes."""
    with_bye_before = {pairing.a.number for pairing in before.pairings if pairing.b is None}
    with_bye = [pairing.a for pairing in after.pairings if pairing.b is None]
    for player in with_bye:
        rounds = past.byes.get(player.number)
        if rounds and player.number not in with_bye_before:
            text = "a second bye: {name} had one in round {rounds}"
            yield Sentence(text, name=player.name, rounds=", ".join(map(str, rounds)))
    more_byes = len(with_bye) > max(1, len(with_bye_before))
    if more_byes and not after.elimination:
        names = ", ".join(player.name for player in with_bye)
        text = "{names} have byes: choose two of them to let them play each other"
        yield Sentence(text, names=names)


def _fixed_table_warnings(before: RoundSeating, after: RoundSeating) -> Iterator[Sentence]:
    """Yield a Sentence on each player with a fixed table who would play at another one."""
    names = {player.number: player.name for player in players_of(after)}
    for number, table in after.fixed.items():
        pairing = after.pairing_of(number)
        if pairing is None or pairing.b is None or pairing == before.pairing_of(number):
            continue
        if pairing.table != table:
            text = "{name} keeps table {table}, and would play at table {here}"
            yield Sentence(text, name=names[number], table=table, here=pairing.table)


def players_of(seating: RoundSeating) -> list[Player]:
    """Return all players of a round, also those with a bye or a loss."""
    seated = [player for pairing in seating.pairings for player in pairing.players]
    return [*seated, *seating.losses]


def by_table(seating: RoundSeating) -> list[Pairing]:
    """Return a seating's pairings by table, byes last."""
    return sorted(seating.pairings, key=lambda pairing: (pairing.table is None, pairing.table))


def _opponents(seating: RoundSeating) -> list[frozenset[str]]:
    """Return who meets whom (numbers), in the order of the pairings."""
    return [pairing.numbers for pairing in seating.pairings]
