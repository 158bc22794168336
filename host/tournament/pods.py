"""Draft pods: as few as possible, of sizes as equal as possible (D03 App. A 1; P18 11.2.2)."""

from collections.abc import Iterable

MOST = 8
PREFERRED = (7, 8)  # Rochester


def sizes(players: int) -> list[int]:
    """Return the sizes of the pods or groups of ``players``, at most 8 each, the larger first."""
    count = -(-players // MOST)
    return [players // count + (i < players % count) for i in range(count)] if count else []


def preferred(pods: Iterable[int]) -> bool:
    """Return whether every pod has the seven or eight players that Rochester prefers."""
    return all(size in PREFERRED for size in pods)
