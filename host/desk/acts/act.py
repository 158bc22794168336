"""A row of the table of acts of staff."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from firmware.core.match import Match
from host.archive import access_links
from host.desk.acts.fields import LARGEST, Field
from host.desk.staff import ActResult, Staff

HERE = None  # instead of a least role: the act can only be typed at this PC


def by_desk(method: Callable[..., list[int]]) -> Callable[..., list[int]]:
    """Return the function of an act that is a ``method`` of the Desk: it takes the act's fields and
    the author.
    """

    def do(staff: Staff, **fields: object) -> list[int]:
        return method(staff.desk, **fields, author=staff.author)

    return do


@dataclass(frozen=True)
class Act:
    """A row of the table of acts.

    ``does(staff, **fields)`` carries it out for a Staff, or raises UserError. ``name`` is its
    address for pages, ``least`` the least role that may do it (``HERE``: only typed at this PC).
    ``typed`` are its words in the terminal ("": not typed), ``help`` is its sentence there.
    ``part`` is the panel of the desk, or the part of a table's sheet, that draws the act from its
    fields ("": a script of its own draws it); ``label`` is the text of its button or heading if
    ``help`` is too long for that. ``intent`` is the kind that the table's board must accept for it,
    None if no board takes part; ``offered(match)`` is whether the act would have an effect in a
    match whose board accepts it (None: the match is not known yet). ``largest``: bytes of a page's
    request.
    """

    name: str
    least: str | None
    does: Callable[..., ActResult]
    fields: Mapping[str, Field] = field(default_factory=dict)
    typed: str = ""
    help: str = ""
    part: str = ""
    label: str = ""
    intent: int | None = None
    offered: Callable[[Match | None], bool] = lambda match: True
    largest: int = LARGEST

    def allowed(self, role: str | None) -> bool:
        """Whether a person with this role may do the act on a page."""
        return self.least is not None and access_links.may(role, self.least)
