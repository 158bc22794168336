"""The next round as a draft: pairings by the rules or the pack, and tables."""

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from host.archive import draft_pods, fixed_tables
from host.archive.people import People, same_name
from host.archive.roster import Format, Pairing, Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event import file_minutes
from host.event.scores import Round, require_points
from host.formats.event_file import EventFile
from host.formats.people_file import Person
from host.formats.player_numbers import bare
from host.formats.round_format import UNTIMED_MIN, with_round, with_stage
from host.systems import catalogue
from host.systems.match_facts import is_limited
from host.systems.rules import Rules
from host.tournament import bracket, elimination, pods, ranking, rule_packs, swiss, xwing_pairing
from host.tournament.pairing_search import Entrant
from host.tournament.rule_packs import Pack

_MOST_NAMED = 8  # of those in a lot, by name in a sentence


@dataclass(frozen=True)
class DraftRequest:
    """The organiser's request for the next round; ``cut`` is the bracket's size, or None."""

    pack: Pack | None = None
    seed: int = 0
    drop: frozenset[str] = frozenset()  # numbers of players who leave
    late: tuple[Player, ...] = ()  # players who come in
    cut: int | None = None
    minutes: int | None = None
    back: frozenset[str] = frozenset()  # numbers of players who missed a round and play again
    pods: str = ""  # how cards are drafted before the round (draft_pods.KINDS)
    # numbers of players who advance if a shared rank or pods leave it open
    through: frozenset[str] = frozenset()
    across: bool = False  # XW15: pair across points where the text has no pairing
    bye: str = ""  # number of the player with the bye, if nothing else decides it


def draft(archive: Archive, rounds: Sequence[Round], request: DraftRequest) -> EventFile:
    """Return the EventFile of the round after ``rounds``; raises UserError with a question that the
    organiser must answer.
    """
    if request.cut is not None:
        bracket.require_size(request.cut)
    number = rounds[-1].number + 1
    bracket_played = elimination.elimination(rounds)
    _require_results(rounds, bracket_played)
    if request.bye and (bracket_played or request.cut):
        raise UserError("an elimination has no bye to give: draft it without one")
    if request.pods and not request.cut:
        raise UserError("pods stay as they are until the cut: choose a cut to draft again")
    form = _next_format(archive, rounds, number, request)
    _require_limited(form, request)
    _require_own_numbers(archive, request.late)
    pods_before, new_pods = draft_pods.in_force(archive, rounds[-1].number), None
    remarks: tuple[Sentence, ...] = ()
    if bracket_played is not None:
        pairs = bracket.next_pairs(bracket.winners(bracket_played.rounds[-1]))
        pairs = bracket.without(pairs, request.drop)
    elif request.cut:
        pairs = _cut(rounds, request, pods_before)
        new_pods = _pods_of_cut(pairs, number, request, pods_before)
    else:
        missed = {missed.player.number for missed in rounds[-1].counted}
        plays_again = missed - People(archive).gone
        pairs, remarks = _swiss(rounds, request, pods_before, plays_again)
    event = archive.roster.event
    assert event is not None  # there are rounds
    seated = _seat(archive.roster.tables, number, pairs)
    seated = fixed_tables.place(seated, fixed_tables.fixed(archive))
    return EventFile(event.name, number, form, seated, pods=new_pods, remarks=remarks)


def _require_own_numbers(archive, late):
    """Raise UserError if a late player has another player's number; 07 and 7 are the same."""
    owners = {bare(player.number): player for player in reversed(archive.roster.players.values())}
    for player in late:
        owner = owners.get(bare(player.number))
        if owner is None or (owner.number == player.number and same_name(owner.name, player.name)):
            continue  # nobody's number, or the player's own
        text = "number {number} is taken by {before}: give {after} another number"
        values = {"before": owner.name, "after": player.name}
        raise UserError(text, number=owner.number, **values)


def _require_results(rounds, bracket_played):
    """Raise UserError for missing results; matches beside a bracket do not delay it."""
    require_points(rounds)
    matches = [score for each in elimination.swiss_of(rounds) for score in each.scores]
    matches += bracket_played.rounds[-1] if bracket_played else []
    tables = [str(score.pairing.table) for score in matches if score.open]
    if tables:
        raise UserError("results are missing: table {tables}", tables=", ".join(tables))


def _next_format(archive, rounds, number, request):
    """Return the next round's Format: as the last round's, in a bracket as the bracket's."""
    eliminations = [each for each in rounds if each.elimination]
    last = eliminations[-1] if eliminations else rounds[-1]
    form = with_stage(last.format, elimination=True) if request.cut else last.format
    usual = _usual_minutes(archive, rounds, last, form.elimination)
    form = replace(form, minutes=request.minutes or usual)
    if last.rules is None:
        return form
    try:
        return with_round(form, number, last.rules)
    except ValueError as mistake:
        raise UserError(mistake.args[0]) from None


