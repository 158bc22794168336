"""The exception for a user's mistake, and the sentences for a disk or file that fails."""

import errno

from host.base.sentences import Sentence, SentenceValue

_SQLITE = "SQLITE_FULL", "SQLITE_IOERR"
_SYSTEM = errno.ENOSPC, errno.EDQUOT, errno.EIO
_DISK_FULL = (
    "the disk cannot be written ({why}): make room on it or take another one, then repeat the"
    " command; what was reported as stored is safe"
)
_IN_USE = (
    "{path} cannot be written ({why}): close the program that has it open, or name another place,"
    " then repeat the command"
)
_MISSING = "{path} cannot be found ({why}): look at its name, then repeat the command"


class UserError(Exception):
    """A user's mistake or a missing resource, as a Sentence; a command ends with exit code 2.

    ``sentence`` is a template whose placeholders ``values`` fill, or a complete Sentence.
    ``option`` is the addition to a command that resolves it; pages offer a choice instead.
    """

    option = ""

    def __init__(self, sentence: str, /, **values: SentenceValue):
        super().__init__(
            sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values)
        )

    @property
    def sentence(self) -> Sentence:
        """The message; a page renders it in its own language."""
        return self.args[0]


def at_table(about: UserError | Sentence, table: int) -> Sentence:
    """Return a refusal or a question about a table as a Sentence that names the table."""
    sentence = about.sentence if isinstance(about, UserError) else about
    has_value = "table" in sentence.values or "tables" in sentence.values
    if has_value or f"table {table}" in sentence:
        return sentence
    return Sentence("table {table}: {why}", table=table, why=sentence)


def disk_sentence(failure: BaseException) -> str | None:
    """Return the remedy for an exception that a disk or a file caused, None for any other."""
    if str(getattr(failure, "sqlite_errorname", "")).startswith(_SQLITE):
        return _DISK_FULL.format(why=failure)
    if not isinstance(failure, OSError):
        return None
    if failure.errno in _SYSTEM:
        return _DISK_FULL.format(why=failure)
    if failure.filename is None:
        return None
    template = _MISSING if failure.errno == errno.ENOENT else _IN_USE
    return template.format(path=failure.filename2 or failure.filename, why=failure.strerror)
