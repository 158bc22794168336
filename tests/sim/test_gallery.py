"""The gallery: one page of every shot, as a browser shows it."""

import subprocess

from PIL import Image

from host.cli.dev import shots
from host.sim.shots import gallery


def test_the_page_names_every_shot():
    text = gallery({"lilygo": [("clock.running", 320, 170), ("idle", 320, 170)]}, "it")
    assert '<html lang="it">' in text and "lilygo: 2 screens" in text
    assert text.count("<figure>") == 2 and 'src="lilygo/clock.running.png"' in text


def test_a_browser_shows_the_shots(chromium_on_path, tmp_path):
    class Args:
        directory, board, language, screen = tmp_path, "lilygo", "it", "unset"

    assert shots.run(Args) == 0
    taken = tmp_path / "seen.png"
    done = subprocess.run(
        [chromium_on_path, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1300,1200",
         f"--user-data-dir={tmp_path / 'profile'}", f"--screenshot={taken}",
         (tmp_path / "index.html").as_uri()],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert taken.exists(), done.stderr
    seen = Image.open(taken).convert("RGB")
    first = Image.open(tmp_path / "lilygo" / "unset.png").convert("RGB")
    left = next(x for x in range(200) if seen.getpixel((x, 300)) == (0, 0, 0))
    top = next(y for y in range(600) if seen.getpixel((left + 120, y)) == (0, 0, 0))
    assert (
        seen.crop((left + 10, top + 10, left + 310, top + 160)).tobytes()
        == first.crop((10, 10, 310, 160)).tobytes()
    )
