"""What other programs write, turned into an EventFile by the ending of its name."""

import pathlib
from dataclasses import replace

from host.base.errors import UserError
from host.formats import cryodex, event_file, tom_file, tom_round
from host.formats.round_format import EXAMPLE, of_round
from host.systems import catalogue


class Incoming:
    """A file that was read and checked; ``event_file`` gives the round of it that is wanted."""

    def __init__(self, path):
        """Read ``path``: ``.tdf`` of TOM, ``.json`` of Cryodex, ``.csv`` of ours. Raises UserError."""
        self.path = pathlib.Path(path)
        ending = self.path.suffix.casefold()
        if ending not in _READERS:
            raise UserError(f"{path}: the ending is none of {' '.join(_READERS)}")
        self._read, self._give = _READERS[ending]
        self._file = self._read(self.path)

    @property
    def event(self):
        """The event's name in the file, or None."""
        return (
            self._file.event if self.path.suffix.casefold() == ".csv" else self._file.name
        ) or None

    @property
    def formless(self):
        """Whether the file does not say what the round is played as."""
        return self.path.suffix.casefold() != ".csv"

    def event_file(self, form=None, round_number=None, pod=None):
        """Return the EventFile; ``form`` (a Format) is needed where the file is ``formless``."""
        if self.formless and form is None:
            raise UserError(f'{self.path} does not say what is played: add --format "{EXAMPLE}"')
        if pod is not None and self.path.suffix.casefold() != ".tdf":
            raise UserError(f"{self.path} has no pods")
        return self._give(self._file, form, round_number, pod)


def _of_ours(file, form, round_number, _pod):
    if form is not None or round_number not in (None, file.round):
        raise UserError("an event file says its round and format itself, in its first lines")
    return file


def _of_cryodex(file, form, round_number, _pod):
    found = cryodex.event_file(file, form, round_number)
    _, rules = catalogue.numbered(catalogue.built_in(), found.format.system)
    try:
        return replace(found, format=of_round(found.format, found.round, rules))
    except ValueError as mistake:
        raise UserError(f"{file.path}: {mistake}") from None


_READERS = {
    ".csv": (event_file.read, _of_ours),
    ".tdf": (tom_file.read, tom_round.event_file),
    ".json": (cryodex.read, _of_cryodex),
}