def first_draft(
    people: Sequence[Person],
    event: str,
    form: Format,
    rules: Rules,
    request: DraftRequest,
    boards: Sequence[int] = (),
) -> EventFile:
    """Return the EventFile of round 1: ``people`` (people_file.Person) drawn from the seed, by the
    pack, or under XW15 by its own text, where families and travel mates do not meet.

    ``boards``: the tables that have one, ascending.
    """
    players = {person.player.number: person.player for person in people}
    drawn_pods = None
    _require_limited(form, request)
    if request.pods:
        drawn_pods = pods.draw(players, request.pods, 1, request.seed)
    if rules.CAPS and request.pack is None:  # XW15 alone has caps
        entrants = [
            xwing_pairing.Player(person.player.number, parties=person.parties) for person in people
        ]
        pairings = [xwing_pairing.pair_first(entrants, request.seed)]
    elif request.pack is None:
        refusal = UserError("choose a rule pack first: it decides the pairings")
        name, _ = catalogue.by_number(catalogue.built_in(), form.system)
        raise rule_packs.with_pack_options(refusal, name)
    else:
        groups = _split_by_pod([Entrant(number) for number in players], drawn_pods)
        pairings = [swiss.pair(group, request.pack, request.seed) for group in groups]
    pairs = _as_players(pairings, players)
    form = with_round(replace(form, minutes=request.minutes or form.minutes), 1, rules)
    return EventFile(event, 1, form, _seat(boards, 1, pairs), pods=drawn_pods)


def drafts_cards(form: Format) -> bool:
    """Return whether decks are built at the event, so that pods may draft them."""
    return is_limited(form.bits)


def _require_limited(form, request):
    """Raise UserError for pods in an event to which decks are brought."""
    if request.pods and not drafts_cards(form):
        raise UserError("decks are brought along in this event: only a limited format has pods")


def _usual_minutes(archive, rounds, last, elimination):
    """Return the next round's minutes: XW15's rise from round to round, others stay; a round
    without a limit is ignored. A bracket's first round has the minutes of the event's own file, if
    any.
    """
    if elimination and not last.elimination:
        from_file = file_minutes.newest(archive)
        if from_file is not None:
            return from_file.elimination
    rules = last.rules
    if rules and last.number < len(rules.CAPS):  # later rounds are as the last one
        return rules.MINUTES[last.number]
    limits = [each.format.minutes for each in rounds if each.format.minutes != UNTIMED_MIN]
    return limits[-1] if limits else UNTIMED_MIN


def _split_by_pod(entrants, in_force):
    """Split entrants by pod, in the given order; one list without pods. Raises UserError for a
    player in no pod.
    """
    if in_force is None:
        return [entrants]
    for entrant in entrants:
        if in_force.of(entrant.id) is None:
            text = "player {player} sits in no pod, and matches stay inside the pod: pair by hand"
            raise UserError(text, player=entrant.id)
    groups = [
        [entrant for entrant in entrants if entrant.id in circle] for circle in in_force.circles
    ]
    return [group for group in groups if group]


def _as_players(pairings, players):
    """Return the pairs of several Pairings as Players, byes (no opponent) last."""
    pairs = [(players[a], players[b]) for group in pairings for a, b in group.pairs]
    return pairs + [(players[group.bye], None) for group in pairings if group.bye]


def _pods_of_cut(pairs, number, request, before):
    """Return the pods of a cut: the Top 8 of pods put their decks aside and draft again (D03 App. A
    8).
    """
    numbers = [player.number for pair in pairs for player in pair]
    kind = request.pods
    if not kind and before and len(numbers) == pods.MOST:
        kind = before.kind
    return pods.draw(numbers, kind, number, request.seed) if kind else None


def _cut(rounds, request, in_force):
    """Return the pairs of the bracket's first round."""
    if in_force is not None:
        tables = pods.rankings(rounds, in_force, request.pack)
        lines = pods.best(tables, request.cut, request.drop, sorted(request.through))
        return bracket.first_pairs([Player(line.number, line.name) for line in lines])
    table = ranking.ranking(rounds, request.pack)
    lines = [line for line in table.lines if line.number not in request.drop]
    if len(lines) < request.cut:
        raise UserError(
            "a cut to {cut} is not possible with {count} players", cut=request.cut, count=len(lines)
        )
    lines = _draw_order(_within(lines, request), request.seed)
    return bracket.first_pairs([Player(line.number, line.name) for line in lines])


def _draw_order(lines, seed):
    """Return lines by rank, those of a shared rank in random order."""
    drawn = list(lines)
    random.Random(seed).shuffle(drawn)
    return sorted(drawn, key=lambda line: line.rank)


