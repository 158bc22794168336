"""The minutes of the rounds in another program's file, stored beside those played here.

TOM has one limit for Swiss rounds and one for elimination rounds; 0 means no limit.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from host.archive.roster import UNTIMED_MIN, Format
from host.archive.store import Archive
from host.base.json_values import Json, filled
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


def keep(archive: Archive, file_minutes: FileMinutes, unix_ms: int) -> None:
    """Store a file's minutes, unless they are stored already."""
    if newest(archive) != file_minutes:
        archive.notices.add(KEPT, json.dumps(asdict(file_minutes)), file_minutes.source, unix_ms)


def newest(archive: Archive) -> FileMinutes | None:
    """Return the minutes of the newest file, None if no file had any."""
    stored = archive.notices.read(KEPT, read)
    return next((minutes for minutes in reversed(stored) if minutes is not None), None)


def read(facts: Mapping[str, Json]) -> FileMinutes:
    """Return the minutes in a notice. Raises LookupError, TypeError."""
    return filled(FileMinutes, facts)


def remark(archive: Archive, form: Format) -> Sentence | None:
    """Return a note for people if the file's minutes differ from the round's, else None."""
    in_file, elimination = newest(archive), form.elimination
    if in_file is None:
        return None
    minutes = in_file.of(elimination)
    if minutes == form.minutes:
        return None
    if minutes == UNTIMED_MIN:
        text = "{file} sets no time limit, this round has {minutes} minutes"
    elif elimination:
        text = "{file} gives an elimination round {told} minutes, this one has {minutes}"
    else:
        text = "{file} gives a round {told} minutes, this one has {minutes}"
    return Sentence(text, file=in_file.source, told=minutes, minutes=form.minutes)
