"""The rule pack of an event: chosen by an import, by the pairing or on a page.

The archive stores its name, and its text if the pack does not come with the program.
"""

from collections.abc import Iterable

from host.archive.store import Archive
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.event import points
from host.event.points import PointsByWord
from host.tournament import rule_packs
from host.tournament.rule_packs import Pack

CHOSEN = "rule pack"  # a notice: the name of the event's pack, empty for none
OWN = "own rule pack"  # a notice: the text of a pack that does not come with the program


def known_packs(archive: Archive, more: Iterable[Pack] = ()) -> dict[str, Pack]:
    """Return the packs that an archive's event may use: shipped, ``more``, and its own."""
    own = archive.notices.understood(OWN, rule_packs.read)
    return rule_packs.by_name([*rule_packs.shipped_packs().values(), *more, *own])


def pack_of(archive: Archive, more: Iterable[Pack] = ()) -> Pack | None:
    """Return the pack of an archive's event, None without one."""
    return known_packs(archive, more).get(archive.notices.latest(CHOSEN) or "")


def points_of(archive: Archive) -> PointsByWord:
    """Return the points of win, narrow, draw and loss in an archive's event: those of its pack, by
    which its standings count; without a pack those that the organiser has set.
    """
    pack = pack_of(archive)
    return pack.points if pack else points.of_event(archive)


def points_remark(archive: Archive) -> Sentence | None:
    """Return a remark where the organiser has set other points than the event's pack has."""
    pack, set_here = pack_of(archive), points.of_event(archive)
    if pack is None or not set_here.items() - pack.points.items():
        return None
    text = "the event file sets other points than the rule pack {pack}: the pack's count"
    return Sentence(text, pack=pack.name)


def choose(archive: Archive, pack: Pack | None, author: str, unix_ms: int) -> None:
    """Store the pack of the event, with its text if it does not come with the program."""
    with archive.transaction():
        if pack is not None and pack not in known_packs(archive).values():
            archive.notices.add(OWN, pack.text, author, unix_ms)
        archive.notices.add(CHOSEN, pack.name if pack else "", author, unix_ms)


def require_system(pack: Pack, system: str | None) -> None:
    """Raise UserError for a pack of another system."""
    if pack.system != system:
        raise UserError(
            "the rule pack {pack!r} is for {system}, and this is {name}",
            pack=pack.name, system=pack.system, name=system,
        )  # fmt: skip


def of_event(archive: Archive, given: Pack | None, more: Iterable[Pack] = ()) -> Pack | None:
    """Return the event's pack, or the ``given`` one before any was chosen.

    Raises UserError if another one was chosen for the event, or if the archive has only its name.
    """
    name, stored = archive.notices.latest(CHOSEN), pack_of(archive, more)
    if not name:
        return given
    if given is None:
        if stored is None:
            text = "give the file of the rule pack {name!r} with --pack: the archive lacks it"
            raise UserError(text, name=name)
        return stored
    if given.name != name:
        text = "this event has the rule pack {kept!r}, not {given!r}: change it at Standings"
        raise UserError(text, kept=name, given=given.name)
    if stored is not None and stored != given:
        raise UserError("this event has another text of the rule pack {name!r}", name=name)
    return given
