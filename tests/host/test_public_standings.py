"""Which standings players see: what may be published, what stands, and what is left of it."""

import playedrounds
import pytest

from host.base.errors import UserError
from host.desk import public_standings
from host.desk.staff import Staff
from host.event import event_log
from host.tournament import event_pack, rule_packs

pytestmark = pytest.mark.venue(tables=3)


def players(venue):
    pairings = venue.archive.roster.pairings_of(1)
    return [one for pairing in pairings for one in (pairing.a, pairing.b)]


def choose(venue):
    event_pack.choose(venue.archive, rule_packs.load("pokemon-swiss"), "Olga", 0)


def first_round(venue):
    venue.station.desk.publish(1)
    playedrounds.play(venue.archive, 1, venue.archive.roster.pairings_of(1))


def refused(venue, number=None):
    with pytest.raises(UserError) as refusal:
        public_standings.publish(Staff(venue.station, "Olga"), number)
    assert public_standings.current(venue.archive) is None
    return str(refusal.value)


def test_nothing_is_published_before_a_round_is_over(venue):
    assert "no round is published yet" in refused(venue)
    venue.station.desk.publish(1)
    choose(venue)
    assert "round 1 is not over: no result yet at table 1, 2, 3." in refused(venue)
    assert "round 1 is not over" in refused(venue, 1)
    assert "round 2 is not published" in refused(venue, 2)


def test_where_the_text_leaves_points_open_a_pack_comes_first(venue):
    first_round(venue)
    assert "choose a rule pack" in refused(venue)
    choose(venue)
    assert public_standings.publish(Staff(venue.station, "Olga"), None)
    assert public_standings.current(venue.archive) == 1


def test_they_stand_until_the_next_are_published_or_they_are_withdrawn(venue):
    first_round(venue)
    choose(venue)
    public_standings.publish(Staff(venue.station, "Olga"), 1)
    pairings = playedrounds.store(venue.station, 2, players(venue)[::-1])
    assert public_standings.current(venue.archive) == 1
    # the last that is over, which they are
    public_standings.publish(Staff(venue.station, "Olga"), None)
    assert public_standings.current(venue.archive) == 1
    playedrounds.play(venue.archive, 2, pairings)
    said = public_standings.publish(Staff(venue.station, "Bea"), None)
    assert str(said) == "players see the standings after round 2 now"
    assert public_standings.current(venue.archive) == 2
    public_standings.publish(Staff(venue.station, "Bea"), 1)
    assert public_standings.current(venue.archive) == 1
    public_standings.withdraw(Staff(venue.station, "Bea"))
    assert public_standings.current(venue.archive) is None
    with pytest.raises(UserError, match="nothing to withdraw"):
        public_standings.withdraw(Staff(venue.station, "Bea"))
    told = [
        (one["author"], str(one["value"]))
        for one in event_log.lines(venue.archive)
        if one["what"] == "standings for players"
    ]
    assert told == [
        ("Olga", "after round 1"), ("Bea", "after round 2"), ("Bea", "after round 1"),
        ("Bea", "withdrawn"),
    ]  # fmt: skip


def test_a_bracket_is_published_while_it_is_played_and_its_draft_is_not(venue):
    first_round(venue)
    choose(venue)
    pairings = playedrounds.bracket(venue.station, players(venue)[:4], 2, 1)
    assert public_standings.publish(Staff(venue.station, "Olga"), None)
    assert public_standings.current(venue.archive) == 2
    playedrounds.play(venue.archive, 2, pairings, playedrounds.OUTCOMES[:3])
    venue.archive.roster.store_round(3, venue.archive.roster.format_of(2), [pairings[0]])
    with pytest.raises(UserError, match="round 3 is not published"):
        public_standings.publish(Staff(venue.station, "Olga"), 3)


@pytest.mark.parametrize("value", ["", "[]", '{"round": "2"}', '{"round": 9}', '{"after": 1}'])
def test_a_notice_that_makes_no_sense_publishes_nothing(venue, value):
    first_round(venue)
    choose(venue)
    venue.archive.notices.add(public_standings.PUBLIC, value, "Olga", 0)
    assert public_standings.current(venue.archive) is None
    assert [one for one in event_log.lines(venue.archive) if one["what"] == "standings for players"]
