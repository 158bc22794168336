"""What a disk says that takes nothing, in a sentence for a person."""

import errno

_SQLITE = "SQLITE_FULL", "SQLITE_IOERR"
_SYSTEM = errno.ENOSPC, errno.EDQUOT, errno.EIO
_SAID = "a disk takes nothing ({why}): make room on it, or take another, and say it again; what was told as stored is there"


def sentence(failure):
    """Return what to do about an exception that a disk caused, or None when it is none."""
    name, number = getattr(failure, "sqlite_errorname", None), getattr(failure, "errno", None)
    if str(name).startswith(_SQLITE) or (isinstance(failure, OSError) and number in _SYSTEM):
        return _SAID.format(why=failure)
    return None
