"""PDF from a page of ours: Chromium prints it, where there is one, else ``plain_pdf``."""

import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping

from host.base.errors import UserError

NAMES = tuple("chromium chromium-browser google-chrome-stable google-chrome chrome msedge".split())
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
    there: Callable[[str], bool] = os.path.isfile,
) -> str | None:
    """Return the path of the first Chromium there is, or None.

    One on the path counts first, then those that Windows and macOS keep where no path leads to;
    every Windows has Edge. ``there(path)`` says whether a file is there.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    return found or next(filter(there, kept(system, environment)), None)


def kept(system: str, environment: Mapping[str, str]) -> list[str]:
    """Return where a system (``sys.platform``) keeps browsers of Chromium's kind."""
    if system == "win32":
        roots = [environment[name] for name in _WINDOWS_ROOTS if environment.get(name)]
        return [rf"{root}\{path}" for path in _WINDOWS for root in dict.fromkeys(roots)]
    if system == "darwin":
        home = environment.get("HOME", "")
        return [
            f"{root}/Applications/{path}" for path in _MACOS for root in dict.fromkeys(("", home))
        ]
    return []


def made(page: pathlib.Path, target: pathlib.Path, browser: str | None) -> None:
    """Print a list or slips into ``target``: by a browser, or without one by ``plain_pdf``.

    Raises UserError if no PDF came of it.
    """
    if browser:
        printed(browser, page, target)
        return
    from host.reports.paper import plain_pdf  # its library takes a while to load

    try:
        plain_pdf.printed(page, target)
    except OSError as failure:
        raise UserError(f"{target} cannot be written: {failure.strerror or failure}") from None


def printed(browser: str, page: pathlib.Path, target: pathlib.Path) -> None:
    """Print an HTML file into ``target``; raises UserError when no PDF came of it."""
    options = [
        "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions",
        "--no-pdf-header-footer",
        f"--print-to-pdf={target.resolve()}",
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
    if done.returncode or not target.is_file() or not target.read_bytes().startswith(b"%PDF"):
        raise UserError(f"{browser} did not print {page.name} (exit {done.returncode})")
