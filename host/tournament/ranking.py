"""Swiss standings: XW15's by its text, P18's and D03's by the chosen rule pack.

Only the Swiss rounds before an elimination count. Open matches do not count yet, and are listed.
Players who are equal in everything share a rank and are listed too: the organiser decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event.scores import Round, Score
from host.systems.rules import OwnRules
from host.tournament import rule_packs, xwing_standings
from host.tournament.elimination import Elimination, swiss_of
from host.tournament.rule_packs import Pack
from host.tournament.tiebreaks import HEAD_TO_HEAD, Book, Record, Share, ranked

_POINTS = "points"
_XWING = (_POINTS, "margin", "sos")
_PLACES = {
    "A": ("wins", "losses"),
    "B": ("losses", "wins"),
    "tie": ("draws", "draws"),
    "neither": ("losses", "losses"),
}
_LOSERS = {"A": 2, "B": 1, "neither": 3}  # as bits
_WORTH = {"wins": "win", "losses": "loss", "draws": "draw"}


@dataclass(frozen=True)
class Line:
    """A player's place: ``values`` in the order of the Ranking's columns, opponents and byes.

    After a cut ``rank`` is the place in the event, ``worst`` the last place that is possible while
    the bracket is played, and ``swiss`` the rank before the cut.
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
        """The rank as text; the places that are possible, while it is open."""
        return (
            f"{self.rank}–{self.worst}" if self.worst and self.worst > self.rank else str(self.rank)
        )


