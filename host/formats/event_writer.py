"""Writes an EventFile as text that ``event_file`` can read: a draft for the organiser to check."""

import csv
import io

from host.formats.event_file import COLUMNS, EventFile
from host.formats.formula_guard import guarded
from host.formats.round_format import words_of
from host.systems.rules import Catalogue


def text_of(file: EventFile, systems: Catalogue | None = None) -> str:
    """Return the CSV of an EventFile, guarding cells that a spreadsheet could take for formulas.

    ``systems``: the event's catalogue; None: the built-in one.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    if file.event:
        writer.writerow([f"# event: {file.event}"])
    writer.writerow([f"# round: {file.round}"])
    writer.writerow([f"# format: {words_of(file.format, systems)}"])
    if file.pods:
        circles = " / ".join(" ".join(one) for one in file.pods.circles)
        writer.writerow([f"# pods: {file.pods.kind} {circles}"])
    if file.pack:
        writer.writerow([f"# pack: {file.pack}"])
    writer.writerow(COLUMNS)
    for one in file.pairings:
        b = (one.b.number, one.b.name) if one.b else ("", "")
        cells = ("" if one.table is None else one.table, one.a.number, one.a.name, *b)
        writer.writerow([guarded(cell) for cell in cells])
    return text.getvalue()
