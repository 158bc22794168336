"""What a player's rounds come to, those that were missed, too."""

from dataclasses import replace

from rounds import a_round, player

from host.archive import fixed_tables
from host.archive.fixed_tables import Fixed, fix, fixed
from host.archive.roster import Format, Pairing, Player
from host.event import missed_rounds
from host.event.match_results import FILE, PAPER, Result
from host.event.missed_rounds import MissedRound
from host.event.scores import Missed, Round, Score
from host.tournament import rule_packs
from host.tournament.match_records import Meeting, Tally, meetings, tallies
from host.tournament.ranking import ranking

ADA, BO, CY = (Player(name[0], name) for name in ("Ada", "Bo", "Cy"))
SWISS, ELIMINATION = 3 << 1, 3 << 1 | 1


def score(number, a, b, outcome=None, games=(0, 0), by=PAPER, destroyed=None):
    pairing = Pairing(number, 1, 7 if b else None, a, b)
    result = Result(number, 1, outcome, games, None, by, 0, False, destroyed) if outcome else None
    return Score(pairing, result)


def played(number, *scores, bits=SWISS, missed=()):
    return Round(number, "p18", Format(0, bits, 50), scores, 3, missed)


def test_each_player_reads_the_figures_from_the_own_side():
    told = meetings([played(1, score(1, ADA, BO, "B", (1, 2)), score(1, CY, None))])
    assert told["A"] == [Meeting(1, 7, BO, "lost", (1, 2))]
    assert told["B"] == [Meeting(1, 7, ADA, "won", (2, 1))]
    assert told["C"] == [Meeting(1, None, None, "bye")]


def test_points_destroyed_come_before_games_and_a_file_without_figures_has_none():
    rounds = [
        played(1, score(1, ADA, BO, "A", (1, 0), destroyed=(60, 42))),
        played(2, score(2, ADA, BO, "tie", by=FILE)),
        played(3, score(3, ADA, BO, "neither", by=FILE)),
        played(4, score(4, ADA, BO)),
    ]
    told = meetings(rounds)["B"]
    assert [(one.how, one.figures) for one in told] == [
        ("lost", (42, 60)), ("tied", None), ("lost", None), ("open", None)
    ]  # fmt: skip


def test_a_bye_is_won_a_missed_round_lost_and_an_open_match_nothing():
    rounds = [
        played(1, score(1, ADA, BO, "A", (2, 0)), score(1, CY, None)),
        played(2, score(2, ADA, CY, "tie", (1, 1)), missed=("B",)),
        played(3, score(3, ADA, BO)),
    ]
    assert tallies(rounds) == {"A": Tally(1, 0, 1), "B": Tally(0, 2, 0), "C": Tally(1, 0, 1)}


def test_after_a_cut_the_swiss_rounds_count_alone():
    cut = played(2, score(2, ADA, BO, "B", (0, 2)), bits=ELIMINATION)
    swiss = played(1, score(1, ADA, BO, "A", (2, 0)))
    assert tallies([swiss, cut]) == {"A": Tally(1, 0, 0), "B": Tally(0, 1, 0)}
    assert tallies([cut]) == {"A": Tally(0, 1, 0), "B": Tally(1, 0, 0)}
    assert [one.how for one in meetings([swiss, cut])["A"]] == ["won", "lost"]


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
