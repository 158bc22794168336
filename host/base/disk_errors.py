"""Errors of a disk that cannot be written, as a sentence for a person."""

import errno

_SQLITE = "SQLITE_FULL", "SQLITE_IOERR"
_SYSTEM = errno.ENOSPC, errno.EDQUOT, errno.EIO
_SAID = (
    "the disk cannot be written ({why}): make room on it or take another one, then repeat the"
    " command; what was reported as stored is safe"
)


def sentence(failure: BaseException) -> str | None:
    """Return what to do about an exception that a disk caused, or None for any other exception."""
    name, number = getattr(failure, "sqlite_errorname", None), getattr(failure, "errno", None)
    if str(name).startswith(_SQLITE) or (isinstance(failure, OSError) and number in _SYSTEM):
        return _SAID.format(why=failure)
    return None
