"""Entry and correction of results from paper, for any table of any published round.

Nothing is sent to a board. The board's own result is compared with it
(``host.event.paper_results``).
"""

from host.archive.roster import Format, Pairing
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import rulings
from host.desk.rulings import Numbers
from host.desk.station import Station
from host.event import event_systems, paper_results, squad_lists
from host.event.match_results import Said
from host.event.paper_results import PaperResult
from host.systems import catalogue
from host.systems.match_facts import best_of, points_cap
from host.systems.rules import Rules
from host.tournament import odd_scores

NONE = "none"


def enter(
    station: Station,
    table: int,
    won: str,
    numbers: Numbers | None,
    author: str,
    reason: str,
    *,
    round_number: int | None = None,
    sure: bool = False,
) -> tuple[Sentence, bool]:
    """Store a result; return a Sentence about it, and whether it was stored.

    ``won`` is ``"A"``, ``"B"``, ``"tie"`` or ``NONE``, which withdraws an earlier entry. An odd
    result is not stored unless ``sure``; the Sentence is then a question. ``round_number`` None is
    the published round. Raises UserError for an impossible result, or if it cannot be stored.
    """
    pairing, form, rules = _played(station, table, round_number)
    if not reason:
        raise UserError("say why: a result from paper needs a reason, for instance: paper slip")
    if won == NONE:
        return _withdraw(station, pairing, author, reason), True
    games, destroyed = _split(won, numbers, form, rules)
    doubt = _doubt(form, rules, won, games, destroyed) or _odd(station, pairing, destroyed, rules)
    if doubt and not sure:
        return doubt, False
    board = station.hall.boards_results(pairing.round).get(pairing.pairing)
    said = Said(board.outcome, board.games) if board else None
    _keep(station, pairing, (won, games, destroyed), said, author, reason)
    return _told(pairing, won, destroyed or games, said), True


def _played(
    station: Station, table: int, round_number: int | None
) -> tuple[Pairing, Format, Rules]:
    roster, published = station.archive.roster, station.desk.round
    number = published if round_number is None else round_number
    if published is None or number is None or number > published:
        raise UserError("no such round is published yet: publish it, then type its results")
    pairing, form = roster.pairing_at(number, table), roster.format_of(number)
    if pairing is None or pairing.b is None or form is None:
        raise UserError(
            "table {table} does not play in round {round}: check its number",
            table=table,
            round=number,
        )
    _, rules = catalogue.numbered(event_systems.of(station.archive), form.system)
    assert rules is not None  # a stored round's system is known
    return pairing, form, rules


def _split(
    won: str, numbers: Numbers | None, form: Format, rules: Rules
) -> tuple[Numbers, Numbers | None]:
    """Return the games and the destroyed points in the typed ``numbers``."""
    if rules.CAPS:
        if numbers is None:
            raise UserError("type the points that each destroyed, ▲ first: result 7 A 42 17 slip")
        return (0, 0), numbers
    most = best_of(form.bits, rules)
    if numbers is None:
        if most > 1:
            raise UserError("type the games that each won, ▲ first: result 7 A 2 1 slip")
        numbers = {"A": (1, 0), "B": (0, 1)}.get(won, (0, 0))
    rulings.check(form.bits, won, numbers, most)
    return numbers, None


def _doubt(
    form: Format, rules: Rules, won: str, games: Numbers, destroyed: Numbers | None
) -> Sentence | None:
    """Return the question about an odd result, or None; raises UserError for an impossible one."""
    if destroyed is None:
        return rulings.doubt(form.bits, won, games, best_of(form.bits, rules))
    return rulings.doubt(form.bits, won, destroyed, 1, points_cap(form.bits, rules))


def _odd(
    station: Station, pairing: Pairing, destroyed: Numbers | None, rules: Rules
) -> Sentence | None:
    """Return the question about points that no choice of ships gives, by the squads' lists."""
    if destroyed is None:
        return None
    lists, cap = squad_lists.of(station.archive), max(rules.CAPS)
    found = odd_scores.of_pairing(pairing, destroyed, lists, cap)
    return Sentence("{odd}. Is it right?", odd=found[0]) if found else None


def _keep(
    station: Station,
    pairing: Pairing,
    result: tuple[str, Numbers, Numbers | None],
    board: Said | None,
    author: str,
    reason: str,
) -> None:
    place, now_ms = (pairing.round, pairing.pairing), station.collector.now_ms
    typed = PaperResult(*place, *result, board, author, reason, now_ms)
    paper_results.keep(station.archive, typed, pairing.table)


def _withdraw(station: Station, pairing: Pairing, author: str, reason: str) -> Sentence:
    if pairing.pairing not in paper_results.standing(station.archive, pairing.round):
        said = "table {table} has no result from paper in round {round} that could be withdrawn"
        raise UserError(said, table=pairing.table, round=pairing.round)
    _keep(station, pairing, (NONE, (0, 0), None), None, author, reason)
    said = "table {table}: the result from paper no longer counts"
    return Sentence(said, table=pairing.table)


def _told(pairing: Pairing, won: str, numbers: Numbers, board: Said | None) -> Sentence:
    assert pairing.b is not None  # a bye has no table
    names = {"A": pairing.a.name, "B": pairing.b.name}
    told = Sentence("{who} wins", who=names[won]) if won in names else Sentence("a tie")
    place = {"table": pairing.table, "told": told, "score": "{}–{}".format(*numbers)}
    if board is None or (board.outcome, board.games) == (won, numbers):
        return Sentence("table {table}: {told} ({score}); typed from paper", **place)
    said = "table {table}: {told} ({score}); typed from paper, in place of its board's result"
    return Sentence(said, **place)
