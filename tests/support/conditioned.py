"""Writes what a board's rolls are made of: ``python tests/support/conditioned.py MEGABYTES >
FILE``.

Seeds are SHA-256 of 64 bytes of this PC's os.urandom, 200 rolls each, one block of 32 bytes a roll:
``ent``, ``rngtest`` and ``dieharder`` are asked about these (docs/luck.md).
"""

import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))

from firmware.core import digest, seeds  # noqa: E402

ROLLS = 200


def blocks(count, randbytes=os.urandom):
    for made in range(count):
        if made % ROLLS == 0:
            seed, nonce = digest.sha256(randbytes(64)), randbytes(8)
        yield seeds.chance(seed, nonce, made % ROLLS + 1, 0x20).source(0)


if __name__ == "__main__":
    for block in blocks(int(sys.argv[1]) * 1_000_000 // 32):
        sys.stdout.buffer.write(block)
