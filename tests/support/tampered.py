"""Ways to tamper with an archive (``rolled.play``), of two sorts of people, undone when one has
looked.

``STRANGERS`` have the file and no key. ``HOLDERS`` have the file and a board's own key: whatever
they change they sign anew, with seals, counts and numbers to fit. A way takes an Archive's Entries,
the place of the one to begin at, and some luck; it returns the Entries as they are to be.
"""

import contextlib

from lucky import EVENT
from rolled import key_of
from unguarded import without_triggers

from firmware.core import events, frames, luck, payload, seeds
from host.archive.records import ArchivedRecord
from host.audit.seal_check import seal_over
from host.keys import signatures

_FIELDS = "device, generation, epoch, counter, event, received_ms, frame"


@contextlib.contextmanager
def put(archive, entries, foils=None):
    """Have ``entries``, and the first ``foils`` counterfoils alone, in the archive meanwhile."""
    db = archive._db
    db.execute("BEGIN")
    with without_triggers(db):
        db.execute("DELETE FROM records")
        rows = [(*e.id, e.event, e.received_ms, e.frame) for e in entries]
        db.executemany(f"INSERT INTO records ({_FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        if foils is not None:
            db.execute("DELETE FROM counterfoils WHERE id > ?", (foils,))
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def _with(entry, frame, counter=None):
    number = entry.counter if counter is None else counter
    return ArchivedRecord(*entry.id[:3], number, entry.event, entry.received_ms, frame)


def signed(entry, event, counter=None):
    """Return the record with another event in it, signed with the board's own key."""
    return _raw(entry, event.kind, payload.pack(event), counter)


def _raw(entry, kind, nine, counter=None):
    number = entry.counter if counter is None else counter
    key = frames.stream_key(key_of(entry.device), entry.event, frames.UP, entry.epoch)
    return _with(entry, signatures.sign(key, kind, entry.device, entry.epoch, number, nine), number)


def chained(kept, entries):
    """Return the kept records (``{index: event or record}``), signed anew so that they fit."""
    gone, found = {}, []  # (device, epoch) -> how many are left out so far
    for i, entry in enumerate(entries):
        boot = entry.id[0], entry.epoch
        if i not in kept:
            gone[boot] = gone.get(boot, 0) + 1
            continue
        event, counter = kept[i], entry.counter - gone.get(boot, 0)
        if isinstance(event, events.EpochClosed):
            held = event.records - gone.get((entry.device, event.epoch), 0)
            event = events.EpochClosed(event.at_ms, event.epoch, held)
        untouched = event == entry.board_event and counter == entry.counter
        found.append(entry if untouched else signed(entry, event, counter))
    return _sealed(found)


def _sealed(entries):
    """Return Entries whose seals fit what they cover, where that is there."""
    found, first, seven, held = [], {}, {}, {}
    for entry in entries:
        boot = entry.device, entry.epoch
        if entry.kind == events.SEALED:
            begins = first.get(boot, 0)
            tags = [held.get((*boot, number)) for number in range(begins, entry.counter)]
            if None not in tags:
                seal = seal_over(begins, seven.get(boot, bytes(7)), b"".join(tags))
                entry = _raw(entry, events.SEALED, payload.pack(seal))
            first[boot], seven[boot] = entry.counter + 1, entry.board_event.digest
        held[(*boot, entry.counter)] = entry.frame[frames.BODY :]
        found.append(entry)
    return found


def _all(entries):
    return {i: entry.board_event for i, entry in enumerate(entries)}


def _flipped(event, some):
    face = event.face ^ 1 if event.flips or event.randomizer else 3 - event.face
    use = event.randomizer, event.purpose
    return events.Rolled(event.at_ms, *use, face, event.flips, event.number)


def _neighbour(entries, at, some):
    """Return the index of a record beside another, of the same boot."""
    beside = [
        i
        for i in (at - 1, at + 1)
        if 0 <= i < len(entries) and entries[i].id[:3] == entries[at].id[:3]
    ]
    return some.choice(beside)


def blot_face(entries, at, some):
    """Give a roll another face, without a key."""
    entry = entries[at]
    event = _flipped(entry.board_event, some)
    frame = entry.frame[:7] + payload.pack(event) + entry.frame[frames.BODY :]
    return entries[:at] + [_with(entry, frame)] + entries[at + 1 :]


def change_face(entries, at, some):
    """Give a roll another face, and sign."""
    return chained(
        {**_all(entries), at: _flipped(events.of_record(entries[at].frame), some)}, entries
    )


def take_roll(entries, at, some):
    return entries[:at] + entries[at + 1 :]


def drop_roll(entries, at, some):
    """Take a roll out with all that was said of it, and number the rest anew."""
    kept, later = _all(entries), False
    del kept[at]
    for i in range(at + 1, len(entries)):
        kind = kept[i].kind
        if entries[i].device != entries[at].device or kind in (
            events.ROUND_SET,
            events.ROUND_CLEARED,
        ):
            break
        if kind == events.ROLLED:
            kept[i].number, later = kept[i].number - 1, True
        elif not later and kind in (events.ROLL_AGREED, events.ROLL_DISPUTED, events.ROLL_RULED):
            del kept[i]
    return chained(kept, entries)


def exchange(entries, at, some):
    """Let a roll and a record beside it change places, without a key."""
    i = _neighbour(entries, at, some)
    changed = list(entries)
    changed[at], changed[i] = (
        _with(entries[at], entries[i].frame),
        _with(entries[i], entries[at].frame),
    )
    return changed


def swap_order(entries, at, some):
    """Let a roll and a record beside it change places, and sign."""
    i, kept = _neighbour(entries, at, some), _all(entries)
    kept[at], kept[i] = kept[i], kept[at]
    changed = list(entries)
    changed[at], changed[i] = (_with(entries[k], entries[k].frame) for k in (at, i))
    return chained(kept, changed)


def _period(entries, at):
    """Return the indices of a roll's ROUND_SET and of its commitment, None for what is not here."""
    begun = said = None
    for i in range(at):
        event = events.of_record(entries[i].frame)
        if entries[i].device != entries[at].device:
            continue
        if isinstance(event, events.RoundSet):
            begun, said = i, None
        elif isinstance(event, events.SeedStored) and not event.part:
            said = i
    return begun, said


def blot_seed(entries, at, some):
    """Tell another seed, without a key; where none is told, another commitment."""
    said = _period(entries, at)[1]
    if said is None:
        return entries
    i = said - some.randrange(4)
    entry, bit = entries[i], 1 << some.randrange(8)
    frame = entry.frame[:8] + bytes([entry.frame[8] ^ bit]) + entry.frame[9:]
    return entries[:i] + [_with(entry, frame)] + entries[i + 1 :]


def other_seed(entries, at, some):
    """Have a roll's match made of another seed from its commitment to its faces, and sign."""
    kept, (begun, first) = _all(entries), _period(entries, at)
    if begun is None or first is None:
        return entries
    seed = some.randbytes(32)
    match = kept[begun].round, kept[begun].table, kept[begun].pairing
    said = seeds.commitment((entries[at].device, EVENT, *match), seed)
    parts = {
        **{p: said[8 * p :][:8] for p in range(3)},
        **{4 + p: seed[8 * p :][:8] for p in range(4)},
    }
    nonce = b""
    for i in range(max(0, first - 4), len(entries)):
        event = kept[i]
        part = event.part if isinstance(event, events.SeedStored) else None
        if entries[i].device != entries[at].device or i > first and part == seeds.SEED:
            break
        if part in parts and abs(i - first) < 5:
            kept[i] = seeds.seed_event(part, parts[part])
        elif part == seeds.NONCE:
            nonce = payload.data_of(event)
        elif isinstance(event, events.Rolled):
            used = seeds.use(event.randomizer, event.purpose)
            chance = seeds.chance(seed, nonce, event.number, used)
            event.face, event.flips = luck.draw(chance, event.randomizer, event.flips)
    return chained(kept, entries)


def cut(entries, at, some):
    """Cut the end of a board's journal off."""
    return [e for i, e in enumerate(entries) if e.device != entries[at].device or i < at]


STRANGERS = (blot_face, take_roll, exchange, blot_seed, cut)
HOLDERS = (change_face, drop_roll, swap_order, other_seed, cut)
