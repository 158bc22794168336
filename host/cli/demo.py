"""``plusthree demo``: play one round at eight virtual tables and write everything to a folder."""

import asyncio
import time
from argparse import ArgumentParser, Namespace

from host.base import installation
from host.base.errors import UserError
from host.cli import options
from host.reports.exports import write_results
from host.server.live_view import terminal
from host.sim import clock, prices
from host.sim.air import BleAir
from host.sim.evening import Evening
from host.sim.faces import drawn_faces
from host.sim.showcase import Progress, ScreenRecorder, Showcase, desk_hint, write_files

SEED = 2
LOSS = 0.05
ROUND_FILE = installation.file("examples/winter-cup.csv")
ARCHIVE = "demo.plusthree"
OURS = (
    f"{ARCHIVE}*",
    "table-*.png",
    "contact-sheet.png",
    "results.csv",
    "results.json",
    "exports/*",
    "paper/*",
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_path(
        parser, "--out", "DIR", "where archive, exports and pictures are left (out)", "out"
    )
    options.add_flag(parser, "--live", "in real time: about an hour")
    prices.add_arguments(parser)


def run(args: Namespace) -> int:
    """Play the round; return 0 if the archive matches the scripted play, else 1."""
    book = prices.load(args.prices)
    folder = _empty(args.out)
    started_s = time.perf_counter()
    facts = clock.run(_play(folder, args.live, book), sleep=time.sleep if args.live else None)
    wall_s = time.perf_counter() - started_s
    print(
        f"Everything is in {folder}: archive, results, screens and contact-sheet.png"
        f" ({wall_s:.1f} s)."
    )
    if facts.sound:
        print(
            f"The archive equals what the players did: {facts.archived} of {facts.expected}"
            " results."
        )
        return 0
    print(
        f"The archive DIFFERS from what the players did: {facts.lost} of {facts.expected} results"
        " lost."
    )
    for sentence in facts.violations:
        print(f"  {sentence}")
    return 1


def _empty(folder):
    """Make ``folder``, delete only the files of an earlier demo there, and return it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for pattern in OURS:
            for path in folder.glob(pattern):
                path.unlink()
    except OSError as failure:
        raise UserError(f"{folder} cannot be used: {failure.strerror or failure}") from None
    return folder


async def _play(folder, live, book):
    loop = asyncio.get_running_loop()
    assert isinstance(loop, clock.VirtualLoop)
    programme = Showcase(ROUND_FILE, SEED)
    air = BleAir(loop, SEED, LOSS)
    evening = Evening(
        loop, air, folder / ARCHIVE, programme, SEED, faces=drawn_faces(), prices=book
    )
    venue = evening.venue
    try:
        album = ScreenRecorder(loop, venue.tables)
        with Progress(loop, venue, live) as progress:
            evening.before_round = progress.begin
            facts = await evening.play([programme.file.round])
        _leave(venue.station, album, folder, progress)
        return facts
    finally:
        venue.close()


def _leave(station, album, folder, progress):
    """Write exports and pictures, and print how the tables ended."""
    write_results(station.archive, station.hall, folder)
    terminal().print(progress.tables())
    print(f"{album.save(folder)} screens drawn.")
    print("\n".join([*write_files(station, folder), *desk_hint(folder / ARCHIVE)]))
