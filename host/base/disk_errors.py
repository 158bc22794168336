"""Errors of files and disks that cannot be written, as a sentence for a person."""

import errno

_SQLITE = "SQLITE_FULL", "SQLITE_IOERR"
_SYSTEM = errno.ENOSPC, errno.EDQUOT, errno.EIO
_SAID = (
    "the disk cannot be written ({why}): make room on it or take another one, then repeat the"
    " command; what was reported as stored is safe"
)
_HELD = (
    "{path} cannot be written ({why}): close the program that has it open, or name another place,"
    " then repeat the command"
)
_MISSING = "{path} cannot be found ({why}): look at its name, then repeat the command"


def sentence(failure: BaseException) -> str | None:
    """Return what to do about an exception that a disk or a file caused, None for any other."""
    name, number = getattr(failure, "sqlite_errorname", None), getattr(failure, "errno", None)
    if str(name).startswith(_SQLITE) or (isinstance(failure, OSError) and number in _SYSTEM):
        return _SAID.format(why=failure)
    if isinstance(failure, OSError) and failure.filename is not None:
        said = _MISSING if failure.errno == errno.ENOENT else _HELD
        return said.format(path=failure.filename2 or failure.filename, why=failure.strerror)
    return None
