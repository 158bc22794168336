"""``plusthree audit --rolls`` without what a host remembers: what a journal alone betrays."""

import random

import pytest
from commands import plusthree
from fair import Fair
from lucky import EVENT
from rolled import MASTER, key_of, nonce_key, play, rolls_of
from tampered import change_face, drop_roll, other_seed, put, signed, swap_order

from firmware.core import events, frames, intents, payload, seeds
from firmware.core.answers import DONE
from host.archive import master_key
from host.archive.records import ArchivedRecord
from host.archive.store import Archive
from host.audit import roll_check
from host.audit.examination import examine
from host.event.seed_periods import seed_periods
from host.keys import signatures
from host.keys.keyring import Keyring


@pytest.fixture
def event(tmp_path):
    """An archive of an honest event in which the host gave a nonce."""
    made = (play(tmp_path / f"{seed}.db", seed) for seed in range(20))
    archive = next(one for one in made if _given(one) and len(rolls_of(one.records())) > 4)
    yield archive
    archive.close()


def _given(archive):
    return places(archive.records(), events.SEED_STORED, seeds.NONCE)


def places(entries, kind, part=None):
    """Return where events of a kind stand, of a seed those that tell a part."""
    found = [(i, entry.board_event) for i, entry in enumerate(entries) if entry.kind == kind]
    return [i for i, one in found if part is None or one.part == part]


def said(archive, entries):
    """Return the sentences of faults and of remarks on an archive with these entries."""
    with put(archive, entries):
        return roll_check.check(archive, nonce_key(archive))[:2]


def test_a_journal_alone_betrays_a_face_a_roll_left_out_and_an_order(event):
    entries, some, wanted = event.records(), random.Random(1), "is not what seed and nonce give"
    rolls = rolls_of(entries)
    first, second = next(
        two for two in zip(rolls, rolls[1:], strict=False) if entries[two[1]].board_event.number > 1
    )
    assert any(wanted in one for one in said(event, change_face(entries, first, some))[0])
    assert any(wanted in one for one in said(event, drop_roll(entries, first, some))[0])
    kept = list(entries)
    kept[first], kept[second] = (
        signed(entries[a], events.of_record(entries[b].frame))
        for a, b in ((first, second), (second, first))
    )
    faults = said(event, kept)[0]
    assert any("stands where roll" in one for one in faults)
    assert any("older than what stands before" in one for one in faults)


def test_a_roll_where_its_board_cannot_have_written_it_is_found(event):
    entries, some = event.records(), random.Random(1)
    for at in rolls_of(entries):
        kind = events.of_record(entries[at + 1].frame).kind if at + 1 < len(entries) else 0
        if kind in (events.ROLL_AGREED, events.ROLL_DISPUTED):
            faults = said(event, swap_order(entries, at, _Next()))[0]
            assert any("no board can have written this here" in one for one in faults), at
    without = [e for i, e in enumerate(entries) if i != rolls_of(entries)[0]]
    assert places(entries, events.ROLL_AGREED)
    assert not any("no board" in one for one in said(event, without)[0]), "a gap accuses nobody"
    assert said(event, other_seed(entries, rolls_of(entries)[0], some))[0] == [], (
        "only a counterfoil can tell"
    )


class _Next:
    def choice(self, found):
        return found[-1]


def test_a_nonce_that_this_host_never_gave_is_found(event):
    entries = event.records()
    at = places(entries, events.SEED_STORED, seeds.NONCE)[0]
    told = entries[at].board_event
    other = bytes((told.early[0] ^ 1,)) + told.early[1:]
    entries[at] = signed(entries[at], events.SeedStored(other, told.part, told.late))
    assert any("none that this host gave" in one for one in said(event, entries)[0])


def test_a_board_that_took_a_nonce_and_writes_that_none_came_is_found(tmp_path):
    fair = Fair(tmp_path / "a.db", tables=1)
    fair.begin()
    board = fair.boards[0]
    assert board.ask(fair.air.now_ms, intents.ROLL, 16)
    fair.win(board)
    fair.drain()
    entries = fair.archive.records()
    at = places(entries, events.SEED_STORED, seeds.NONCE)[0]
    answer = entries[at + 1].board_event
    assert (answer.refusal, answer.asked) == (DONE, intents.SET_NONCE)
    assert said(fair.archive, entries) == ([], [])
    entries[at] = signed(entries[at], seeds.seed_event(seeds.NONE, bytes(8)))
    faults, _ = said(fair.archive, entries)
    assert any("answered that it took the nonce, and writes none" in one for one in faults)
    fair.station.close()


