"""The rounds' minutes as another program's file has them, kept beside what is played here.

TOM names one limit for Swiss rounds and one for elimination rounds; 0 is none.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from host.archive.roster import UNTIMED_MIN, Format
from host.archive.store import Archive
from host.base.json_values import Json
from host.base.sentences import Sentence

KEPT = "file minutes"


@dataclass(frozen=True)
class FileMinutes:
    """Minutes of a Swiss and of an elimination round in the file ``source``, ``UNTIMED_MIN`` for no
    limit.
    """

    source: str
    swiss: int
    elimination: int

    def of(self, elimination: bool) -> int:
        """Return a round's minutes."""
        return self.elimination if elimination else self.swiss


def keep(archive: Archive, told: FileMinutes, unix_ms: int) -> None:
    """Store a file's minutes, unless those are what is stored."""
    if found(archive) != told:
        archive.notices.add(KEPT, json.dumps(asdict(told)), told.source, unix_ms)


def found(archive: Archive) -> FileMinutes | None:
    """Return what the newest file says, None where none has said anything."""
    every = [one for one in archive.notices.read(KEPT, read) if one is not None]
    return every[-1] if every else None


def read(told: Mapping[str, Json]) -> FileMinutes | None:
    """Return the minutes in a notice, None where they make no sense. Raises LookupError."""
    source, swiss, elimination = told["source"], told["swiss"], told["elimination"]
    if (
        not isinstance(source, str)
        or not isinstance(swiss, int)
        or not isinstance(elimination, int)
    ):
        return None
    return FileMinutes(source, swiss, elimination)


def remark(archive: Archive, form: Format) -> Sentence | None:
    """Return what people should know where the file gives a round other minutes than it has, or
    None.
    """
    told = found(archive)
    minutes = told and told.of(bool(form.bits & 1))
    if told is None or minutes == form.minutes:
        return None
    if minutes == UNTIMED_MIN:
        said = "{file} sets no time limit, this round has {minutes} minutes"
    elif form.bits & 1:
        said = "{file} gives an elimination round {told} minutes, this one has {minutes}"
    else:
        said = "{file} gives a round {told} minutes, this one has {minutes}"
    return Sentence(said, file=told.source, told=minutes, minutes=form.minutes)
