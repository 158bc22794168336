"""The self-test of a board: passes on a good one, names each fault; and hours of its radio with ``--soak``."""

import asyncio
import dataclasses
import tomllib

import pytest
from commands import plusthree

from host.boards.bringup import ports, self_test, serial_console
from host.boards.bringup.bench import Person
from host.boards.deploy import image
from host.boards.models import IMAGES, MODELS
from host.collector.carriers import soak
from host.sim import bleio as radio
from host.sim import clock, prices
from host.sim.bleio import ESPRESSIF
from host.sim.virtual_bench import FAULTS
from host.sim.virtual_soak import VirtualSoak


def bring_up(capsys, *options):
    """Return (exit code, the report's lines)."""
    code = plusthree("board", "bringup", "--virtual", "--no-figures", *options)
    return code, capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("model", MODELS)
def test_a_good_board_passes(model, capsys):
    code, lines = bring_up(capsys, "--board", model)
    assert code == 0
    assert lines[-1] == "the board is good"
    assert all(line.startswith(self_test.PASSED) for line in lines[:-1])
    assert len(lines) == 11 + MODELS[model].keys + 1


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_and_nothing_else(fault, capsys):
    code, lines = bring_up(capsys, "--fault", fault)
    assert code == 1
    assert [line[12:29].strip() for line in lines if line.startswith("FAILED")] == [FAULTS[fault]]
    assert lines[-1] == f"failed: {FAULTS[fault]}"


def test_nothing_runs_as_the_board_after_its_bench():
    plusthree("board", "bringup", "--virtual", "--no-figures")
    assert radio.running.get() is None


def test_there_are_eight_faults():
    assert len(FAULTS) == len(set(FAULTS.values())) == 8


def test_the_report_is_written(tmp_path, capsys):
    path = tmp_path / "board.txt"
    _, lines = bring_up(capsys, "--report", str(path))
    assert path.read_text("utf-8").splitlines() == ["board 7", *lines]


@pytest.mark.parametrize("wrong", [[], ["COM5", "--virtual"], ["COM5", "--fault", "no-radio"]])
def test_what_makes_no_sense_is_refused(wrong, capsys):
    assert plusthree("board", "bringup", *wrong) == 2


@pytest.mark.parametrize("model", IMAGES)
def test_the_boards_half_is_not_laid_on_a_board(model):
    assert not [name for name in image.build(model) if "selftest" in name]


class Bench:
    """A console, an operator, the air and the clock, answering from a table."""

    def __init__(self, levels=(), counts=(), **answers):
        self.levels, self.counts, self.answers = list(levels), list(counts), answers
        self.time_ms = 0

    def call(self, text):
        name = text.removeprefix("bench.").partition("(")[0]
        if name == "levels":
            return self.levels.pop(0) if len(self.levels) > 1 else self.levels[0]
        return self.answers.get(name)

    def prompt(self, text, key):
        pass

    def ask(self, question, what):
        return self.counts.pop(0)

    def now_ms(self):
        return self.time_ms

    def rest(self, pause_ms):
        self.time_ms += pause_ms


def outcome(part, bench, expected=None):
    test = self_test.Bringup(bench, bench, bench, bench, expected, seed=3)
    checks = dict(test._parts())
    return test._outcome(part, checks[part])


UP, A, B = (False, False, False), (True, False, False), (False, True, False)


@pytest.mark.parametrize(
    "levels, told",
    [((UP, UP, A, UP), ""), ((UP, UP, B, UP), "key ● answered in its place"),
     ((UP, UP, UP), "it does not answer"), ((UP, A, A, A), "it stays down"),
     ((A, A), "it is stuck: down although nobody presses it")],
)  # fmt: skip
def test_what_a_key_can_do_wrong(levels, told):
    found = outcome("key ▲", Bench((UP, *levels)))
    assert (found.state, found.detail) == (self_test.FAILED if told else self_test.PASSED, told)


def test_a_display_is_counted_twice():
    found = outcome("display", Bench((UP,), counts=[5, 5]))
    assert found.state == self_test.FAILED and found.detail.endswith("5 were counted")


def test_without_an_archive_the_key_is_not_tested():
    bench = Bench((UP,))
    test = self_test.Bringup(bench, bench, bench, bench, self_test.Expected({}), seed=3)
    test.device, test._generation = 7, 1
    assert test._outcome("key of the board", test._key).state == self_test.SKIPPED


def test_files_that_are_missing_or_not_ours_are_named():
    wanted = self_test.Expected({"firmware/app.py": "a", "boot.py": "b"})
    short = Bench((UP,), files=(("firmware/app.py", "a"),))
    assert "boot.py is missing (1" in outcome("firmware", short, wanted).detail
    there = (
        ("firmware/app.py", "a"),
        ("boot.py", "b"),
        ("firmware/old.py", "c"),
        ("lib/more.py", "d"),
    )
    old = outcome("firmware", Bench((UP,), files=there), wanted)
    assert "firmware/old.py is not ours (1" in old.detail


