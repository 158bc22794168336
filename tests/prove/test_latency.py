"""How soon what arrives at the host is drawn in a browser: 200 tables, 50 listening pages, one
Chromium.
"""

import asyncio
import contextlib
import subprocess
import sys
import threading
import time

import browser
import pytest
import streamclients
from crowd import Crowd
from webclient import KEY

from host.reports.paper import pdf
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.sessions import Sessions

TABLES, CLIENTS, TRIALS, MOST_MS = 200, 50, 100, 300
# the moment at which a table's card has been drawn with its extension
_DRAWN = """
(table) => new Promise((done) => {
  const look = () => (document.querySelector(`#t${table} .mark.given`) ? requestAnimationFrame(() => done(Date.now())) : null);
  const watch = new MutationObserver(look);
  watch.observe(document.querySelector("main"), {childList: true, subtree: true});
  look();
})
"""


class Served:
    """A crowd with its web desk in a thread of its own."""

    def __init__(self, path):
        self._path, self._ready = path, threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self):
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *failure):
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(30)

    async def _serve(self):
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        self._crowd, sock = Crowd(self._path, TABLES), http_loop.bound(http_loop.LOOPBACK, 0)
        self.port = sock.getsockname()[1]
        service = DeskService(self._crowd.station, Sessions(KEY, False), lambda: self._crowd.now_ms)
        self.link = (
            f"http://127.0.0.1:{self.port}/l/{service.links.make('judge', 'Ada', 'test', 0)[1]}"
        )
        serving = asyncio.ensure_future(http_loop.serve(service, sock, (f"127.0.0.1:{self.port}",)))
        self._ready.set()
        await self._over.wait()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        self._crowd.station.close()

    def extend(self, table):
        """Let a table's extension arrive; return the unix ms at which it did."""

        async def arrive():
            self._crowd.now_ms += 100
            at_ms = time.time_ns() / 1e6
            self._crowd.extend(self._crowd.boards[table - 1], 180)
            return at_ms

        return asyncio.run_coroutine_threadsafe(arrive(), self._loop).result()


@contextlib.contextmanager
def listening(port, cookie):
    """Hold the other pages' streams open, in a process of their own."""
    words = [sys.executable, streamclients.__file__, "127.0.0.1", str(port), cookie, str(CLIENTS)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as clients:
        try:
            assert clients.stdout.readline() == "ready\n"
            yield
        finally:
            clients.kill()


@pytest.mark.skipif(
    pdf.chromium() is None,
    reason="there is no Chromium here: how soon a page shows a change was not measured",
)
def test_a_change_is_on_the_page_in_time(tmp_path, proving, printed):
    if not proving:
        pytest.skip("watches the wall clock: make prove")
    with Served(tmp_path / "a.db") as served, browser.browser() as chromium:
        page = chromium.open(served.link)
        page.locator(".card").nth(TABLES - 1).wait_for()
        (cookie,) = page.context.cookies()
        with listening(served.port, f"{cookie['name']}={cookie['value']}"):
            found = sorted(
                -served.extend(table) + page.evaluate(_DRAWN, table)
                for table in range(1, TRIALS + 1)
            )
    at = [found[int(TRIALS * share)] for share in (0.5, 0.95, 0.99)]
    figures = f"median {at[0]:.0f} ms, 95 % {at[1]:.0f} ms, worst {found[-1]:.0f} ms"
    printed(
        "web desk: from a frame's arrival to the pixels of an open page",
        [f"{TABLES} tables, {CLIENTS} other streams, one Chromium: {figures} (limit {MOST_MS})"],
    )
    assert found[-1] <= MOST_MS
