"""The printed lists: pairings, missing results, standings, the incident log, the judge's codes, the
boards' commitments.

Each function is ``(content, say) → HTML``.
"""

import datetime
from typing import NamedTuple

import segno

from host.archive.roster import Player
from host.base import surnames
from host.event import penalties, team_lines
from host.event.incident_log import TABLE, Incident
from host.reports.paper import bracket
from host.reports.paper.content import Content
from host.reports.paper.sheet import name, plain, table, text
from host.reports.paper.words import TEXTS, Say
from host.tournament import final_places
from host.tournament.ranking import Ranking, tiebreak_text

_SEATS = {0: "–", 1: "▲", 2: "●", 3: "▲ ●"}
_OUTCOME = 0x0F  # the bits of an outcome in a number
# why a game was lost, by the number that a board has for it
_LOSSES = "reason.tardy", "reason.deck_error", "reason.slow", "reason.conduct"


def pairings(content: Content, say: Say) -> str:
    """Return the pairings by table, byes last, each name with the points before the round."""
    heads = ((say("table"), "n table"), *_heads(content, "▲", say), *_heads(content, "●", say))
    scores = sorted(
        content.round.scores,
        key=lambda score: (score.bye, score.pairing.table or 0, score.pairing.pairing),
    )
    rows = []
    for score in scores:
        a, b = score.pairing.a, score.pairing.b
        number = "" if score.bye else str(score.pairing.table)
        second = _player(b) if b else text(say("bye"))
        rows.append((number, _player(a), *_points(content, a), second, *_points(content, b)))
    return table(heads, rows)


def _heads(content: Content, player: str, say: Say) -> list[tuple[str, str]]:
    """Return the heads of a player's columns: name, and points if the list has them."""
    heads = [(player, "p")]
    if content.points:
        heads.append((say("points"), "n"))
    return heads


def _points(content: Content, player: Player | None) -> list[str]:
    """Return the cell with a player's points, none if the list has no such column."""
    if not content.points:
        return []
    return [text(content.points.get(player.number, "0") if player else "")]


def by_name(content: Content, say: Say) -> str:
    """Return every player by surname, with the points before the round, table and opponent."""
    heads = (
        *_heads(content, say("player"), say),
        (say("number"), "n"),
        (say("table"), "n table"),
        (say("opponent"), "p"),
    )
    rows: list[tuple[_Entry, tuple[str, ...]]] = []  # with their cells
    for score in content.round.scores:
        pairing = score.pairing
        for player, other in ((pairing.a, pairing.b), (pairing.b, pairing.a)):
            if player is None:
                continue
            place, opponent = "", text(say("bye"))
            if other is not None:
                place, opponent = str(pairing.table), name(other.name)
            for entry in _entries(content, player):
                points = _points(content, player)
                rows.append((entry, (entry.name, *points, entry.number, place, opponent)))
    rows.sort(key=lambda row: (row[0].order, row[0].number))
    return table(heads, [cells for _, cells in rows])


class _Entry(NamedTuple):
    """Somebody in the list by name: the key to sort by, and the cells of name and number."""

    order: tuple[str, str]
    name: str
    number: str


def _entries(content: Content, player: Player) -> list[_Entry]:
    """Return a player's entry; of a team those of both members, each with position, team and
    city.
    """
    form, team = content.round.format, content.teams.get(player.number)
    if not team_lines.plays_teams(form):
        return [_by_surname(player)]
    if team is None:  # its members are not known
        return [_Entry((surnames.fold(player.name), ""), name(player.name), text(player.number))]
    place = ", ".join(filter(None, (team.name, team_lines.home(team))))
    members = team_lines.members(team, form)
    return [_by_surname(member.player, f" ({member.position}: {place})") for member in members]


def _by_surname(player: Player, more: str = "") -> _Entry:
    """Return a person's entry, with ``more`` behind the name."""
    visible = plain(player.name)
    shown = name(surnames.by_surname(visible) + more)
    return _Entry(surnames.order(visible), shown, text(player.number))


