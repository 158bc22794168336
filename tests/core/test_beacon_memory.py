"""What the beacon and the clock filter would keep of a table board's heap, laid as deploy lays it.

On the 32-bit WebAssembly MicroPython, linked into one part, pruned and in short words; the receiver
follows a chain. They are not laid yet: this says what room they need.
"""

import re
import struct

import interpreters
import memory
import pytest

from host.boards.deploy import edits, folding, image, linking, literals, pruning

ROOMS = {  # bytes, with what asks for them: some 400
    "beacon": 5500,
    "clock": 1750,
}
USERS = {
    "beacon": (interpreters.ROOT / "tests/support/beacon_user.py").read_text("utf-8"),
    "clock": """
from firmware.core.clock_filter import ClockFilter


def main(ppm, uptime_ms, now_ms):
    clock = ClockFilter(ppm)
    clock.answer(now_ms, 5, uptime_ms)
    clock.stamp(now_ms, uptime_ms)
    return clock, clock.known, clock.offset_ms(uptime_ms), clock.error_ms(uptime_ms)
""",
    "nothing": "def main():\n    return None\n",
    "hashing": """
from firmware.core import digest


def main(data, entropy=None):
    return digest.sha256(data), digest.same(data, data), digest.mac(digest.blocks(data), data)
""",
}
BASES = {"beacon": "hashing", "clock": "nothing"}
ANCHOR = struct.pack("<IHH8s16s", 1000, 500, 0, bytes(8), bytes(16))
CALLS = {
    "beacon": f"user.main(lambda n: bytes(n), b'A' + bytes(26), 5, 3000, 20, {ANCHOR!r})",
    "clock": "user.main(50, 1000, 3000)",
    "nothing": "None",
    "hashing": "None",
}
USER = "firmware.user"


def laid(source):
    """Return ``{path inside: bytes}`` of what a program needs, as deploy would lay it."""
    folded = folding.fold({**image.firmware_sources(), USER: source})
    needed = {
        name: folded[name]
        for name in image.imported(folded, [USER])
        if not name.startswith(image.SYSTEMS)
    }
    pruned = pruning.prune(needed, ("main",))
    short = image.shortened(
        {name: literals.written(edits.untexted(text)) for name, text in pruned.items()}
    )
    parts = linking.link(short, short.keys() - {USER, "firmware", "firmware.core"}, most=1 << 20)
    files = {f"/p/{name.replace('.', '/')}.py": text.encode() for name, text in parts.items()}
    return {**files, "/p/firmware/__init__.py": b""}


def kept(name):
    """Return the bytes that importing the user ``name`` and one call of it leave."""
    files = laid(USERS[name])
    main = re.findall(rb"def (\w+)\(", files["/p/firmware/user.py"])[-1].decode()
    native = [f"import {module}" for module in ("hashlib", "micropython", "struct")]
    calls = [memory.SET_UP, *native, "import firmware", "gc.collect()\ngc.collect()", memory.READ,
             "import firmware.user as user", "held = " + CALLS[name].replace("main", main),
             "gc.collect()\ngc.collect()", memory.READ]  # fmt: skip
    printed = interpreters.run_wasm(files, calls)
    found = (memory._READING.search(text) for text in printed)
    readings = [tuple(map(int, one.groups())) for one in found if one]
    before, after = memory.levels_of(readings, readings[0][1])
    return after - before


def test_the_beacon_and_the_clock_keep_no_more_than_their_rooms(printed):
    reason = interpreters.missing("wasm")
    if reason:
        pytest.skip(reason)
    sizes = {name: kept(name) - kept(base) for name, base in BASES.items()}
    printed("memory: not laid yet (bytes, WebAssembly MicroPython)",
            [f"{size:>8}  {name}" for name, size in sizes.items()])  # fmt: skip
    assert all(sizes[name] <= most for name, most in ROOMS.items())
