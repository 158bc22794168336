"""Plays the match cases of files on any interpreter: ``micropython play_cases.py FILE ...``."""

import json
import sys

sys.path.insert(0, ".")

from firmware.core.systems import d03, p18, xw15  # noqa: E402
from host.cases import match_case  # noqa: E402

SYSTEMS = {"p18": p18, "d03": d03, "xw15": xw15}


def failures(path):
    """Return how many match cases the file holds, and what of them did not come out."""
    with open(path) as file:
        cases = [case for case in json.load(file) if "system" in case]
    wrong = []
    for case in cases:
        got = match_case.play(case, SYSTEMS[case["system"]])
        for key, value in case["expect"].items():
            if got.get(key) != value:
                wrong.append((case["name"], key, got.get(key)))
    return len(cases), wrong


if __name__ == "__main__":
    count, found = 0, []
    for name in sys.argv[1:]:
        played, wrong = failures(name)
        count += played
        found += wrong
    print(count, "cases", len(found), "failed", found)
    sys.exit(1 if found else 0)
