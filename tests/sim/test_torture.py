"""Venues in which everything goes wrong: nothing breaks, whatever the seed; the same seed is the
same run.
"""

import asyncio
import json
import types

import drawn
import pytest
from commands import plusthree
from hypothesis import example, given
from hypothesis import strategies as st

from firmware.core.timebase import Timebase
from host.sim import clock
from host.sim.board import BoardClock
from host.sim.people import SEATING, People
from host.sim.programme import RandomProgramme
from host.sim.staff import Staff
from host.sim.torture import fault_injector, fault_plan, faulty_run, seed_runs
from host.sim.torture.faulty_venue import FaultyVenue
from host.sim.torture.invariants import DRIFT_PPM, ClockChecker

FOUND = {
    "seeds", "runs", "hours", "results", "lost", "duplicated", "violations", "faults", "wall_s",
}  # fmt: skip


def test_seeds_that_the_commit_draws_break_nothing(capsys, proving, printed):
    count, tables, hours = (200, 16, 1) if proving else (2, 2, 0.5)
    seeds = drawn.seeds("torture", count)
    size = f"--tables {tables} --hours {hours}"
    line = f"torture --seeds {','.join(map(str, seeds))} {size}"
    code = plusthree(*line.split(), "--json")
    found = json.loads(capsys.readouterr().out)
    printed(
        f"torture: {count} seeds drawn by {drawn.origin().name} (pure air, virtual time)",
        [f"plusthree dev {line}", json.dumps(found)],
    )
    broken = [
        f"plusthree dev simulate torture --seeds {one['seed']} {size}: {one['reason']}"
        for one in found["violations"]
    ]
    assert broken == [] and found["lost"] == found["duplicated"] == 0, f"plusthree dev {line}"
    assert code == 0 and found.keys() == FOUND and found["runs"] == count
    assert found["results"] >= tables * count


@pytest.mark.parametrize("seed", (448939812, 504912879))
def test_a_board_that_is_off_as_the_faults_end_has_its_minute(seed):
    found = seed_runs.run_seed(seed, 3, 0.5)
    assert found.violations == [] and found.results == 3


def test_seeds_may_be_listed(capsys, monkeypatch):
    ran = []
    monkeypatch.setattr(
        seed_runs, "run_seeds", lambda seeds, *terms: ran.extend(seeds) or map(run_none, seeds)
    )
    assert plusthree("dev", "simulate", "torture", "--seeds", "977,3-5,4,12", "--json") == 0
    assert ran == [977, 3, 4, 5, 12]


def test_seeds_may_be_drawn_by_a_number_among_others(capsys, monkeypatch):
    ran = []
    monkeypatch.setattr(
        seed_runs, "run_seeds", lambda seeds, *terms: ran.append(seeds) or map(run_none, seeds)
    )
    for text in ("3-4,50@7", "50@7,3-4", "50@8,3-4"):
        assert plusthree("dev", "simulate", "torture", "--seeds", text, "--json") == 0
        assert json.loads(capsys.readouterr().out)["seeds"] == text
    first, again, other = ran
    assert first == [3, 4, *again[:50]] and again[50:] == [3, 4] == other[50:]
    assert len(set(first)) == 52 and not set(other[:50]) & set(first) and max(first) > 10_000_000


def run_none(seed):
    return faulty_run.Outcome()


@pytest.mark.parametrize(
    "text", ("", "5,", "5-3", "1,x", "1-999999999", "@7", "5@", "5@x", "100001@7", "1-5@7")
)
def test_seeds_that_are_none_are_said(text, capsys):
    assert plusthree("dev", "simulate", "torture", "--seeds", text) == 2
    assert capsys.readouterr().err.startswith("plusthree dev simulate torture: --seeds is ")


def test_the_same_seed_is_the_same_run():
    first, again = (seed_runs.run_seed(5, 1, 0.3) for _ in range(2))
    assert first == again and first.results and first.faults


def test_seeds_side_by_side_are_the_seeds_one_by_one():
    alone, beside = (list(seed_runs.run_seeds(range(6, 8), 1, 0.1, jobs)) for jobs in (1, 2))
    assert alone == beside and len(alone) == 2


