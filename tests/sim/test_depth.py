"""How deep the program's calls go: an ESP32-S3 has 16 KiB of C stack for them, a nordic chip 24 and
48 frames.
"""

import sys

import pytest

from host.sim import flow
from host.sim.faces import blank_face

MOST = (
    20  # below ``App.step``; above it are five more: code.py, main, run and what they are called by
)


@pytest.fixture
def deepest():
    """Return the deepest chain of our functions that ran meanwhile, as a list that grows."""
    chain = []

    def called(frame, event, what):
        if event == "call" and "/firmware/" in frame.f_code.co_filename.replace("\\", "/"):
            names = []
            while frame:
                if "/firmware/" in frame.f_code.co_filename.replace("\\", "/"):
                    names.append(frame.f_code.co_name)
                frame = frame.f_back
            if len(names) > len(chain):
                chain[:] = reversed(names)

    before = sys.getprofile()
    sys.setprofile(called)
    yield chain
    sys.setprofile(before)


@pytest.mark.parametrize("name", ["d03", "coin"])
def test_no_call_goes_deep(deepest, root, name, printed):
    player = flow.Player(blank_face)
    for step in flow.read(root / "tests" / "flows" / f"{name}.flow"):
        player.do(step)
    printed(f"deepest calls, {name}", [f"{len(deepest)}: {' '.join(deepest)}"])
    assert "step" in deepest[0] and len(deepest) <= MOST
