"""An organiser's own system in an archive: the TOML text that an event began with."""

from typing import TYPE_CHECKING

from host.base.errors import UserError
from host.systems import catalogue
from host.systems.rules import Catalogue, OwnRules, Rules

if TYPE_CHECKING:
    from host.archive.roster import Format
    from host.archive.store import Archive

SYSTEM = "system"  # the notice's name


def of(archive: "Archive") -> Catalogue:
    """Return the catalogue of an archive's current event: the built-in systems and its own."""
    systems = catalogue.built_in()
    for source in archive.notices.every(SYSTEM):
        rules = catalogue.compile_system(source, f"the system in {archive.shown}", stored=True)
        systems[rules.name] = rules
    return systems


def rules_of(archive: "Archive", form: "Format") -> Rules:
    """Return the system of a stored round's format; it is known, as no other is stored."""
    return catalogue.known(of(archive), form.system)


def store(archive: "Archive", rules: OwnRules, author: str, unix_ms: int, begun: bool) -> None:
    """Store an organiser's system with the event; raises UserError for a changed one once it has
    ``begun``.
    """
    same = of(archive).get(rules.name)
    if isinstance(same, OwnRules) and same.source == rules.source:
        return
    if same is not None and begun:
        raise UserError("the event has begun with another table of {name}", name=rules.name)
    archive.notices.add(SYSTEM, rules.source, author, unix_ms)
