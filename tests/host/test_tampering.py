"""``plusthree audit --rolls`` finds every tampering at any place, and no honest event."""

import random
import shutil

import pytest
from commands import plusthree
from rolled import MASTER, play, rolls_of
from tampered import HOLDERS, STRANGERS, blot_seed, cut, other_seed, put, take_roll
from unguarded import unguarded, without_triggers

from firmware.core import events
from host.archive import audit_log, master_key
from host.audit import log_check
from host.audit.examination import examine
from host.keys.keyring import Keyring

HONEST, SLICE, WHOLE = 1000, 15, 25
ENDS = (events.MATCH_ENDED, events.ROUND_CLEARED)


def faults(archive, **options):
    """Return the audit's faults; the counterfoils' alone where there are any."""
    keyring = Keyring(MASTER, archive.roster)
    if options:
        return examine(archive, keyring, **options).faults
    return log_check.gather(archive, keyring.audit_log).faults or examine(archive, keyring).faults


def found(archive, entries):
    """Return whether these entries are found, by a sentence on the first that is changed."""
    before = archive.records()
    where = (
        next((old for old, new in zip(before, entries, strict=False) if old != new), None)
        or before[len(entries)]
    )
    with put(archive, entries):
        return any(one.startswith(log_check.name(where.id)) for one in faults(archive))


def test_an_honest_event_is_never_found_and_a_tampered_one_always_is(tmp_path, proving, printed):
    tampered = 0
    for seed in range(HONEST if proving else SLICE):
        archive = play(tmp_path / f"{seed}.db", seed)
        entries, some = archive.records(), random.Random(seed)
        assert faults(archive, final=True) == [], seed
        for way in STRANGERS + HOLDERS:
            places = range(1, len(entries)) if way is cut else rolls_of(entries)
            if not places:  # the board was lost before it told of any
                continue
            at = some.choice(places)
            changed = way(entries, at, some)
            if changed == entries:  # what it would change was never heard
                assert way in (other_seed, blot_seed)
                continue
            assert found(archive, changed), (seed, way.__name__, at)
            tampered += 1
        archive.close()
        (tmp_path / f"{seed}.db").unlink()
    assert tampered > 8 * (seed + 1)
    printed(
        "tampering (archives on this PC)",
        [f"{seed + 1} events: 0 honest ones found, {tampered} of {tampered} tampered ones found"],
    )


def test_every_roll_and_every_end_is_as_good_a_place_as_any(tmp_path, proving):
    for seed in range(WHOLE if proving else 2):
        archive = play(tmp_path / f"{seed}.db", seed)
        entries, some = archive.records(), random.Random(seed)
        for way in STRANGERS + HOLDERS:
            for at in range(1, len(entries)) if way is cut else rolls_of(entries):
                changed = way(entries, at, some)
                assert changed == entries or found(archive, changed), (seed, way.__name__, at)
        archive.close()


@pytest.fixture
def archive(tmp_path):
    made = next(
        one for one in (play(tmp_path / f"{seed}.db", seed) for seed in range(9)) if _plain(one)
    )
    master_key.keep(master_key.path_of(made.path), MASTER)
    yield made
    made.close()


def _plain(archive):
    entries = archive.records()
    ended = [e for e in entries if e.kind == events.MATCH_ENDED]
    return (
        len(ended) > 1
        and {e.device for e in entries} == {7}
        and not examine(archive, Keyring(MASTER, archive.roster)).remarks
    )


def between(entries):
    """Return the indices right after a match: after its end, and after the seal that follows it."""
    ends = [i for i, e in enumerate(entries) if e.kind in ENDS]
    return [i + 1 for i in ends] + [i + 2 for i in ends if i + 2 < len(entries)]


def test_an_end_cut_off_exactly_between_matches_is_found_and_named(archive):
    entries = archive.records()
    for at in between(entries):
        if at < len(entries):
            assert found(archive, cut(entries, at, None)), at
    with put(archive, cut(entries, at := between(entries)[0], None)):
        said, *_ = faults(archive)
    first, last = entries[at], entries[-1]
    assert said.startswith(f"board 7 (key 1), record {first.epoch}/{first.counter}")
    assert said.endswith(log_check.GONE) and faults(archive) == [] and last.id > first.id


