"""Makes a personal link and shows it once in a terminal: its address and its QR code."""

from collections.abc import Iterable

from host.archive.access_links import AccessLinks
from host.base.terminal import can_show
from host.web import qr

_ONLY_HERE = (
    "no QR code: this address opens on this computer alone; with serve --lan phones open it"
)


def lines(
    links: AccessLinks, address: str, role: str, name: str, author: str, unix_ms: int,
    also: Iterable[str] = (),
) -> list[str]:  # fmt: skip
    """Make a link in ``links``; return the lines that show it, the ``address`` last; before it the
    same link at the addresses ``also`` for people in other networks.

    Raises UserError for a name that is empty or too long.
    """
    number, token = links.make(role, name, author, unix_ms)
    url = f"{address}/l/{token}"
    code = qr.lines(url) if qr.opens_elsewhere(url) else [_ONLY_HERE]
    shown = code if can_show("".join(code)) else []  # a QR code of question marks opens nothing
    elsewhere = [f"in another network: {one}/l/{token}" for one in also]
    return [*shown, *elsewhere, f"link {number}, {role}, for {name}: {url}"]
