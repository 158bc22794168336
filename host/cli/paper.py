"""``plusthree paper KIND``: write pairings, slips, lists and the incident log as HTML and PDF."""

import json
import pathlib
from argparse import ArgumentParser, Namespace

from host.archive import master_key
from host.base import catalogues
from host.base.private_files import write_whole
from host.cli import options
from host.event.archive_view import view
from host.event.scores import rounds_of
from host.keys.judge_codes import CodeRequest
from host.keys.keyring import Keyring
from host.reports.paper import pdf
from host.reports.paper.content import Content
from host.reports.paper.pages import KINDS, page
from host.tournament import final_places

ALL, CODES, FOLDER = "all", "codes", pathlib.Path("paper")
# of ``all`` are the pages that every round has; a rule pack adds standings
_STANDINGS = "standings"
_NOT_OF_ALL = (CODES, "pods", "commitments", _STANDINGS)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    kinds = [*(kind for kind in KINDS if kind != CODES), ALL]
    parser.add_argument("kind", metavar="KIND", choices=kinds, help=", ".join(kinds))
    options.add_archive(parser)
    options.add_path(parser, "--out", "DIR", "the folder (default: %(default)s)", FOLDER)
    options.add_pack(parser)
    add_page_arguments(parser)


def add_page_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of every page."""
    parser.add_argument(
        "--round", type=int, help="the round (default: the last; of standings the last finished)"
    )
    parser.add_argument(
        "--language",
        choices=catalogues.languages(),
        default=catalogues.ENGLISH,
        help="of the page (default: %(default)s)",
    )
    options.add_flag(parser, "--no-pdf", "only HTML, no PDF")
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Write the pages; print their names; return 0."""
    return write(args, CodeRequest())


def write(args: Namespace, asked: CodeRequest) -> int:
    """Write the pages of ``args.kind``, of codes those that are ``asked``; return 0."""
    files, secret = [], args.kind == CODES  # unused codes are as secret as a key
    for path, text in _pages(args, asked).items():
        write_whole(path, text, secret=secret, new_folder=True)
        files.append(path)
    if not args.no_pdf:
        browser = pdf.chromium()
        for path in files[:]:
            files.append(path.with_suffix(".pdf"))
            pdf.print_page(path, files[-1], browser, secret)
    if args.json:
        print(json.dumps({"files": list(map(str, files))}))
        return 0
    print("\n".join(map(str, files)))
    return 0


def _pages(args, asked):
    """Return ``{path: HTML}`` of the requested pages."""
    with view(args.archive) as (archive, hall):
        pack, rounds = options.pack_of(args, archive), rounds_of(archive, hall)
        kinds = [args.kind] if args.kind != ALL else _of_all(pack, rounds)
        keyring = _keyring(args.archive, archive) if CODES in kinds else None
        contents = dict.fromkeys(kinds, Content(archive, hall, args.round, pack, keyring, asked))
        if _STANDINGS in kinds and args.round is None:
            number = final_places.last_finished(rounds)
            contents[_STANDINGS] = Content(archive, hall, number, pack)
        return {
            args.out / f"{kind}-round-{content.round.number}.{args.language}.html": page(
                kind, content, args.language
            )
            for kind, content in contents.items()
        }


def _of_all(pack, rounds):
    """Return the kinds that a round has; standings need a rule pack and a finished round."""
    kinds = [kind for kind in KINDS if kind not in _NOT_OF_ALL]
    if pack and final_places.finished_rounds(rounds):
        kinds.append(_STANDINGS)
    return kinds


def _keyring(path, archive):
    return Keyring(master_key.load(master_key.path_of(path)), archive.roster)
