"""Notices that are not what this program writes: they are passed over, and somebody must be told."""

from host.event import roll_policy, typed_results

NAMES = {
    typed_results.ADOPTED: "a board set up by hand",
    typed_results.ENTERED: "a typed result",
    typed_results.TRIED: "a wrong code",
    roll_policy.NOTICE: "what may be rolled",
}
_READERS = {
    typed_results.ADOPTED: typed_results.adoption,
    typed_results.ENTERED: typed_results.typed,
    typed_results.TRIED: typed_results.attempt,
    roll_policy.NOTICE: roll_policy.word,
}


def counted(archive):
    """Return ``{what: how many}`` of the current event's notices that cannot be read, where there are any."""
    found = {
        what: archive.notices.read(what, reader).count(None) for what, reader in _READERS.items()
    }
    return {what: count for what, count in found.items() if count}
