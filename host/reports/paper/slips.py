"""Result slips for tables whose board fails: one per match. How many fit on a page is in
``sheet`` (``.slips``) and ``plain_pdf`` (``_ROWS``).
"""

from collections.abc import Iterable

from host.archive.roster import Pairing, Player
from host.event import team_lines
from host.reports.paper.content import Content
from host.reports.paper.sheet import name, text
from host.reports.paper.words import Say

_BOX = '<span class="box"></span>'
_LONG = 24  # letters that fit on two lines
_LINE = '<span class="line"></span>'
_SHORT = '<span class="short line"></span>'


def slips(content: Content, say: Say) -> str:
    """Return the slips of all matches, by table."""
    scores = [score for score in content.round.scores if not score.bye]
    scores.sort(key=lambda score: score.pairing.table or 0)
    return (
        '<div class="slips">\n'
        + "".join(_slip(content, score.pairing, say) for score in scores)
        + "</div>\n"
    )


def _slip(content: Content, pairing: Pairing, say: Say) -> str:
    """Return the slip of a match. A team's members need the room of the event's name and of the
    judge's own line.
    """
    assert pairing.b is not None  # no slip is for a bye
    players = (("▲", pairing.a), ("●", pairing.b))
    members = "".join(
        _members(content, shape, player)
        for shape, player in players
        if player.number in content.teams
    )
    signatures = [f"{text(say('signature'))} {shape} {_LINE}" for shape in "▲●"]
    judge = f"{text(say('judge'))} {_LINE}"
    drop = f"{text(say('drop'))} ▲ {_BOX} ● {_BOX}"
    if members:
        in_head, event, lines = f"<span>{drop}</span>", "", [[*signatures, judge]]
    else:
        event = f'<p class="event">{name(content.event)}</p>'
        in_head, lines = "", [signatures, [judge, drop]]
    rows = "".join(_row(content, shape, player, say) for shape, player in players)
    return (
        f'<div class="slip"><p class="head"><span>{text(say("table"))}'
        f" {pairing.table}</span><span>{text(say('round'))} {pairing.round}</span>{in_head}</p>"
        f"{event}<table>{_heads(content, say)}"
        f"{rows}</table>{members}{''.join(map(_lines, lines))}</div>\n"
    )


def _heads(content: Content, say: Say) -> str:
    """Return the first row of a slip's table, with the fields that are of both players."""
    extra = f"{text(say('extra_minutes'))} {_SHORT}"
    tie = "" if content.round.elimination else f"{_BOX} {text(say('tie'))}"
    heading = "destroyed" if _counts_points(content) else "games"
    if content.round.has_narrow_win:
        heading = "prizes"
    return f'<tr><th class="p">{extra}</th><th>{tie}</th><th>{text(say(heading))}</th></tr>'


def _row(content: Content, shape: str, player: Player, say: Say) -> str:
    """Return a player's row of a slip's table."""
    return (
        f'<tr><td class="p"><div{_size(player)}>{shape} ({text(player.number)}) {name(player.name)}'
        "</div></td>"
        f"<td>{_BOX} {text(say('wins'))}</td><td>{_counts(content, say)}</td></tr>"
    )


def _lines(parts: Iterable[str]) -> str:
    """Return a line to be filled in by hand."""
    return f'<p class="lines">{" ".join(f"<span>{part}</span>" for part in parts)}</p>'


def _size(player: Player) -> str:
    """Return the class of a name that needs a smaller font."""
    return ' class="long"' if len(player.number) + len(player.name) > _LONG else ""


def _members(content: Content, shape: str, player: Player) -> str:
    """Return a line with a team's members and the prizes that each lays out (D03 App. B 5-6)."""
    team = content.teams[player.number]
    members = team_lines.members(team, content.round.format)
    listed = " ".join(
        f"{member.position} {name(member.player.name)} {_BOX * member.prizes}" for member in members
    )
    long = sum(len(member.player.name) for member in members) > 2 * _LONG
    return f'<p class="{"members long" if long else "members"}">{shape} {listed}</p>'


def _counts_points(content):
    rules = content.round.rules
    return rules is not None and bool(rules.CAPS)


def _counts(content: Content, say: Say) -> str:
    """Return the field beside a name that players fill in: boxes for games, a line for points, or a
    box for a narrow win.
    """
    if _counts_points(content):
        return _LINE
    if content.round.has_narrow_win:
        return f"{_BOX} {text(say('narrow'))}"
    most = content.round.best_of // 2 + 1
    return " ".join(f"{_BOX} {games}" for games in range(most + 1))
