"""A real Chromium that reaches this machine alone, the pages it opens, and what axe-core says of
them.
"""

import asyncio
import contextlib
import os
import re

import tree
from playwright.sync_api import expect, sync_playwright

SIZES = {"phone": (390, 844), "laptop": (1366, 768), "projector": (1920, 1080)}
PATIENCE_MS = 20_000  # on a busy machine; a test waits for what it expects, never for a time
PHOTOS = tree.ROOT / "out" / "pages"
_AXE = tree.ROOT / "node_modules" / "axe-core" / "axe.min.js"
_ARGS = (
    "--no-sandbox", "--disable-background-networking", "--disable-component-update",
    "--autoplay-policy=user-gesture-required",
)  # fmt: skip
_LOOPBACK = "127.0.0.1"
# a page asks once more while its desk, and then its browser, are closed at a test's end
_DESK_CLOSED = ("net::ERR_CONNECTION_REFUSED", "net::ERR_CONNECTION_RESET")
_TONES = """
window.tones = 0;
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.tones += 1; return begin.apply(this, when); };
"""
_SERIOUS = """
async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).join("; ")}`)
"""


EMPTY = "about:blank"
# the pages, whose they are at the least, and what shows that one is drawn
PAGES = {
    "judge": "judge",
    "wall": "viewer",
    "hall": "viewer",
    "desk": "organiser",
    "check": "viewer",
}
READY = ".wall .big, .map, .cards, .panel .steps, .commitments"
_DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Browser:
    """Opens pages; ``strangers`` are requests to anywhere else, which all fail (``_ARGS``),
    ``errors`` what scripts threw, and what the console says: refused requests among it.

    Nothing is asked about requests that go well: a page has fifty, and to be told of each of them
    costs as much as the page.
    """

    def __init__(self, chromium, address=_LOOPBACK):
        self._chromium = chromium
        self._ours = f"http://{address}:", f"https://{address}:", "data:"
        self.strangers, self.errors = [], []

    def open(self, url, size="laptop", locale="en-GB", scheme="light", at=None, script="", **more):
        """Return a page of its own session at a place; a personal link lets it in first.

        ``at``: where it then is, instead of where the link leads; the link itself is followed as a
        person's browser does, with a page more to load. ``EMPTY`` is for a test that prepares
        something before it goes to a page. ``script`` runs before those of each page.
        """
        width, height = SIZES[size] if isinstance(size, str) else size
        context = self.context(
            viewport={"width": width, "height": height}, locale=locale, color_scheme=scheme,
            **more)  # fmt: skip
        context.add_init_script(_TONES + script)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        self._watch(page)
        if at == url:
            page.goto(url)
            # a link lets in by way of a page that moves on
            page.wait_for_url(re.compile("/(wall|hall|judge|desk)$"))
            return page
        assert context.request.get(url, max_redirects=0).status == 303, "no personal link"
        page.goto(at or f"{url.rpartition('/l/')[0]}/")
        return page

    def context(self, **options):
        """Return a new session of Playwright's, for pages that are not watched."""
        # a note that rises is drawn a dozen times
        made = self._chromium.new_context(**{"reduced_motion": "reduce", **options})
        made.grant_permissions(["screen-wake-lock"])  # a Chromium without windows refuses it
        return made

    @contextlib.contextmanager
    def closing(self):
        """Close what is opened in this block: a page that stays goes on drawing its clocks."""
        before = self._chromium.contexts
        yield
        for context in self._chromium.contexts:
            if context not in before:
                context.close()

    def _watch(self, page):
        page.on("requestfailed", self._failed)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._written)

    def _failed(self, request):
        if not request.url.startswith(self._ours):
            self.strangers.append(request.url)

    def _written(self, line):
        if line.type == "error" and not line.text.endswith(_DESK_CLOSED):
            self.errors.append(f"{line.text} {line.location['url']}")


class Browsers:
    """One Playwright for a whole run, as its start takes longer than Chromium's.

    Its event loop counts as the thread's running one, and no other could run in this thread: so it
    does only while a browser is in use.
    """

    def __init__(self, play, program):
        self._play, self._program, self._shared = play, program, None
        self._loop = asyncio.get_running_loop()

    @contextlib.contextmanager
    def awake(self):
        """Make the thread Playwright's for a while."""
        before = asyncio._get_running_loop()
        asyncio._set_running_loop(self._loop)
        try:
            yield
        finally:
            asyncio._set_running_loop(before)

    @contextlib.contextmanager
    def shared(self):
        """Yield a Browser on the one Chromium for all; its pages are closed afterwards."""
        with self.awake():
            if not (self._shared and self._shared.is_connected()):
                self._shared = self._launch(_LOOPBACK)
            made = Browser(self._shared)
            with made.closing():
                yield made

    @contextlib.contextmanager
    def own(self, address=_LOOPBACK, more=()):
        with self.awake():
            chromium = self._launch(address, more)
            yield Browser(chromium, address)
            chromium.close()

    def _launch(self, address, more=()):
        # a name would not even be looked up
        alone = f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {address}"
        return self._play.chromium.launch(
            executable_path=self._program, args=[*_ARGS, alone, *more]
        )


@contextlib.contextmanager
def browsers(program):
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as play:
        made = Browsers(play, program)
        asyncio._set_running_loop(None)
        yield made
        asyncio._set_running_loop(made._loop)  # Playwright ends every browser


def sized(page, sizes=SIZES):
    """Give a page one size after the other, by name or as (width, height); yield each when the page
    is laid out.
    """
    for size in sizes:
        width, height = SIZES[size] if isinstance(size, str) else size
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(_DRAWN)
        yield size


def fill(form, fields):
    for name, value in fields.items():
        node = form.locator(f"[name={name}]")
        if node.evaluate("(node) => node.tagName") == "SELECT":
            node.select_option(str(value))
        else:
            node.fill(str(value))


def send(button):
    """Press what asks something of the desk; return when the desk has answered: time that passes
    before would pass without it.
    """
    with button.page.expect_response(lambda answer: answer.request.method == "POST"):
        button.click()


def serious(page):
    """Return what axe-core finds serious or worse on a page, a sentence each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.read_text(encoding="utf-8"))
    return page.evaluate(_SERIOUS)


def photograph(page, name):
    """Leave a picture of a page in ``out/pages``, to be looked at, in `make prove`: one takes
    Chromium longer than the page.
    """
    if os.environ.get("PLUSTHREE_PROVE"):
        PHOTOS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PHOTOS / f"{name}.png")
