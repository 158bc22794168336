"""``plusthree pair FILE``: draft round 1 or the next round as an event file to check."""

import os
import pathlib
import secrets
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from host.archive import draft_pods, places
from host.archive.draft_pods import KINDS
from host.archive.roster import Player
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.private_files import write_whole
from host.base.standard_streams import printable
from host.cli import options
from host.event import event_systems
from host.event.archive_view import view
from host.event.scores import rounds_of
from host.formats import event_file, people_file, player_numbers
from host.formats.csv_reader import removal_notice
from host.formats.import_file import SHEETS
from host.formats.round_format import EXAMPLE, UNTIMED_MIN, parse_format
from host.systems import catalogue
from host.tournament import event_pack, pods, rule_packs
from host.tournament.round_draft import DraftRequest, draft, first_draft
from host.tournament.xwing_pairing import AcrossPoints

# options of the rounds after the first
_LATER = ("cut", "drop", "late", "through", "bye", "across")
EPILOG = (
    "Pairing starts nothing: plusthree import takes the draft in, and the desk publishes and"
    " starts it."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.epilog = EPILOG
    parser.add_argument(
        "out", metavar="FILE", type=pathlib.Path, help="the event file to write (.csv)"
    )
    options.add_archive(parser)
    options.add_system(parser)
    options.add_pack(parser)
    _add_first_round(parser)
    parser.add_argument("--seed", type=int, help="the random seed (default: drawn and printed)")
    parser.add_argument(
        "--drop", action="append", default=[], metavar="NUMBER", help="a player who leaves"
    )
    parser.add_argument(
        "--late",
        action="append",
        default=[],
        type=options.text,
        metavar="NUMBER=NAME",
        help="a player who comes in",
    )
    _add_further(parser)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=int, help="the round's minutes (default: as the last)")
    length.add_argument(
        "--untimed", action="store_true", help=f"no limit, as in a final ({UNTIMED_MIN} minutes)"
    )


def _add_further(parser):
    """Add the arguments for cuts, card drafts and X-Wing."""
    parser.add_argument(
        "--cut",
        type=int,
        metavar="N",
        help="pair a bracket of the top N; who shares a rank is placed by lot",
    )
    parser.add_argument(
        "--pods", choices=KINDS, metavar="KIND",
        help=f"draft cards ({', '.join(KINDS)}): draw pods, and pair inside them from then on",
    )  # fmt: skip
    parser.add_argument(
        "--through", action="append", default=[], metavar="NUMBER",
        help="--cut: a player who goes on, where a shared rank or pods leave it open",
    )  # fmt: skip
    parser.add_argument(
        "--bye", default="", metavar="NUMBER", help="who has the bye, where the rules leave it open"
    )
    options.add_flag(
        parser, "--across", "X-Wing: where everybody on equal points has met, pair across points"
    )


def _add_first_round(parser):
    """Add the arguments for a first round, which has no archive to draw on."""
    options.add_path(
        parser,
        "--players",
        "LIST",
        "round 1: the people (CSV: number,name,family,travel; or TOM's .tdf)",
    )
    parser.add_argument(
        "--event",
        default="Event",
        type=options.text,
        help="round 1: the event's name (default: %(default)s)",
    )
    parser.add_argument(
        "--format", metavar="WORDS", help=f'round 1: what is played, as in "{EXAMPLE}"'
    )


