"""Deck lists: who may see one, and when a deck may still be changed (P18 5, 11.2; rules P34, P35).

The program stores no list: no frame, archive row or page has a field for one.
"""

STAFF = ("organiser", "judge")
VIEWERS = (*STAFF, "owner", "opponent", "spectator", "board")


def may_see(viewer: str) -> bool:
    """Return whether a viewer may see a player's list: only staff and the player, never a board."""
    return viewer in (*STAFF, "owner")


def may_change(limited: bool, moment: str) -> bool:
    """Return whether a deck may change at a moment: "before", "building" (Limited), "rounds"."""
    return moment == "before" or bool(limited) and moment == "building"
