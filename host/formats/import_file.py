"""What other programs write, turned into an EventFile by the ending of its name."""

import functools
import pathlib

from host.archive.roster import Format
from host.base.errors import UserError
from host.formats import cryodex, cryodex_round, event_file, tom_file, tom_round
from host.formats.cryodex import Cryodex
from host.formats.event_file import EventFile
from host.formats.round_format import EXAMPLE
from host.formats.tom_file import Tdf
from host.systems.rules import Catalogue


class ImportedFile:
    """A file that was read and checked; ``event_file`` gives the round of it that is wanted."""

    def __init__(self, path: str | pathlib.Path, systems: Catalogue | None = None):
        """Read ``path``: ``.tdf`` of TOM, ``.json`` of Cryodex, ``.csv`` of ours. Raises UserError.

        ``systems`` is the catalogue that formats are read with, the project's own when left out.
        """
        self.path, self._systems = pathlib.Path(path), systems
        readers = {
            ".csv": functools.partial(event_file.read, systems=systems),
            ".tdf": tom_file.read,
            ".json": cryodex.read,
        }
        read = readers.get(self.path.suffix.casefold())
        if read is None:
            raise UserError(f"{path}: the ending is none of {' '.join(readers)}")
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

    def proposed(self, round_number: int | None = None) -> Format | None:
        """Return the Format that the file's kind suggests where nobody tells one: Escalation for
        Cryodex.

        None where there is none to suggest. Raises UserError where the file speaks against it.
        """
        if not isinstance(self._file, Cryodex):
            return None
        return cryodex_round.proposed(self._file, round_number)

    def event_file(
        self,
        form: Format | None = None,
        round_number: int | None = None,
        pod: str | None = None,
        own_minutes: bool = True,
    ) -> EventFile:
        """Return a round as an EventFile; UserError where it cannot be had.

        ``form`` is needed where the file is ``formless``; ``pod`` is one of ``tom_file.PODS``.
        ``own_minutes``:
        the form's minutes hold against the file's.
        """
        file = self._file
        if pod is not None and not isinstance(file, Tdf):
            raise UserError(f"{self.path} has no pods")
        if isinstance(file, EventFile):
            if form is not None or round_number not in (None, file.round):
                raise UserError(
                    "an event file says its round and format itself, in its first lines"
                )
            return file
        if form is None:
            raise UserError(f'{self.path} does not say what is played: add --format "{EXAMPLE}"')
        if isinstance(file, Tdf):
            return tom_round.event_file(file, form, round_number, pod, own_minutes)
        return cryodex_round.event_file(file, form, round_number, self._systems)
