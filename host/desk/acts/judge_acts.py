"""Acts of judges that concern no single table: penalties, and each judge's tables."""

from host.archive.access_links import HEAD, JUDGE, AccessLinks, may
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import penalty_register
from host.desk.acts.act import Act
from host.desk.acts.fields import REASON, WHY, Field, choice, text, whole
from host.desk.staff import Staff
from host.event import penalties, zones


def _give_tables(staff: Staff, name: str, first: int, last: int) -> Sentence:
    """Give the judge ``name`` the tables from ``first`` to ``last``, or all for 0 and 0.

    Raises UserError if no judge's link has that name, and for an invalid range.
    """
    every = AccessLinks(staff.archive).every
    links = [link for link in every if not link.revoked and may(link.role, JUDGE)]
    found = [link for link in links if link.name.casefold() == name.casefold()]
    if not found:
        names = ", ".join(dict.fromkeys(link.name for link in links))
        raise UserError("no judge has the name {name}: links: {names}", name=name, names=names)
    if first > last or (not first and last):
        raise UserError("tables are given from a number to the same or a greater one: 1 to 24")
    name = found[0].name
    ids = [link.id for link in found]
    # this entry of the log gives them: ``zones.current`` reads it
    staff.log(zones.NOTICE, {"links": ids, "name": name, "first": first, "last": last})
    if not first:
        return Sentence("{name} has all tables", name=name)
    text = "{name} has tables {first} to {last}"
    return Sentence(text, name=name, first=first, last=last)


_TABLES = Field(whole(0, 65535))
ACTS = (
    Act("penalize", JUDGE, penalty_register.give,
        {"number": Field(text(1, 60)), "level": Field(choice(*penalties.LEVELS)),
         "category": Field(choice(*penalties.CATEGORIES)), "reason": WHY},
        "penalty", "register a player's penalty, by number; a game loss is given at the table"),
    Act("withdraw_penalty", HEAD, penalty_register.withdraw,
        {"id": Field(whole(1, 2**31)), "reason": REASON}, "unpenalty",
        "withdraw a penalty from the register, by its number"),
    Act("zone", HEAD, _give_tables, {"name": Field(text(1, 60)), "first": _TABLES, "last": _TABLES},
        "zone", "give a judge the tables FIRST to LAST, for which alone the phone rings (0 0: all)",
        part="room", label="tables of a judge"),
)  # fmt: skip
