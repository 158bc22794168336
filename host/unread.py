"""Notices that are not what this program writes: they are passed over, and somebody must be told."""

from host import entered, switches

NAMES = {
    entered.ADOPTED: "a board set up by hand",
    entered.ENTERED: "a typed result",
    entered.TRIED: "a wrong code",
    switches.NOTICE: "what may be rolled",
}
_READERS = {
    entered.ADOPTED: entered.adoption,
    entered.ENTERED: entered.typed,
    entered.TRIED: entered.attempt,
    switches.NOTICE: switches.word,
}


def counted(archive):
    """Return ``{what: how many}`` of the current event's notices that cannot be read, where there are any."""
    found = {what: archive.notices.read(what, reader).count(None) for what, reader in _READERS.items()}
    return {what: count for what, count in found.items() if count}
