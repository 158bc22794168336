"""An X-Wing event of 16 from Cryodex's file to its export in a real Chromium."""

import json

import pytest
import webevening

from host.sim.programme import FAMILY, GIVEN

PLAYERS, ROUNDS, CUT = 16, 4, 4
MISSES = "Giulia Dupont"  # misses round 2
CALLS, WAITS, PAPER, DISPUTED, SWAPPED = 2, 3, 4, 5, 6  # tables where something happens
FOR_COLOURS = 4 << 4  # what a coin is tossed for


def cryodex():
    names = [f"{GIVEN[n % len(GIVEN)]} {FAMILY[n // 2]}" for n in range(PLAYERS)]
    pairs = [{"player1": names[n], "player2": names[n + 1]} for n in range(0, PLAYERS, 2)]
    one = {"round-type": "swiss", "round-number": 1, "matches": pairs}
    return json.dumps({"name": "Escalation", "players": [{"name": name} for name in names],
                       "rounds": [one]})  # fmt: skip


def first_round(evening):
    evening.publish(1)
    evening.find_seat(1)
    evening.start(1)
    evening.call(CALLS)
    evening.minutes(WAITS)
    evening.alarm()
    evening.paper(PAPER, number_a=20, number_b=41)
    evening.swap(SWAPPED)
    evening.dispute(DISPUTED)
    evening.rule(1)
    evening.people("Hana")


def rounds_after(evening):
    """The Swiss rounds that are left, somebody away in one; the semi-finals and the final."""
    for number in range(2, ROUNDS + 1):
        if number == 2:
            evening.leave(MISSES)
        elif number == 3:
            evening.come_back(MISSES)
        evening.draft()
        assert evening.plays(MISSES, number) == (number > 2)
        evening.publish(number)
        evening.start(number)
        if number > 2:  # else the table without a board stays free
            evening.slip(PAPER, outcome="A", number_a=50, number_b=12 + number)
        evening.rule(number)
    evening.standings(PLAYERS)
    for number, cut in ((ROUNDS + 1, CUT), (ROUNDS + 2, "")):
        evening.draft(cut)
        evening.publish(number)
        evening.start(number)
        evening.rule(number)


@pytest.mark.prove
@pytest.mark.parametrize("locale", ["it-IT", "en-GB"])
def test_an_evening_from_import_to_export(chromium, tmp_path, capsys, monkeypatch, locale, printed):
    path = webevening.imported(tmp_path, "escalation.json", cryodex())
    parts = first_round, rounds_after
    evening = webevening.play(chromium, tmp_path, locale, (FOR_COLOURS, False), parts)
    code, told = webevening.taken_home(path, tmp_path, evening.receipt, capsys, monkeypatch)
    assert code == 0, told
    printed(f"an evening of {PLAYERS} players, {locale}: clicks", evening.counted)