def run(args: Namespace) -> int:
    """Write the draft and print it; return 0. Raises UserError if no pairing is possible."""
    if args.out.suffix.casefold() not in SHEETS:
        endings = " or ".join(SHEETS)
        raise UserError(f"{args.out} could not be imported: an event file's name ends in {endings}")
    if args.out.exists():
        raise UserError(f"{args.out} is there already; a draft does not replace a file")
    if args.minutes is not None and not 1 <= args.minutes <= UNTIMED_MIN:
        raise UserError(f"--minutes must be from 1 to {UNTIMED_MIN}")
    seed = secrets.randbelow(2**32) if args.seed is None else args.seed
    minutes = UNTIMED_MIN if args.untimed else args.minutes
    pack = rule_packs.load(args.pack) if args.pack else None
    request = DraftRequest(
        pack=pack, seed=seed, drop=frozenset(args.drop), late=tuple(map(_player, args.late)),
        cut=args.cut, minutes=minutes, pods=args.pods or "", through=frozenset(args.through),
        across=args.across, bye=args.bye,
    )  # fmt: skip
    try:
        if args.players:
            file, systems, remarks = _first_round(args, request)
        else:
            file, systems, remarks = _next_round(args, request)
    except AcrossPoints as question:
        raise UserError(f"{question}; pair across points with --across, or by hand") from None
    if pack:
        file = replace(file, pack=rule_packs.word_of(pack) or _relative(args.out, args.pack))
    write_whole(args.out, event_file.text_of(file, systems), "utf-8-sig", new_folder=True)
    for pairing in file.pairings:
        names = " – ".join(f"{player.name} ({player.number})" for player in pairing.players)
        print(printable(f"{pairing.table or 'bye':>4}  {names}"))
    if file.pods:
        print("\n".join(map(printable, _circles(file))))
    if args.players:
        remarks = [*remarks, *removal_notice(args.players)]
    for remark in remarks:
        print(printable(remark))
    print(f"round {file.round} drafted in {args.out} (seed {seed})")
    return 0


def _circles(file):
    """Return a line for each pod, its players by seat."""
    players = [player for pairing in file.pairings for player in pairing.players]
    names = {player.number: player.name for player in players}
    for pod, circle in enumerate(file.pods.circles, 1):
        seats = ", ".join(f"{seat} {names[number]}" for seat, number in enumerate(circle, 1))
        yield f"pod {pod}: {seats}"


def _relative(out, path):
    """Return a file's path as seen from the folder of another; whole on another Windows drive."""
    try:
        return pathlib.Path(os.path.relpath(path, out.parent)).as_posix()
    except ValueError:
        return path.resolve().as_posix()


def _next_round(args, request):
    """Return the draft of the next round, the event's systems, and remarks on the draft."""
    with view(args.archive) as (archive, hall):
        request = replace(request, pack=event_pack.of_event(archive, request.pack))
        rounds = rounds_of(archive, hall)
        file = draft(archive, rounds, request)
        drawn = file.pods or draft_pods.in_force(archive, file.round)
        swiss = [past.number for past in rounds if not past.elimination]
        return file, event_systems.of(archive), [*file.remarks, *_pod_remarks(file, drawn, swiss)]


def _pod_remarks(file, drawn, swiss=()):
    """Return Sentences on a round in the pods ``drawn``; ``swiss``: the Swiss rounds before it."""
    if not drawn:
        return []
    if not file.format.elimination:
        swiss = (*swiss, file.round)
    return pods.remarks(drawn, file.round, swiss)


def _first_round(args, request):
    """Return the same as ``_next_round`` for round 1, drawn from a list of players."""
    if not args.format:
        raise UserError(f'round 1 needs what is played: --format "{EXAMPLE}"')
    given = {**vars(args), "cut": args.cut is not None}
    later = [option for option in _LATER if given[option]]
    if later:
        raise UserError(f"round 1 is drawn from the list of players alone: leave --{later[0]} out")
    systems, boards = _known_systems(args)
    try:
        form = parse_format(args.format, systems)
    except ValueError as error:
        raise UserError(str(error)) from None
    name, rules = catalogue.by_number(systems, form.system)
    assert rules is not None  # the format was read with these systems
    if request.pack:
        event_pack.require_system(request.pack, name)
    people = people_file.read(args.players)
    file = first_draft(people, args.event, form, rules, request, boards)
    return file, systems, _pod_remarks(file, file.pods)


def _known_systems(args):
    """Return the catalogue, with the system given now, and the tables that have a board."""
    systems, boards = catalogue.built_in(), []
    if places.exists(args.archive):
        with Archive(args.archive) as archive:
            systems = event_systems.of(archive)
            boards = archive.roster.tables
    return catalogue.join(systems, args.system), boards


def _player(text):
    number, equals, name = text.partition("=")
    if not equals or not number.strip() or not name.strip():
        raise UserError(f"{text!r} is not NUMBER=NAME")
    try:
        return Player(player_numbers.restore(number.strip()), " ".join(name.split()))
    except ValueError as error:
        raise UserError(str(error)) from None
