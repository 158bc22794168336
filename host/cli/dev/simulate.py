"""``plusthree dev simulate``: run a virtual venue from a seed and check every result."""

import asyncio
import json
import math
import pathlib
import sqlite3
import tempfile
import time
from argparse import ArgumentParser, Namespace

from host.base.errors import UserError
from host.cli import options
from host.collector.carriers.platforms import LINUX, SYSTEMS
from host.collector.collector import MOST_CONNECTIONS
from host.sim import clock, prices
from host.sim.evening import Evening
from host.sim.programme import FORMATS, RandomProgramme, begin
from host.sim.pure import TABLES_AN_ADAPTER, PureAir
from host.sim.torture.seed_runs import memory_folder
from host.sim.venue import OPENED_UNIX_MS
from host.systems import catalogue

MOST_TABLES = 2000
_ONE_ADAPTER = 200  # tables that one can tell of a round before they are seated
_CACHE_KB = 65536  # of the archive's pages: all of a round's


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.add_argument("--tables", type=int, default=8, metavar="N", help="boards in the hall (8)")
    parser.add_argument("--rounds", type=int, default=1, metavar="R", help="rounds played (1)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="the same seed, the same evening"
    )
    parser.add_argument(
        "--system",
        default="p18",
        metavar="NAME|FILE",
        help=f"what is played: {', '.join(FORMATS)}, or an organiser's TOML file (p18)",
    )
    _air_arguments(parser)
    options.add_flag(parser, "--json", "print one JSON object and nothing else")
    prices.add_arguments(parser)


def _air_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--air",
        choices=("pure", "ether", "ble"),
        default="pure",
        help="frames alone, a modelled radio, or a BLE stack",
    )
    parser.add_argument(
        "--pc",
        choices=tuple(SYSTEMS),
        default=LINUX,
        help="what the host's PC runs, over ether and ble (linux)",
    )
    parser.add_argument(
        "--adapters",
        type=int,
        metavar="N",
        help="Bluetooth adapters of the host, over the pure air"
        f" (1, beyond {_ONE_ADAPTER} tables one for each {TABLES_AN_ADAPTER})",
    )
    parser.add_argument(
        "--loss", type=float, default=0.0, metavar="P", help="what the air loses, 0 to 0.9"
    )
    parser.add_argument(
        "--load",
        type=float,
        default=0.25,
        metavar="P",
        help="the share of each channel that others take, over ether, 0 to 0.9 (0.25)",
    )


def run(args: Namespace) -> int:
    """Run and print; return 1 if a result was lost or doubled or an invariant broke, else 0."""
    _check(args)
    book = prices.load(args.prices)
    started_s = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="plusthree-", dir=memory_folder()) as folder:
        facts, virtual_s = clock.run(_evening(args, pathlib.Path(folder), book))
    run_of = {name: getattr(args, name) for name in ("tables", "rounds", "seed", "air")}
    run_of["adapters"] = _adapters(args)
    summary = facts.as_object(run_of, virtual_s, time.perf_counter() - started_s)
    if args.json:
        print(json.dumps(summary))
    else:
        for name, value in summary.items():
            print(f"{name:18} {value}")
    return 0 if facts.sound else 1


def _exclusive_connection(path):
    """Connect to an archive that nobody reads meanwhile, and so without a lock at each commit."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
    return connection


def _check(args):
    if not 1 <= args.tables <= MOST_TABLES:
        raise UserError(f"--tables is from 1 to {MOST_TABLES}")
    if not 1 <= args.rounds <= 255:
        raise UserError("--rounds is from 1 to 255")
    if not 0 <= args.loss <= 0.9:
        raise UserError("--loss is from 0 to 0.9")
    if not 0 <= args.load <= 0.9:
        raise UserError("--load is from 0 to 0.9")
    if args.adapters is not None and args.air != "pure":
        raise UserError("--adapters is for the pure air: the others have one")
    if not 1 <= _adapters(args) <= MOST_TABLES:
        raise UserError(f"--adapters is from 1 to {MOST_TABLES}")
    if args.loss and args.air == "ether":
        raise UserError("--loss is not for ether, where packets are lost by --load and collisions")


def _adapters(args):
    if args.adapters is not None:
        return args.adapters
    if args.tables <= _ONE_ADAPTER or args.air != "pure":
        return 1
    return math.ceil(args.tables / TABLES_AN_ADAPTER)


async def _evening(args, folder, book):
    loop = asyncio.get_running_loop()
    own = None if args.system in FORMATS else catalogue.load(args.system)
    programme = RandomProgramme(args.tables, args.seed, args.system, own)
    path = folder / "venue.sqlite"
    if own is not None:
        begin(path, programme.event, own, OPENED_UNIX_MS)
    evening = Evening(
        loop, _air(args, loop, book), path, programme, args.seed,
        prices=book, connect=_exclusive_connection, links=_adapters(args) * MOST_CONNECTIONS,
    )  # fmt: skip
    try:
        return await evening.play(range(1, args.rounds + 1)), loop.time()
    finally:
        evening.venue.close()


def _air(args, loop, book):
    if args.air == "pure":
        return PureAir(loop, args.seed, args.loss, _adapters(args))
    from host.sim import bluetooth_quirks
    from host.sim.air import BleAir
    from host.sim.ether.air import EtherAir

    profile = bluetooth_quirks.profile(args.pc, book)
    if args.air == "ether":
        return EtherAir(loop, args.seed, args.tables, args.load, profile)
    return BleAir(loop, args.seed, args.loss, profile)
