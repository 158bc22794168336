"""Acts on the web desk's links, typed at a running host."""

from host.archive.roles import ROLES
from host.base.errors import UserError
from host.server.act import Act, whole


def _service(console):
    if console.desk_service is None:
        raise UserError("no web desk is served here")
    return console.desk_service


def _link(console, role, *name):
    if role.casefold() not in ROLES:
        raise UserError(f"a role is one of {', '.join(ROLES)}")
    return _service(console).told_link(role.casefold(), " ".join(name), console.author)


def _links(console):
    found = _service(console).links.every
    return [
        f"link {one.id}  {one.role}  {one.name}{'  revoked' if one.revoked else ''}"
        for one in found
    ]


def _unlink(console, number):
    service = _service(console)
    service.links.revoke(whole(number), console.author, service.unix_ms)
    service.change_feed.streams.end(whole(number))
    return [f"link {number} is revoked"]


ACTS = (
    Act("link", "ROLE NAME…", _link, f"make a link to the web desk: {', '.join(ROLES)}"),
    Act("links", "", _links, "list who has a link to the web desk"),
    Act("unlink", "NUMBER", _unlink, "revoke a link"),
)
