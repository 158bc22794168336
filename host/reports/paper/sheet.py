"""A printable page: one HTML file with its style inside, without scripts, links or pictures.

All text goes through ``text``: markup is escaped, and invisible characters are
removed. Names are in ``<bdi>``, so that their direction does not affect their surroundings.
"""

import html
import re
from collections.abc import Iterable, Sequence

from host.base import plain_text

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
@page { size: A4; margin: 12mm 12mm 14mm; }
* { box-sizing: border-box; }
html {
  font: 11pt/1.35 "Noto Sans", "DejaVu Sans", Arial, sans-serif; color: #000; background: #fff;
}
body { max-width: 186mm; margin: 0 auto; }
h1 { font-size: 17pt; margin: 0; }
.under { margin: 1mm 0 5mm; }
table { width: 100%; border-collapse: collapse; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td {
  text-align: left; vertical-align: top; padding: 1.4mm 2mm; border-bottom: .25mm solid #888;
}
th { border-bottom: .6mm solid #000; }
tbody tr:nth-child(even) { background: #f1f1f1; }
.p { overflow-wrap: anywhere; min-width: 34mm; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
td.n { white-space: nowrap; }
td.hex { font-family: "Noto Sans Mono", "DejaVu Sans Mono", monospace; font-size: 9pt; }
td.table { font-weight: bold; font-size: 13pt; }
.slips {
  display: grid; grid-template-columns: 1fr 1fr; grid-auto-rows: 64mm; gap: 3mm; font-size: 9.5pt;
}
.slip {
  border: .4mm dashed #000; padding: 3mm; break-inside: avoid; overflow: hidden; min-width: 0;
}
.slip p { margin: 0 0 1.5mm; }
.slip p.event { max-height: 1.35em; overflow: hidden; }
.slip .head { display: flex; justify-content: space-between; font-weight: bold; font-size: 12pt; }
.slip table { margin: 1.5mm 0 2mm; }
.slip th, .slip td { padding: 1mm; border: .2mm solid #888; background: #fff; white-space: nowrap; }
.slip .p { white-space: normal; width: 100%; min-width: 0; }
.slip .p div { max-height: 2.7em; overflow: hidden; }
.slip .p .long { font-size: 8pt; line-height: 1.2; max-height: 3.6em; }
/* narrower than DejaVu, but without letters that some names need */
.slip th, .slip td:not(.p), .slip .p .long {
  font-family: "Noto Sans", Arial, "Liberation Sans", "DejaVu Sans", sans-serif;
}
.slip p.members {
  font-size: 8pt; line-height: 1.25; margin: 0 0 .8mm; max-height: 2.5em; overflow: hidden;
}
.slip p.members.long { font-size: 7pt; }
.slip .members .box { width: 3mm; height: 3mm; vertical-align: -.5mm; }
.slip .lines { display: flex; gap: 4mm; margin: 3mm 0 0; }
.slip .lines > span {
  flex: 0 1 50%; display: flex; gap: 1.5mm; align-items: baseline; white-space: nowrap;
}
.slip .lines .line { flex: 1; width: auto; min-width: 14mm; }
.slip th.p { font-weight: normal; white-space: nowrap; }
.slip .short { width: 9mm; }
.slip p.members ~ .lines { font-size: 7.5pt; gap: 2mm; }
.slip p.members ~ .lines + .lines { margin-top: 1.5mm; }
.slip p.members ~ .lines .line { min-width: 5mm; }
.champion { font-size: 15pt; font-weight: bold; margin: 0 0 4mm; }
.bracket { display: flex; gap: 7mm; margin-bottom: 6mm; break-inside: avoid; font-size: 10pt; }
.bracket .column { flex: 1 1 0; min-width: 0; display: flex; flex-direction: column; }
.round { font-size: 9pt; margin: 0 0 1mm; }
.bracket .slots { flex: 1; display: flex; flex-direction: column; }
.bracket .slot {
  flex: 1 1 0; position: relative; display: flex; flex-direction: column; justify-content: center;
  padding: .8mm 0;
}
.match {
  margin: 0; border: .3mm solid #555; border-radius: 1mm; overflow: hidden; max-width: 60mm;
}
.player { display: flex; gap: 1.5mm; padding: .6mm 1.5mm; min-height: 1.35em; }
.player + .player { border-top: .2mm solid #aaa; }
.player bdi {
  flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.player.won { font-weight: bold; background: #e4e4e4; }
.column:not(:last-child) .slot:not(.none)::after {
  content: ""; position: absolute; left: 100%; width: 3.5mm; height: 50%; border: 0 solid #555;
  border-right-width: .3mm;
}
.slot:nth-child(odd)::after { top: 50%; border-top-width: .3mm !important; }
.slot:nth-child(even)::after { bottom: 50%; border-bottom-width: .3mm !important; }
.column:not(:first-child) .slot:not(.none)::before {
  content: ""; position: absolute; right: 100%; width: 3.5mm; top: 50%; border-top: .3mm solid #555;
}
.bracket.dense { font-size: 7pt; gap: 4mm; }
.dense .slot { padding: .3mm 0; }
.dense .player { padding: 0 1mm; }
.dense .slot::after, .dense .slot::before { width: 2mm !important; }
.places { width: 60mm; margin-bottom: 6mm; font-size: 10pt; }
.box {
  display: inline-block; width: 4mm; height: 4mm; border: .35mm solid #000;
  vertical-align: -.8mm;
}
.line { display: inline-block; width: 24mm; border-bottom: .3mm solid #000; }
@media print { body:has(.slips) h1, body:has(.slips) .under { display: none; } }
@media screen { body { padding: 6mm; } }
@media print { * { print-color-adjust: exact; } }
"""


def plain(value: str | int) -> str:
    """Return text without invisible characters."""
    return re.sub(r"[\t\r\n]", " ", plain_text.visible(str(value)))


def text(value: str | int) -> str:
    """Return a value as HTML text."""
    return html.escape(plain(value))


def name(value: str | int) -> str:
    """Return a name as HTML whose direction does not affect its surroundings."""
    return f"<bdi>{text(value)}</bdi>"


def table(heads: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table; ``heads`` are ``(text, class)``, cells are HTML."""
    top = "".join(f'<th scope="col" class="{kind}">{text(head)}</th>' for head, kind in heads)
    body = ""
    for row in rows:
        pairs = zip(row, heads, strict=True)
        cells = "".join(f'<td class="{kind}">{cell}</td>' for cell, (_, kind) in pairs)
        body += f"<tr>{cells}</tr>\n"
    return f"<table><thead><tr>{top}</tr></thead>\n<tbody>\n{body}</tbody></table>\n"


def page(language: str, title: str, under: str, body: str) -> str:
    """Return the whole file; ``under`` (the line below the title) and ``body`` are HTML."""
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{text(title)}</h1>\n<p class="under">{under}</p>\n{body}</body>\n</html>\n'
    )