def test_a_board_that_was_never_heard_again_is_remarked_and_not_accused(event):
    kinds = [e.board_event for e in event.records()]
    silent = [
        e
        for e, k in zip(event.records(), kinds, strict=True)
        if k.kind != events.SEED_STORED or k.part not in range(4, 8)
    ]
    faults, remarks = said(event, silent)
    assert not faults and any("the board was not heard again" in one for one in remarks)
    bare = [e for e, k in zip(event.records(), kinds, strict=True) if k.kind != events.SEED_STORED]
    faults, remarks = said(event, bare)
    assert not faults and any("without a commitment that is here" in one for one in remarks)


@pytest.mark.parametrize("asked", (False, True))
def test_an_audit_names_what_is_wrong_with_rolls_where_it_is_asked(event, asked):
    entries = event.records()
    hidden = [at for part in range(4, 8) for at in places(entries, events.SEED_STORED, part)]
    silent = [entry for at, entry in enumerate(entries) if at not in hidden]
    changed = change_face(entries, rolls_of(entries)[0], random.Random(1))
    said = []
    for kept in (silent, changed):
        with put(event, kept):
            said.append(examine(event, Keyring(MASTER, event.roster), asked))
    assert any("the board was not heard again" in one for one in said[0].remarks) is asked
    assert any("is not what seed and nonce give" in one for one in said[1].faults) is asked


def test_the_command_says_how_many_rolls_fit(tmp_path, capsys):
    archive = play(tmp_path / "a.db", 3)
    count = roll_check.check(archive, nonce_key(archive))[2]
    archive.close()
    master_key.keep(master_key.path_of(archive.path), MASTER)
    assert count and plusthree("audit", archive.path, "--rolls") == 0
    assert (
        f"{count} rolls recomputed; the event is closed and this is all of it: everything"
        in capsys.readouterr().out
    )


def test_an_archive_without_an_event_has_no_rolls(tmp_path, capsys):
    with Archive(tmp_path / "b.db"):
        pass
    master_key.keep(master_key.path_of(tmp_path / "b.db"), MASTER)
    assert plusthree("audit", tmp_path / "b.db", "--rolls") == 0
    assert "0 rolls recomputed" in capsys.readouterr().out


def test_another_seed_than_the_one_committed_to_is_found(event):
    entries = event.records()
    at = places(entries, events.SEED_STORED, seeds.SEED)[0]
    entries[at] = signed(entries[at], seeds.seed_event(seeds.SEED, bytes(8)))
    assert any("not the one that it committed to" in one for one in said(event, entries)[0])


def test_a_seed_that_comes_twice_is_found(event):
    entries = event.records()
    for part in range(seeds.SEED, seeds.NONE):
        first, second = places(entries, events.SEED_STORED, part)[:2]
        entries[second] = signed(entries[second], events.of_record(entries[first].frame))
    assert any("its seed was used before" in one for one in said(event, entries)[0])


def test_a_roll_before_its_commitment_is_found(event):
    entries = event.records()
    for part in (seeds.NONCE, seeds.NONE):
        for at in places(entries, events.SEED_STORED, part):
            entries[at] = signed(entries[at], events.Clock(0, 0))
    honest = [period.late for period in seed_periods(entries)]
    roll = rolls_of(entries)[0]
    last = max(at for at in places(entries, events.SEED_STORED, 2) if at < roll)
    told = [events.of_record(entries[at].frame) for at in (roll, last)]
    entries[last], entries[roll] = signed(entries[last], told[0]), signed(entries[roll], told[1])
    assert not any(honest) and any(period.late for period in seed_periods(entries))


