"""Points beside names on the printed pairings, and what slips leave room for."""

import re

import playedrounds
import pytest

from host.reports.paper import page_reader, pages
from host.reports.paper.content import Content
from host.systems import catalogue
from host.tournament import rule_packs

pytestmark = pytest.mark.venue(tables=2)
PACK = rule_packs.load("pokemon-swiss")
SINGLE = 1 << 1  # games


def rows(page):
    body = page.split("<tbody>")[1]
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in body.split("<tr>")[1:]]


def printed(venue, kind, number, pack=PACK):
    content = Content(venue.archive, venue.station.hall, number, pack)
    return pages.page(kind, content)


@pytest.fixture
def players(venue):
    """Who plays; in round 1 the first of each table has won, and round 2 gives the last a bye."""
    pairings = venue.archive.roster.pairings_of(1)
    venue.station.desk.publish(1)
    playedrounds.play(venue.archive, 1, pairings, playedrounds.OUTCOMES[:1])
    found = [one for pairing in pairings for one in (pairing.a, pairing.b)]
    playedrounds.store(venue.station, 2, [found[0], found[3], found[2]])
    return found


def test_each_name_has_the_points_before_the_round(venue, players):
    found = [(row[2], row[4]) for row in rows(printed(venue, "pairings", 2))]
    assert found == [("3", "0"), ("3", "")]
    by_name = {row[2]: row[1] for row in rows(printed(venue, "names", 2))}
    assert by_name == {players[0].number: "3", players[3].number: "0", players[2].number: "3"}


@pytest.mark.parametrize(("number", "pack"), [(1, PACK), (2, None)])
def test_before_the_first_round_and_without_a_pack_there_is_no_such_column(
    venue, players, number, pack
):
    assert {len(row) for row in rows(printed(venue, "pairings", number, pack))} == {3}
    assert {len(row) for row in rows(printed(venue, "names", number, pack))} == {4}


def test_an_elimination_has_no_points(venue, players):
    playedrounds.store(venue.station, 3, players[:2], playedrounds.CUT)
    assert {len(row) for row in rows(printed(venue, "pairings", 3))} == {3}


def test_a_slip_has_boxes_for_a_drop_and_a_line_for_extra_minutes(venue, players):
    slip = printed(venue, "slips", 2).split('class="slip"')[1]
    assert 'drop ▲ <span class="box"></span> ● <span class="box"></span>' in slip
    assert 'extra minutes <span class="short line"></span>' in slip
    [read] = page_reader.read(printed(venue, "slips", 2)).slips
    [table] = [block.table for block in read if block.table]
    assert table.heads[0][0] == f"extra minutes {page_reader.LINE}"  # on plain paper, too


@pytest.mark.parametrize(("system", "there"), [("d03", True), ("p18", False)])
def test_a_slip_has_a_box_for_a_narrow_win_where_it_has_points_of_its_own(
    venue, players, system, there
):
    number = catalogue.built_in()[system].NUMBER
    playedrounds.store(venue.station, 3, players[:2], SINGLE, number)
    assert ("</span> narrow win" in printed(venue, "slips", 3)) is there
