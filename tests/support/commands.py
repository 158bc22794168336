"""A command of ours, run as from a shell, and files of other programs that it is given."""

import json
import pathlib

from host import cli

FORMAT = "p18 swiss bo3 constructed 50"


def plusthree(*words):
    """Return the exit code of ``plusthree WORDS``; paths and numbers may stand among the words."""
    return cli.main([str(word) for word in words])


def put(name, text):
    whole = text if isinstance(text, str) else json.dumps(text)
    pathlib.Path(name).write_text(whole, encoding="utf-8")
    return name


def runner(capsys):
    """Return ``run(*words, code=0)``: a command line; what it printed, on both streams."""

    def run(*words, code=0):
        assert plusthree(*words) == code
        told = capsys.readouterr()
        return (told.out + told.err).replace("\u00a0", " ")

    return run
