"""``plusthree audit --rolls``: tampering is found each time and in each way, an honest event never is."""

import random

import pytest
from rolled import MASTER, WAYS, play, rewritten, signed

from firmware.core import events, frames, seeds
from host import cli, rollbook, secret
from host.inspection import inspect
from host.keyring import Keyring

HONEST, SLICE = 1000, 40
LASTING = "a roll was asked before a nonce came"  # all that an honest event of ``play`` may remark


@pytest.fixture
def event(tmp_path):
    """An archive of an honest event."""
    archive = play(tmp_path / "a.db", 3)
    yield archive
    archive.close()


def looked_at(archive):
    """Return the faults and remarks of both halves of the audit, without the seals' own."""
    report = inspect(archive, Keyring(MASTER, archive.roster))
    faults, remarks, count = rollbook.check(archive)
    return report.faults + faults, [*report.remarks, *(r for r in remarks if LASTING not in r)], count


def test_an_honest_event_is_never_found_and_a_tampered_one_always_is(tmp_path, proving):
    for seed in range(HONEST if proving else SLICE):
        archive = play(tmp_path / f"{seed}.db", seed)
        entries = archive.records()
        faults, remarks, count = looked_at(archive)
        rolls = [e for e in entries if frames.event_of(e.frame)[0] == events.ROLLED]
        assert (faults, remarks, count) == ([], [], len(rolls)), seed
        luck = random.Random(seed)
        for way in WAYS:
            forged = rewritten(archive, tmp_path / f"{seed}.{way.__name__}.db", way(list(entries), luck))
            faults, remarks, _ = looked_at(forged)
            forged.close()
            assert faults or remarks, (seed, way.__name__)
        archive.close()


def test_what_is_found_is_named(event, tmp_path):
    entries = event.records()
    luck = random.Random(1)
    wanted = {"change_face": "is not what seed and nonce give", "drop_roll": "records of its match are not here",
              "other_seed": "its seed is not the one that it committed to", "truncate": "its seed is told, and"}  # fmt: skip
    for way in WAYS:
        forged = rewritten(event, tmp_path / f"{way.__name__}.db", way(list(entries), luck))
        faults, remarks, _ = rollbook.check(forged)
        forged.close()
        if way.__name__ in wanted:
            assert any(wanted[way.__name__] in one for one in faults + remarks), (way.__name__, faults, remarks)


def test_a_nonce_that_this_host_never_gave_is_found(tmp_path):
    archive = next(found for found in (play(tmp_path / f"{n}.db", n) for n in range(9)) if found.notices.every("nonce"))
    entries = archive.records()
    at = next(i for i, e in enumerate(entries) if frames.event_of(e.frame)[::2][:2] == (events.SEED_TOLD, seeds.NONCE))
    kind, first, a, b, c = frames.event_of(entries[at].frame)
    entries[at] = signed(entries[at], (kind, first ^ 1, a, b, c))
    forged = rewritten(archive, tmp_path / "forged.db", entries)
    assert any("none that this host gave" in fault for fault in rollbook.check(forged)[0])


def test_a_board_that_was_never_heard_again_is_remarked_and_not_accused(event, tmp_path):
    entries = [e for e in event.records() if frames.event_of(e.frame)[0] != events.SEED_TOLD
               or frames.event_of(e.frame)[2] not in range(4, 8)]  # fmt: skip
    silent = rewritten(event, tmp_path / "silent.db", entries)
    faults, remarks, count = rollbook.check(silent)
    assert not faults and count == 0
    assert any("the board was not heard again" in one for one in remarks)
    bare = [e for e in entries if frames.event_of(e.frame)[0] != events.SEED_TOLD]
    faults, remarks, _ = rollbook.check(rewritten(event, tmp_path / "bare.db", bare))
    assert not faults and any("without a commitment that is here" in one for one in remarks)


def test_the_command_says_how_many_rolls_fit(event, tmp_path, capsys):
    secret.keep(secret.beside(event.path), MASTER)
    assert cli.main(["audit", str(event.path), "--rolls"]) == 0
    assert "rolls recomputed: everything that is here fits." in capsys.readouterr().out