def test_a_board_that_dies_just_as_it_is_woken_runs_its_next_life(tmp_path):
    async def main():
        table = FaultyVenue(asyncio.get_running_loop(), tmp_path, 1, 1).tables[1]
        await asyncio.sleep(60)
        table.wake()
        table.go_down(powered=False)
        await asyncio.sleep(60)
        return table.boots, table.stepped_s > table.down_since_s

    assert clock.run(main()) == (2, True)


@pytest.mark.parametrize("kind", ("yank", "reset"))
def test_no_board_goes_down_once_the_faults_are_over(kind, tmp_path):
    async def main():
        venue = FaultyVenue(asyncio.get_running_loop(), tmp_path, 1, 1)
        acts = fault_injector.FaultInjector(venue, 1)
        await asyncio.sleep(60)
        for number in range(8):  # half of them would bring another
            acts.begin(fault_plan.Fault(number, kind, 60, 0, 1))
        await asyncio.sleep(1)
        acts.end_faults()
        boots = venue.tables[1].boots
        await asyncio.sleep(120)
        venue.close()
        return venue.tables[1].boots - boots

    assert clock.run(main()) <= 1, "the one that had begun"


def test_who_never_lets_time_pass_is_told_of_and_hangs_nothing(monkeypatch):
    async def stare(people):
        await people._see(SEATING)  # the picture follows the round a step later
        while people.table.face.screen in SEATING:
            pass

    async def pace(people):
        while True:
            await people.table.rest(0)

    for sit_down, said in (
        (stare, "somebody at a table: Standstill"),
        (pace, "time stands still, the loop does not"),
    ):
        monkeypatch.setattr(People, "_sit_down", sit_down)
        broken = seed_runs.run_seed(1, 1, 0.3).violations
        assert len(broken) == 1 and said in broken[0] and float(broken[0].partition(" ")[0]) > 0
    assert seed_runs.minimal_faults(1, 1, 0.3, broken[0]) == []  # no fault is needed


def test_a_crash_in_the_final_checks_is_a_violation_of_its_seed_and_the_range_goes_on(
    monkeypatch, capsys
):
    lived = faulty_run.ranking

    def ranking(*args):
        if len(seeds) == 1:
            raise ZeroDivisionError("no points")
        return lived(*args)

    seeds, once = [], seed_runs.run_seed
    monkeypatch.setattr(faulty_run, "ranking", ranking)
    monkeypatch.setattr(
        seed_runs,
        "run_seed",
        lambda seed, *args, **kwargs: seeds.append(seed) or once(seed, *args, **kwargs),
    )
    monkeypatch.setattr(seed_runs, "minimal_faults", lambda *args, **kwargs: [])
    code = plusthree(
        "dev",
        "torture",
        "--seeds",
        "3-4",
        "--tables",
        "1",
        "--hours",
        "0.1",
        "--jobs",
        "1",
        "--json",
    )
    found = json.loads(capsys.readouterr().out)
    assert code == 1 and found["runs"] == 2 and [one["seed"] for one in found["violations"]] == [3]
    said = found["violations"][0]["reason"]
    assert "ZeroDivisionError" in said and "no points" in said and "test_torture.py" in said
    assert float(said.partition(" ")[0]) > 0 and found["faults"]


@pytest.mark.parametrize(
    "words", ("--tables 0", "--hours 0", "--hours 25", "--tables 3 --hours -1")
)
def test_a_size_that_cannot_be_is_refused(capsys, words):
    assert plusthree("dev", "simulate", "torture", *words.split()) == 2
    assert "--tables is from 1 to" in capsys.readouterr().err


def test_a_venue_that_cannot_be_built_is_a_violation_of_its_seed(monkeypatch):
    def venue(*args):
        raise OSError("no room")

    monkeypatch.setattr(seed_runs, "FaultyVenue", venue)
    (said,) = seed_runs.run_seed(1, 1, 0.1).violations
    assert said.startswith("0.0 s: ") and "OSError" in said and "no room" in said
    assert seed_runs.minimal_faults(1, 1, 0.1, said) == []


def test_taking_one_fault_out_changes_no_other():
    faults = fault_plan.draw_faults(3, 4, 3600)
    assert {one.kind for one in faults} <= set(fault_plan.KINDS)
    assert faults == fault_plan.draw_faults(3, 4, 3600)
    assert [one.luck(3).random() for one in faults[1:]] == [
        one.luck(3).random() for one in fault_plan.draw_faults(3, 4, 3600)[1:]
    ]


