"""Reads a passphrase from a file, the environment or the keyboard, never the command line."""

import argparse
import getpass
import os
import pathlib
import sys

from host.base import plain_text
from host.base.errors import UserError

VARIABLE = "PLUSTHREE_PASSPHRASE"


def add_argument(parser: argparse.ArgumentParser) -> None:
    """Add ``--passphrase-file``."""
    parser.add_argument(
        "--passphrase-file", type=pathlib.Path, metavar="FILE",
        help=f"read the passphrase from a file (default: from {VARIABLE}, or it is asked for)",
    )  # fmt: skip


def read_given(args: argparse.Namespace) -> str | None:
    """Return the passphrase in the file or the environment, or None.

    Raises UserError for an unreadable file.
    """
    if args.passphrase_file:
        try:
            return plain_text.decode(args.passphrase_file.read_bytes()).strip()
        except (OSError, UnicodeDecodeError) as failure:
            raise UserError(f"the passphrase cannot be read: {failure}") from None
    return os.environ.get(VARIABLE)


def get(args: argparse.Namespace, again: bool = False) -> str:
    """Return the passphrase; if not given, ask at the terminal (twice if ``again``).

    Raises UserError if there is none.
    """
    passphrase = read_given(args)
    if passphrase is not None:
        return passphrase
    if not sys.stdin.isatty():
        raise UserError(
            f"there is nobody to ask for the passphrase: set {VARIABLE} or --passphrase-file"
        )
    typed = getpass.getpass("Passphrase for the keys: ")
    if again and getpass.getpass("The same again: ") != typed:
        raise UserError("these were two different ones")
    return typed
