"""Swiss standings: XW15's by its text, P18's and D03's by the chosen rule pack.

Only the Swiss rounds before an elimination count. Open matches do not count yet, and are listed.
Players who are equal in everything share a rank, and are listed, too: the organiser decides.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event.scores import Round, Score
from host.systems.rules import OwnRules, Rules
from host.tournament import event_pack, rule_packs, tiebreaks, xwing_standings
from host.tournament.elimination import Elimination, players_of, swiss_of
from host.tournament.rule_packs import Pack
from host.tournament.tiebreaks import HEAD_TO_HEAD, Book, Record, Share

_XWING = ("points", "margin", "sos")
_RESULTS = {  # of A and of B, as words of a pack
    "A": ("win", "loss"),
    "B": ("loss", "win"),
    "tie": ("draw", "draw"),
    "neither": ("loss", "loss"),
}
_LOSERS = {"A": 0b10, "B": 0b01, "neither": xwing_standings.BOTH}  # bits, by outcome


@dataclass(frozen=True)
class Line:
    """A player's line: ``values`` in the order of the Ranking's columns, opponents and byes.

    After a cut ``rank`` is the place in the event, ``worst`` the last possible place while the
    bracket is played, and ``swiss`` the rank before the cut.
    """

    rank: int
    number: str
    name: str
    values: tuple[Share, ...]
    met: tuple[str, ...]
    byes: int
    worst: int | None = None
    swiss: int | None = None

    @property
    def swiss_rank(self) -> int:
        """The rank in the Swiss rounds, also before a cut."""
        return self.swiss or self.rank

    @property
    def place(self) -> str:
        """The rank as text, or the range of possible places while it is open."""
        if self.worst and self.worst > self.rank:
            return f"{self.rank}–{self.worst}"
        return str(self.rank)


@dataclass(frozen=True)
class Ranking:
    """Lines in rank order; ``level`` are the shared ranks, ``open`` the Scores without a result.

    ``expelled``: the Scores that were ruled against their points, or before points were entered.
    ``bracket``: the elimination that decides the places (``final_places``), None before a cut.
    """

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    level: tuple[int, ...]
    open: tuple[Score, ...]
    source: str
    expelled: tuple[Score, ...] = ()
    bracket: Elimination | None = None


def ranking(rounds: Sequence[Round], pack: Pack | None = None) -> Ranking:
    """Return the Swiss Ranking of ``rounds``; raises UserError if a pack is needed."""
    swiss = swiss_of(rounds)
    if not swiss:
        raise UserError("there is no Swiss round to rank")
    names = {each.system for each in swiss}
    if len(names) > 1:
        raise UserError("the rounds use several systems: there are no standings over all of them")
    name = names.pop()
    rules = swiss[-1].rules
    if rules is None and name == "xw15":
        rules = xwing_standings.TEXT
    if rules is not None and rules.CAPS:
        if pack is None or rules is xwing_standings.TEXT:  # the text leaves nothing to a pack
            return _xwing(swiss, rules)
    if pack is None:
        refusal = UserError(
            "{name} leaves points, byes and tie-breaks open: choose a rule pack, or rank in TOM",
            name=name,
        )
        raise rule_packs.with_pack_options(refusal, name)
    event_pack.require_system(pack, name)
    return _by_pack(swiss, pack)


def points(rounds: Sequence[Round], pack: Pack | None = None) -> dict[str, Share]:
    """Return every player's points in the Swiss rounds, by number; {} where none are defined."""
    try:
        table = ranking(rounds, pack)
    except UserError:
        return {}
    return {line.number: line.values[0] for line in table.lines}  # every order begins with points


def at_cut(lines: Sequence[Line], count: int) -> tuple[list[Line], list[Line]]:
    """Return the lines that rank before the last of ``count`` places, and those of its rank."""
    edge = lines[count - 1].rank
    above = [line for line in lines if line.rank < edge]
    return above, [line for line in lines if line.rank == edge]