@pytest.fixture
def live(tmp_path):
    """Return a function that lets a venue of one table be acted on, and gives the violations."""

    def live(act):
        async def main():
            venue = FaultyVenue(asyncio.get_running_loop(), tmp_path, 1, 1)
            venue.laptop.start()
            act(venue)
            venue.close()
            return venue.invariants.violations

        return clock.run(main())

    return live


def test_a_judge_who_finds_a_spare_that_has_told_nothing_yet_rules_nothing(live):
    def walk(venue):
        assert venue.laptop.station.hall.fold_at(1) is None
        venue.laptop.guard(Staff(venue, {}, "1")._rule, 1)
        assert venue.laptop.up and not venue.laptop.station.archive.orders.pending

    assert live(walk) == []


def test_who_waits_for_a_record_of_a_begun_round_sets_no_other_start(live):
    """As in seed 254: a wall clock jumps by an hour while the desk lacks what a table had sent."""

    def look_again(venue):
        staff, laptop = Staff(venue, {1: None}, "1"), venue.laptop
        roster, one = laptop.station.archive.roster, RandomProgramme(1, 1)
        roster.store_round(1, one.format, one.pairings(1))
        for _ in ("published", "started"):
            laptop.station.refresh()
            staff._act(1)
            with laptop.station.archive.transaction():
                laptop.station.archive.write("UPDATE commands SET state = 'done'")
        begun_ms = laptop.station.desk.start_ms
        laptop.wall_ms += 3_600_000
        laptop.end_program()
        laptop.start()
        staff._act(1)
        assert laptop.station.desk.start_ms == begun_ms < laptop.now_ms()

    assert live(look_again) == []


def test_a_mistake_of_the_harness_is_not_laid_to_the_program(live):
    def lay_too_many(venue):
        venue.spares.clear()
        venue.laptop.guard(venue.lay_spare, 1)

    (said,) = live(lay_too_many)
    assert ": " in said and "the harness broke: IndexError at faulty_venue.py:" in said


def test_a_mistake_of_the_program_is_the_program_s_though_the_harness_passes_it_on(live):
    (said,) = live(
        lambda venue: venue.laptop.guard(venue.laptop.station.archive.query, "SELECT no")
    )
    assert "the host's program broke: OperationalError at faulty_database.py:" in said


def test_a_stranger_right_after_another_has_not_stayed_as_long_as_both(live):
    """As in seeds 981660408 and 141891554 of the relays."""

    def come_and_go(venue):
        table, now_s = venue.boards[1], venue.loop.time()
        table.switch_on()
        sync = table.app.sync
        sync.opened_ms = sync.heard_ms = table.board.clock.now_ms() - 8310
        for since_s in (now_s - 0.12, now_s - 8.31):
            venue.invariants.phone_closed(table, since_s)

    (said,) = live(come_and_go)
    assert "a stranger on the link, 8310 ms after any proof" in said


PPM, EVENT = 500, 1
HOUR_MS = 3_600_000
PAUSES = st.one_of(st.integers(0, 2000), st.integers(0, 90_000))
WAYS = st.one_of(st.integers(0, 45), st.integers(0, 480))
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), WAYS, WAYS),
        st.tuples(st.just("ask"), WAYS, WAYS),
        st.tuples(st.just("link")),
        st.tuples(st.just("pause"), PAUSES),
        st.tuples(st.just("free"), st.sampled_from((-1, 1)), st.integers(100, 60_000)),
        st.tuples(st.just("restart"), st.integers(0, 8000)),
        st.tuples(st.just("host")),
    ),
    max_size=20,
)
SKEWS = st.one_of(st.sampled_from((-PPM, PPM)), st.integers(-PPM, PPM))


