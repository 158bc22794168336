"""``plusthree doctor``: check this PC's Bluetooth before an event."""

import asyncio
import json
import pathlib
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from host.base.errors import UserError
from host.base.private_files import text_before, write_whole
from host.collector.carriers import adapters, doctor, platforms, radio_process
from host.collector.carriers.probe import MOST, Measured, Probe

_EPILOG = (
    "Have four or more boards switched on nearby, and no serve running: it holds the radio. Takes"
    " half a minute."
)
_SECTION = re.compile(r"^\[pc_\w+\]\n(?:(?!\[).*\n?)*", re.MULTILINE)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "--adapter", metavar="HCI", help="which adapter, where there are several (Linux): hci1"
    )
    parser.add_argument(
        "--no-radio", action="store_true", help="do not listen: look at adapters and settings alone"
    )
    parser.add_argument("--json", action="store_true", help="print one object instead of lines")
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        metavar="FILE",
        help="put the figures into FILE, as bringup --out does",
    )


def run(args: Namespace) -> int:
    """Check and print; return 0 if all is fine, 1 if something must be done.

    Raises UserError if the radio process cannot be started or ``--out`` cannot be written.
    """
    system = platforms.system()
    adapter, _ = adapters.choose(args.adapter)
    pc = doctor.Pc(system, adapter, release=doctor.release(system))
    if system == platforms.LINUX:
        pc.bluez = doctor.bluez_version()
    pc.measured = Measured() if args.no_radio else _measured(adapter)
    found = [one for one in doctor.findings(pc) if not args.no_radio or one.part != "listening"]
    told = doctor.figures(pc.measured)
    print(as_json(system, found, told) if args.json else as_text(found))
    if args.out:
        write(args.out, told, system)
    return int(any(one.grade == doctor.LOOK for one in found))


def _measured(adapter):
    start = radio_process.HeldRadio(adapter, ("--links", str(MOST)))
    try:
        return asyncio.run(Probe(start).run())
    except OSError as error:
        raise UserError(f"no other process can be started: {error.strerror}") from error


def as_text(found: Sequence[doctor.Finding]) -> str:
    """Return one line per Finding and a summary line."""
    lines = [
        f"{one.grade:<8} {one.part:<14} {one.said}" + (f": {one.do}" if one.do else "")
        for one in found
    ]
    left = sum(one.grade == doctor.LOOK for one in found)
    return "\n".join([*lines, f"{left} to look at" if left else "this PC is ready"])


def as_json(system: str, found: Sequence[doctor.Finding], told: Mapping[str, float]) -> str:
    """Return the report as one JSON object; ``told``: measured figures by name."""
    findings = [asdict(one) for one in found]
    return json.dumps({"system": system, "findings": findings, "figures": told})


def write(path: pathlib.Path, told: Mapping[str, float], system: str) -> None:
    """Write figures into a prices file, in place of its earlier figures of a PC.

    Raises UserError if the file cannot be written.
    """
    try:
        before = _SECTION.sub("", text_before(path))
        write_whole(
            path, "\n".join(filter(None, [before.rstrip("\n"), *_sections(told, system)])) + "\n"
        )
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be written: {error}") from error


def _sections(told, system):
    for name, value in told.items():
        yield (
            f'\n[{name}]\nvalue = {value}\non = {{{system} = {value}}}\nbasis = "measured"\nsource'
            f' = "plusthree doctor, {system}"'
        )
