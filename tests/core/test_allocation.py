"""What the core's acts cost a board's heap: bytes each, and the largest piece, on the MicroPythons.

Bytes are counted on the 32-bit WebAssembly build, where nothing is freed while a call runs. The
largest piece is held on the 64-bit program, in a heap of which only holes of ``HOLE`` bytes are
left: an object's words are twice a board's there, so 1,024 stand for a board's 512.
"""

import interpreters

HOLE = 1024
SCENE = """
import gc
from firmware.core import code, digest, events, frames, intents, sync
from firmware.core.journal import Journal
from firmware.core.ledger import Ledger
from firmware.core.systems import p18
from firmware.core.timebase import Timebase

KEY, POOL = bytes(range(32)), b"".join([digest.sha256(bytes((i,))) for i in range(10)])


class Store:
    blocks = 64

    def __init__(self):
        self.written = [bytearray(512) for _ in range(24)]

    def readinto(self, copy, block, buffer):
        for i in range(512):
            buffer[i] = self.written[2 * block + copy][i] if block < 12 else 0xFF

    def write(self, copy, block, data):
        whole = self.written[2 * block + copy]
        for i in range(512):
            whole[i] = data[i]


def entropy(size):
    return POOL[:size]


store = Store()
for block in store.written:
    for i in range(512):
        block[i] = 0xFF
base, journal = Timebase(50), Journal(store, 7, KEY)
journal.recover()
journal.open_epoch(0, 0, 1)
ledger = Ledger(journal, p18, entropy)
protocol = sync.Sync(journal, base, entropy)
base.error_ms, base.guessed = 10, False
desk, counter = frames.stream_key(KEY, 0, frames.DOWN, 1), 0


def frame(kind, *plain):
    global counter
    counter += 1
    return frames.sign(desk, kind, 7, 1, counter, frames.plain(*plain))


def ask(now_ms, kind, a=0, b=0, c=0, at_ms=0):
    happened = ledger.ask((kind, at_ms or now_ms, a, b, c), now_ms)
    if happened:
        ledger.record(happened)
    while ledger.tick(now_ms):
        pass


ask(1000, intents.SET_ROUND, 3, 12, 1)
ask(1000, intents.SET_FORMAT, 0, 6, 50)
ask(1000, intents.SET_START, 0, 0, 0, 121000)
ask(121000, intents.TICK)
assert ledger.match.phase == 3
for i in range(30):
    ask(122000 + i * 100, intents.END_TURN if i & 1 else intents.START_TURN, 0)


def luck():
    ledger.ask((intents.SET_POLICY, 125000, 1, 0, 0), 125000)
    ledger.record(((events.POLICY_SET, 125000, 1, 0, 0),))
    gc.collect()


def seed():
    ledger.tick(125001)
    assert ledger.seeds.whole


def heard():
    assert protocol.receive(told, 2000)


def ruled():
    ledger.record(ledger.ask((intents.EXTEND, 126000, 0, 300, 0), 126000), protocol.answer(0, 126000))


def taken():
    ledger.record(ledger.ask((intents.TAKE_BACK, 127000, 3, 0, 0), 127000))


told = frame(intents.EXTEND, 1, 0, 300, 0)
"""
# an act, and what it may cost (bytes on the 32-bit build)
ACTS = (
    ("a status signed", "protocol.status_frame(ledger.match, 0, 1000)", 512),
    ("the status as it was", "protocol.status_frame(ledger.match, 0, 1020)", 0),
    ("nothing is due", "ledger.tick(125000)", 0),
    ("a frame heard", "heard()", 600),
    ("a command done, journalled and answered", "ruled()", 1280),
    ("a press journalled", "ask(126100, intents.START_TURN)", 800),
    ("a switch", "luck()", 800),
    ("a seed drawn", "seed()", 8 * 1024),
    ("a press taken back, its module loaded", "taken()", 8 * 1024),
    ("another press taken back", "taken()", 2560),
    ("a judge's code tried", "code.entered(journal, '000000', 130000)", 5 * 1024),
)
# the first time is warm-up: a tick brings a due time up to date; what talks over a link is loaded at
# a board's start
BEFORE = "ledger.tick(125000)\nledger.tick(125000)\nprotocol.talking()"
FILLED = f"""
held, free = [None] * 4096, 0
gc.collect()
try:
    for i in range(4096):
        held[i] = bytearray({HOLE - 32})
except MemoryError:
    pass
for i in range(0, 4096, 2):
    held[i] = None
gc.collect()
"""


def files():
    return interpreters.sources("firmware", "/p/firmware")


def test_what_each_act_of_the_core_allocates(printed):
    calls = ["import sys\nsys.path.insert(0, '/p')", SCENE, BEFORE]
    calls += [
        f"before = gc.mem_alloc()\n{act}\nprint(gc.mem_alloc() - before)" for _, act, _ in ACTS
    ]
    spent = [int(out) for out in interpreters.run_wasm(files(), calls)[3:]]
    rows = [
        f"{used:>7} of {limit:>6}  {name}"
        for used, (name, _, limit) in zip(spent, ACTS, strict=True)
    ]
    printed("heap of the core's acts (bytes, WebAssembly MicroPython)", rows)
    assert not [
        row for row, used, (_, _, limit) in zip(rows, spent, ACTS, strict=True) if used > limit
    ]


def test_no_act_of_the_core_needs_a_large_piece(micropython_program, tmp_path):
    script = tmp_path / "holes.py"
    acts = "\n".join(f"{act}\ngc.collect()" for _, act, _ in ACTS)
    proof = f"try:\n    bytearray({2 * HOLE})\n    print('no holes')\nexcept MemoryError:\n    pass"
    script.write_text("\n".join([SCENE, BEFORE, FILLED, proof, acts, "print('over')"]))
    done = interpreters.run_unix(micropython_program, script, heap="400k", path=interpreters.ROOT)
    assert done.stdout == "over\n", done.stdout + done.stderr
