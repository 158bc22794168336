"""X-Wing rounds 2 to 4 drafted on the page: each has its own cap and length, and points to pair by."""

import pytest
from tabletop import Venue
from webclient import Browser, office_of

from firmware.core.systems import xw15
from host.archive.roster import Format, Pairing, Player

SWISS = 1 << 1


class Escalation(Venue):
    """Four tables of X-Wing, round 1 stored."""

    system = xw15.NUMBER


@pytest.fixture
def venue(tmp_path):
    made = Escalation(tmp_path / "a.db", tables=4)
    made.archive.roster.forget_round(1)
    yield made
    made.station.close()


@pytest.fixture
def organiser(venue):
    return Browser(office_of(venue), "organiser", name="Olga")


def stored(venue):
    """Store round 1 as an event file does."""
    players = [Player(str(n), f"Given{n} Family") for n in range(8)]
    pairings = [Pairing(1, n + 1, n + 1, players[2 * n], players[2 * n + 1]) for n in range(4)]
    venue.archive.roster.store_round(1, Format(xw15.NUMBER, SWISS, 50), pairings)
    venue.station.refresh()


def test_rounds_two_to_four_have_their_caps_and_lengths(venue, organiser):
    stored(venue)
    for number in range(1, 5):
        form = venue.archive.roster.format_of(number)
        assert (form.bits >> 8 & 3, form.minutes) == (number - 1, xw15.MINUTES[number - 1])
        assert organiser.act("publish", round=number).status == 200
        for one in venue.archive.roster.pairings_of(number):
            points = [xw15.CAPS[number - 1] - int(one.a.number), 0]
            told = organiser.act(
                "result", table=one.table, outcome="A", numbers=points, reason="slip"
            )
            assert told.status == 200, told.json
        if number < 4:
            assert organiser.act("draft").json["round"] == number + 1
    assert "the system has 4 rounds" in organiser.act("draft").json["error"]
    assert organiser.act("draft", cut=4, minutes=60).json["round"] == 5
    assert venue.archive.roster.format_of(5).bits & 0x301 == 0x301
