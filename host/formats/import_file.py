"""What other programs write, turned into an EventFile by the ending of its name."""

import pathlib
from dataclasses import replace

from host.archive.roster import Format
from host.base.errors import UserError
from host.formats import cryodex, event_file, tom_file, tom_round
from host.formats.cryodex import Cryodex
from host.formats.event_file import EventFile
from host.formats.round_format import EXAMPLE, of_round
from host.formats.tom_file import Tdf
from host.systems import catalogue

_READERS = {".csv": event_file.read, ".tdf": tom_file.read, ".json": cryodex.read}


class ImportedFile:
    """A file that was read and checked; ``event_file`` gives the round of it that is wanted."""

    def __init__(self, path: str | pathlib.Path):
        """Read ``path``: ``.tdf`` of TOM, ``.json`` of Cryodex, ``.csv`` of ours.

        Raises UserError.
        """
        self.path = pathlib.Path(path)
        read = _READERS.get(self.path.suffix.casefold())
        if read is None:
            raise UserError(f"{path}: the ending is none of {' '.join(_READERS)}")
        self._file: EventFile | Tdf | Cryodex = read(self.path)

    @property
    def event(self) -> str | None:
        """The event's name in the file, or None."""
        file = self._file
        return (file.event if isinstance(file, EventFile) else file.name) or None

    @property
    def formless(self) -> bool:
        """Whether the file does not say what the round is played as."""
        return not isinstance(self._file, EventFile)

    def event_file(
        self, form: Format | None = None, round_number: int | None = None, pod: str | None = None
    ) -> EventFile:
        """Return a round as an EventFile; UserError where it cannot be had.

        ``form`` is needed where the file is ``formless``; ``pod`` is one of ``tom_file.PODS``.
        """
        file = self._file
        if form is None and self.formless:
            raise UserError(f'{self.path} does not say what is played: add --format "{EXAMPLE}"')
        if pod is not None and not isinstance(file, Tdf):
            raise UserError(f"{self.path} has no pods")
        if isinstance(file, EventFile):
            if form is not None or round_number not in (None, file.round):
                raise UserError(
                    "an event file says its round and format itself, in its first lines"
                )
            return file
        assert form is not None
        if isinstance(file, Tdf):
            return tom_round.event_file(file, form, round_number, pod)
        return _of_cryodex(file, form, round_number)


def _of_cryodex(file: Cryodex, form: Format, round_number: int | None) -> EventFile:
    found = cryodex.event_file(file, form, round_number)
    _, rules = catalogue.numbered(catalogue.built_in(), found.format.system)
    assert rules is not None
    try:
        return replace(found, format=of_round(found.format, found.round, rules))
    except ValueError as mistake:
        raise UserError(f"{file.path}: {mistake}") from None
