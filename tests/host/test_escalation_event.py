"""An XW15 event to its end: a cut after four rounds, an expulsion, the obstacles of the lists."""

from dataclasses import dataclass, replace

import pytest
from rounds import a_round

from firmware.core import intents
from host.archive.orders import NewOrder
from host.archive.store import Archive
from host.base.errors import UserError
from host.cli import main
from host.desk import round_lengths
from host.desk.event_import import import_file, remarks
from host.event import scores
from host.event.match_results import RULED, Result
from host.formats import event_file
from host.tournament import xwing_squads
from host.tournament.ranking import ranking, ruled_against_points
from host.tournament.round_draft import DraftRequest, draft

HEAD = (
    "# event: Escalation\n# round: {number}\n# format: xw15 swiss bo1"
    " {minutes}\n{more}table,number_a,name_a,number_b,name_b\n"
)
# each round's tables, and the points that a and b destroyed there
ROUNDS = (
    (50, ((1, 2, (40, 10)), (3, 4, (30, 0)))),
    (70, ((1, 3, (50, 10)), (2, 4, (20, 0)))),
    (90, ((1, 4, (60, 10)), (2, 3, (20, 15)))),
    (120, ((1, 2, (70, 10)), (3, 4, (20, 15)))),
)


@dataclass
class Told:
    """What the tables told, as the fold of an evening gives it."""

    found: dict

    def results(self, number):
        return self.found.get(number, {})


def won(number, place, destroyed, by="A", **more):
    return Result(number, place, by, (1, 0), None, RULED, 0, False, destroyed, **more)


def imported(archive, path, number, text):
    path.write_text(text, encoding="utf-8")
    return import_file(archive, event_file.read(path), number).round


def event(tmp_path, more="", count=4):
    """Return an Archive with the first ``count`` rounds imported, and what their tables told."""
    archive, found = Archive(tmp_path / "a.db"), {}
    for number, (minutes, tables) in enumerate(ROUNDS[:count], 1):
        head = HEAD.format(number=number, minutes=minutes, more=more if number == 1 else "")
        rows = "".join(f"{n},{a},P{a},{b},P{b}\n" for n, (a, b, _) in enumerate(tables, 1))
        imported(archive, tmp_path / f"{number}.csv", number, head + rows)
        found[number] = {n: won(number, n, told) for n, (*_, told) in enumerate(tables, 1)}
    return archive, Told(found)


def test_a_cut_that_nobody_announced_is_remarked_on(tmp_path):
    archive, told = event(tmp_path)
    with archive:
        import_file(
            archive, draft(archive, scores.rounds_of(archive, told), DraftRequest(cut=2, seed=1)), 9
        )
        assert [str(said) for said in remarks(archive, 5)] == [
            "round 5: no elimination was announced before the event (Regole Escalation)"
        ]


def test_a_cut_is_announced_before_the_event_begins(tmp_path):
    archive, _ = event(tmp_path, "# cut: 4\n", count=1)
    with archive:
        archive.orders.add(NewOrder(1, 1, intents.SetStart(5000), "desk"), 1)
        round_lengths.announce_cut(archive, 4, "Olga", 5)
        with pytest.raises(UserError, match="announced before it"):
            round_lengths.announce_cut(archive, 8, "Olga", 5)


def test_six_rounds_lengths_are_no_more_than_the_text_has_without_a_cut(tmp_path):
    with pytest.raises(UserError, match="the system has 4 rounds, and this is round 5"):
        event(tmp_path, "# rounds: 50 70 90 120 75\n", count=1)
    header = "table,number_a,name_a,number_b,name_b\n"
    (tmp_path / "odd.csv").write_text("# cut: 3\n" + header, encoding="utf-8")
    with pytest.raises(UserError, match="'3' is no cut"):
        event_file.read(tmp_path / "odd.csv")


def test_an_expulsion_before_any_points_counts_as_a_concession_and_is_listed(tmp_path):
    archive, told = event(tmp_path, count=2)
    with archive:
        told.found[2][1] = won(2, 1, None, "B")
        table = ranking(scores.rounds_of(archive, told))
        points = {line.number: line.values[:2] for line in table.lines}
        assert points["1"] == (5, 90 + 0) and points["3"] == (10, 90 + 180)
        (said,) = map(str, ruled_against_points(table))
        assert said.startswith("round 2, table 1: ruled, and no points were told")
        assert "result 1 …" in said


def test_a_tie_against_the_points_is_level_and_listed():
    one = a_round(1, (1, 2, "tie"), system="xw15")
    score = replace(one.scores[0], result=replace(one.scores[0].result, destroyed=(40, 10)))
    table = ranking([replace(one, scores=(score,))])
    assert [line.values[:2] for line in table.lines] == [(1, 60), (1, 60)]
    assert "ruled a tie, so it counts as level" in str(ruled_against_points(table)[0])


def test_obstacles_stand_in_a_squad_list_and_are_checked_by_the_command(tmp_path, capsys):
    rows = [
        f"1,{n},Rebel,X-wing,small,Luke,,30,{{}}\n1,{n},Rebel,Y-wing,small,Gold,,20,\n"
        for n in range(1, 5)
    ]
    head = ",".join((*xwing_squads.COLUMNS, xwing_squads.OBSTACLES)) + "\n"
    good = "CoreAsteroid0; coreasteroid5 | yt2400debris1"
    path = tmp_path / "squads.csv"
    path.write_text(head + "".join(row.format(good) for row in rows), encoding="utf-8")
    assert main(["import", str(path), "--check"]) == 0
    bad = [good, "coreasteroid0; coreasteroid0; rock", good, good]
    path.write_text(
        head + "".join(row.format(cell) for row, cell in zip(rows, bad, strict=True)),
        encoding="utf-8",
    )
    capsys.readouterr()
    assert main(["import", str(path), "--check"]) == 1
    assert (
        "4: 1 brings other obstacles than in line 2: the same all event" in capsys.readouterr().out
    )
    path.write_text(
        head + "".join(row.format("coreasteroid0; coreasteroid0; rock") for row in rows),
        encoding="utf-8",
    )
    assert main(["import", str(path), "--check"]) == 1
    told = capsys.readouterr().out
    assert "2: 1: 'rock' is no obstacle" in told and "2: 1: coreasteroid0 is there twice" in told
