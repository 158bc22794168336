"""The pods of a draft event: their seats, and the round from which they hold.

Matches stay inside the pod until new pods are stored, as for the Top 8's own draft (D03 App. A 1,
8; P18 11.2.2).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from host.archive.store import Archive
from host.base.json_values import Json

NOTICE = "pods"
KINDS = ("rochester", "booster")


@dataclass(frozen=True)
class Pods:
    """``circles``: each pod's player numbers by seat, clockwise; ``since``: their first round."""

    kind: str
    since: int
    circles: tuple[tuple[str, ...], ...]

    def of(self, player: str) -> int | None:
        """Return a player's pod, from 1; None for a player in no pod."""
        numbers = (pod for pod, circle in enumerate(self.circles, 1) if player in circle)
        return next(numbers, None)


def store(archive: Archive, pods: Pods, author: str, unix_ms: int) -> None:
    """Store the pods of an event from a round on."""
    if pods != in_force(archive, pods.since):
        archive.notices.add(NOTICE, json.dumps(vars(pods), sort_keys=True), author, unix_ms)


def withdraw(archive: Archive, since: int, author: str, unix_ms: int) -> None:
    """Take back the pods that begin with a round, as its draft is dropped."""
    pods = in_force(archive, since)
    if pods is not None and pods.since == since:
        store(archive, Pods(pods.kind, since, ()), author, unix_ms)


def in_force(archive: Archive, round_number: int) -> Pods | None:
    """Return the pods that a round is played in, None without any."""
    notices = archive.notices.read(NOTICE, read)
    newest = {
        pods.since: pods for pods in notices if pods is not None and pods.since <= round_number
    }
    begun = [pods for pods in newest.values() if pods.circles]
    return max(begun, key=lambda pods: pods.since, default=None)


def read(value: Mapping[str, Json]) -> Pods | None:
    """Return the pods in a notice, None if invalid. Raises LookupError, TypeError."""
    kind, since, circles = value["kind"], value["since"], value["circles"]
    if kind not in KINDS or not isinstance(kind, str) or not isinstance(since, int):
        return None
    if not isinstance(circles, list):
        return None
    pods = [tuple(map(str, circle)) for circle in circles if isinstance(circle, list)]
    return Pods(kind, since, tuple(pods)) if len(pods) == len(circles) else None