@dataclass(frozen=True)
class Ranking:
    """Lines in rank order; ``level`` are the shared ranks, ``open`` the Scores without a result.

    ``expelled``: the Scores that were ruled against their points, or before any were told.
    ``bracket``: the elimination that the places are from (``final_places``), None before a cut.
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
    names = {one.system for one in swiss}
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
        raise rule_packs.naming(refusal, name)
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
    at = table.columns.index(_POINTS)
    return {one.number: one.values[at] for one in table.lines}


def _names(rounds):
    return {
        one.number: one.name
        for a_round in rounds
        for one in (
            *(player for score in a_round.scores for player in (score.pairing.a, score.pairing.b)),
            *(missed.player for missed in a_round.counted),
        )
        if one is not None
    }


def _open(rounds):
    return tuple(score for one in rounds for score in one.open)


def _lines(groups, values, met, byes, names):
    """Return ``(lines, shared ranks)`` of groups of player numbers in rank order."""
    lines, level, rank = [], [], 1
    for group in groups:
        lines += [
            Line(rank, one, names[one], values(one), tuple(met(one)), byes(one)) for one in group
        ]
        level += [rank] if len(group) > 1 else []
        rank += len(group)
    return tuple(lines), tuple(level)


def _by_pack(rounds, pack):
    names = _names(rounds)
    book = Book(pack, records(rounds, pack))
    columns = tuple(word for word in pack.order if word != HEAD_TO_HEAD)
    lines, level = _lines(
        ranked(book, pack.order),
        lambda one: tuple(book.share(word, one) for word in columns),
        lambda one: book.records[one].met,
        lambda one: book.records[one].byes,
        names,
    )
    return Ranking(
        columns, lines, level, _open(rounds), f"{pack.name} ({pack.source}; {pack.dated})"
    )


def records(rounds: Sequence[Round], pack: Pack) -> list[Record]:
    """Return the Record of every player of Swiss rounds; players not in the last one have left."""
    found, known = {}, _names(rounds)
    for one in rounds:
        seated = {p.number for s in one.scores for p in (s.pairing.a, s.pairing.b) if p}
        missed = [number for number in one.missed if number in known]
        counted = [given.player.number for given in one.counted]
        seated.update(counted)
        for number in (*seated, *missed):
            found.setdefault(number, Record(number))
        for number in missed:
            found[number].losses += 1
        for given in one.counted:
            _count(found[given.player.number], given.bye, pack)
        for record in found.values():
            record.left = record.player not in seated
        for score in one.scores:
            _enter(found, score, pack)
    return [found[number] for number in sorted(found)]


def _count(record, bye, pack):
    """Enter a round without a match."""
    if bye:
        record.byes += 1
        record.points += pack.points["bye"]
    else:
        record.losses += 1
        record.points += pack.points["loss"]


def _enter(found, score, pack):
    a = found[score.pairing.a.number]
    if score.bye:
        _count(a, True, pack)
    elif score.result is not None:
        b, result = found[score.pairing.b.number], score.result
        for me, other, place, won in ((a, b, 0, "A"), (b, a, 1, "B")):
            word = _PLACES[result.outcome][place]
            setattr(me, word, getattr(me, word) + 1)
            worth = "narrow" if word == "wins" and result.narrow else _WORTH[word]
            me.points += pack.points[worth]
            me.games[0] += result.games[place]
            me.games[1] += result.games[1 - place]
            me.met.append(other.player)
            if result.outcome == won:
                me.beaten.add(other.player)


def _xwing(rounds, rules):
    names = _names(rounds)
    played = [
        [(_match(score, rules), score) for score in one.scores if not score.open] for one in rounds
    ]
    entered = [
        [match for (match, _), _ in one] + [_without(given) for given in a_round.counted]
        for one, a_round in zip(played, rounds, strict=True)
    ]
    table = xwing_standings.standings(entered, rules)
    expelled = tuple(score for one in played for (_, against), score in one if against)
    groups = []
    for line in table.lines:
        if groups and table.of(groups[-1][0]).rank == line.rank:
            groups[-1].append(line.player)
        else:
            groups.append([line.player])
    source = "XW15 Punteggi, Spareggi"
    if isinstance(rules, OwnRules):
        source = f"{rules.title}: {source}"
    absent = sorted(set(names) - {line.player for line in table.lines})
    lines, level = _lines(
        groups + ([absent] if absent else []),
        lambda one: table.of(one).rank if one not in absent else (0, 0, 0),
        lambda one: table.of(one).met if one not in absent else (),
        lambda one: int(one not in absent and table.of(one).had_bye),
        names,
    )
    return Ranking(_XWING, lines, level, _open(rounds), source, expelled)


def _without(given):
    """Return a round without a match as ``standings`` reads it."""
    entry = xwing_standings.Bye if given.bye else xwing_standings.Absence
    return entry(given.player.number)


def _match(score, rules):
    """Return a Score as ``standings`` reads it, and whether it was ruled against its points.

    A ruling against the points, or before any were told, counts as an expulsion: who is ruled to
    lose does so as if by conceding (XW15 Condotta Antisportiva). A ruled tie is level.
    """
    one, result = score.pairing, score.result
    if score.bye:
        return xwing_standings.Bye(one.a.number), False
    match = xwing_standings.Match(
        one.a.number, one.b.number, result.destroyed, result.wiped, result.conceded
    )
    if result.destroyed is None and (result.wiped or result.conceded is not None):
        return match, False  # ``standings`` asks for the points
    if result.destroyed is not None and _outcome(match, one.round, rules) == result.outcome:
        return match, False
    loser = _LOSERS.get(result.outcome, 0)
    if loser:
        return replace(match, expelled=loser), True
    return replace(match, destroyed=(0, 0), wiped=0, conceded=None), True


def _outcome(match, round_number, rules):
    (a, b), _ = xwing_standings.worth(match, round_number, rules)
    return "tie" if a == b else "A" if a > b else "B"


def shown(value: Share) -> str:
    """Return a tie-break as text: shares in per cent with two decimals."""
    return f"{float(100 * value):.2f} %" if isinstance(value, Fraction) else str(value)


def ruled_otherwise(table: Ranking) -> list[Sentence]:
    """Return a Sentence on each match that was ruled against its points, or without any."""
    return [_otherwise(score) for score in table.expelled]


def _otherwise(score):
    place = {"number": score.pairing.round, "table": score.pairing.table}
    if score.result.outcome == "tie":
        said = "round {number}, table {table}: ruled a tie, so it counts as level"
    elif score.result.destroyed is None:
        said = (
            "round {number}, table {table}: ruled, and no points were told, so the loser counts as"
            " expelled; type the points if they were played: result {table} …"
        )
    else:
        said = (
            "round {number}, table {table}: ruled against its points, so the loser counts as"
            " expelled"
        )
    return Sentence(said, **place)
