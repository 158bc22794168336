"""Runs one file of plain ``test_*`` functions on MicroPython: ``micropython portable_runner.py FILE``.

Prints ``ok NAME`` for each test and the traceback of each failure; exits 1 if one failed.
"""

import gc
import sys


def run(path):
    """Load the file at ``path``, run its tests in the order they are written, return the failures."""
    with open(path) as file:
        text = file.read()
    names = [line[4 : line.index("(")] for line in text.split("\n") if line.startswith("def test_")]
    space = {"__name__": "portable"}
    exec(compile(text, path, "exec"), space)
    text = None
    failed = 0
    for name in names:
        gc.collect()
        try:
            space[name]()
            print("ok", name)
        except Exception as error:
            failed += 1
            print("FAILED", name)
            sys.print_exception(error)
    print(len(names) - failed, "passed,", failed, "failed")
    return failed


if __name__ == "__main__":
    sys.path.append(sys.argv[2] if len(sys.argv) > 2 else ".")
    sys.exit(1 if run(sys.argv[1]) else 0)
