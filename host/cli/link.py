"""``plusthree link``: make, list or revoke personal links to the web desk without ``serve``."""

import re
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from host.archive import places
from host.archive.access_links import ROLES, AccessLinks
from host.archive.store import Archive
from host.base import plain_text
from host.base.errors import UserError
from host.cli import options
from host.event.archive_view import first_step
from host.web import qr

EPILOG = "While plusthree serve runs, type the same there, without the archive."
_SAY = (
    "say: link ROLE NAME, link list, or link revoke NUMBER, and the archive at the end; ROLE is"
    f" one of {', '.join(ROLES)}, and a NAME of several words stands in quotation marks"
)
_AUTHOR = "command line"
_LIST, _REVOKE = "list", "revoke"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help=f"ROLE NAME makes a link (ROLE: {', '.join(ROLES)}; a name of several words in"
        " quotation marks), list or nothing lists them, revoke NUMBER revokes one; then the"
        f" archive (default: {options.ARCHIVE})",
    )
    parser.add_argument(
        "--address",
        default="http://127.0.0.1:8080",
        metavar="URL",
        help="where the desk is (default: %(default)s); where serve runs several events, with this"
        " event's word at its end, as http://127.0.0.1:8080/cup for cup.db",
    )
    parser.epilog = EPILOG


def run(args: Namespace) -> int:
    """Make, revoke or list links; return 0."""
    act, name, path = _parse(args.words)
    if not places.exists(path):
        quoted = f'; a name of several words: "{name} {path}"' if act in ROLES else ""
        raise UserError(f"there is no archive {path} yet{quoted}; {first_step(path)}")
    unix_ms = time.time_ns() // 1_000_000
    try:
        archive = Archive(path)
    except UserError as mistake:
        raise UserError(f"{mistake}; at a running host, type: link ROLE NAME") from None
    with archive:
        links = AccessLinks(archive)
        if act in ROLES:
            number, token = links.make(act, name, _AUTHOR, unix_ms)
            url = f"{args.address.rstrip('/')}/l/{token}"
            print(*qr.link_lines(number, act, name, url), sep="\n")
            return 0
        if act == _REVOKE:
            links.revoke(int(name), _AUTHOR, unix_ms)
        for link in links.every:
            revoked = "  revoked" if link.revoked else ""
            print(f"link {link.id}  {link.role}  {link.name}{revoked}")
    return 0


def _parse(words: Sequence[str]) -> tuple[str, str, places.Place]:
    """Return the act (``list``, ``revoke``, or the role of a link to make), the person's name or
    the link's number ("" for ``list``), and the archive.
    """
    act, *rest = words or [_LIST]
    if act not in (*ROLES, _LIST, _REVOKE):
        raise UserError(_SAY)
    name = ""
    if act != _LIST:
        if not rest:
            raise UserError(_SAY)
        name = rest.pop(0)
    if act == _REVOKE and not re.fullmatch("[0-9]{1,9}", name):
        raise UserError(_SAY)
    if len(rest) > 1:
        raise UserError(_SAY)
    try:
        name = plain_text.clean_line(name)
    except ValueError as mistake:
        raise UserError(str(mistake)) from None
    return act, name, options.place(rest[0] if rest else options.ARCHIVE)