def test_a_board_that_raises_fails_in_that_part_alone(capsys):
    class Broken(Bench):
        def call(self, text):
            if "draw" in text:
                raise ports.BoardFailed("OSError: 5")
            return super().call(text)

    assert "OSError: 5" in [o.detail for o in parts_of(Broken((UP,)), "entropy")][0]


def parts_of(bench, part):
    """Return the Outcomes of one part by way of ``run``."""
    test = self_test.Bringup(bench, bench, bench, bench, self_test.Expected({}), seed=3)
    test._parts = lambda: iter([(part, getattr(test, "_" + part))])
    return list(test.run())


def test_a_person_is_asked_until_there_is_a_number():
    answers, said = iter(["", "three", " 3 "]), []
    assert Person(lambda text: next(answers), said.append).ask("How many?", "beep") == 3
    assert said == ["  A number, please."] * 2


def test_the_half_that_is_sent_is_the_file():
    assert serial_console.SOURCE.is_file()


class Gauge:
    """A board's heap and journal, whose every rewrite takes 60 ms."""

    def free(self):
        return 2_000_000

    def write(self):
        return 600, 60_000


def soaked(hours, reconnects=20, both=False, **limits):
    said = []

    async def main():
        port = dataclasses.replace(ESPRESSIF, **limits)
        board = VirtualSoak(asyncio.get_running_loop(), 1, Gauge(), both, port)
        done = soak.Soak(
            board.turn, board.quirks, board.backends, hours, reconnects, both, said.append
        )
        await done.run()
        return done

    return clock.run(main()), said


def brought(capsys, *options):
    code = plusthree("board", "bringup", "--virtual", *options)
    return code, capsys.readouterr().out


def test_the_programs_own_pattern_lasts_and_its_figures_can_be_sent_back(capsys, tmp_path):
    out = tmp_path / "own.toml"
    code, told = brought(
        capsys, "--soak", "own", "--hours", "0.5", "--reconnects", "20", "--out", str(out)
    )
    found = tomllib.loads(out.read_text("utf-8"))
    assert code == 0 and found["board"] == "feathers3"
    figures = found["soak"]["own"]
    assert figures["ended"] == "as planned" and figures["minutes"] == 30
    assert figures["links"] >= 20 and figures["journal_writes"] >= 58
    assert 0 < figures["notified"] <= figures["sent"] and figures["longest_write_us"] > 0
    assert "plusthree board bringup of board 7, unexpectedmaker_feathers3" in figures["source"]
    assert told.count(" % ") >= 100 and "please send it to us" in told
    assert prices.load([out]).on("feathers3") == prices.load().on("feathers3")


def test_adverts_beside_a_link_end_as_the_reports_say(capsys, tmp_path):
    out = tmp_path / "both.toml"
    code, _ = brought(capsys, "--soak", "both", "--hours", "3", "--out", str(out))
    figures = tomllib.loads(out.read_text("utf-8"))["soak"]["both"]
    assert code == 1 and 10 <= figures["minutes"] <= 120 and figures["links"] == 1
    assert figures["ended"].startswith("the board is gone: ")


def test_a_radio_whose_memory_is_used_up_is_told(capsys):
    done, _ = soaked(0.5, adverts=60)
    assert done.lasted and done.figures()["radio_restarts"] >= 2
    assert done.figures()["adverts_refused"] >= done.figures()["radio_restarts"]
    assert done.figures()["links"] >= 20


def test_every_link_carries_answers_both_ways():
    done, said = soaked(0.2, reconnects=10)
    figures = done.figures()
    assert figures["received"] >= figures["links"] >= 10
    assert figures["notified"] > 3 * figures["links"], "records, too: they wait for an answer"
    assert 900 < figures["connect_p50_ms"] <= figures["connect_p99_ms"] < 10_000
    assert said[0].split()[1] == "%"


@pytest.mark.prove
def test_a_day_of_it():
    done, _ = soaked(24, reconnects=1000)
    figures = done.figures()
    assert done.lasted and figures["links"] >= 1000 and figures["minutes"] == 1440
    assert figures["adverts"] > 4 * ESPRESSIF.adverts and figures["radio_restarts"] >= 4


@pytest.mark.parametrize("wrong", [("--hours", "0"), ("--reconnects", "0")])
def test_a_soak_of_nothing_is_refused(wrong, capsys):
    assert brought(capsys, "--soak", "own", *wrong)[0] == 2
