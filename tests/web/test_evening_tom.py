"""A TOM event from its import to its export in a real Chromium, its clicks counted."""

import os

import pytest
import tomfile
import webevening

PLAYERS = 64 if os.environ.get("PLUSTHREE_PROVE") else 12
PACK, CUT = "Pokémon Swiss, 3-1-0", 2
RETURNS, MISSES = "1010", "1011"  # the first drops and is back at once, the other misses round 2
CALLS, WAITS, PAPER, SWAPPED, DISPUTED = 1, 2, 3, 4, 6  # tables where something happens
FOR_A_CARD = 2 << 4  # what a coin is tossed for


def tom():
    """Round 1 of a Swiss event, paired and not played."""
    numbers = list(range(1000, 1000 + PLAYERS))
    matches = [
        tomfile.match(0, n // 2 + 1, numbers[n], numbers[n + 1]) for n in range(0, PLAYERS, 2)
    ]
    people = [tomfile.person(number) for number in numbers]
    return tomfile.tournament(people, [tomfile.pod(2, numbers, [tomfile.round_(1, matches)])])


def first_round(evening):
    rounds = evening.organiser.panel("rounds")
    evening.organiser.submit(rounds.locator("[data-form=choose_pack]"), pack=PACK)
    evening.publish(1)
    evening.find_seat(1)
    evening.start(1)
    evening.call(CALLS)
    evening.minutes(WAITS)
    evening.alarm()
    evening.paper(PAPER)
    evening.swap(SWAPPED)
    evening.dispute(DISPUTED)
    evening.rule(1)
    evening.people(RETURNS)
    evening.standings(PLAYERS)


def rounds_after(evening):
    """Two rounds, one of them without somebody who comes back, so that a table stays free: the one
    without a board. With all of them back it plays with slips. Then the final.
    """
    evening.leave(MISSES)
    evening.draft()
    assert not evening.plays(MISSES, 2)
    evening.publish(2)
    evening.start(2)
    evening.rule(2)
    evening.come_back(MISSES)
    evening.draft()
    assert evening.plays(MISSES, 3)
    evening.publish(3)
    evening.start(3)
    evening.slip(PAPER, outcome="tie", number_a=1, number_b=1)
    evening.rule(3)
    evening.draft(CUT)
    evening.publish(4)
    evening.start(4)
    evening.rule(4)
    evening.standings(PLAYERS)


@pytest.mark.parametrize("locale", ["en-GB", pytest.param("it-IT", marks=pytest.mark.prove)])
def test_an_evening_from_import_to_export(
    chromium, tmp_path, capsys, monkeypatch, locale, proving, printed
):
    """64 players in both languages to the final in `make prove`, else one round of 12."""
    words = "--format", "p18 swiss bo3 constructed 50"
    path = webevening.imported(tmp_path, "cup.tdf", tom(), *words)
    parts = (first_round, rounds_after) if proving else (first_round,)
    evening = webevening.play(chromium, tmp_path, locale, (FOR_A_CARD, True), parts)
    code, told = webevening.taken_home(path, tmp_path, evening.receipt, capsys, monkeypatch)
    assert code == 0, told
    printed(f"an evening of {PLAYERS} players, {locale}: clicks", evening.counted)