def test_an_end_cut_off_with_its_counterfoils_is_an_older_copy_and_no_whole_event(archive):
    rows, entries = archive.audit_log.rows, archive.records()
    assert rows[-1][0] == audit_log.SEALED
    for kept in range(1, len(rows)):
        there = {
            place
            for what, body, _ in rows[:kept]
            if what in ("begun", "records")
            for place, _ in audit_log.unpack_records(body)
        }
        with put(archive, [e for e in entries if e.id in there], kept):
            assert any(
                "nothing says that this is all" in one for one in faults(archive, final=True)
            ), kept


def test_counterfoils_that_are_gone_or_changed_are_found(archive):
    with put(archive, archive.records(), 0):
        assert "no audit log" in faults(archive)[0]
        assert not examine(archive, Keyring(MASTER, archive.roster), older=True).faults
    for row in range(2, len(archive.audit_log.rows)):
        for sql in (
            f"DELETE FROM counterfoils WHERE id = {row}",
            f"UPDATE counterfoils SET body = CAST(body || '0' AS BLOB) WHERE id = {row}",
        ):
            with put(archive, archive.records()), without_triggers(archive._db):
                archive.write(sql)
                assert any(
                    "does not fit what stands before it" in one for one in faults(archive)
                ), sql


def test_where_there_are_counterfoils_no_word_of_anybody_and_no_empty_archive_passes_them_over(
    archive,
):
    ring, entries = Keyring(MASTER, archive.roster), archive.records()
    for kept in (entries[:-1], []):
        with put(archive, kept):
            for older in (False, True):
                assert any(
                    log_check.GONE in one
                    for one in log_check.gather(archive, ring.audit_log, older).faults
                )


def test_a_nonce_that_is_gone_or_was_made_up_later_is_found(archive):
    with put(archive, archive.records()), without_triggers(archive._db):
        archive.write("DELETE FROM notices WHERE what = 'closed'")
        assert any(
            "the notice closed" in one and "is missing or changed" in one for one in faults(archive)
        )
    with put(archive, archive.records()):
        made_up = '{"commitment": [7, 1, 1, 9], "nonce": "0011223344556677"}'
        archive.write(
            "INSERT INTO notices (event, what, value, author, unix_ms) VALUES (5, 'nonce',"
            f" '{made_up}', 'host', 77)"
        )
        assert any("was never given by this host" in one for one in faults(archive))


@pytest.mark.parametrize(
    "what",
    ("frame = 'twenty-four characters -'", "frame = zeroblob(24)", "event = 'x'", "value = '{'"),
)
def test_rows_that_no_program_of_ours_writes_are_found_and_raise_nothing(archive, what):
    archive.notices.add("nonce", "{}", "host", 1)
    with put(archive, archive.records()), without_triggers(archive._db):
        archive.write(f"UPDATE notices SET {what}" if "value" in what else
                      f"UPDATE records SET {what} WHERE epoch = 1 AND counter = 3")  # fmt: skip
        assert examine(archive, Keyring(MASTER, archive.roster)).faults


@pytest.fixture
def copy(archive, tmp_path):
    archive.copy_to(tmp_path / "copy.db")
    return tmp_path / "copy.db"


def forged(copy, way, entries):
    """Return a copy's copy that holds ``entries``, a way's work, in place of its records."""
    path = copy.with_name(f"{way.__name__}.db")
    shutil.copy(copy, path)
    rows = [(*e.id, e.event, e.received_ms, e.frame) for e in entries]
    with unguarded(path) as db:
        db.execute("DELETE FROM records")
        db.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    return path


def test_the_command_passes_an_event_that_is_whole(archive, copy, capsys):
    key = master_key.path_of(archive.path)
    assert plusthree("audit", copy, "--rolls", "--final", "--key", key) == 0
    assert "the event is closed and this is all of it" in capsys.readouterr().out


@pytest.mark.parametrize("way", STRANGERS + HOLDERS)
def test_the_command_names_board_match_and_record_and_ends_with_1(archive, copy, way, capsys):
    entries, key = archive.records(), ("--key", master_key.path_of(archive.path))
    with put(archive, way(entries, rolls_of(entries)[-1], random.Random(5))):
        changed = forged(copy, way, archive.records())
    assert plusthree("audit", changed, "--rolls", *key) == 1
    said = capsys.readouterr().out
    assert "DOES NOT FIT: board 7 (key 1), record " in said and ", table 12: " in said
    # what is only left out is in the copy, and the copy is found to be the fuller one
    fuller = way in (take_roll, cut)
    assert plusthree("audit", copy, "--against", changed, *key) == (0 if fuller else 1)
    assert plusthree("audit", changed, "--against", copy, *key) == 1
