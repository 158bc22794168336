"""A board's whole program plays recorded evenings on the 64-bit MicroPython program, byte
for byte.
"""

import evenings
import pytest
import recording

# 270,336 bytes pass and 266,240 do not; the same evening passes in 110,592 of a board's 115,648
# (docs/interpreter.md)
HEAP = 264 * 1024


@pytest.mark.parametrize("system", sorted(recording.SYSTEMS))
def test_writes_the_journal_that_was_recorded(micropython_program, tmp_path, system):
    played = evenings.Stage(tmp_path, recording.record(system, seed=3)).play(micropython_program)
    assert played.over, played.printed
    assert played.same


@pytest.mark.parametrize("system", ["p18", "d03 team"])
def test_passes_in_a_hard_heap(micropython_program, tmp_path, system):
    """Objects are twice as large here as on a board, and drawing is stood in for in Python."""
    stage = evenings.Stage(tmp_path, recording.record(system, seed=1))
    played = stage.play(micropython_program, heap=HEAP)
    assert played.over, played.printed
    assert played.same


def test_a_program_that_does_otherwise_is_found(micropython_program, tmp_path):
    """The journal of another evening is not the one that this evening leads to."""
    one, other = (recording.record("p18", seed) for seed in (3, 4))
    one.journal = other.journal
    assert not evenings.Stage(tmp_path, one).play(micropython_program).same
