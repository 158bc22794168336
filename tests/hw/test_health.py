"""The gauge on MicroPython over the drive as it is laid, and the health of random bytes: each bad kind is seen."""

import random

import interpreters
import pytest

from host.boards.bringup import self_test, serial_console
from host.boards.deploy import image


def good(seed):
    return bytearray(random.Random(seed).randbytes(self_test.RANDOM_BYTES))


@pytest.mark.parametrize("seed", range(50))
def test_good_bytes_pass(seed):
    assert self_test.fault_of_random(bytes(good(seed))) == ""


GOOD = bytes(good(1))
BAD = {
    "too short": (b"\x01\x02", "instead of"),
    "stuck": (GOOD[:100] + b"\x07" * 6 + GOOD[106:], "in a row"),
    "a byte too frequent": (bytes(GOOD[0] if at < 512 and at % 16 == 0 else one for at, one in enumerate(GOOD)), "times in 512"),
    "lopsided bits": (bytes(one | 8 if at % 4 == 3 else one for at, one in enumerate(good(3))), "are ones"),
    "a counter": (bytes(range(256)) * 16, "evenly"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_bytes_are_seen(kind):
    data, said = BAD[kind]
    assert said in self_test.fault_of_random(data)


ASK = """
import time
class Chip:
    monotonic_ns, sleep = time.time_ns, time.sleep
time = Chip
gauge = Gauge(None)
print(gauge.free() > 0, gauge.loop(100) > 0, gauge.sweep() >= 0)
print(min(gauge.hashing(5)) >= 0, min(gauge.recovery()) > 0, len(gauge.write()), gauge.read(2) >= 0)
print(gauge.imports(("firmware.app",))[1] >= 0)
gauge.leave_mark()
print(gauge.trace()[0])
"""


@pytest.mark.parametrize("model", ("feathers3", "lilygo"))
def test_it_runs_over_what_is_laid(micropython_program, model, tmp_path):
    for name, data in image.build(model).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    (tmp_path / "journal0.bin").write_bytes(b"\xff" * 262144)
    sent = serial_console.GAUGE.read_text("utf-8")
    script = tmp_path / "sent.py"
    script.write_text(sent.replace("/journal0.bin", str(tmp_path / "journal0.bin")) + ASK)
    modules = interpreters.ROOT / "tests/support/modules"
    path = f"{tmp_path}:{tmp_path / 'lib'}:{modules}:.frozen"
    done = interpreters.run_unix(micropython_program, script, heap="4M", path=path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == ["True"] * 5 + ["2"] + ["True"] * 3
    assert (tmp_path / "journal0.bin").read_bytes() == b"\xff" * 262144  # nothing is left of it