def outstanding(content: Content, say: Say) -> str:
    """Return the tables without a result, with their extensions."""
    open_scores = content.round.open
    if not open_scores:
        return f"<p>{text(say('none_open'))}</p>\n"
    heads = ((say("table"), "n table"), ("▲", "p"), ("●", "p"), (say("extension"), "n"))
    rows = []
    for score in open_scores:
        a, b, number = score.pairing.a, score.pairing.b, score.pairing.table
        extension_s = content.extension_s(number)
        extension = f"+{extension_s // 60} {say('minutes')}" if extension_s else ""
        rows.append((str(number), _player(a), _player(b) if b else "", text(extension)))
    return table(heads, rows)


def standings(content: Content, say: Say) -> str:
    """Return the standings with all their numbers, by pod if there are pods."""
    drawn = bracket.drawing(content.ranking, say)
    if not content.by_pod:
        return drawn + _ranks(content, content.ranking, say) + _receipt(content, say)
    if content.ranking.bracket:
        drawn += _ranks(content, final_places.of_bracket(content.ranking), say)
    pods = (
        f"<h2>{text(say('pod'))} {pod}</h2>\n{_ranks(content, ranking, say)}"
        for pod, ranking in enumerate(content.by_pod, 1)
    )
    return drawn + "".join(pods) + _receipt(content, say)


def _receipt(content: Content, say: Say) -> str:
    """Return the closed event's receipt as words, with a code for phones; "" before the close."""
    words = content.receipt
    if words is None:
        return ""
    code = segno.make(words, micro=False).svg_inline(scale=2, border=4)
    paragraphs = f"<p><b>{text(words)}</b></p>\n<p>{text(say('receipt_why'))}</p>\n"
    return f"<h2>{text(say('receipt'))}</h2>\n{paragraphs}{code}\n"


def commitments(content: Content, say: Say) -> str:
    """Return each table's commitments in groups of four digits, with the time of arrival."""
    heads = ((say("table"), "n table"), (say("commitment"), "hex"), (say("time"), "n"))
    rows: list[tuple[str, str, str]] = []
    for score in content.round.scores:
        number = score.pairing.table
        if score.bye or number is None:
            continue
        received = content.commitments.get(number, [])
        for commitment in received:
            digits = text(commitment.period.commitment.hex(" ", 2).upper())
            clock = clock_of(content.origin_unix_ms + commitment.heard_ms)
            rows.append((str(number), digits, clock))
        if not received:
            rows.append((str(number), text(say("no_commitment")), ""))
    rows.sort(key=lambda row: int(row[0]))
    return f"<p>{text(say('commitment_why'))}</p>\n" + table(heads, rows)


def pods(content: Content, say: Say) -> str:
    """Return the pods of a draft with their seats, clockwise."""
    drawn = content.pods
    if drawn is None:
        return f"<p>{text(say('no_pods'))}</p>\n"
    names, heads = content.names, ((say("seat"), "n table"), (say("player"), "p"))
    parts = []
    for pod, circle in enumerate(drawn.circles, 1):
        rows = [
            (str(seat), f"{name(names.get(number, ''))} ({text(number)})")
            for seat, number in enumerate(circle, 1)
        ]
        parts.append(f"<h2>{text(say('pod'))} {pod}</h2>\n{table(heads, rows)}")
    return "".join(parts)


def _team(content: Content, number: str) -> str:
    """Return a team's members and home as HTML to follow its name, "" for a player."""
    team = content.teams.get(number)
    if team is None:
        return ""
    return f": {name(team.a.name)}, {name(team.b.name)} ({name(team_lines.home(team))})"


