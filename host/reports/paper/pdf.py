"""PDF from a page of ours: Chromium prints it, where there is one."""

import os
import pathlib
import shutil
import subprocess

from host.base.errors import UserError

NAMES = tuple("chromium chromium-browser google-chrome-stable google-chrome chrome msedge".split())
SKIPPED = f"No PDF: there is no Chromium here ({', '.join(NAMES)}). Any browser prints the HTML."
_LONGEST_S = 60


def chromium() -> str | None:
    """Return the path of the first Chromium there is, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


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
