"""Every roll of an archive with the seed that it must come from (``plusthree audit --rolls``).

Faults are contradictions, remarks what cannot be looked at: a seed that was never told, a roll
without one. Nobody is accused; a board that was switched off tells no seed either.
"""

import json
from dataclasses import dataclass, field

from firmware.core import events, frames, intents, luck, seeds
from firmware.core.journal import OVER
from firmware.core.sync import DONE
from host.audit import roll_order
from host.event import event_systems, nonces
from host.event.holdings import Holdings
from host.event.unrevealed_seeds import UnrevealedSeeds

_PUBLIC = (0, 1, 2)
_SECRET = range(seeds.SEED, seeds.NONE)


@dataclass
class Reign:
    """One seed of one match: the rolls that were made under it, and what was told of it."""

    board: tuple  # (device, generation)
    event: int
    match: tuple  # (round, table, pairing)
    place: tuple = None  # (epoch, counter) of the commitment
    parts: dict = field(default_factory=dict)
    rolls: list = field(default_factory=list)  # (place, event)
    after: int = 0  # the number of the last roll before it in this match
    late: bool = False  # a roll, or a second word on the nonce, stands before its commitment
    taken: bool = False  # the board has answered that it took a nonce
    over: bool = False
    torn: bool = False  # records between its own are not here

    @property
    def committed(self):
        """Whether the commitment is here."""
        return all(part in self.parts for part in _PUBLIC)

    @property
    def commitment(self):
        """Its 24 bytes."""
        return b"".join(self.parts[part] for part in _PUBLIC)

    @property
    def seed(self):
        """The seed's 32 bytes, None while a part of it is not here."""
        if any(part not in self.parts for part in _SECRET):
            return None
        return b"".join(self.parts[part] for part in _SECRET)

    @property
    def name(self):
        """Where it belongs, in words."""
        number, table, _ = self.match
        return f"board {self.board[0]} (key {self.board[1]}), round {number}, table {table}"


def reigns(entries):
    """Return the Reigns of archived Entries, board by board in the order of their journals."""
    found, board, now = [], None, None
    whole = _whole(entries)
    for entry in entries:
        event = frames.event_of(entry.frame)
        if (entry.device, entry.generation, entry.event) != board:
            board, now = (entry.device, entry.generation, entry.event), None
        if now is not None and entry.id not in whole:
            now.torn = True
        if event[0] == events.ROUND_SET:
            now = Reign(board[:2], board[2], event[2:])
            found.append(now)
        elif now is not None:
            now = _taken(found, now, (entry.epoch, entry.counter), event)
    return [one for one in found if one.parts or one.rolls]


def _whole(entries):
    """Return the places of the Entries whose journal is here up to the record before, or is withheld there."""
    closed, withheld, held = {}, {}, set()
    for entry in entries:
        withheld.setdefault(entry.id[:2], UnrevealedSeeds()).add(*entry.id[2:], entry.frame)
        held.add(entry.id)
        kind, _, _, before, count = frames.event_of(entry.frame)
        if kind == events.EPOCH_CLOSED:
            closed[(*entry.id[:2], entry.epoch)] = before, count
    found, back = set(), {board: one.seeds for board, one in withheld.items()}
    for device, generation, epoch, counter in held:
        board, before = (device, generation), (epoch, counter - 1)
        if not counter:
            older, count = closed.get((*board, epoch), (0, 0))
            before = (older, count - 1)
        while before in back[board] and (*board, *before) not in held:
            before = before[0], before[1] - 1
        if before[1] < 0 or (*board, *before) in held:
            found.add((*board, epoch, counter))
    return found


def _taken(found, now, place, event):
    """Note an event under the present Reign; return the one that follows it from here on."""
    kind, a = event[0], event[2]
    if kind == events.SEED_TOLD:
        if a not in (seeds.NONCE, seeds.NONE, seeds.ILL) and (
            now.over or now.committed
        ):  # opened again
            last = now.rolls[-1][1][4] if now.rolls else now.after
            now = Reign(
                now.board, now.event, now.match, after=last, late=not now.over, torn=now.torn
            )
            found.append(now)
        if a == 0:
            now.place = place
        now.late = now.late or a in (seeds.NONCE, seeds.NONE) and bool(now.rolls or _decided(now))
        now.parts[a] = seeds.eight_of(event)
    elif kind == events.ANSWERED and (a, event[4]) == (DONE, intents.SET_NONCE):
        now.taken = True
    elif kind == events.ROLLED:
        now.late = now.late or not now.committed
        now.rolls.append((place, event))
    elif kind in OVER:
        now.over = True
        return None if kind == events.ROUND_CLEARED else now
    return now


