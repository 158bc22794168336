"""A link as a QR code: for a page, and for a terminal."""

import urllib.parse
from collections.abc import Iterable

import segno

from host.base.standard_streams import can_show

_QUIET = 2
_HALVES = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}  # (above, below), 1 is dark
_ONLY_HERE = (
    "no QR code: this address opens on this computer alone; with serve --lan phones open it"
)


def address_of(url: str) -> str:
    """Return a QR code as the address of a picture (SVG), black on white."""
    return segno.make(url, micro=False).svg_data_uri(scale=4, border=4, light="#fff")


def opens_elsewhere(url: str) -> bool:
    """Whether another device, such as a phone, can open an address."""
    host = urllib.parse.urlsplit(url).hostname or ""
    return host not in ("localhost", "::1") and not host.startswith("127.")


def lines(url: str) -> list[str]:
    """Return a QR code as lines of half blocks, for a dark terminal."""
    rows = [list(row) for row in segno.make(url, micro=False, error="l").matrix_iter(border=_QUIET)]
    if len(rows) % 2:  # a line of text shows two rows
        rows.append([0] * len(rows[0]))
    return [
        "".join(_HALVES[bool(top), bool(bottom)] for top, bottom in zip(above, below, strict=True))
        for above, below in zip(rows[::2], rows[1::2], strict=True)
    ]


def link_lines(number: int, role: str, name: str, url: str, also: Iterable[str] = ()) -> list[str]:
    """Return the lines that show a link, its ``url`` last; before it the same link at the addresses
    ``also``, for people in other networks.
    """
    code = lines(url) if opens_elsewhere(url) else [_ONLY_HERE]
    shown = code if can_show("".join(code)) else []  # a QR code of question marks opens nothing
    elsewhere = [f"in another network: {address}" for address in also]
    return [*shown, *elsewhere, f"link {number}, {role}, for {name}: {url}"]
