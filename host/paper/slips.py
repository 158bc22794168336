"""Result slips, the fallback when a board fails: one a match, eight on a sheet."""

from host.paper.sheet import name, text

_BOX = '<span class="box"></span>'
_LINE = '<span class="line"></span>'


def slips(content, say):
    """Return every match's slip, by table."""
    found = [one for one in content.round.scores if not one.bye]
    found.sort(key=lambda one: one.pairing.table)
    return '<div class="slips">\n' + "".join(_slip(content, one.pairing, say) for one in found) + "</div>\n"


def _slip(content, pairing, say):
    rows = "".join(
        f"<tr><td>{shape} {name(player.name)} ({text(player.number)})</td><td>{_BOX} {text(say('wins'))}</td>"
        f"<td>{_counts(content)}</td></tr>"
        for shape, player in (("▲", pairing.a), ("●", pairing.b))
    )
    head = say("destroyed") if content.round.system == "xw15" else say("games")
    tie = "" if content.round.elimination else f"<p>{_BOX} {text(say('tie'))}</p>"
    signatures = "".join(f"<p>{text(say('signature'))} {shape} {_LINE}</p>" for shape in "▲●")
    return (
        f'<div class="slip"><p class="head"><span>{text(say("table"))} {pairing.table}</span>'
        f"<span>{text(say('round'))} {pairing.round}</span></p><p>{name(content.event)}</p>"
        f'<table><tr><th></th><th></th><th>{text(head)}</th></tr>{rows}</table>{tie}{signatures}'
        f"<p>{text(say('judge'))} {_LINE}</p></div>\n"
    )


def _counts(content):
    """Return what is filled in beside a name: games to tick, or a line for points."""
    if content.round.system == "xw15":
        return _LINE
    most = 2 if content.round.format.bits >> 1 & 3 == 3 else 1
    return " ".join(f"{_BOX} {n}" for n in range(most + 1))
