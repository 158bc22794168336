"""Roles: four, each with all rights of the previous one."""

VIEWER, JUDGE, HEAD, ORGANISER = ROLES = "viewer", "judge", "head", "organiser"
HOMES = {VIEWER: "/wall", JUDGE: "/judge", HEAD: "/judge", ORGANISER: "/desk"}


def may(role: str | None, least: str) -> bool:
    """Whether ``role`` (None: not signed in) has the rights of ``least``."""
    return role in ROLES and ROLES.index(role) >= ROLES.index(least)
