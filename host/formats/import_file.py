"""Reads a file of TOM, of Cryodex or of our own, by its suffix, and returns an EventFile."""

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

SHEETS = ".csv", ".txt", ".tsv"  # Excel's "Unicode text" is called .txt


class ImportedFile:
    """A file that was read and checked; ``event_file`` converts one of its rounds."""

    def __init__(
        self, path: str | pathlib.Path, systems: Catalogue | None = None, raw: bytes | None = None
    ):
        """Read ``path``: TOM's ``.tdf``, Cryodex's ``.json`` or a sheet of ours. Raises UserError.

        ``systems``: the catalogue for formats; None: the built-in one. ``raw``: the file's bytes,
        None to read them at ``path``.
        """
        self.path, self._systems = pathlib.Path(path), systems
        readers = {
            **dict.fromkeys(SHEETS, functools.partial(event_file.read, systems=systems)),
            ".tdf": tom_file.read,
            ".json": cryodex.read,
        }
        read = readers.get(self.path.suffix.casefold())
        if read is None:
            raise UserError(
                "{path}: the ending is none of {endings}", path=str(path), endings=" ".join(readers)
            )
        self._file: EventFile | Tdf | Cryodex = read(self.path, raw=raw)

    @property
    def event(self) -> str | None:
        """The event's name in the file, or None."""
        file = self._file
        name = file.event if isinstance(file, EventFile) else file.name
        return name or None

    @property
    def of_tom(self) -> bool:
        """Whether it is a file of TOM."""
        return isinstance(self._file, Tdf)

    @property
    def raw(self) -> bytes:
        """The bytes of a file of TOM; of another kind they are not kept."""
        return self._file.raw if isinstance(self._file, Tdf) else b""

    @property
    def paired(self) -> bool:
        """Whether the file has a round: TOM's may have players alone."""
        return not isinstance(self._file, Tdf) or self._file.last_round is not None

    @property
    def needs_format(self) -> bool:
        """Whether the file does not state the round's format."""
        return not isinstance(self._file, EventFile)

    def proposed(self, round_number: int | None = None) -> Format | None:
        """Return the default Format for this kind of file: Escalation for Cryodex, else None.

        Raises UserError if the file contradicts it.
        """
        if not isinstance(self._file, Cryodex):
            return None
        return cryodex_round.propose(self._file, round_number)

    def event_file(
        self,
        form: Format | None = None,
        round_number: int | None = None,
        pod: str | None = None,
        own_minutes: bool = True,
    ) -> EventFile:
        """Return a round (None: the last) as an EventFile. Raises UserError if that is impossible.

        ``form`` is needed as ``needs_format`` says; ``pod`` is one of ``tom_file.PODS`` (None:
        all). ``own_minutes``: the minutes of ``form`` override the file's.
        """
        file = self._file
        if pod is not None and not isinstance(file, Tdf):
            raise UserError("{path} has no pods", path=str(self.path))
        if isinstance(file, EventFile):
            if form is not None or round_number not in (None, file.round):
                raise UserError(
                    "an event file says its round and format itself, in its first lines"
                )
            return file
        if form is None:
            raise UserError(
                '{path} does not say what is played: add --format "{example}"',
                path=str(self.path),
                example=EXAMPLE,
            )
        if isinstance(file, Tdf):
            return tom_round.event_file(file, form, round_number, pod, own_minutes)
        return cryodex_round.event_file(file, form, round_number, self._systems, own_minutes)
