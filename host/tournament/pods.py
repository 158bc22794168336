"""Draft pods: as few and as equal as possible, of four to eight players *(ours)*.

P18 11.2.2 wants equal groups of at most eight. If a number of players cannot be split equally,
there are as few pods as possible that differ by one player. Rochester prefers pods of seven and
eight (D03 App. A 1), which are used if possible. Each pod is an event of its own: paired and ranked
by itself, and its best advance to the elimination (D03 App. A 8).
"""

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

from host.archive import draft_pods
from host.archive.draft_pods import Pods
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event.scores import Round, Score
from host.tournament import ranking
from host.tournament.elimination import swiss_of
from host.tournament.ranking import Line, Ranking
from host.tournament.rule_packs import Pack

LEAST, MOST = 4, 8  # fewer than four are no draft (ours)
PREFERRED = (7, 8)  # Rochester
MOST_OF_A_POD = 2  # advance to the Top 8
SWISS_ROUNDS = 3  # recommended in a Rochester pod (D03 App. A 8)


def sizes(players: int, kind: str) -> list[int]:
    """Return the sizes of the pods of ``players`` in a draft of a kind, the larger first."""
    fewest = math.ceil(players / MOST)
    of_fewest = _split(players, fewest)
    if kind == "rochester" and preferred(of_fewest):
        return of_fewest
    for count in range(max(1, fewest), players // LEAST + 1):
        if players % count == 0:
            return _split(players, count)
    return of_fewest


def _split(players: int, count: int) -> list[int]:
    """Return the sizes of so many pods, which differ by one player at most, the larger first."""
    if not count:
        return []
    size, larger = divmod(players, count)
    return [size + 1] * larger + [size] * (count - larger)


def preferred(pods: Iterable[int]) -> bool:
    """Return whether every pod has the seven or eight players that Rochester prefers."""
    return all(size in PREFERRED for size in pods)


def draw(numbers: Iterable[str], kind: str, since: int, seed: int) -> Pods:
    """Return players drawn into Pods and seats from ``seed``."""
    order = sorted(numbers)
    random.Random(f"pods {seed}").shuffle(order)
    circles, first = [], 0
    for size in sizes(len(order), kind):
        circles.append(tuple(order[first : first + size]))
        first += size
    return Pods(kind, since, tuple(circles))


def remarks(pods: Pods, number: int, swiss: Iterable[int]) -> list[Sentence]:
    """Return Sentences on how round ``number`` departs from the recommendations for its draft.

    ``swiss``: the numbers of the Swiss rounds up to it.
    """
    remarks = []
    if number == pods.since:
        remarks.append(_on_sizes(pods.kind, [len(circle) for circle in pods.circles]))
    in_pods = [each for each in swiss if each >= pods.since]
    if number in in_pods:
        remarks.append(_on_rounds(pods.kind, len(in_pods)))
    return [remark for remark in remarks if remark]


def _on_sizes(kind: str, counts: Sequence[int]) -> Sentence | None:
    if kind == "rochester" and not preferred(counts):
        text = "pods of {sizes}: preferably seven or eight draft together (D03 App. A 1)"
    elif kind == "booster" and (len(set(counts)) > 1 or max(counts) > MOST):
        text = "pods of {sizes}: they should be equal, of at most eight players (P18 11.2.2)"
    else:
        return None
    return Sentence(text, sizes=", ".join(map(str, counts)))


def _on_rounds(kind: str, count: int) -> Sentence | None:
    if kind != "rochester" or count <= SWISS_ROUNDS:
        return None
    text = "Swiss round {count} in the same pods, where {most} are recommended (D03 App. A 8)"
    return Sentence(text, count=count, most=SWISS_ROUNDS)


def rankings(rounds: Sequence[Round], pods: Pods, pack: Pack | None) -> list[Ranking]:
    """Return each pod's own Ranking over the Swiss rounds played in these pods."""
    in_pods = [each for each in swiss_of(rounds) if each.number >= pods.since]
    return [
        ranking.ranking([_inside(each, circle) for each in in_pods], pack)
        for circle in pods.circles
    ]


def tables_of(archive: Archive, rounds: Sequence[Round], pack: Pack | None) -> list[Ranking]:
    """Return each pod's Ranking after the last Swiss round of ``rounds``, [] without pods."""
    swiss = swiss_of(rounds)
    pods = draft_pods.in_force(archive, swiss[-1].number) if swiss else None
    return rankings(rounds, pods, pack) if pods else []


def _inside(a_round: Round, circle: Sequence[str]) -> Round:
    """Return a round with the players of one pod alone."""
    missed = tuple(number for number in a_round.missed if number in circle)
    kept = tuple(score for score in a_round.scores if _sits(score, circle))
    counted = tuple(absent for absent in a_round.counted if absent.player.number in circle)
    return replace(a_round, scores=kept, missed=missed, counted=counted)


def _sits(score: Score, circle: Sequence[str]) -> bool:
    a, b = score.pairing.a, score.pairing.b
    return a.number in circle and (b is None or b.number in circle)


def best(
    tables: Sequence[Ranking], cut: int, out: frozenset[str], through: Sequence[str]
) -> list[Line]:
    """Return the lines of the players who advance from the pods, the pods' winners first.

    ``out``: players who have left; ``through``: second players named by the organiser if not every
    pod's second advances. Raises UserError if the organiser must name them.
    """
    of_each, seconds_left = divmod(cut, len(tables))
    most_of_a_pod = of_each + 1 if seconds_left else of_each
    if of_each < 1 or most_of_a_pod > MOST_OF_A_POD:
        text = "{pods} pods send their first one or two players on: a cut to {cut} does not fit"
        raise UserError(text, pods=len(tables), cut=cut)
    winners: list[Line] = []
    seconds: list[Line] = []  # the next player of each pod
    for pod, table in enumerate(tables, 1):
        lines = [line for line in table.lines if line.number not in out]
        lines.sort(key=lambda line: (line.rank, line.number not in through))  # the named ones lead
        _require_decided(lines, of_each, pod, through, bool(seconds_left))
        winners += lines[:of_each]
        seconds += lines[of_each : of_each + 1]
    named = [line for line in seconds if line.number in through]
    if len(named) != seconds_left:
        one = (
            "{pods} pods and a cut to {cut}: name the one second player who goes on, by number"
            " ({names})"
        )
        several = (
            "{pods} pods and a cut to {cut}: name the {count} second players who go on, by number"
            " ({names})"
        )
        values = {"pods": len(tables), "cut": cut, "names": ranking.names_of(seconds)}
        raise UserError(Sentence.counted(one, several, count=seconds_left, **values))
    return sorted(winners + named, key=lambda line: (line.rank, [-value for value in line.values]))


def _require_decided(
    lines: Sequence[Line], count: int, pod: int, through: Sequence[str], seconds: bool
) -> None:
    """Raise UserError if a pod has fewer than ``count`` players, or if they share a rank with
    others and the organiser has not named who goes on: as many as there are places, or one more if
    ``seconds`` go on, too.
    """
    if len(lines) < count:
        one = "pod {pod} has no player to send on"
        several = "pod {pod} has no {count} players to send on"
        raise UserError(Sentence.counted(one, several, count=count, pod=pod))
    above, sharing = ranking.at_cut(lines, count)
    places = count - len(above)
    if len(sharing) == places:
        return
    named = sum(line.number in through for line in sharing)
    if named != places and not (seconds and named == places + 1):
        one = (
            "{sharing} players of pod {pod} share rank {rank}, where the cut is, and one of them"
            " goes on: name who does, by number ({names})"
        )
        several = (
            "{sharing} players of pod {pod} share rank {rank}, where the cut is, and {count} of"
            " them go on: name who does, by number ({names})"
        )
        values = {"sharing": len(sharing), "pod": pod, "rank": sharing[0].rank}
        names = ranking.names_of(sharing)
        raise UserError(Sentence.counted(one, several, count=places, names=names, **values))
