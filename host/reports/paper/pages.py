"""All kinds of printed pages by name; ``page(kind, content, language)`` returns the HTML file."""

from host.base import catalogues
from host.formats.round_format import UNTIMED_MIN
from host.reports.paper import lists, sheet
from host.reports.paper.content import Content
from host.reports.paper.slips import slips
from host.reports.paper.words import Say

KINDS = {
    "pairings": lists.pairings,
    "names": lists.by_name,
    "slips": slips,
    "outstanding": lists.outstanding,
    "incidents": lists.incidents,
    "pods": lists.pods,
    "standings": lists.standings,
    "commitments": lists.commitments,
    "codes": lists.codes,
}


def page(kind: str, content: Content, language: str = "en") -> str:
    """Return the HTML file of a kind of page. Raises UserError if there is nothing to print."""
    say = Say(language)
    minutes = content.round.format.minutes
    length = say("untimed") if minutes == UNTIMED_MIN else f"{minutes} {say('minutes')}"
    under = " · ".join((
        sheet.name(content.event),
        sheet.text(f"{say('round')} {content.round.number}"),
        sheet.text(length),
        sheet.text(f"{say('as_of')} {lists.clock_of(content.moment)}"),
    ))  # fmt: skip
    return sheet.page(catalogues.tag(language), say(kind), under, KINDS[kind](content, say))
