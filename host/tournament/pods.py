"""Draft pods: the fewest equal ones of four to eight players where there are such *(ours)*.

P18 11.2.2 wants equal groups of at most eight. Where a number of players has none, as few pods as
possible differ by one player. Rochester prefers pods of seven and eight (D03 App. A 1), which come
first where they are possible. Each pod is an event of its own: paired, ranked and sending its best
to the elimination (D03 App. A 8).
"""

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
MOST_OF_A_POD = 2  # go on to the Top 8
SWISS_ROUNDS = 3  # of a Rochester pod, as recommended (D03 App. A 8)


def sizes(players: int, kind: str) -> list[int]:
    """Return the sizes of the pods of ``players`` in a draft of a kind, the larger first."""
    fewest = -(-players // MOST)
    as_equal = _split(players, fewest)
    if kind == "rochester" and preferred(as_equal):
        return as_equal
    counts = range(max(1, fewest), players // LEAST + 1)
    equal = next((count for count in counts if players % count == 0), None)
    return as_equal if equal is None else _split(players, equal)


def _split(players: int, count: int) -> list[int]:
    return [players // count + (i < players % count) for i in range(count)]


def preferred(pods: Iterable[int]) -> bool:
    """Return whether every pod has the seven or eight players that Rochester prefers."""
    return all(size in PREFERRED for size in pods)


def drawn(numbers: Iterable[str], kind: str, since: int, seed: int) -> Pods:
    """Return Pods of players drawn from ``seed`` into pods and seats."""
    order = sorted(numbers)
    random.Random(f"pods {seed}").shuffle(order)
    circles, first = [], 0
    for size in sizes(len(order), kind):
        circles.append(tuple(order[first : first + size]))
        first += size
    return Pods(kind, since, tuple(circles))


def remarks(pods: Pods, number: int, swiss: Iterable[int]) -> list[Sentence]:
    """Return Sentences on what round ``number`` has otherwise than its draft's text recommends.

    ``swiss``: the numbers of the Swiss rounds up to it.
    """
    numbers = [one for one in swiss if one >= pods.since]
    told = (
        _on_sizes(pods.kind, [len(one) for one in pods.circles]) if number == pods.since else None,
        _on_rounds(pods.kind, len(numbers)) if number in numbers else None,
    )
    return [said for said in told if said]


def _on_sizes(kind: str, counts: Sequence[int]) -> Sentence | None:
    if kind == "rochester" and not preferred(counts):
        said = "pods of {sizes}: preferably seven or eight draft together (D03 App. A 1)"
    elif kind == "booster" and (len(set(counts)) > 1 or max(counts) > MOST):
        said = "pods of {sizes}: they should be equal, of at most eight players (P18 11.2.2)"
    else:
        return None
    return Sentence(said, sizes=", ".join(map(str, counts)))


def _on_rounds(kind: str, count: int) -> Sentence | None:
    if kind != "rochester" or count <= SWISS_ROUNDS:
        return None
    said = "Swiss round {count} in the same pods, where {most} are recommended (D03 App. A 8)"
    return Sentence(said, count=count, most=SWISS_ROUNDS)


def rankings(rounds: Sequence[Round], pods: Pods, pack: Pack | None) -> list[Ranking]:
    """Return each pod's own Ranking over the Swiss rounds that were played in these pods."""
    own = [one for one in swiss_of(rounds) if one.number >= pods.since]
    return [ranking.ranking([_inside(one, circle) for one in own], pack) for circle in pods.circles]


def tables_of(archive: Archive, rounds: Sequence[Round], pack: Pack | None) -> list[Ranking]:
    """Return each pod's Ranking after the last Swiss round of ``rounds``, [] without pods."""
    swiss = swiss_of(rounds)
    pods = draft_pods.in_force(archive, swiss[-1].number) if swiss else None
    return rankings(rounds, pods, pack) if pods else []


def _inside(a_round: Round, circle: Sequence[str]) -> Round:
    missed = tuple(one for one in a_round.missed if one in circle)
    kept = tuple(score for score in a_round.scores if _sits(score, circle))
    counted = tuple(one for one in a_round.counted if one.player.number in circle)
    return replace(a_round, scores=kept, missed=missed, counted=counted)


def _sits(score: Score, circle: Sequence[str]) -> bool:
    a, b = score.pairing.a, score.pairing.b
    return a.number in circle and (b is None or b.number in circle)


def best(
    tables: Sequence[Ranking], cut: int, out: frozenset[str], through: Sequence[str]
) -> list[Line]:
    """Return the lines of who goes on from the pods, the pods' winners first.

    ``out``: who has left; ``through``: second players whom the organiser names where not every
    pod's second goes on. Raises UserError where the text leaves it open who does.
    """
    each, more = divmod(cut, len(tables))
    if not 0 < each <= MOST_OF_A_POD or more and each == MOST_OF_A_POD:
        said = "{pods} pods send their first one or two players on: a cut to {cut} does not fit"
        raise UserError(said, pods=len(tables), cut=cut)
    here = [[one for one in table.lines if one.number not in out] for table in tables]
    lines = [_named_first(own, through) for own in here]
    found = [
        one for pod, own in enumerate(lines, 1) for one in _first(own, each, pod, through, more)
    ]
    seconds = [own[each] for own in lines if len(own) > each]
    named = [one for one in seconds if one.number in through]
    if len(named) != more:
        said = (
            "{pods} pods and a cut to {cut}: name the {more} second players who go on, by number"
            " ({names})"
        )
        names = _names(seconds)
        raise UserError(said, pods=len(tables), cut=cut, more=more, names=names)
    return sorted(found + named, key=lambda one: (one.rank, [-value for value in one.values]))


def _named_first(lines: Sequence[Line], through: Sequence[str]) -> list[Line]:
    return sorted(lines, key=lambda one: (one.rank, one.number not in through))


def _names(lines: Iterable[Line]) -> str:
    return ", ".join(f"{one.name} ({one.number})" for one in lines)


def _first(
    lines: Sequence[Line], count: int, pod: int, through: Sequence[str], more: int
) -> Sequence[Line]:
    """Return a pod's first ``count`` lines, of a shared rank whom the organiser names (one more
    of them where ``more`` seconds go on). Raises UserError for too few, or if nobody has said who.
    """
    if len(lines) < count:
        raise UserError("pod {pod} has no {count} players to send on", pod=pod, count=count)
    edge = lines[count - 1].rank
    sharing = [one for one in lines if one.rank == edge]
    places = count - sum(one.rank < edge for one in lines)
    named = sum(one.number in through for one in sharing)
    if len(sharing) > places and named not in (places, places + bool(more)):
        raise UserError(
            "{count} players of pod {pod} share rank {rank}, where the cut is, and {places} of them"
            " go on: name who does, by number ({names})",
            count=len(sharing), pod=pod, rank=edge, places=places, names=_names(sharing),
        )  # fmt: skip
    return lines[:count]
