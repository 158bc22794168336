"""Entry and correction of results from paper, for any table of any published round.

Nothing is sent to a board. ``host.event.paper_results`` compares the entry with the board's own
result.
"""

from host.archive.roster import Format, Pairing
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import elimination_seats, next_round, rulings
from host.desk.rulings import Numbers
from host.desk.staff import Done, Staff
from host.desk.station import Station
from host.event import event_systems, paper_results, squad_lists
from host.event.match_results import ClaimedResult
from host.event.paper_results import PaperResult
from host.systems.match_facts import best_of, has_narrow_win, points_cap
from host.systems.rules import Rules
from host.tournament import odd_scores

NONE = "none"


def enter(
    staff: Staff,
    table: int,
    outcome: str,
    numbers: Numbers | None,
    reason: str,
    round: int | None = None,
    sure: bool = False,
    narrow: bool = False,
) -> Done:
    """Store a result, or ask first if it is unusual, unless ``sure``.

    ``outcome`` is ``"A"``, ``"B"``, ``"tie"`` or ``NONE``, which withdraws an earlier entry;
    ``numbers`` are games won or points destroyed; ``round`` None is the published one; ``narrow``:
    prizes at time decided (D03 216). Raises UserError for an impossible result, or if it cannot be
    stored.
    """
    station = staff.station
    pairing, form, rules = _pairing_at(station, table, round)
    if not reason:
        raise UserError("say why: a result from paper needs a reason, for instance: paper slip")
    if outcome == NONE:
        sentence = _withdraw(staff, pairing, reason)
        return Done(message=sentence, remarks=_remarks(staff, pairing))
    if narrow:
        _check_narrow(outcome, form, rules)
    games, destroyed = _split(outcome, numbers, form, rules)
    question = _question(form, rules, outcome, games, destroyed)
    question = question or _points_question(station, pairing, destroyed, rules)
    if question and not sure:
        return Done(ask=question)
    board = station.hall.boards_results(pairing.round).get(pairing.pairing)
    from_board = ClaimedResult(board.outcome, board.games) if board else None
    _store(staff, pairing, outcome, games, destroyed, from_board, reason, narrow)
    told = from_board and (*from_board, board and board.destroyed)
    replaces = told not in (None, (outcome, games, destroyed), (outcome, games, None))
    sentence = _sentence(pairing, outcome, destroyed or games, replaces, narrow)
    return Done(message=sentence, remarks=_remarks(staff, pairing))


def _remarks(staff: Staff, pairing: Pairing) -> list[Sentence]:
    """Return the remarks on a result that was typed or withdrawn just now."""
    seated = elimination_seats.after_change(staff.archive, staff.station.hall, pairing.round)
    return next_round.drawn_before(staff.archive, pairing.round) + seated


def _pairing_at(
    station: Station, table: int, round_number: int | None
) -> tuple[Pairing, Format, Rules]:
    """Return a table's pairing in a published round, with the format and system. Raises
    UserError.
    """
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
    rules = event_systems.rules_of(station.archive, form)
    return pairing, form, rules


def _check_narrow(won: str, form: Format, rules: Rules) -> None:
    """Raise UserError where no win can be a narrow one."""
    if not has_narrow_win(form.bits, rules):
        raise UserError("every win of this round is worth the same: leave out “narrow”")
    if won == "tie":
        raise UserError("nobody has won: a tie is typed without “narrow”")


def _split(
    won: str, numbers: Numbers | None, form: Format, rules: Rules
) -> tuple[Numbers, Numbers | None]:
    """Return the games and the points destroyed (None if the system has none) in the typed
    ``numbers``. Raises UserError.
    """
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


def _question(
    form: Format, rules: Rules, won: str, games: Numbers, destroyed: Numbers | None
) -> Sentence | None:
    """Return the question about an unusual result, or None. Raises UserError for an impossible
    result.
    """
    if destroyed is None:
        return rulings.question(form.bits, won, games, best_of(form.bits, rules))
    return rulings.question(form.bits, won, destroyed, 1, points_cap(form.bits, rules))


def _points_question(
    station: Station, pairing: Pairing, destroyed: Numbers | None, rules: Rules
) -> Sentence | None:
    """Return the question about points that no set of destroyed ships in the squads adds up to."""
    if destroyed is None:
        return None
    lists, cap = squad_lists.of(station.archive), max(rules.CAPS)
    odd = odd_scores.of_pairing(pairing, destroyed, lists, cap)
    return Sentence("{odd}. Is it right?", odd=odd[0]) if odd else None


def _store(
    staff: Staff,
    pairing: Pairing,
    won: str,
    games: Numbers,
    destroyed: Numbers | None,
    from_board: ClaimedResult | None,
    reason: str,
    narrow: bool = False,
) -> None:
    """Store a result from paper, with the board's own."""
    typed = PaperResult(
        pairing.round, pairing.pairing, won, games, destroyed, from_board, staff.author, reason,
        staff.now_ms, narrow,
    )  # fmt: skip
    paper_results.keep(staff.archive, typed, pairing.table)


def _withdraw(staff: Staff, pairing: Pairing, reason: str) -> Sentence:
    """Withdraw a result from paper. Raises UserError if there is none."""
    if pairing.pairing not in paper_results.standing(staff.archive, pairing.round):
        refusal = "table {table} has no result from paper in round {round} that could be withdrawn"
        raise UserError(refusal, table=pairing.table, round=pairing.round)
    _store(staff, pairing, NONE, games=(0, 0), destroyed=None, from_board=None, reason=reason)
    text = "table {table}: the result from paper no longer counts"
    return Sentence(text, table=pairing.table)


def _sentence(
    pairing: Pairing, won: str, numbers: Numbers, replaces: bool, narrow: bool
) -> Sentence:
    """Return the sentence about a stored result, with whether it replaces the board's."""
    assert pairing.b is not None  # a bye has no table
    names = {"A": pairing.a.name, "B": pairing.b.name}
    outcome = Sentence("{who} wins", who=names[won]) if won in names else Sentence("a tie")
    values = {"table": pairing.table, "told": outcome, "score": "{}–{}".format(*numbers)}
    if narrow:
        text = "table {table}: {told} ({score}), a narrow win; typed from paper"
        return Sentence(text, **values)
    if not replaces:
        return Sentence("table {table}: {told} ({score}); typed from paper", **values)
    text = "table {table}: {told} ({score}); typed from paper, in place of its board's result"
    return Sentence(text, **values)
