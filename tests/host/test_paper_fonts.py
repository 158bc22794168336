"""Paper in three different fonts: nothing of a slip is cut, nothing is wider than the sheet."""

import re

import pytest
from tabletop import Venue

from host.archive import teams
from host.archive.roster import Format, Pairing, Player
from host.archive.teams import Team
from host.base import catalogues
from host.reports.paper import pages

FONTS = {
    "as it is": None,
    "serif": '"DejaVu Serif", "Noto Serif", Georgia, serif',
    "mono": '"DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace',
}
TEAM = Format(1, 1 << 1 | 128, 50)
ROUNDS = {"p18": Format(0, 3 << 1, 50), "xw15": Format(2, 3 | 2 << 8, 90), "team": TEAM}
PAPER_PX = round(186 / 25.4 * 96)  # what @page leaves between its margins
PAIRS = 16
LONG = "Massimiliano Bartolomeo Castelfranchi-Montecuccoli"
# what leaves its slip or its table's cell; in a wide font names are cut on purpose
CUT = """
(names) => {
  const found = [];
  for (const slip of document.querySelectorAll(".slip")) {
    const frame = slip.getBoundingClientRect();
    for (const part of slip.querySelectorAll("p, th, td, .line, .box")) {
      const box = part.getBoundingClientRect();
      if (box.right > frame.right + 0.5 || box.bottom > frame.bottom + 0.5 || part.scrollWidth > part.clientWidth + 1 && !part.matches(".line, .box"))
        found.push(`${part.tagName} "${part.textContent.slice(0, 40)}" leaves its slip`);
    }
  }
  if (names) for (const one of document.querySelectorAll(".slip .p div"))
    if (one.scrollHeight > one.clientHeight + 1) found.push(`"${one.textContent}" is cut`);
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the paper");
  return found;
}
"""


def team(player):
    """Return a Team under a player's number and name, with two members of long names."""
    members = [Player(f"{player.number}{seat}", LONG) for seat in "12"]
    return Team(player.number, player.name, "Gioco Libero", "Torino", *members)


@pytest.fixture(scope="module", params=ROUNDS)
def content(request, tmp_path_factory):
    venue = Venue(tmp_path_factory.mktemp("paper") / "plusthree.db", tables=2)
    pairs = [
        Pairing(2, n, n, Player(str(100 + n), LONG), Player(str(200 + n), LONG[::-1].title()))
        for n in range(1, PAIRS + 1)
    ]
    venue.archive.roster.store_round(2, ROUNDS[request.param], pairs)
    if ROUNDS[request.param] is TEAM:
        registered = [team(player) for one in pairs for player in (one.a, one.b)]
        teams.store(venue.archive, registered, "test", 0, begun=False)
    yield pages.Content(venue.archive, venue.station.hall)
    venue.station.close()


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("language", catalogues.languages())
def test_nothing_on_paper_is_cut(chromium, content, language, font):
    found = []
    page = chromium.context(viewport={"width": PAPER_PX, "height": 1000}).new_page()
    page.emulate_media(media="print")
    for kind in ("slips", "pairings", "names", "outstanding"):
        text = pages.page(kind, content, language)
        if FONTS[font]:
            text, times = re.subn(
                r"(html \{\s*font: 11pt/1.35) [^;]+;", rf"\1 {FONTS[font]};", text
            )
            assert times == 1
        page.set_content(text)
        found += [f"{kind}: {line}" for line in page.evaluate(CUT, FONTS[font] is None)]
        if kind == "slips":
            printed = page.pdf(prefer_css_page_size=True)
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == PAIRS / 8
    assert not found