class Hall:
    """A table's board, a host whose time is true or an hour wrong, and the checker of its clock:
    a venue in as far as that one looks at it.
    """

    def __init__(self, skew_ppm):
        self.loop = types.SimpleNamespace(time=lambda: self.true_ms / 1000)
        self.laptops = [types.SimpleNamespace(offsets_ms={0, HOUR_MS})]
        self.true_ms, self.ends_ms, self.ahead_ms, self.nonce = 10**6, None, 0, 0
        self.skew_ppm, self.said = skew_ppm, []
        self.checker = ClockChecker(self)
        self.restart(0)

    def event_ms(self, event):
        assert event == EVENT
        return self.true_ms

    @property
    def uptime_ms(self):
        return self.clock.now_ms()

    def restart(self, dark_ms):
        """Lose power for a while: the oscillator is its own again."""
        self.pause(dark_ms)
        self.base, self.ends_ms = Timebase(PPM), None
        self.clock = BoardClock(self.loop, self.skew_ppm)
        self.table = types.SimpleNamespace(
            app=types.SimpleNamespace(
                timebase=self.base, journal=types.SimpleNamespace(event=EVENT)
            ),
            board=types.SimpleNamespace(clock=self.clock),
        )
        self.checker.start(self.table, self.said.append)

    def pause(self, pause_ms):
        """Let time pass; a run of the free oscillator ends in it where it is over."""
        until_ms = self.true_ms + pause_ms
        if self.ends_ms is not None and self.ends_ms <= until_ms:
            self.true_ms, self.ends_ms = self.ends_ms, None
            self.clock.drift(self.skew_ppm)
        self.true_ms = until_ms

    def free(self, way, length_ms):
        self.checker.begin_drift(length_ms / 1000)
        self.clock.drift(way * DRIFT_PPM)
        self.ends_ms = max(self.ends_ms or 0, self.true_ms + length_ms)

    def link(self):
        self.base.first = True

    def host(self):
        self.ahead_ms = HOUR_MS - self.ahead_ms
        self.link()

    def ask(self, there_ms, back_ms):
        self.nonce += 1
        self.base.ask_host(self.nonce, self.uptime_ms)
        self.pause(there_ms)
        word = self.true_ms + self.ahead_ms, self.nonce
        self.checker._sent_times.add(word)
        self.pause(back_ms)
        if self.base.host_answered(*word, self.uptime_ms) is False:
            self.base.forget()  # the desk insists

    def check(self):
        self.said += self.checker.errors(self.table)


def lived(acts, skew_ppm):
    """Return what the checker says of a board's life."""
    hall = Hall(skew_ppm)
    for act, *args in acts:
        getattr(hall, act)(*args)
        hall.check()
    return hall.said


def asked(there_ms=30, back_ms=30):
    return "ask", there_ms, back_ms


AMID = [("free", -1, 60_000), asked(), ("pause", 1200), asked(), ("pause", 1200), asked(2, 20)]
TWICE = [asked(0, 0), ("free", 1, 10_000), ("pause", 20_000), ("free", 1, 1000), ("pause", 500)]
ON_THE_WAY = [("free", -1, 350), asked(0, 351)]


@example(AMID, 0)
@example(TWICE, 0)
@example(ON_THE_WAY, -PPM)
@given(ACTS, SKEWS)
def test_no_board_that_keeps_its_word_is_accused(acts, skew_ppm):
    assert lived(acts, skew_ppm) == []


@pytest.mark.parametrize("before", ([], [("free", 1, 60_000), ("pause", 70_000), ("link",)]))
@pytest.mark.parametrize("after", ([], [("free", 1, 1000), ("pause", 3000)]))
@pytest.mark.parametrize("way", (-1, 1))
def test_a_clock_that_is_further_off_than_it_may_be_is_found(before, after, way):
    hall = Hall(0)
    for act, *args in (*before, asked(0, 0), asked(0, 0), *after):
        getattr(hall, act)(*args)
        hall.check()
    assert hall.said == []
    free_ms = DRIFT_PPM // 1000 if after else 0
    off_ms = way * (hall.base.uncertainty_ms(hall.uptime_ms) + 2 * free_ms + 6)
    hall.base.offset_ms += off_ms
    hall.base.latest_ms += off_ms
    hall.check()
    assert len(hall.said) == 1 and hall.said[0].startswith("clock off by ")


def test_a_time_that_no_host_has_sent_is_found():
    hall = Hall(0)
    hall.base.ask_host(1, hall.uptime_ms)
    assert hall.base.host_answered(hall.true_ms, 1, hall.uptime_ms)
    assert len(hall.said) == 1 and hall.said[0].startswith("took the time from nobody")
