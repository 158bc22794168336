"""Which browser prints PDF: one on the path, else where Windows and macOS keep theirs."""

import pytest

from host.reports.paper import pdf

WINDOWS = {"PROGRAMFILES": r"C:\Program Files", "PROGRAMFILES(X86)": r"C:\Program Files (x86)"}
EDGE = r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe"
CHROME = r"C:\Program Files\Google\Chrome\Application\chrome.exe"
MAC = "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"
OWN = "/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


@pytest.fixture(autouse=True)
def nothing_on_the_path(monkeypatch):
    monkeypatch.setenv("PATH", "")


@pytest.mark.parametrize(("system", "environment", "files", "found"), [
    ("win32", WINDOWS, {EDGE}, EDGE),
    ("win32", WINDOWS, {EDGE, CHROME}, CHROME),
    ("win32", {}, {EDGE}, None),
    ("darwin", {"HOME": "/Users/ada"}, {MAC}, MAC),
    ("darwin", {"HOME": "/Users/ada"}, {MAC, OWN}, OWN),
    ("linux", {"HOME": "/home/ada"}, {MAC, EDGE}, None),
])  # fmt: skip
def test_a_browser_is_found_where_the_system_keeps_it(system, environment, files, found):
    assert pdf.chromium(system, environment, files.__contains__) == found


def test_one_on_the_path_counts_first(tmp_path, monkeypatch):
    own = tmp_path / "chromium"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pdf.chromium("darwin", {}, lambda path: True) == str(own)
