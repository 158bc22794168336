"""Deck lists: who may see one, and when a deck may still be changed (P18 5, 11.2; rules P34, P35).

The program keeps no list anywhere: no frame, no archive row and no page has a place for one.
"""

STAFF = ("organiser", "judge")


def may_see(viewer: str) -> bool:
    """Say whether a viewer may see a player's list: staff and the player alone; never a board."""
    return viewer in (*STAFF, "owner")


def may_change(limited: bool, moment: str) -> bool:
    """Say whether a deck may be changed at a moment: "before", "building" (Limited), "rounds"."""
    return moment == "before" or bool(limited) and moment == "building"
