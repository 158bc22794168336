"""Acts on the web desk's links, typed at a running host."""

from host.archive.roles import ROLES
from host.base.errors import UserError
from host.server.act import Act, whole
from host.server.operator import LinkDesk, Operator


def _desk(operator: Operator) -> LinkDesk:
    if operator.desk_service is None:
        raise UserError("no web desk is served here: start serve without --no-web")
    return operator.desk_service


def _link(operator: Operator, role: str, *name: str) -> list[str]:
    if role.casefold() not in ROLES:
        raise UserError(f"a role is one of {', '.join(ROLES)}")
    return _desk(operator).told_link(role.casefold(), " ".join(name), operator.author)


def _links(operator: Operator) -> list[str]:
    return [
        f"link {one.id}  {one.role}  {one.name}{'  revoked' if one.revoked else ''}"
        for one in _desk(operator).links.every
    ]


def _unlink(operator: Operator, number: str) -> list[str]:
    _desk(operator).revoke_link(whole(number), operator.author)
    return [f"link {number} is revoked"]


ACTS = (
    Act("link", "ROLE NAME…", _link, f"make a link to the web desk: {', '.join(ROLES)}"),
    Act("links", "", _links, "list who has a link to the web desk"),
    Act("unlink", "NUMBER", _unlink, "revoke a link"),
)
