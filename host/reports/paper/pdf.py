"""PDF from a printable page: by Chromium if there is one, else by ``plain_pdf``."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping

from host.base.errors import UserError
from host.base.private_files import write_whole

LEAN = "chromium-headless-shell"  # of Debian, without windows: it prints with a quarter of the work
NAMES = (
    LEAN,
    *"chromium chromium-browser google-chrome-stable google-chrome chrome msedge".split(),
)
SKIPPED = f"No PDF: there is no Chromium here ({', '.join(NAMES)}). Any browser prints the HTML."
_LONGEST_S = 60


_WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"Chromium\Application\chrome.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)
_WINDOWS_ROOTS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "LOCALAPPDATA")
_MACOS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Chromium.app/Contents/MacOS/Chromium",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)


def chromium(
    system: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
    is_file: Callable[[str], bool] = os.path.isfile,
) -> str | None:
    """Return the path of the first Chromium found, or None.

    The PATH is searched first, then the places where Windows and macOS keep browsers; every Windows
    has Edge. ``is_file(path)`` says whether a file exists.
    """
    for name in NAMES:
        on_path = shutil.which(name)
        if on_path:
            return on_path
    return next(filter(is_file, browser_paths(system, environment)), None)


def browser_paths(system: str, environment: Mapping[str, str]) -> list[str]:
    """Return the paths at which a system (``sys.platform``) installs Chromium-based browsers."""
    if system == "win32":
        roots = [environment[name] for name in _WINDOWS_ROOTS if environment.get(name)]
        return [rf"{root}\{path}" for path in _WINDOWS for root in dict.fromkeys(roots)]
    if system == "darwin":
        home = environment.get("HOME", "")
        return [
            f"{root}/Applications/{path}" for path in _MACOS for root in dict.fromkeys(("", home))
        ]
    return []


def print_page(
    page: pathlib.Path, target: pathlib.Path, browser: str | None, secret: bool = False
) -> None:
    """Print a printable page into ``target``, by a browser, or without one by ``plain_pdf``.

    A ``secret`` file is readable only by its owner. Raises UserError if no PDF was made.
    """
    try:
        if browser:
            write_whole(target, _print(browser, page, target.parent), secret=secret)
        else:
            from host.reports.paper import plain_pdf  # its library takes a while to load

            plain_pdf.print_page(page, target, secret=secret)
    except OSError as failure:
        raise UserError(f"{target} cannot be written: {failure.strerror or failure}") from None


def _print(browser: str, page: pathlib.Path, folder: pathlib.Path) -> bytes:
    """Return a page as a PDF, which a browser writes into a new private folder.

    It is inside ``folder``, because a browser in a sandbox may not write elsewhere.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix="plusthree-") as own:
        written = pathlib.Path(own).resolve() / "page.pdf"
        options = [
            "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions",
            "--no-pdf-header-footer",
            f"--print-to-pdf={written}",
        ]  # fmt: skip
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            # Chromium does not start for root otherwise; the page has no script
            options.append("--no-sandbox")
        try:
            done = subprocess.run(
                [browser, *options, page.resolve().as_uri()],
                capture_output=True,
                timeout=_LONGEST_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as failure:
            raise UserError(f"{browser} did not print {page.name}: {failure}") from None
        pdf = written.read_bytes() if written.is_file() else b""
    if done.returncode or not pdf.startswith(b"%PDF"):
        raise UserError(f"{browser} did not print {page.name} (exit {done.returncode})")
    return pdf
