"""A million made-up frames and 100,000 of every other forgery: none taken, nothing grows."""

import itertools
import time

import forger
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lives import Life

from firmware.core import frames

FORGED, RANDOM = 100_000, 1_000_000
SLICE = 100  # `make test` forges one frame of so many
CHUNK = 10_000
GROWTH_BLOCKS = 3000  # of Python's memory; what a full cache of keys comes to lies before
WARM = 20_000
FUZZ_S = 60


def offered(door, made, proving, progress):
    """Offer all kinds of forgery; return {name: (frames, taken)}."""
    found = {}
    for name, make in made.attacks.items():
        count = (RANDOM if name == "random" else FORGED) // (1 if proving else SLICE)
        taken = 0
        for first in range(0, count, CHUNK):
            taken += sum(door.offer(make()) for _ in range(min(CHUNK, count - first)))
            progress(f"# {name}: {first} of {count}, {taken} taken")
        found[name] = count, taken + door.settle()
    return found


@pytest.mark.parametrize("side", ("board", "host"))
def test_nothing_forged_is_taken_and_memory_stays_flat(tmp_path, printed, progress, proving, side):
    door, made = forger.doors(tmp_path / "a.db")[side]
    if proving:
        for _ in range(WARM):  # caches fill up
            door.offer(made.made_up())
    else:  # the same frames twice: their keys are derived the first time
        offered(door, forger.Forger(made.life, made.other, made.direction), proving, progress)
    before = forger.blocks()
    found = offered(door, made, proving, progress)
    grown = forger.blocks() - before
    lines = [
        f"{name:>20}  {count:>9} frames  {taken} taken" for name, (count, taken) in found.items()
    ]
    printed(f"forgery at the {side}", [*lines, f"memory: {grown} blocks more than before"])
    assert {name: taken for name, (_, taken) in found.items() if taken} == {}
    assert grown < GROWTH_BLOCKS  # a leak of one block a frame is seven times as much, or more


@pytest.fixture(scope="module")
def doors(tmp_path_factory):
    return forger.doors(tmp_path_factory.mktemp("fuzz") / "a.db")


def shapes(life):
    """Return a strategy for whatever may come in: any bytes, and the life's frames bent at will."""
    genuine = st.sampled_from([said.frame for said in life.down + life.up])
    cuts = st.lists(st.tuples(st.integers(0, 23), st.binary(max_size=4)), max_size=4)

    def bent(frame, changes, tail):
        for at, data in changes:
            frame = frame[:at] + data + frame[at + len(data) :]
        return frame + tail

    return st.one_of(st.binary(max_size=64), st.builds(bent, genuine, cuts, st.binary(max_size=3)))


@pytest.mark.parametrize("side", ("board", "host"))
def test_fuzzing_raises_nothing(doors, printed, proving, side):
    door, made = doors[side]
    tried = itertools.count()

    @settings(max_examples=2000 if proving else 300, deadline=None, database=None,
              phases=[Phase.generate],
              suppress_health_check=list(HealthCheck), derandomize=not proving)  # fmt: skip
    @given(shapes(made.life))
    def fuzz(frame):
        next(tried)
        assert not door.offer(frame)

    began_s = time.perf_counter()
    fuzz()
    while proving and time.perf_counter() - began_s < FUZZ_S:
        fuzz()
    printed(f"fuzzing the {side}", [f"{next(tried)} inputs, no exception, nothing taken"])


def test_the_parsers_name_every_refusal():
    life = Life()
    reasons = [life.near.sync.receive(bytes(n), 0) for n in range(64)]
    assert set(reasons) == {None} and sum(life.near.sync.refused) >= 64
    assert frames.head(bytes(24)) is None
