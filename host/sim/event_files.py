"""The files that the demo leaves: every export, and the paper as HTML and (with Chromium) as
PDF.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from host.base import installation
from host.base.private_files import write_whole
from host.reports.export_forms import FORMS
from host.reports.paper import pdf
from host.reports.paper.content import Content
from host.reports.paper.pages import page

if TYPE_CHECKING:
    from host.desk.station import Station


KINDS = ("pairings", "names", "slips", "outstanding", "incidents")
EXPORTS, PAPER = "exports", "paper"


def write_files(station: Station, folder: Path) -> list[str]:
    """Write exports and paper below ``folder``; return lines that say where they are."""
    files = [FORMS[form](station.archive, station.hall, None) for form in FORMS]
    for name, text in files:
        write_whole(folder / EXPORTS / name, text, new_folder=True)
    content = Content(station.archive, station.hall)
    sheets = [folder / PAPER / f"{kind}.html" for kind in KINDS]
    for kind, path in zip(KINDS, sheets, strict=True):
        write_whole(path, page(kind, content), new_folder=True)
    browser = pdf.chromium()
    for path in sheets:
        pdf.made(path, path.with_suffix(".pdf"), browser)
    printed = f"{len(sheets)} PDFs"
    return [
        f"Exports: {folder / EXPORTS} ({', '.join(name for name, _ in files)})",
        f"Paper:   {folder / PAPER} ({len(sheets)} pages as HTML, {printed})",
    ]


def desk_hint(archive: Path) -> list[str]:
    """Return lines that say how to open the web desk over an archive and over a virtual venue."""
    start, path = f"{installation.command()} serve", installation.quoted(archive)
    return [
        f"Pages:   {start} {path} --no-radio   (the desk, over what was played here)",
        f"         {start} --virtual 16   (the same over a hall at play; type: open)",
    ]
