"""Opening a personal link: ``/l/TOKEN`` becomes a cookie, and the token leaves the address.

Another site's page can lead a judge's browser here with a link of its own. The strict cookie does
not come with that request, so the browser is first redirected to a page of ours and requests the
link again from there. If it then shows another person's cookie, the person decides.
"""

import html
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from host.archive import access_links
from host.archive.access_links import AccessLink
from host.base.sentences import Sentence
from host.base.translation import in_each
from host.web import overlay
from host.web.desk_service import DeskService
from host.web.page import plain

_LONGEST_TOKEN = 64
_OTHER_SITES = ("cross-site", "same-site")
_NO_LINK = Sentence("Open the desk with your own link or QR code. The organiser has it.")
# queries: a page of ours redirected here; the person gives up the old link
_REDIRECTED, _CHANGE = "led", "change"


def enter(service: DeskService, request: Request, who: AccessLink | None) -> Response:
    """Accept a link, unless another site led the browser here and it is another person's.

    A link followed by ``/overlay/7`` leads there, as a stream's program knows one address alone.
    """
    token, query = request.path_params["token"], request.query_params
    path = overlay.address(request.path_params.get("table"), query).rstrip("/")
    link = service.links.find(token) if len(token) <= _LONGEST_TOKEN else None
    if link is None or link.role not in access_links.ROLES:
        return closed_page(service.base)
    if request.headers.get("sec-fetch-site") in _OTHER_SITES:
        return _redirecting_page(service.base, _with(f"/l/{token}{path}", _REDIRECTED))
    if _REDIRECTED in query and who is not None and who.id != link.id:
        return _choice_page(service.base, who, link, f"/l/{token}{path}")
    cookie = service.sessions.header(service.sessions.make(link.id))
    address = f"{service.base}/in{path}"
    return RedirectResponse(address, 303, headers={"set-cookie": cookie})


def arrive(service: DeskService, request: Request) -> Response:
    """Redirect from a page of our own, so that the strict cookie is sent."""
    to = overlay.address(request.path_params.get("table"), request.query_params)
    return _redirecting_page(service.base, to)


def closed_page(base: str, sentence: Sentence = _NO_LINK) -> Response:
    """Return the page for people without a link, in every language; ``base`` comes before the
    desk's paths.
    """
    return _plain(base, [(sentence, None)], 401)


def refusal_page(base: str, sentence: Sentence) -> Response:
    """Return a page that says what is wrong with an address, in every language."""
    return _plain(base, [(sentence, None)], 404)


def _with(address: str, query: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{query}"


def _redirecting_page(base: str, to: str) -> Response:
    return HTMLResponse(plain(base, "in.html").replace("{to}", html.escape(base + to)))


def _choice_page(base: str, current: AccessLink, opened: AccessLink, address: str) -> Response:
    """Return the page on which a person stays with the device's link or changes to the opened
    one.
    """
    open_for = Sentence(
        "This device is open for {name}. This link is {other}'s.",
        name=current.name,
        other=opened.name,
    )
    stay = Sentence("Stay {name}", name=current.name)
    change = Sentence("Change to {other}", other=opened.name)
    to = _with(address, _CHANGE)
    return _plain(base, [(open_for, None), (stay, f"{base}/"), (change, base + to)], 200)


def _plain(base: str, sentences: Iterable[tuple[Sentence, str | None]], status: int) -> Response:
    """Return a page of sentences in every language, each plain or a link to an address."""
    by_language: dict[str, list[str]] = {}
    for sentence, to in sentences:
        for tag, text in in_each(sentence).items():
            words = html.escape(str(text))
            inner = f'<a href="{html.escape(to)}">{words}</a>' if to else words
            by_language.setdefault(tag, []).append(f'<p lang="{tag}">{inner}</p>')
    lines = "\n".join(line for paragraphs in by_language.values() for line in paragraphs)
    return HTMLResponse(plain(base, "no-link.html").replace("{told}", lines), status)