_NONCE, _NONE, _ILL = (
    events.SeedStored(bytes(4), part, bytes(4)) for part in (seeds.NONCE, seeds.NONE, seeds.ILL)
)
_COMMITTED = tuple(seeds.seed_event(part, bytes(8)) for part in range(3))
_OVER, _ROUND = events.MatchEnded(0), events.RoundSet(0, 1, 12, 1)
_GAP = None  # a record that nobody has
_FIRST, _SECOND, _THIRD = (events.Rolled(0, 0, 0, 1, 0, number) for number in (1, 2, 3))

# (what a journal holds after its round was set, (late, after, incomplete, rolls) of each
# SeedPeriod)
PERIODS = {
    "a match": ((*_COMMITTED, _NONCE, _FIRST, _OVER), [(0, 0, 0, 1)]),
    "no nonce": ((*_COMMITTED, _NONE, _FIRST), [(0, 0, 0, 1)]),
    "a second one in the match": ((*_COMMITTED, _NONCE, _FIRST, *_COMMITTED, _SECOND), [(0, 0, 0, 1), (1, 1, 0, 1)]),
    "a second one at once": ((*_COMMITTED, *_COMMITTED), [(0, 0, 0, 0), (1, 0, 0, 0)]),
    "one after the end": ((*_COMMITTED, _FIRST, _SECOND, _OVER, *_COMMITTED, _THIRD), [(0, 0, 0, 2), (0, 2, 0, 1)]),
    "two after the end": ((*_COMMITTED, _FIRST, _OVER, *_COMMITTED, _OVER, *_COMMITTED), [(0, 0, 0, 1), (0, 1, 0, 0), (0, 1, 0, 0)]),
    "one after a match without any": ((_FIRST, _OVER, *_COMMITTED, _SECOND), [(1, 0, 0, 1), (0, 1, 0, 1)]),
    "a roll before it": ((_FIRST, *_COMMITTED), [(1, 0, 0, 1)]),
    "a nonce after a roll": ((*_COMMITTED, _FIRST, _NONCE), [(1, 0, 0, 1)]),
    "none after a roll": ((*_COMMITTED, _FIRST, _NONE), [(1, 0, 0, 1)]),
    "two nonces": ((*_COMMITTED, _NONCE, _NONCE), [(1, 0, 0, 0)]),
    "a nonce and none": ((*_COMMITTED, _NONCE, _NONE), [(1, 0, 0, 0)]),
    "none and a nonce": ((*_COMMITTED, _NONE, _NONCE), [(1, 0, 0, 0)]),
    "a generator that failed": ((*_COMMITTED, _ILL, _NONCE, _FIRST), [(0, 0, 0, 1)]),
    "one that failed later": ((*_COMMITTED, _NONCE, _FIRST, _ILL), [(0, 0, 0, 1)]),
    "a gap": ((*_COMMITTED, _NONCE, _GAP, _FIRST, _SECOND, _THIRD, _OVER, *_COMMITTED), [(0, 0, 1, 3), (0, 3, 1, 0)]),
    "a gap later": ((*_COMMITTED, _FIRST, _OVER, *_COMMITTED, _GAP, _SECOND), [(0, 0, 0, 1), (0, 1, 1, 1)]),
}  # fmt: skip


def journal(told):
    """Return the records of one boot of board 7 that has joined round 1 at table 12."""
    key = frames.stream_key(key_of(7), EVENT, frames.UP, 1)
    return [
        ArchivedRecord(
            7, 1, 1, at, EVENT, at, signatures.sign(key, one.kind, 7, 1, at, payload.pack(one))
        )
        for at, one in enumerate((_ROUND, *told))
        if one is not None
    ]


@pytest.mark.parametrize("case", PERIODS)
def test_a_commitment_that_is_late_and_what_it_follows(case):
    told, wanted = PERIODS[case]
    assert [
        (one.late, one.after, one.incomplete, len(one.rolls)) for one in seed_periods(journal(told))
    ] == wanted


def test_a_seed_begins_where_its_commitment_does():
    (one,) = seed_periods(journal((*_COMMITTED, _NONCE)))
    assert one.place == (1, 1)
    (_, other) = seed_periods(journal((*_COMMITTED, _OVER, *_COMMITTED)))
    assert other.place == (1, 5)
