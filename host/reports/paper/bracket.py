"""The bracket on paper: a column for each round, joined by lines (in a plain PDF, a line per
match).
"""

from host.base.sentences import Sentence
from host.base.translation import render
from host.reports.paper.sheet import name, text
from host.reports.paper.words import Say
from host.tournament import bracket_view, final_places
from host.tournament.bracket_view import Box
from host.tournament.ranking import Ranking

_DENSE = 16  # boxes in a column that need a smaller font


def drawing(ranking: Ranking, say: Say) -> str:
    """Return the champion, the bracket and its open places as HTML, "" before a cut."""
    elimination = ranking.bracket
    if elimination is None:
        return ""
    champion = ""
    if elimination.champion:
        winner = name(elimination.champion.name)
        champion = f'<p class="champion">{text(say("champion"))}: {winner}</p>\n'
    columns = bracket_view.columns(elimination)
    dense = " dense" if len(columns[0].boxes) >= _DENSE else ""
    swiss = {line.number: line.swiss for line in ranking.lines}
    drawn = "".join(_column(column, swiss, say) for column in columns)
    places = "".join(
        f'<p class="round">{text(say("for_place"))} {place}</p>{_match(box, swiss, say)}'
        for place, box in bracket_view.places(ranking)
    )
    notes = (*final_places.open_places(ranking), *final_places.beside(ranking))
    return (
        f'{champion}<div class="bracket{dense}">{drawn}</div>\n'
        + (f'<div class="places">{places}</div>\n' if places else "")
        + "".join(f"<p>{text(_text(note, say))}</p>\n" for note in notes)
    )


def _column(column, swiss, say):
    boxes = "".join(
        f'<div class="slot{"" if box else " none"}">{_match(box, swiss, say) if box else ""}</div>'
        for box in column.boxes
    )
    title = f'<p class="round">{text(_text(column.name, say))}</p>'
    return f'<div class="column">{title}<div class="slots">{boxes}</div></div>'


def _match(box: Box, swiss: dict[str, int | None], say: Say) -> str:
    seats = [_seat(player, seat, box, swiss, say) for player, seat in ((box.a, 0), (box.b, 1))]
    return f'<p class="match">{"".join(seats)}</p>'


def _seat(player, seat, box, swiss, say):
    """Return a player's line in a box: place, name, score; ``swiss``: Swiss places by number."""
    if player is None:
        return f'<span class="player">{text(say("bye")) if box.bye else "&#160;"}</span>'
    won = " won" if box.won == "AB"[seat] else ""
    figure = f" {box.figures[seat]}" if box.figures else ""
    place = f"{swiss[player.number]} " if swiss.get(player.number) else ""
    return f'<span class="player{won}">{place}{name(player.name)}{figure}</span>'


def _text(sentence: Sentence, say: Say) -> str:
    return str(render(sentence, say.language))
