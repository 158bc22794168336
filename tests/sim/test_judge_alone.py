"""A judge rules at tables that the desk does not hear; what the desk knows when it is back."""

import asyncio

import pytest
import tree

from firmware.core import code
from host.event import scores
from host.event.incident_log import TABLE, incidents
from host.event.match_results import RULED
from host.formats.round_format import parse_format
from host.sim import clock
from host.sim.programme import RandomProgramme
from host.sim.pure import PureAir
from host.sim.venue import Venue
from host.tournament import rule_packs
from host.tournament.ranking import ranking

A, B, J = 0, 1, 2
POKEMON = rule_packs.load(tree.ROOT / "host" / "tournament" / "rulepacks" / "pokemon-swiss.toml")
SWISS, CUT = "p18 swiss bo3 constructed 50", "p18 elimination bo1 constructed 45 judged"


class Judge:
    """Presses a table's keys, as somebody who reads its screen does."""

    def __init__(self, table):
        self.table = table

    async def press(self, *keys):
        for key in keys:
            self.table.press(key, 120)
            await asyncio.sleep(0.7)

    async def hold(self, *keys):
        for key in keys:
            self.table.press(key, 1200)
            await asyncio.sleep(2)

    async def choose(self, *items):
        for item in items:
            for _ in range(32):
                if self.table.face.item == item:
                    break
                await self.press(A)
            assert self.table.face.item == item, (item, self.table.face.items)
            await self.press(B)

    async def enter(self):
        """Call a judge, say that one is here, and enter the next code."""
        await self.hold(J)
        await self.press(A)
        await self.choose("code_item")
        journal = self.table.app.journal
        key = code.judges_key(journal.key, journal.event)
        for digit in code.hotp(key, code.newest_entry(journal).number):
            await self.press(*[A] * int(digit), B)
        await self.hold(B)
        assert self.table.face.screen == "judge_menu"

    async def sure(self, *items):
        """Choose, and confirm the question."""
        await self.choose(*items)
        await self.hold(B)


async def begun(venue, programme):
    """Publish a round, let both seats of each table confirm, start it and say who plays first."""
    station = venue.station
    station.archive.roster.store_round(1, programme.format, programme.pairings(1))
    station.refresh()
    station.desk.publish(1)
    station.desk.start(venue.now_ms() + 240_000)
    await asyncio.sleep(120)
    judges = [Judge(table) for table in venue.tables.values()]
    for judge in judges:
        await judge.hold(A, B)
    await asyncio.sleep(240)
    for judge in judges:
        await judge.press(A)
    return judges


@pytest.fixture
def evening(tmp_path):
    """Return a function that plays ``act(*judges)`` at two tables without the desk, and gives the
    Station of afterwards.
    """
    opened = []

    async def played(form, act):
        loop = asyncio.get_running_loop()
        air, programme = PureAir(loop, 1, 0.0), RandomProgramme(2, 1)
        programme.format = parse_format(form)
        venue = Venue(loop, air, tmp_path / "cup.plusthree", programme, 1)
        opened.append(venue)
        carrying = loop.create_task(venue.carrier.run())
        judges = await begun(venue, programme)
        air.loss = 1.0
        await asyncio.sleep(60)
        await act(*judges)
        assert not venue.station.hall.results(1), "the desk heard of it"
        air.loss = 0.0
        await asyncio.sleep(240)
        carrying.cancel()
        return venue.station

    yield lambda form, act: clock.run(played(form, act))
    for venue in opened:
        venue.close()


def told(station, table):
    """Return the incident log's lines of a table: what and the three numbers."""
    found = [one for one in incidents(station.archive, 1) if one.table == table]
    assert {one.author for one in found} == {TABLE}
    return [(one.what, *one.numbers) for one in found]


async def in_the_swiss(first, second):
    await first.enter()
    await first.choose("it_here", "it_time", "more_5")
    await first.press(A, B)
    await first.hold(J)
    await first.sure("it_undo")
    await first.hold(J)
    await first.sure("it_loss", "loss_a", "why_2")
    await first.hold(J)
    await first.sure("it_result", "s12")
    await first.hold(J)
    await first.choose("it_over")
    await second.enter()
    await second.choose("it_time", "more_3")
    await second.press(A, B)
    await second.hold(J)
    await second.sure("it_late", "late_b")
    await second.hold(J)
    await second.sure("it_result", "stands_a")


def test_what_a_judge_rules_at_the_tables_is_in_the_results_and_in_the_log(evening):
    station = evening(SWISS, in_the_swiss)
    one, two = (station.hall.results(1)[number] for number in (1, 2))
    assert (one.outcome, one.games, one.by) == ("B", (1, 2), RULED)
    assert (two.outcome, two.games, two.by) == ("A", (0, 0), RULED)
    assert told(station, 1) == [
        ("call", 0, 0, 0), ("code", 0, 1, 0), ("extension", 0, 300, 0), ("extension", 0, 0, 0),
        ("game_loss", 0, 2, 0), ("ruling", 130, 1, 2),
    ]  # fmt: skip
    assert told(station, 2) == [
        ("call", 0, 0, 0), ("code", 0, 1, 0), ("extension", 0, 180, 0), ("late", 2, 0, 0),
        ("ruling", 129, 0, 0),
    ]  # fmt: skip
    assert not station.archive.orders.pending
    assert (station.desk.extension_s(1), station.desk.extension_s(2)) == (0, 180)
    assert station.desk.late_bits(2) == 2
    lines = ranking(scores.rounds_of(station.archive, station.hall, 1), POKEMON).lines
    winners = {line.name for line in lines[:2]}
    first, second = station.archive.roster.pairings_of(1)
    assert first.b and second.a and winners == {first.b.name, second.a.name}


async def in_the_cut(first, second):
    for judge in (first, second):
        await judge.press(A)
        await judge.choose("won_a")
        await judge.hold(B)
        await judge.hold(A)
        await judge.enter()
        await judge.sure("it_approve")


def test_a_result_of_the_cut_is_approved_at_the_table(evening):
    station = evening(CUT, in_the_cut)
    assert {one.outcome for one in station.hall.results(1).values()} == {"A"}
    for table in (1, 2):
        assert told(station, table) == [
            ("call", 0, 0, 0), ("code", 0, 1, 0), ("approved", 0, 0, 0)
        ]  # fmt: skip
