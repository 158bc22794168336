"""Checks that an epoch's records are those that its seals cover: none missing, swapped or
changed.
"""

from collections.abc import Mapping
from typing import NamedTuple

from firmware.core import digest, events, frames


class SealCheck(NamedTuple):
    """Sentences on wrong seals; the number of valid seals; the number that cover missing
    records.
    """

    faults: list[str]
    checked: int
    unchecked: int


def seal_over(first: int, previous: bytes, tags: bytes) -> events.Event:
    """Return the SEALED over ``tags`` from ``first`` on; ``previous``: the digest before it."""
    return events.Sealed(first, digest.sha256(previous + tags)[:7])


def check(records: Mapping[int, bytes]) -> SealCheck:
    """Check one boot's records against its seals; ``records`` are frames by counter."""
    faults, checked, unchecked = [], 0, 0
    first, before = 0, bytes(7)  # where the next seal must begin, and the last seal's digest
    for counter in sorted(records):
        seal = events.of_record(records[counter])
        if not isinstance(seal, events.Sealed):
            continue
        begins, stated = seal.first, seal.digest
        skipped = [records.get(number) for number in range(first, begins)]
        covered = [records.get(number) for number in range(begins, counter)]
        if begins != first and None not in skipped:  # no seal between can be missing
            faults.append(f"the seal at {counter} begins at {begins}, not at {first}")
        if begins != first or None in covered:
            unchecked += 1  # an earlier seal, or a record that it covers, is missing
        elif seal_over(begins, before, _tags(covered)).digest == stated:
            checked += 1
        else:
            faults.append(f"the seal at {counter} does not fit records {begins} to {counter - 1}")
        first, before = counter + 1, stated
    return SealCheck(faults, checked, unchecked)


def _tags(covered: list[bytes | None]) -> bytes:
    return b"".join(record[frames.BODY :] for record in covered if record is not None)
