"""Runs the tests that lie beside it on a board (``plusthree board deploy --tests``), at its REPL:

``from tests.run import run; run()`` runs every file, ``run("team")`` one. Importing alone runs
none: memory used while a file is imported is given back late. One file at a time, each with its own
copies of the modules that it tests. Through ``unittest`` where the board has one
(micropython-lib's), else as it comes.
"""

import gc
import os
import sys

try:
    import unittest
except ImportError:
    unittest = None
try:
    from sys import print_exception
except ImportError:  # CircuitPython
    from traceback import print_exception


class Sys:
    """What micropython-lib's unittest asks of ``sys``, which CircuitPython has elsewhere."""

    @staticmethod
    def print_exception(error, file):
        """Write the traceback of ``error`` into ``file``."""
        print_exception(error, file=file)


if unittest and not hasattr(sys, "print_exception"):
    unittest.sys = Sys

HERE = __file__.rpartition("/")[0]
STAYS = set(sys.modules)


def files():
    names = [name[:-3] for name in os.listdir(HERE or ".") if name.endswith(".py")]
    return [name for name in sorted(names) if name != "run"]


def forget():
    for name in list(sys.modules):
        if name not in STAYS:
            del sys.modules[name]
    gc.collect()


def through_unittest(tests):
    """Run functions as a suite; return how many there were and how many failed."""
    suite = unittest.TestSuite()
    for test in tests:
        suite.addTest(test)
    done = unittest.TextTestRunner().run(suite)
    return done.testsRun, len(done.failures) + len(done.errors)


def plainly(tests):
    """Run functions and say how each went; return how many there were and how many failed."""
    failed = 0
    for test in tests:
        gc.collect()
        try:
            test()
            print("ok", test.__name__)
        except Exception as error:
            failed += 1
            print("FAILED", test.__name__)
            print_exception(error)
    return len(tests), failed


def ran(name):
    """Run a file's tests; one that cannot be loaded counts as a test that failed."""
    print(name)
    try:
        module = __import__(name)
    except Exception as error:
        print("FAILED", name)
        print_exception(error)
        return 1, 1
    tests = [getattr(module, word) for word in sorted(dir(module)) if word.startswith("test_")]
    return (through_unittest if unittest else plainly)(tests)


def run(*names):
    """Run the files with these names (none: every one), then say how many tests passed and how many
    failed.
    """
    count = failed = 0
    sys.path.insert(0, HERE)  # its own copies come before the program's
    forget()
    for name in names or files():
        some, wrong = ran(name)
        count, failed = count + some, failed + wrong
        forget()
    sys.path.remove(HERE)
    print(count - failed, "passed,", failed, "failed")
