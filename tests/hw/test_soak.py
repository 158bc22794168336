"""``plusthree board bringup --soak``: hours of a board's radio, in the time of the modelled air."""

import asyncio
import dataclasses
import tomllib

import pytest
from commands import plusthree

from host.collector.carriers import soak
from host.sim import clock, prices
from host.sim.bleio.radio import ESPRESSIF
from host.sim.virtual_soak import VirtualSoak


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
