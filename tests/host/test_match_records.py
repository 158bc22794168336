"""What a player's rounds come to: who was met, how each ended, and won, lost and tied."""

from host.archive.roster import Format, Pairing, Player
from host.event.match_results import FILE, PAPER, Result
from host.event.scores import Round, Score
from host.tournament.match_records import Meeting, Tally, meetings, tallies

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