def _ranks(content: Content, ranking: Ranking, say: Say) -> str:
    """Return a table of a Ranking, and notes on it."""
    has_cut = ranking.bracket is not None
    heads = [(say("rank"), "n"), (say("player"), "p"), (say("number"), "n")]
    if has_cut:
        heads.append((say("swiss"), "n"))
    heads += [(say(word), "n") for word in ranking.columns]
    rows = []
    for line in ranking.lines:
        who = name(line.name) + _team(content, line.number)
        cells = [text(line.place), who, text(line.number)]
        if has_cut:
            cells.append(str(line.swiss or ""))
        rows.append(cells + [text(tiebreak_text(value)) for value in line.values])
    notes = [f"{say('by')} {ranking.source}"]
    if ranking.open:
        tables = ", ".join(str(score.pairing.table) for score in ranking.open)
        notes.append(f"{say('still_open')}: {say('table')} {tables}")
    if ranking.level:
        notes.append(say("shared"))
    return table(heads, rows) + "".join(f"<p>{text(note)}</p>\n" for note in notes)


def incidents(content: Content, say: Say) -> str:
    """Return the incident log: judges' decisions, and the players' refusals and take-backs."""
    entries = content.incidents
    if not entries:
        return f"<p>{text(say('none_happened'))}</p>\n"
    kinds = (
        ("time", "n"),
        ("round", "n"),
        ("table", "n"),
        ("what", ""),
        ("who", ""),
        ("why", "p"),
        ("state", ""),
    )
    heads = tuple((say(word), kind) for word, kind in kinds)
    return table(heads, [_incident(incident, content.origin_unix_ms, say) for incident in entries])


def codes(content: Content, say: Say) -> str:
    """Return the judge's one-time codes, board by board, to be used in order and crossed out."""
    heads = ((say("table"), "n table"), (say("codes"), ""))
    rows = []
    for board, numbered in content.codes:
        listed = "   ".join(
            f"{number + 1}\u00a0·\u00a0{code[:3]}\u00a0{code[3:]}" for number, code in numbered
        )
        rows.append((str(board.table) if board.table else f"({board.device})", text(listed)))
    return f"<p>{text(say('cross_out'))}</p>\n" + table(heads, rows)


def clock_of(unix_ms: int) -> str:
    """Return a moment in Unix ms as the PC's local time of day."""
    return datetime.datetime.fromtimestamp(unix_ms / 1000).astimezone().strftime("%H:%M:%S")


def _incident(incident: Incident, origin_unix_ms: int, say: Say) -> tuple[str, ...]:
    """Return the cells of an incident."""
    who = text(say("at_table")) if incident.author == TABLE else name(incident.author)
    return (
        clock_of(origin_unix_ms + incident.at_ms), str(incident.round), str(incident.table),
        text(_happened(incident, say)), who, name(incident.reason), text(say(incident.state)),
    )  # fmt: skip


def _happened(incident: Incident, say: Say) -> str:
    """Return in words what an incident came to.

    The text of its kind takes what it needs: the first of its numbers as seats, outcome or ruling,
    the others as an amount or two counts.
    """
    first, second, third = incident.numbers
    words = say(f"happened.{incident.what}").format(
        minutes=second // 60,
        seats=_SEATS[first & 3],
        seat=_SEATS[1 << (first & 1)],
        outcome=_outcome(first & _OUTCOME, second, third, say),
        roll=say("roll.conclusive" if first & 1 else "roll.again"),
        a=second,
        b=third,
    )
    if incident.what == "game_loss" and 0 < second <= len(_LOSSES):
        words += f" ({say(_LOSSES[second - 1])})"
    if incident.what == "penalty":
        level, category = penalties.LEVELS[second], penalties.CATEGORIES[third]
        words += f" ({say(f'penalty.level.{level}')}, {say(f'penalty.category.{category}')})"
    return words


def _outcome(number: int, games_a: int, games_b: int, say: Say) -> str:
    key = f"outcome.{number}"
    words = say(key) if key in TEXTS else "?"
    return f"{words} ({games_a}–{games_b})" if games_a or games_b else words


def _player(player: Player) -> str:
    return f"{name(player.name)} ({text(player.number)})"
