"""Rounds that a player missed and that count as a loss or a bye: standings, pods, the next draft."""

from dataclasses import replace

from rounds import a_round, player

from host.archive import fixed_tables
from host.archive.fixed_tables import Fixed, fix, fixed
from host.event import missed_rounds
from host.event.missed_rounds import MissedRound
from host.event.scores import Missed
from host.tournament import rule_packs
from host.tournament.ranking import ranking

POKEMON = rule_packs.load("pokemon-swiss")


def counted(one, *missed):
    """A Round in which players (numbers) have a bye, or a loss."""
    given = tuple(Missed(player(number), bye) for number, bye in missed)
    return replace(one, counted=given)


def test_a_pack_gives_a_loss_or_a_bye():
    rounds = [counted(a_round(1, (1, 2)), (7, False), (8, True)), a_round(2, (1, 7), (2, 8, "B"))]
    found = {line.number: line for line in ranking(rounds, POKEMON).lines}
    assert (found["7"].values[0], found["7"].byes) == (0, 0)
    assert (found["8"].values[0], found["8"].byes) == (6, 1)
    once = {line.number: line for line in ranking(rounds[:1], POKEMON).lines}
    assert once["8"].values[0] == 3 and once["8"].name == "Name 8", "before any match"


def test_escalation_gives_a_bye_its_margin_and_a_loss_nothing():
    match = (1, 2, "A", (0, 0))
    played = a_round(1, match, system="xw15")
    score = replace(played.scores[0], result=replace(played.scores[0].result, destroyed=(30, 0)))
    found = {
        line.number: line
        for line in ranking(
            [counted(replace(played, scores=(score,)), (7, False), (8, True))]
        ).lines
    }
    assert found["7"].values == (0, 0, 0) and found["7"].byes == 0
    assert found["8"].values[:2] == (5, 150) and found["8"].byes == 1


def test_what_is_noted_of_a_player_follows_a_new_number(venue):
    archive = venue.archive
    fix(archive, Fixed("0", 2), "Olga", 0)
    missed_rounds.keep(archive, MissedRound("0", 1, "bye"), "Olga", 0)
    fixed_tables.renumber(archive, "0", "70", "cup.tdf", 1)
    missed_rounds.renumber(archive, "0", "70", "cup.tdf", 1)
    assert fixed(archive) == {"70": 2} and missed_rounds.of_round(archive, 1) == {"70": "bye"}
    missed_rounds.withdraw(archive, 1, "Olga", 2)
    assert missed_rounds.of_round(archive, 1) == {}


def test_notices_that_make_no_sense_count_for_nothing(venue):
    archive = venue.archive
    for text in ("[]", "{}", '{"player": 1, "round": 1, "counts": "loss"}',
                 '{"player": "1", "round": 1, "counts": "win"}'):  # fmt: skip
        archive.notices.add(missed_rounds.NOTICE, text, "x", 0)
    assert missed_rounds.of_round(archive, 1) == {}
    for text in ('{"player": "1"}', '{"player": "1", "table": "2"}', "7"):
        archive.notices.add("table fixed", text, "x", 0)
    assert fixed(archive) == {}
