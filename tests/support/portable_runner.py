"""Runs a file of plain ``test_*`` functions: ``micropython portable_runner.py FILE [FOLDER ...]``.

Modules are looked for in the folders first, then in the working folder. Prints ``ok NAME`` for each
test and the traceback of each failure; exits 1 if one failed.
"""

import gc
import sys

try:
    from sys import print_exception
except ImportError:  # CircuitPython
    from traceback import print_exception


def run(path):
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
            print_exception(error)
    print(len(names) - failed, "passed,", failed, "failed")
    return failed


if __name__ == "__main__":
    for folder in ["."] + list(reversed(sys.argv[2:])):
        sys.path.insert(0, folder)
    sys.exit(1 if run(sys.argv[1]) else 0)
