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
    what, who, path = _parse(args.words)
    if not places.exists(path):
        quoted = f'; a name of several words: "{who} {path}"' if what in ROLES else ""
        raise UserError(f"there is no archive {path} yet{quoted}; {first_step(path)}")
    unix_ms = time.time_ns() // 1_000_000
    try:
        archive = Archive(path)
    except UserError as mistake:
        raise UserError(f"{mistake}; at a running host, type: link ROLE NAME") from None
    with archive:
        links = AccessLinks(archive)
        if what in ROLES:
            number, token = links.make(what, who, _AUTHOR, unix_ms)
            url = f"{args.address.rstrip('/')}/l/{token}"
            print(*qr.link_lines(number, what, who, url), sep="\n")
            return 0
        if what == _REVOKE:
            links.revoke(int(who), _AUTHOR, unix_ms)
        for link in links.every:
            print(f"link {link.id}  {link.role}  {link.name}{'  revoked' if link.revoked else ''}")
    return 0


def _parse(words: Sequence[str]) -> tuple[str, str, places.Place]:
    """Return the act (a role, ``list`` or ``revoke``), its person or link, and the archive."""
    what, rest = words[0] if words else _LIST, list(words[1:])
    if what not in (*ROLES, _LIST, _REVOKE):
        raise UserError(_SAY)
    who = "" if what == _LIST else rest.pop(0) if rest else None
    if who is None or len(rest) > 1 or what == _REVOKE and not re.fullmatch("[0-9]{1,9}", who):
        raise UserError(_SAY)
    try:
        name = plain_text.clean_line(who)
    except ValueError as mistake:
        raise UserError(str(mistake)) from None
    return what, name, options.place(rest[0] if rest else options.ARCHIVE)
