"""A personal link made and told in a terminal: its address and its QR code, this once."""

from host.web import qr


def lines(links, address, role, name, author, unix_ms):
    """Make a link in ``links``; return the lines that tell it, the address last. Raises UserError."""
    number, token = links.make(role, name, author, unix_ms)
    url = f"{address}/l/{token}"
    return [*qr.lines(url), f"link {number}, {role}, for {name}: {url}"]