def names_of(lines: Iterable[Line]) -> str:
    """Return the names of players with their numbers, as a part of a sentence."""
    return ", ".join(f"{line.name} ({line.number})" for line in lines)


def _names(rounds: Iterable[Round]) -> dict[str, str]:
    """Return the names of all players in rounds, by number."""
    players = []
    for each in rounds:
        for score in each.scores:
            players += players_of(score)
        players += [missed.player for missed in each.counted]
    return {player.number: player.name for player in players}


def _open(rounds: Iterable[Round]) -> tuple[Score, ...]:
    return tuple(score for each in rounds for score in each.open)


def _lines(
    groups: Iterable[Sequence[str]], line_of: Callable[[str, int], Line]
) -> tuple[tuple[Line, ...], tuple[int, ...]]:
    """Return ``(lines, shared ranks)`` of groups of player numbers in rank order.

    ``line_of``: number and rank → line.
    """
    lines: list[Line] = []
    level: list[int] = []
    for group in groups:
        rank = len(lines) + 1
        if len(group) > 1:
            level.append(rank)
        lines += [line_of(number, rank) for number in group]
    return tuple(lines), tuple(level)


def _by_pack(rounds: Sequence[Round], pack: Pack) -> Ranking:
    """Return the Ranking under a rule pack."""
    book, names = Book(pack, records(rounds, pack)), _names(rounds)
    columns = tuple(word for word in pack.order if word != HEAD_TO_HEAD)

    def line_of(number: str, rank: int) -> Line:
        record = book.records[number]
        values = tuple(book.share(word, number) for word in columns)
        return Line(rank, number, names[number], values, tuple(record.met), record.byes)

    lines, level = _lines(tiebreaks.rank(book, pack.order), line_of)
    source = f"{pack.name} ({pack.source}; {pack.dated})"
    return Ranking(columns, lines, level, _open(rounds), source)


def records(rounds: Sequence[Round], pack: Pack) -> list[Record]:
    """Return the Record of every player of Swiss rounds; players absent from the last round have
    left.
    """
    records_by_number, known = {}, _names(rounds)
    for each in rounds:
        present = {player.number for score in each.scores for player in players_of(score)}
        present |= {missing.player.number for missing in each.counted}
        missed = [number for number in each.missed if number in known]
        for number in (*present, *missed):
            records_by_number.setdefault(number, Record(number))
        for number in missed:
            records_by_number[number].losses += 1
        for missing in each.counted:
            _count_no_match(records_by_number[missing.player.number], missing.bye, pack)
        for record in records_by_number.values():
            record.left = record.player not in present
        for score in each.scores:
            _enter(records_by_number, score, pack)
    return [records_by_number[number] for number in sorted(records_by_number)]


def _count_no_match(record, bye, pack):
    """Enter a round without a match."""
    if bye:
        record.byes += 1
        record.points += pack.points["bye"]
    else:
        record.losses += 1
        record.points += pack.points["loss"]


def _enter(records_by_number, score, pack):
    """Add a match or a bye to its players' records."""
    a = records_by_number[score.pairing.a.number]
    if score.bye:
        _count_no_match(a, bye=True, pack=pack)
    elif score.result is not None:
        b, result = records_by_number[score.pairing.b.number], score.result
        result_of_a, result_of_b = _RESULTS[result.outcome]
        _enter_match(a, b, result_of_a, result.games, result.narrow, pack)
        _enter_match(b, a, result_of_b, result.games[::-1], result.narrow, pack)


def _enter_match(record, opponent, result, games, narrow, pack):
    """Add a match to one player's record; ``result``: win, draw or loss; ``games``: those won and
    lost by this player.
    """
    record.met.append(opponent.player)
    record.games[0] += games[0]
    record.games[1] += games[1]
    if result == "win":
        record.wins += 1
        record.beaten.add(opponent.player)
        record.points += pack.points["narrow" if narrow else "win"]
    elif result == "draw":
        record.draws += 1
        record.points += pack.points["draw"]
    else:
        record.losses += 1
        record.points += pack.points["loss"]


