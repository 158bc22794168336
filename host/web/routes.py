"""Every route of the web desk with its least role: the only table of who sees what.

The ``WebDesk`` class of ``app`` checks role, CSRF token and body before a handler is called.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from host.archive.access_links import HEAD, HOMES, JUDGE, ORGANISER, VIEWER
from host.web import (
    published_rolls,
    reads,
    reads_begin,
    reads_desk,
    reads_public,
    seating,
    stream,
)
from host.web.reads import Download, Sheet

PAGES = {  # each is page.html with the script and the style of its name
    "/wall": VIEWER,
    "/hall": VIEWER,
    "/seats": VIEWER,
    "/standings": VIEWER,
    "/check": VIEWER,
    "/judge": JUDGE,
    "/desk": HEAD,
}
OVERLAY = "/overlay/{table}", VIEWER
assert set(HOMES.values()) <= set(PAGES)


@dataclass(frozen=True)
class Read:
    """A route to fetch: ``reads(service, request, **path)`` returns a JSON object or a
    ``Download``.
    """

    path: str
    least: str
    reads: Callable[..., Mapping[str, object] | Download | Sheet]


READS = (
    Read("/api/me", VIEWER, reads.me),
    Read("/api/state", VIEWER, reads.state),
    Read("/api/results", VIEWER, reads.results),
    Read("/api/standings", JUDGE, reads.standings),
    Read("/api/published", VIEWER, reads_public.standings),
    Read("/api/player", VIEWER, reads_public.player),
    Read("/api/seating", VIEWER, seating.seating),
    Read("/api/check", VIEWER, published_rolls.check),
    Read("/api/table/{table:int}", JUDGE, reads.table),
    Read("/api/incidents", JUDGE, reads.incidents),
    Read("/api/outstanding", JUDGE, reads.outstanding),
    Read("/api/checks", JUDGE, reads_desk.deck_checks),
    Read("/api/rounds", HEAD, reads_desk.rounds),
    Read("/api/begin", ORGANISER, reads_begin.begin),
    Read("/api/people", ORGANISER, reads_desk.people),
    Read("/api/packing", ORGANISER, reads_desk.packing),
    Read("/api/links", ORGANISER, reads_desk.links),
    Read("/api/log", ORGANISER, reads_desk.log),
    Read("/api/files", ORGANISER, reads.files),
    Read("/api/export/{form}", ORGANISER, reads.export),
    Read("/api/paper/{kind}", HEAD, reads_desk.paper),
)
STREAM = "/api/events", VIEWER, stream.events
