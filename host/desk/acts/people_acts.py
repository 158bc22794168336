"""Acts on people: enter, drop, return, rename, deck checks; and on their links to the web desk."""

from dataclasses import replace

from host.archive.access_links import HEAD, JUDGE, ORGANISER, ROLES
from host.archive.people import People
from host.base.errors import UserError
from host.desk import attendance, next_round
from host.desk.acts.act import HERE, Act
from host.desk.acts.fields import (
    NAME,
    NUMBER,
    REASON,
    REQUIRED,
    SURE,
    Field,
    Typed,
    choice,
    text,
    whole,
    yes,
)
from host.desk.staff import Done, PageSide, Staff
from host.event import missed_rounds
from host.formats.people_file import MOST_NUMBER

PLANNED, CHECKED = "deck checks planned", "deck checked"


def _rename(staff: Staff, number: str, name: str) -> None:
    People(staff.archive).rename(number, name, staff.author, staff.unix_ms)
    staff.station.collector.refresh()  # so that boards that ask for names get the new one


def _count_missed(staff: Staff, number: str, missed: str, round: int | None) -> Done:
    message = attendance.count_missed(staff, number, missed, round)
    return Done(message=message, remarks=next_round.drawn_before(staff.archive, round or 0))


def _plan_checks(staff: Staff, premier: bool) -> None:
    drawn = len(staff.archive.notices.every(PLANNED)) + 1
    staff.log(PLANNED, {"drawn": drawn, "premier": premier})


def _note_deck_check(staff: Staff, player: str, reason: str) -> None:
    person = People(staff.archive).get(player)
    staff.log(CHECKED, {"player": person.player.number, "reason": reason})


def _pages(staff: Staff) -> PageSide:
    """Return the web desk. Raises UserError if none is served."""
    if staff.pages is None:
        raise UserError("no web desk is served here: start serve without --no-web")
    return staff.pages


def _make_link(staff: Staff, role: str, name: str) -> Done:
    return _pages(staff).make_link(role, name, staff.author)


def _links(staff: Staff) -> Done:
    lines = list[str]()
    for link in _pages(staff).links.every:
        revoked = "  revoked" if link.revoked else ""
        lines.append(f"link {link.id}  {link.role}  {link.name}{revoked}")
    return Done(shown=lines)


def _revoke_link(staff: Staff, id: int) -> Done:
    _pages(staff).revoke_link(id, staff.author)
    return Done(shown=[f"link {id} is revoked"])


_ANY = Field(replace(text(1, 60), shown="WHO"), REQUIRED, Typed.REST)  # a number, or part of a name
_WHO = {"number": NUMBER, "name": NAME}
_NUMBER = Field(text(0, MOST_NUMBER), "", Typed.LEADING)
_MISSED = choice(*missed_rounds.COUNTS)
ACTS = (
    Act("add_player", ORGANISER, attendance.enter,
        {"number": _NUMBER, "missed": Field(_MISSED, missed_rounds.NOTHING, Typed.NAMED),
         "name": NAME}, "enter", "enter a player, late or not"),
    Act("count_missed", ORGANISER, _count_missed,
        {"number": Field(_ANY.kind), "missed": Field(_MISSED),
         "round": Field(whole(1, 255), None)}, "missed",
        "count rounds that a player missed, as losses or byes"),
    Act("drop", ORGANISER, attendance.drop,
        {"number": _ANY, "sure": SURE, "reason": REASON._replace(typed=Typed.COLON)}, "drop",
        "drop a player, by number or part of the name"),
    Act("undrop", ORGANISER, attendance.bring_back, {"number": _ANY}, "return",
        "bring a player back who dropped"),
    Act("rename", ORGANISER, _rename, _WHO, "rename", "change a player's name, by number"),
    Act("plan_checks", HEAD, _plan_checks, {"premier": Field(yes, False)}),
    Act("checked", JUDGE, _note_deck_check, {"player": NUMBER, "reason": REASON}),
    Act("make_link", ORGANISER, _make_link, {"role": Field(choice(*ROLES)), "name": NAME}, "link",
        "make a link to the web desk"),
    Act("links", HERE, _links, {}, "link list", "list who has a link to the web desk"),
    Act("revoke_link", ORGANISER, _revoke_link,
        {"id": Field(whole(1, 2**31))}, "link revoke", "revoke a link"),
)  # fmt: skip