def _xwing(rounds: Sequence[Round], rules: Rules) -> Ranking:
    """Return the Ranking of XW15's text."""
    entries, expelled = _xwing_entries(rounds, rules)
    table, names = xwing_standings.standings(entries, rules), _names(rounds)
    by_number = {line.player: line for line in table.lines}
    by_values = itertools.groupby(table.lines, key=lambda line: line.values)
    groups = [[line.player for line in level_lines] for _, level_lines in by_values]
    without_match = sorted(names.keys() - by_number.keys())  # none of theirs has ended
    if without_match:
        groups.append(without_match)

    def line_of(number: str, rank: int) -> Line:
        line = by_number.get(number, xwing_standings.Line(number))
        name, met = names[number], tuple(line.met)
        return Line(rank, number, name, line.values, met, int(line.had_bye))

    lines, level = _lines(groups, line_of)
    source = "XW15 Punteggi, Spareggi"
    if isinstance(rules, OwnRules):
        source = f"{rules.title}: {source}"
    return Ranking(_XWING, lines, level, _open(rounds), source, tuple(expelled))


def _xwing_entries(rounds, rules):
    """Return each round's entries for ``standings``, and the Scores that count as expulsions."""
    entries, expelled = [], []
    for each in rounds:
        of_round = []
        for score in each.scores:
            if score.open:
                continue
            match, against_points = _match(score, rules)
            of_round.append(match)
            if against_points:
                expelled.append(score)
        for missing in each.counted:
            entry = xwing_standings.Bye if missing.bye else xwing_standings.Absence
            of_round.append(entry(missing.player.number))
        entries.append(of_round)
    return entries, expelled


def _match(score, rules):
    """Return a Score in the form that ``standings`` takes, and whether it was ruled against its
    points.

    A ruling against the points, or before points were entered, counts as an expulsion: the player
    ruled to lose does so as if by conceding (XW15 Condotta Antisportiva). A ruled tie is level.
    """
    pairing, result = score.pairing, score.result
    if score.bye:
        return xwing_standings.Bye(pairing.a.number), False
    match = xwing_standings.Match(
        pairing.a.number, pairing.b.number, result.destroyed, result.wiped, result.conceded
    )
    if result.destroyed is not None or result.wiped == xwing_standings.BOTH:
        if _outcome(match, pairing.round, rules) == result.outcome:
            return match, False
    elif result.wiped or result.conceded is not None:
        return match, False  # ``standings`` asks for the points
    loser = _LOSERS.get(result.outcome)
    if loser is None:
        return replace(match, destroyed=(0, 0), wiped=0, conceded=None), True
    return replace(match, expelled=loser), True


def _outcome(match, round_number, rules):
    """Return the outcome of a match by its points."""
    (a, b), _ = xwing_standings.worth(match, round_number, rules)
    if a == b:
        return "tie"
    return "A" if a > b else "B"


def tiebreak_text(value: Share) -> str:
    """Return a tie-break as text: shares in per cent with two decimals."""
    return f"{float(100 * value):.2f} %" if isinstance(value, Fraction) else str(value)


def ruled_against_points(table: Ranking) -> list[Sentence]:
    """Return a Sentence on each match that was ruled against its points, or without any."""
    return [_ruling_text(score) for score in table.expelled]


def _ruling_text(score):
    place = {"number": score.pairing.round, "table": score.pairing.table}
    if score.result.outcome == "tie":
        text = "round {number}, table {table}: ruled a tie, so it counts as level"
    elif score.result.destroyed is None:
        text = (
            "round {number}, table {table}: ruled, and no points were told, so the loser counts as"
            " expelled; type the points if they were played: result {table} …"
        )
    else:
        text = (
            "round {number}, table {table}: ruled against its points, so the loser counts as"
            " expelled"
        )
    return Sentence(text, **place)
