"""What the page asks before it pairs across points: nothing is drafted before somebody has said yes."""

import json

import pytest
import webevening
from playwright.sync_api import expect

from host.desk import paper_entry

NAMES = ["Ada Bianchi", "Bo Conti", "Carla D’Angelo", "Dario Esposito"]
ASKED = (
    "Chi è a pari punti non può essere abbinato senza ripetere un incontro. "
    "Abbinare chi ha punti diversi?"
)
ROUND_1 = [{"player1": NAMES[0], "player2": NAMES[1]}, {"player1": NAMES[2], "player2": NAMES[3]}]


@pytest.fixture
def desk(tmp_path):
    one = {"round-type": "swiss", "round-number": 1, "matches": ROUND_1}
    text = json.dumps({"name": "Cup", "players": [{"name": one} for one in NAMES], "rounds": [one]})
    webevening.imported(tmp_path, "cup.json", text)
    with webevening.EveningDesk(tmp_path) as desk:
        yield desk


def played(desk, number):
    """Publish a round; at each table whoever comes first in the alphabet wins it all."""

    def play(station):
        station.desk.publish(number)
        for one in station.archive.roster.pairings_of(number):
            first = one.a.name < one.b.name
            points = (60, 0) if first else (0, 60)
            paper_entry.enter(
                station, one.table, "A" if first else "B", points, "Ada", "slip", sure=True
            )

    desk.ask(play)
    desk.advance(2)


def test_pairing_across_points_is_asked_about_first(chromium, desk):
    """After two rounds the leader has met both players who are next."""
    page = chromium.open(desk.links["organiser"], locale="it-IT", at=f"{desk.url}/desk#rounds")
    draft = page.locator("[data-form=draft] [type=submit]")
    drafted = page.locator(".round [data-act=drop_draft]")
    played(desk, 1)
    draft.click()
    expect(drafted).to_be_visible()
    played(desk, 2)
    page.reload()  # the same touch within a second counts once
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    with page.expect_event("dialog"):
        draft.click()
    expect(page.locator(".panel-rounds h2", has_text="Round 3")).to_have_count(0)
    page.reload()
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    with page.expect_event("dialog"):
        draft.click()
    expect(drafted).to_be_visible()
    assert asked == [ASKED, ASKED]
    met = desk.ask(
        lambda station: {
            frozenset((one.a.name, one.b.name)) for one in station.archive.roster.pairings_of(3)
        }
    )
    assert met == {frozenset((NAMES[0], NAMES[3])), frozenset((NAMES[1], NAMES[2]))}
