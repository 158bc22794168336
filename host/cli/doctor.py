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
from host.cli import options
from host.collector.carriers import adapters, doctor, platforms, radio_process
from host.collector.carriers.probe import MOST, Measured, Probe

_EPILOG = (
    "Have four or more boards switched on nearby, and no serve running: it holds the radio. Takes"
    " half a minute."
)
_SECTION = re.compile(r"^\[pc_\w+\]\n(?:(?!\[).*\n?)*", re.MULTILINE)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    parser.epilog = _EPILOG
    parser.add_argument(
        "--adapter", metavar="HCI", help="which adapter, where there are several (Linux): hci1"
    )
    options.add_flag(parser, "--no-radio", "do not listen: look at adapters and settings alone")
    options.add_json(parser)
    options.add_path(parser, "--out", "FILE", "put the figures into FILE, as bringup --out does")


def run(args: Namespace) -> int:
    """Check and print; return 0 if all is fine, 1 if something must be done.

    Raises UserError if the radio process cannot be started or ``--out`` cannot be written.
    """
    system = platforms.system()
    adapter, _ = adapters.choose(args.adapter)
    pc = doctor.Pc(system, adapter, release=doctor.release(system))
    if system == platforms.LINUX:
        pc.bluez = doctor.bluez_version()
    pc.measured = Measured() if args.no_radio else _measure(adapter)
    findings = doctor.findings(pc)
    if args.no_radio:
        findings = [finding for finding in findings if finding.part != "listening"]
    measured = doctor.figures(pc.measured)
    print(as_json(system, findings, measured) if args.json else as_text(findings))
    if args.out:
        write(args.out, measured, system)
    return int(any(finding.grade == doctor.LOOK for finding in findings))


def _measure(adapter):
    start = radio_process.HeldRadio(adapter, ("--links", str(MOST)))
    try:
        return asyncio.run(Probe(start).run())
    except OSError as error:
        raise UserError(f"no other process can be started: {error.strerror}") from error


def as_text(findings: Sequence[doctor.Finding]) -> str:
    """Return one line per Finding and a summary line."""
    lines = [
        f"{finding.grade:<8} {finding.part:<14} {finding.said}"
        + (f": {finding.do}" if finding.do else "")
        for finding in findings
    ]
    to_do = sum(finding.grade == doctor.LOOK for finding in findings)
    return "\n".join([*lines, f"{to_do} to look at" if to_do else "this PC is ready"])


def as_json(system: str, results: Sequence[doctor.Finding], measured: Mapping[str, float]) -> str:
    """Return the report as one JSON object; ``measured``: figures by name."""
    findings = [asdict(finding) for finding in results]
    return json.dumps({"system": system, "findings": findings, "figures": measured})


def write(path: pathlib.Path, measured: Mapping[str, float], system: str) -> None:
    """Write figures into a prices file, in place of its earlier figures of a PC.

    Raises UserError if the file cannot be written.
    """
    try:
        others = _SECTION.sub("", text_before(path)).rstrip("\n")
        sections = [*_sections(measured, system)]
        write_whole(path, "\n".join([others, *sections] if others else sections) + "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be written: {error}") from error


def _sections(measured, system):
    for name, value in measured.items():
        yield (
            f'\n[{name}]\nvalue = {value}\non = {{{system} = {value}}}\nbasis = "measured"\nsource'
            f' = "plusthree doctor, {system}"'
        )
