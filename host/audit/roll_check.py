"""Recomputes every roll of an archive from its seed (``plusthree audit --rolls``).

Faults are contradictions; remarks name what cannot be checked, such as a seed that was never
revealed. That accuses nobody: a board that was switched off reveals no seed, either.
"""

from typing import NamedTuple

from firmware.core import luck, seeds
from host.archive.records import RecordId
from host.archive.store import Archive
from host.audit import roll_order
from host.base.json_values import parse
from host.base.words import amount
from host.event import event_systems, nonces
from host.event.holdings import Holdings
from host.event.seed_periods import SeedPeriod, seed_periods


class RollCheck(NamedTuple):
    """Contradictions, what cannot be checked (both as sentences), and the count of recomputed
    rolls.
    """

    faults: list[str]
    remarks: list[str]
    recomputed: int


class _Nonces(NamedTuple):
    """The nonces that the host gave, by commitment, and the key from which it makes them.

    ``at_random``: an earlier plusthree drew some without the key, so an archive with others may be
    lost.
    """

    given: dict[RecordId, bytes]
    key: bytes
    at_random: bool = False

    def given_for(self, period: SeedPeriod) -> bytes | None:
        """Return the nonce that was given for a commitment, by this archive."""
        return self.given.get(RecordId(*period.board, *period.place)) if period.place else None

    def made_for(self, period: SeedPeriod) -> bytes | None:
        """Return the nonce that the key yields for a whole commitment."""
        if period.place is None or not period.committed:
            return None
        record = RecordId(*period.board, *period.place)
        return nonces.nonce_for(self.key, record, period.commitment)

    def differs(self, period: SeedPeriod) -> bool:
        """Return whether another nonce was given for a commitment than the key yields."""
        given, made = self.given_for(period), self.made_for(period)
        return given is not None and made is not None and given != made


def check(archive: Archive, key: bytes) -> RollCheck:
    """Check every roll of the current event; ``key`` is the Keyring's for nonces."""
    drawn, faults = _drawn_nonces(archive)
    number, records = archive.roster.current_event.number, archive.records()
    lost = Holdings(records).lost
    faults += roll_order.faults(records, number, lost, event_systems.of(archive))
    remarks: list[str] = []
    count, used_seeds = 0, set[bytes]()
    periods = seed_periods([record for record in records if record.event == number])
    given = _Nonces(drawn, key)
    if archive.uncertain_order:
        given = given._replace(at_random=any(given.differs(period) for period in periods))
    for period in periods:
        contradictions, unchecked = _check_period(period, given)
        if period.incomplete:  # missing records may explain it
            unchecked = [*unchecked, *contradictions, "records of its match are not here"]
            contradictions = []
        if period.seed is not None:
            if period.seed in used_seeds:
                contradictions.append("its seed was used before")
            used_seeds.add(period.seed)
            if period.committed:
                count += len(period.rolls)
        faults += [f"{period.name}: {sentence}" for sentence in contradictions]
        remarks += [f"{period.name}: {sentence}" for sentence in unchecked]
    return RollCheck(faults, remarks, count)


def _drawn_nonces(archive: Archive) -> tuple[dict[RecordId, bytes], list[str]]:
    """Return the nonces that the host drew, by commitment, and sentences on unreadable ones."""
    by_commitment: dict[RecordId, bytes] = {}
    unread: list[str] = []
    for value in archive.notices.every(nonces.GIVEN):
        try:
            nonce = nonces.read_nonce(parse(value))
        except (ValueError, TypeError, LookupError):
            nonce = None
        if nonce is not None:
            by_commitment[nonce.commitment] = nonce.nonce
        else:
            unread.append(f"the notice of a nonce cannot be read: {value!r}")
    return by_commitment, unread


def _check_period(period: SeedPeriod, given: _Nonces) -> tuple[list[str], list[str]]:
    """Return the faults and the remarks on a SeedPeriod."""
    faults: list[str] = []
    remarks: list[str] = []
    if seeds.ILL in period.parts:
        remarks.append("its generator failed its tests")
    if period.late:
        faults.append("a roll or a nonce stands before the commitment, or comes twice")
    for expected, (place, event) in enumerate(period.rolls, period.after + 1):
        if event.number != expected:
            record = f"record {place.epoch}/{place.counter}"
            faults.append(f"roll {event.number} stands where roll {expected} must ({record})")
            break
    if not period.committed:
        if period.rolls:
            remarks.append(f"{amount(len(period.rolls), 'roll')} without a commitment that is here")
        return faults, remarks
    _check_nonce(period, given, faults, remarks)
    _check_seed(period, faults, remarks)
    return faults, remarks


def _check_nonce(period: SeedPeriod, given: _Nonces, faults: list[str], remarks: list[str]) -> None:
    """Add the faults and remarks on what a SeedPeriod says of its nonce."""
    if period.taken and seeds.NONCE not in period.parts:
        faults.append("it answered that it took the nonce, and writes none")
    if seeds.NONE in period.parts:
        late = ", though one was given" if given.given_for(period) else ""
        remarks.append(f"a roll was asked before a nonce came{late}")
    elif seeds.NONCE in period.parts and not _is_hosts(period, given):
        findings = remarks if given.at_random else faults
        findings.append("its nonce is none that this host gave for its commitment")
    elif period.rolls and not period.decided:
        remarks.append("rolls, and no word on the nonce that is here")


def _is_hosts(period: SeedPeriod, given: _Nonces) -> bool:
    """Whether this host gave the nonce of a SeedPeriod, or one whose archive was lost."""
    return period.parts[seeds.NONCE] in (given.given_for(period), given.made_for(period))


def _check_seed(period: SeedPeriod, faults: list[str], remarks: list[str]) -> None:
    """Compare a SeedPeriod's commitment and rolls with its seed, once that is told."""
    if period.seed is None:
        reason = "as the match is not over"
        if period.over:
            reason = "and the match is over: the board was not heard again"
        remarks.append(
            f"its seed is not told, {reason}; {len(period.rolls)} rolls cannot be looked at"
        )
        return
    match = period.board.device, period.event, *period.match
    if seeds.commitment(match, period.seed) != period.commitment:
        faults.append("its seed is not the one that it committed to")
    nonce = period.parts.get(seeds.NONCE, b"")
    if not period.over:
        remarks.append("its seed is told, and the match's end is not here")
    for position, rolled in period.rolls:
        number, randomizer = rolled.number, rolled.randomizer
        is_given = False  # nothing gives a roll of what no board rolls
        if randomizer < len(luck.SIDES):
            used = seeds.use(randomizer, rolled.purpose)
            chance = seeds.chance(period.seed, nonce, number, used)
            is_given = luck.draw(chance, randomizer, rolled.flips) == (rolled.face, rolled.flips)
        if not is_given:
            name = seeds.audit_id(period.commitment, number)
            record = f"record {position.epoch}/{position.counter}"
            faults.append(f"roll {number} ({name}, {record}) is not what seed and nonce give")
