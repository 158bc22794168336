"""Swiss standings: XW15's by its text, P18's and D03's by the chosen rule pack.

Only the Swiss rounds before an elimination count. Open matches do not count yet, and are listed.
Players who are equal in everything share a rank, and are listed, too: the organiser decides.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event.scores import Round, Score
from host.systems.rules import OwnRules
from host.tournament import rule_packs, xwing_standings
from host.tournament.elimination import Elimination, players_of, swiss_of
from host.tournament.rule_packs import Pack
from host.tournament.tiebreaks import HEAD_TO_HEAD, Book, Record, Share, rank

_POINTS = "points"
_XWING = (_POINTS, "margin", "sos")
_RESULTS = {  # of A and of B, as fields of a Record
    "A": ("wins", "losses"),
    "B": ("losses", "wins"),
    "tie": ("draws", "draws"),
    "neither": ("losses", "losses"),
}
_LOSERS = {"A": 2, "B": 1, "neither": 3}  # as bits
_POINTS_OF = {"wins": "win", "losses": "loss", "draws": "draw"}  # as words of a pack


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
    rules = swiss[-1].rules or (xwing_standings.TEXT if name == "xw15" else None)
    if rules and rules.CAPS and (pack is None or rules is xwing_standings.TEXT):
        return _xwing(swiss, rules)
    if pack is None:
        refusal = UserError(
            "{name} leaves points, byes and tie-breaks open: choose a rule pack, or rank in TOM",
            name=name,
        )
        raise rule_packs.with_pack_options(refusal, name)
    if pack.system != name:
        raise UserError(
            "the rule pack {pack!r} is for {system}, and this is {name}",
            pack=pack.name,
            system=pack.system,
            name=name,
        )
    return _by_pack(swiss, pack)


def points(rounds: Sequence[Round], pack: Pack | None = None) -> dict[str, Share]:
    """Return every player's points in the Swiss rounds, by number; {} where none are defined."""
    try:
        table = ranking(rounds, pack)
    except UserError:
        return {}
    if _POINTS not in table.columns:
        return {}
    column = table.columns.index(_POINTS)
    return {line.number: line.values[column] for line in table.lines}


def _names(rounds):
    """Return the names of all players in rounds, by number."""
    players = []
    for each in rounds:
        for score in each.scores:
            players += players_of(score)
        players += [missed.player for missed in each.counted]
    return {player.number: player.name for player in players}


def _open(rounds):
    return tuple(score for each in rounds for score in each.open)


def _lines(groups, values, met, byes, names):
    """Return ``(lines, shared ranks)`` of groups of player numbers in rank order."""
    lines, level, rank = [], [], 1
    for group in groups:
        lines += [
            Line(rank, number, names[number], values(number), tuple(met(number)), byes(number))
            for number in group
        ]
        if len(group) > 1:
            level.append(rank)
        rank += len(group)
    return tuple(lines), tuple(level)


def _by_pack(rounds, pack):
    book = Book(pack, records(rounds, pack))
    columns = tuple(word for word in pack.order if word != HEAD_TO_HEAD)
    lines, level = _lines(
        rank(book, pack.order),
        lambda number: tuple(book.share(word, number) for word in columns),
        lambda number: book.records[number].met,
        lambda number: book.records[number].byes,
        _names(rounds),
    )
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
        _count_no_match(a, True, pack)
    elif score.result is not None:
        b, result = records_by_number[score.pairing.b.number], score.result
        result_of_a, result_of_b = _RESULTS[result.outcome]
        _enter_match(a, b, result_of_a, result.games, result.narrow, pack)
        _enter_match(b, a, result_of_b, result.games[::-1], result.narrow, pack)


def _enter_match(record, opponent, result, games, narrow, pack):
    """Add a match to one player's record; ``games`` are those won and lost by this player."""
    won = result == "wins"
    setattr(record, result, getattr(record, result) + 1)
    record.points += pack.points["narrow" if won and narrow else _POINTS_OF[result]]
    record.games[0] += games[0]
    record.games[1] += games[1]
    record.met.append(opponent.player)
    if won:
        record.beaten.add(opponent.player)


def _xwing(rounds, rules):
    """Return the Ranking of XW15's text."""
    entries, expelled = _xwing_entries(rounds, rules)
    table = xwing_standings.standings(entries, rules)
    by_number = {line.player: line for line in table.lines}
    by_rank = itertools.groupby(table.lines, key=lambda line: line.rank)
    groups = [[line.player for line in lines] for _, lines in by_rank]
    names = _names(rounds)
    absent = sorted(names.keys() - by_number.keys())  # no match of theirs has ended
    if absent:
        groups.append(absent)
    by_number |= {number: xwing_standings.Line(number) for number in absent}
    lines, level = _lines(
        groups,
        lambda number: by_number[number].rank,
        lambda number: by_number[number].met,
        lambda number: int(by_number[number].had_bye),
        names,
    )
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
            if not score.open:
                match, against_points = _match(score, rules)
                of_round.append(match)
                if against_points:
                    expelled.append(score)
        of_round += [_without_match(missing) for missing in each.counted]
        entries.append(of_round)
    return entries, expelled


def _without_match(missing):
    """Return a round without a match in the form that ``standings`` takes."""
    entry = xwing_standings.Bye if missing.bye else xwing_standings.Absence
    return entry(missing.player.number)


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
    points_known = result.destroyed is not None or result.wiped == xwing_standings.BOTH
    if not points_known and (result.wiped or result.conceded is not None):
        return match, False  # ``standings`` asks for the points
    if points_known and _outcome(match, pairing.round, rules) == result.outcome:
        return match, False
    loser = _LOSERS.get(result.outcome, 0)
    if loser:
        return replace(match, expelled=loser), True
    return replace(match, destroyed=(0, 0), wiped=0, conceded=None), True


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
