"""Makes a personal link and shows it once in a terminal: its address and its QR code."""

from host.archive.access_links import AccessLinks
from host.base.terminal import can_show
from host.web import qr


def lines(
    links: AccessLinks, address: str, role: str, name: str, author: str, unix_ms: int
) -> list[str]:
    """Make a link in ``links``; return the lines that show it, the address last.

    Raises UserError for a name that is empty or too long.
    """
    number, token = links.make(role, name, author, unix_ms)
    url = f"{address}/l/{token}"
    code = qr.lines(url)
    shown = code if can_show("".join(code)) else []  # a QR code of question marks opens nothing
    return [*shown, f"link {number}, {role}, for {name}: {url}"]