def _decided(reign):
    return seeds.NONCE in reign.parts or seeds.NONE in reign.parts


def check(archive):
    """Return ``(faults, remarks, rolls recomputed)`` of the current event, the first two sentences."""
    given, unread = _given(archive)
    number, entries = archive.roster.event.number, archive.records()
    faults = unread + roll_order.faults(
        entries, number, Holdings(entries).gone, event_systems.of(archive)
    )
    remarks, count, known = [], 0, {}
    for reign in reigns([entry for entry in entries if entry.event == number]):
        found, missed = _looked_at(reign, given, bool(archive.uncertain_order))
        if reign.torn:  # what is not here may explain it
            found, missed = [], [*missed, *found, "records of its match are not here"]
        if reign.seed is not None and known.setdefault(reign.seed, reign) is not reign:
            found.append("its seed was used before")
        faults += [f"{reign.name}: {sentence}" for sentence in found]
        remarks += [f"{reign.name}: {sentence}" for sentence in missed]
        if reign.seed is not None and reign.committed:
            count += len(reign.rolls)
    return faults, remarks, count


def _given(archive):
    """Return the nonces that the host gave, by the place of the commitment, and sentences on unreadable ones."""
    found, unread = {}, []
    for value in archive.notices.every(nonces.GIVEN):
        try:
            one = json.loads(value)
            found[nonces.given_for(one)] = bytes.fromhex(one["nonce"])
        except (ValueError, TypeError, KeyError):
            unread.append(f"the notice of a nonce cannot be read: {value!r}")
    return found, unread


def _looked_at(reign, given, restored):
    faults, remarks = [], []
    if seeds.ILL in reign.parts:
        remarks.append("its generator failed its tests")
    if reign.late:
        faults.append("a roll or a nonce stands before the commitment, or comes twice")
    for expected, (place, event) in enumerate(reign.rolls, reign.after + 1):
        if event[4] != expected:
            faults.append(
                f"roll {event[4]} stands where roll {expected} must (record {place[0]}/{place[1]})"
            )
            break
    if not reign.committed:
        if reign.rolls:
            remarks.append(f"{len(reign.rolls)} rolls without a commitment that is here")
        return faults, remarks
    _of_nonce(reign, given, restored, faults, remarks)
    _of_seed(reign, faults, remarks)
    return faults, remarks


def _of_nonce(reign, given, restored, faults, remarks):
    drawn = given.get((*reign.board, *reign.place)) if reign.place else None
    if reign.taken and seeds.NONCE not in reign.parts:
        faults.append("it answered that it took the nonce, and writes none")
    if seeds.NONE in reign.parts:
        remarks.append(
            "a roll was asked before a nonce came" + (", though one was given" if drawn else "")
        )
    elif seeds.NONCE in reign.parts and reign.parts[seeds.NONCE] != drawn:
        told = remarks if restored else faults  # the archive that gave it may be lost
        told.append("its nonce is none that this host gave for its commitment")
    elif reign.rolls and not _decided(reign):
        remarks.append("rolls, and no word on the nonce that is here")


def _of_seed(reign, faults, remarks):
    if reign.seed is None:
        why = (
            "and the match is over: the board was not heard again"
            if reign.over
            else "as the match is not over"
        )
        remarks.append(f"its seed is not told, {why}; {len(reign.rolls)} rolls cannot be looked at")
        return
    if (
        seeds.commitment((reign.board[0], reign.event, *reign.match), reign.seed)
        != reign.commitment
    ):
        faults.append("its seed is not the one that it committed to")
    nonce = reign.parts.get(seeds.NONCE, b"")
    if reign.over is False:
        remarks.append("its seed is told, and the match's end is not here")
    for place, (_, _, a, shown, number) in reign.rolls:
        wanted = None
        if a & 15 < len(luck.SIDES):
            wanted = luck.fallen(seeds.chance(reign.seed, nonce, number, a), a & 15, shown >> 8)
        if wanted != shown:
            name = seeds.audit_id(reign.commitment, number)
            faults.append(
                f"roll {number} ({name}, record {place[0]}/{place[1]}) is not what seed and nonce give"
            )
