"""Commands on files of other programs: what is put into a folder, run and printed."""

import json
import pathlib

from host.cli import main

FORMAT = "p18 swiss bo3 constructed 50"


def put(name, text):
    whole = text if isinstance(text, str) else json.dumps(text)
    pathlib.Path(name).write_text(whole, encoding="utf-8")
    return name


def runner(capsys):
    """Return ``run(*words, code=0)``: a command line; what it printed, on both streams."""

    def run(*words, code=0):
        assert main([str(word) for word in words]) == code
        told = capsys.readouterr()
        return (told.out + told.err).replace("\u00a0", " ")

    return run
