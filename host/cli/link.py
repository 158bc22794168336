"""``plusthree link``: make, list or revoke personal links to the web desk without ``serve``."""

import time
from argparse import ArgumentParser, Namespace

from host.archive import places
from host.archive.access_links import AccessLinks
from host.archive.roles import ROLES
from host.archive.store import Archive
from host.base.errors import UserError
from host.cli import options
from host.event.archive_view import first_step
from host.web import link_lines

EPILOG = "While plusthree serve runs, type there instead: link ROLE NAME, links, unlink NUMBER."
_AUTHOR = "command line"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.archive(parser)
    parser.add_argument("--role", choices=ROLES, help="make a link with this role")
    parser.add_argument("--name", type=options.text, help="whose link it is")
    parser.add_argument(
        "--address",
        default="http://127.0.0.1:8080",
        metavar="URL",
        help="where the desk is (default: %(default)s); where serve runs several events, with this"
        " event's word at its end, as http://127.0.0.1:8080/cup for cup.db",
    )
    parser.add_argument("--revoke", type=int, metavar="NUMBER", help="revoke a link")
    parser.epilog = EPILOG


def run(args: Namespace) -> int:
    """Make, revoke or list links; return 0."""
    if not places.exists(args.archive):
        raise UserError(f"there is no archive {args.archive} yet; {first_step(args.archive)}")
    if bool(args.role) != bool(args.name):
        raise UserError("a link needs both --role and --name")
    unix_ms = time.time_ns() // 1_000_000
    try:
        archive = Archive(args.archive)
    except UserError as mistake:
        raise UserError(f"{mistake}; at a running host, type: link ROLE NAME") from None
    with archive:
        links = AccessLinks(archive)
        if args.revoke is not None:
            links.revoke(args.revoke, _AUTHOR, unix_ms)
        if args.role:
            number, token = links.make(args.role, args.name, _AUTHOR, unix_ms)
            url = f"{args.address.rstrip('/')}/l/{token}"
            print(*link_lines.lines(number, args.role, args.name, url), sep="\n")
        else:
            for one in links.every:
                print(f"link {one.id}  {one.role}  {one.name}{'  revoked' if one.revoked else ''}")
    return 0