def _within(lines, request):
    """Return the lines inside the cut; of a rank shared across it, the players that the organiser
    named. Raises UserError if the organiser must name them first.
    """
    above, sharing = ranking.at_cut(lines, request.cut)
    places = request.cut - len(above)
    if len(sharing) == places:
        return above + sharing
    named = [line for line in sharing if line.number in request.through]
    if len(named) != places:
        one = (
            "{sharing} players share rank {rank}, where the cut is, and one of them goes on: name"
            " who does, by number ({names})"
        )
        several = (
            "{sharing} players share rank {rank}, where the cut is, and {count} of them go on: name"
            " who does, by number ({names})"
        )
        values = {"sharing": len(sharing), "rank": sharing[0].rank}
        names = ranking.names_of(sharing)
        raise UserError(Sentence.counted(one, several, count=places, names=names, **values))
    return above + named


def _swiss(rounds, request, in_force, plays_again):
    """Return the pairs and remarks; ``plays_again``: the numbers of those who missed the last round
    and have not left.
    """
    table = ranking.ranking(rounds, request.pack)
    present = {
        player.number for score in rounds[-1].scores for player in elimination.players_of(score)
    }
    dropped_before = request.drop - present
    if dropped_before:
        text = "player {player} did not play in round {number}, so cannot be dropped now"
        raise UserError(text, player=min(dropped_before), number=rounds[-1].number)
    late = {player.number for player in request.late}
    playing = (present | request.back | late | plays_again) - request.drop
    lines = [line for line in table.lines if line.number in playing]
    players = {line.number: Player(line.number, line.name) for line in lines}
    # a late player who is ranked and was absent comes back with that rank; others are new
    ranked_absent = {line.number for line in table.lines} - present
    new = [player for player in request.late if player.number not in ranked_absent]
    for player in new:
        if player.number in players:
            raise UserError("player {number} is in already", number=player.number)
        players[player.number] = player
    if len(players) < 2:
        raise UserError("there are not two players to pair: enter players first")
    pairings = _pair(rounds, lines, replace(request, late=tuple(new)), in_force)
    return _as_players(pairings, players), tuple(_lots(pairings, players))


def _lots(pairings, players):
    """Yield a Sentence on each bye that was drawn by lot."""
    for group in pairings:
        if not group.level:
            continue
        count, name = len(group.level), players[group.bye].name
        if count > _MOST_NAMED:
            text = (
                "the bye was drawn by lot among {count} players who are level in points and margin"
                " of victory: {name} has it"
            )
            yield Sentence(text, count=count, name=name)
        else:
            text = (
                "the bye was drawn by lot among {names}, who are level in points and margin of"
                " victory: {name} has it"
            )
            names = ", ".join(f"{players[number].name} ({number})" for number in group.level)
            yield Sentence(text, names=names, name=name)


def _pair(rounds, lines, request, in_force):
    """Return the Pairings of each group: of each pod, or of all players."""
    if request.pack and request.pack.within_points == "ranking":
        lines = _draw_order(lines, request.seed)
    late = [player.number for player in request.late]
    rules = rounds[-1].rules
    if rules and rules.CAPS and request.pack is None:
        everybody = [_xwing_player(line) for line in lines]
        everybody += [xwing_pairing.Player(number) for number in late]
        _require_odd_group(request.bye, [everybody])
        return [xwing_pairing.pair_next(everybody, request.across, request.seed, request.bye)]
    entrants = [
        Entrant(line.number, line.values[0], frozenset(line.met), bool(line.byes)) for line in lines
    ]
    entrants += [Entrant(number) for number in late]
    groups = _split_by_pod(entrants, in_force)
    _require_odd_group(request.bye, groups)
    return [swiss.pair(group, request.pack, request.seed, request.bye) for group in groups]


def _xwing_player(line):
    points, margin, _ = line.values
    return xwing_pairing.Player(
        line.number, points, frozenset(line.met), bool(line.byes), margin=margin
    )


def _require_odd_group(bye, groups):
    """Raise UserError if the player to have the ``bye``, if any is named, is in no odd group."""
    in_odd_groups = [entrant.id for group in groups if len(group) % 2 for entrant in group]
    if bye and bye not in in_odd_groups:
        text = "player {number} cannot have the bye: not in this round, or nobody is left over"
        raise UserError(text, number=bye)


def _seat(boards, number, pairs):
    """Return Pairings in the order of ``pairs``, first at tables with boards, then at others."""
    without_board = (table for table in itertools.count(1) if table not in boards)
    tables = itertools.chain(boards, without_board)
    return [
        Pairing(number, pairing, None if b is None else next(tables), a, b)
        for pairing, (a, b) in enumerate(pairs, 1)
    ]
