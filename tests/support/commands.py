"""A command of ours, run as from a shell."""

from host import cli


def plusthree(*words):
    """Return the exit code of ``plusthree WORDS``; paths and numbers may stand among the words."""
    return cli.main([str(word) for word in words])
