"""Who may what: four roles, each with all that the one before it has."""

VIEWER, JUDGE, HEAD, ORGANISER = ROLES = "viewer", "judge", "head", "organiser"
HOMES = {VIEWER: "/wall", JUDGE: "/judge", HEAD: "/judge", ORGANISER: "/desk"}


def may(role, least):
    """Say whether ``role`` (None: nobody known) has what takes at least ``least``."""
    return role in ROLES and ROLES.index(role) >= ROLES.index(least)
