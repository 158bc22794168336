"""``plusthree serve --lan``: HTTPS at this machine's own address, and a real Chromium."""

import base64
import contextlib
import hashlib
import re
import subprocess
import sys

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from playwright.sync_api import Error, expect

from host.web import certificate

ADDRESS = certificate.own_names()[0]
pytestmark = pytest.mark.skipif(
    not re.fullmatch(r"[\d.]+", ADDRESS),
    reason="this machine has no address of its own: HTTPS was not tried over one",
)
EVENT = (
    "# event: Winter Cup\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Ann,11,Bo\n2,12,Cleo,13,Dan\n"
)  # fmt: skip
_RUN = "import sys; from host.cli import main; sys.exit(main(sys.argv[1:]))"
PAGES = {
    "judge": ".calls",
    "wall": ".wall .big",
    "hall": ".map .card",
    "check": ".commitments",
    "desk": ".panel",
}


class Served:
    """``plusthree serve --lan`` as it is started: what it says, and lines typed at it."""

    def __init__(self, folder):
        (folder / "e.csv").write_text(EVENT, "utf-8")
        command = [
            sys.executable, "-u", "-c", _RUN, "serve", "e.csv", "--lan", "--no-radio", "--port",
            "0", "--name", "Olga",
        ]  # fmt: skip
        pipes = {
            "stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True,
            "encoding": "utf-8",
        }  # fmt: skip
        self._process = subprocess.Popen(command, cwd=folder, **pipes)
        self.fingerprint = self.reads(r"certificate .*: ([0-9A-F:]+)")
        self.url = self.reads(r"web desk: (\S+)")

    def reads(self, wanted):
        """Return what the next line that holds ``wanted`` has in its group."""
        for line in self._process.stdout:
            if found := re.search(wanted, line):
                return found[1]
        raise AssertionError(f"plusthree serve said nothing like {wanted}")

    def link(self, role, name):
        self._process.stdin.write(f"link {role} {name}\n")
        self._process.stdin.flush()
        return self.reads(rf"for {name}: (\S+)")

    def end(self):
        self._process.communicate("quit\n", timeout=60)
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hall")


@pytest.fixture(scope="module")
def served(folder):
    made = Served(folder)
    yield made
    made.end()


def own(folder):
    """Return a browser's options to trust this certificate alone, and its fingerprint."""
    found = x509.load_pem_x509_certificate((folder / "plusthree.db.web.pem").read_bytes())
    key = found.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    pin = base64.b64encode(hashlib.sha256(key).digest()).decode()
    text = hashlib.sha256(found.public_bytes(serialization.Encoding.DER)).hexdigest().upper()
    return (f"--ignore-certificate-errors-spki-list={pin}",), ":".join(
        text[at : at + 2] for at in range(0, 64, 2)
    )


def test_every_page_opens_over_https_and_follows_the_host(browsers, served, folder):
    trusted, fingerprint = own(folder)
    assert served.fingerprint == fingerprint and served.url.startswith(f"https://{ADDRESS}:")
    link = served.link("organiser", "Ada")
    with browsers.own(ADDRESS, trusted) as chromium:
        page = chromium.open(link, "phone", at=link)
        for name, shown in PAGES.items():
            page.goto(f"{served.url}/{name}")
            expect(page.locator(shown).first).to_be_visible()
        assert page.evaluate("isSecureContext && crypto.subtle && document.cookie === ''")
        (cookie,) = page.context.cookies()
        assert cookie["name"] == "__Host-plusthree" and cookie["secure"] and cookie["httpOnly"]
        assert cookie["sameSite"] == "Strict"
        wall = page.context.new_page()
        wall.goto(f"{served.url}/wall")
        expect(wall.locator(".wall")).to_have_class(re.compile("s-published"))
        # an act with its token, and the stream tells the other page
        page.click("[data-form=start] [type=submit]")
        expect(page.locator(".note.good")).to_be_visible()
        expect(wall.locator(".wall")).to_have_class(re.compile("s-(running|pregame)"))
        page.click(".panels a[href='#files']")
        with page.expect_download() as saved:
            page.click(".files a[href='/api/export/csv']")
        assert b"Cleo" in saved.value.path().read_bytes()
        assert chromium.strangers == [] and chromium.errors == []


def test_a_device_without_network_has_sent_nothing(browsers, served, folder):
    link = served.link("organiser", "Dan")
    with browsers.own(ADDRESS, own(folder)[0]) as chromium:
        page = chromium.open(link, "phone", at=link)
        page.goto(f"{served.url}/desk#people")
        form = page.locator("[data-form=add_player]")
        form.locator("[name=name]").fill("Never Sent")
        page.context.set_offline(True)
        form.locator("[type=submit]").click()
        expect(page.locator(".note.bad")).to_have_text(
            "This device has no network. Nothing was sent, and nothing was changed."
        )
        page.context.set_offline(False)
        expect(page.locator("[data-key=line]")).to_be_empty()
        form.locator("[name=name]").fill("Sent Later")
        form.locator("[type=submit]").click()
        expect(page.locator(".note.good")).to_contain_text("Sent Later is entered")
        expect(page.locator(".panel", has_text="Never Sent")).to_have_count(0)


def test_who_has_not_compared_the_certificate_is_not_let_on(browsers, served):
    link = served.link("judge", "Bea")
    with browsers.own(ADDRESS) as chromium, contextlib.suppress(Error):
        chromium.open(link, at=link)
        raise AssertionError("an unknown certificate was taken")
    with browsers.own(ADDRESS) as chromium, contextlib.suppress(Error):
        plain = link.replace("https:", "http:")
        chromium.open(plain, at=plain)
        raise AssertionError("the desk answered in the clear")
