"""A new personal link as lines of a terminal: its address and its QR code, once."""

from collections.abc import Iterable

from host.base.terminal import can_show
from host.web import qr

_ONLY_HERE = (
    "no QR code: this address opens on this computer alone; with serve --lan phones open it"
)


def lines(number: int, role: str, name: str, url: str, also: Iterable[str] = ()) -> list[str]:
    """Return the lines that show a link, its ``url`` last; before it the same link at the
    addresses ``also``, for people in other networks.
    """
    code = qr.lines(url) if qr.opens_elsewhere(url) else [_ONLY_HERE]
    shown = code if can_show("".join(code)) else []  # a QR code of question marks opens nothing
    elsewhere = [f"in another network: {one}" for one in also]
    return [*shown, *elsewhere, f"link {number}, {role}, for {name}: {url}"]
