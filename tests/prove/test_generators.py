"""What rolls are made of, through programs that others wrote: ent, rngtest and dieharder.

`make test` asks ent and rngtest about a megabyte from a seeded source, so that it says the same
twice; `make prove` all three about 100 MB from this PC's generator. .ci/run installs the first two.
"""

import itertools
import math
import os
import random
import re
import subprocess

import conditioned
import pytest

SMALL, LARGE = 1, 100  # megabytes
# (test, samples): no more than 100 MB have, or dieharder reads the same bytes again and takes them
# for new
DIEHARDER = (
    (0, 100),
    (2, 9),
    (8, 100),
    (10, 100),
    (11, 100),
    (15, 100),
    (100, 100),
    (101, 100),
    (102, 100),
)
RARE = 1e-4
FIPS_FAILS = 8e-4  # of good blocks of 20,000 bits, by the four tests' own limits


@pytest.fixture(scope="module")
def produced(tmp_path_factory, proving):
    """(path of the file, how many bytes)."""
    path = tmp_path_factory.mktemp("conditioned") / "bytes.bin"
    blocks = (LARGE if proving else SMALL) * 1_000_000 // 32
    source = conditioned.blocks(blocks, os.urandom if proving else random.Random(7).randbytes)
    with path.open("wb") as file:
        for part in iter(lambda: b"".join(itertools.islice(source, 4096)), b""):
            file.write(part)
    return path, 32 * blocks


def upper(chi_square, freedom):
    """Return how often luck exceeds a chi-square (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return math.erfc(((chi_square / freedom) ** (1 / 3) - 1 + spread) / (2 * spread) ** 0.5) / 2


def test_ent_finds_nothing(ent_program, produced, printed):
    path, size = produced
    told = subprocess.run(
        [ent_program, "-t", path], capture_output=True, text=True, check=True
    ).stdout
    _, count, entropy, chi_square, mean, pi, serial = told.splitlines()[1].split(",")
    printed(
        f"ent, {size} bytes",
        [f"{entropy} bits a byte, chi-square {chi_square}, mean {mean}, serial {serial}"],
    )
    assert int(count) == size
    assert RARE < upper(float(chi_square), 255) < 1 - RARE
    assert abs(float(serial)) * size**0.5 < 3.9  # one in 10,000
    assert abs(float(mean) - 127.5) < 3.9 * 73.9 / size**0.5


def test_rngtest_finds_no_more_than_luck_does(rngtest_program, produced, printed):
    path, size = produced
    with path.open("rb") as file:
        told = subprocess.run(
            [rngtest_program], stdin=file, capture_output=True, text=True, check=False
        ).stderr
    passed, failed = (
        int(re.search(rf"FIPS 140-2 {word}: (\d+)", told)[1]) for word in ("successes", "failures")
    )
    printed(f"rngtest, {size} bytes", [f"{passed} blocks pass, {failed} fail"])
    expected = FIPS_FAILS * (passed + failed)
    assert passed + failed >= size // 2500 - 1
    assert failed <= expected + 3.9 * expected**0.5 + 2


@pytest.mark.prove
def test_dieharder_passes(dieharder_program, produced, printed, progress):
    rows = []
    for number, samples in DIEHARDER:
        command = [
            dieharder_program, "-g", "201", "-f", produced[0], "-d", str(number), "-p",
            str(samples),
        ]  # fmt: skip
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = [
            line
            for line in told.splitlines()
            if line.rstrip().endswith(("PASSED", "WEAK", "FAILED"))
        ]
        assert found and "rewound" not in told, told
        rows += found
        progress(f"dieharder -d {number}: {len(found)} values")
    printed("dieharder", rows)
    for row in rows:
        assert RARE < float(row.split("|")[4]) < 1 - RARE, row
