"""A board that listens to a beacon plays recorded evenings on the 64-bit MicroPython program."""

import evenings
import pytest
import recording

from firmware.core import beacon, events, frames, intents, listener

# in bytecode, as on a board, which loads what talks over a link anew for each guest; 234,000 bytes
# pass, and one of seed 1 without a beacon in 233,400
HEAP = 232 * 1024
SEED = 2  # a judge rules, and the board asks for the time
MORE = [("d03", 1), ("d03 team", 1), ("xw15", 1), *(("p18", seed) for seed in (1, 3, 4, 5))]
FRAME = 10  # where the beacon's begins in a line of the tape


@pytest.fixture(scope="module")
def recorded():
    """An evening of P18."""
    return recording.record("p18", SEED, listens=True)


@pytest.fixture(scope="module")
def stage(recorded, tmp_path_factory):
    return evenings.Stage(tmp_path_factory.mktemp("drive"), recorded, evenings.compiled)


def heard(lines):
    """Return the frames of the beacon on a tape."""
    frames_of = (bytes.fromhex(line[FRAME:]) for line in lines if line[0] == "H")
    return [one for one in frames_of if beacon.shaped(one)]


def test_its_tape_has_all_that_a_beacon_says(recorded):
    kinds = {beacon.shaped(one) for one in heard(recorded.lines)}
    assert kinds == {beacon.TICK, beacon.ACKED, beacon.COMMAND, beacon.KEY, beacon.TIMES}


def test_its_start_comes_by_the_beacon_and_so_do_acknowledgements(recorded):
    """Between the set-up and a judge's ruling there is no connection."""
    first = recorded.lines.index("C")
    alone = recorded.lines[first : recorded.lines.index("O", first)]
    acks = [one for one in heard(alone) if beacon.shaped(one) == beacon.ACKED]
    assert any(one[6] & beacon.WHOLE and beacon.acks(one, 1) for one in acks)
    records = list(recorded.records())
    kinds = [record[0] & 63 for record in records]
    assert kinds.count(events.START_SET) == 1
    answers = [frames.fields(one) for one in records if one[0] & 63 == events.ANSWERED]
    assert any(told[-1] == intents.SET_START | listener.BROADCAST for told in answers)


def test_writes_the_journal_that_was_recorded_in_a_hard_heap(micropython_program, stage):
    """A scan's buffer and each advert that is heard lie on the heap, as on the chip."""
    played = stage.play(micropython_program, heap=HEAP)
    assert played.over, played.printed
    assert played.same


@pytest.mark.prove
def test_evenings_of_other_systems_and_seeds(micropython_program, stage, tmp_path, printed):
    """And the smallest heap, of the first."""
    smallest, kept = (
        stage.smallest(micropython_program),
        stage.play(micropython_program, "kept").number("kept"),
    )
    row = f"{smallest:>8} bytes pass, {kept:>8} in use at the most after a collection"
    printed("micropython, 64 bits: an evening of a board that listens", [row])
    assert smallest <= HEAP
    for system, seed in MORE:
        folder = tmp_path / f"{system} {seed}"
        folder.mkdir()
        other = evenings.Stage(
            folder, recording.record(system, seed, listens=True), evenings.compiled
        )
        played = other.play(micropython_program, heap=HEAP)
        assert played.over and played.same, (system, seed, played.printed)
