"""XW15 evenings from the first list to the final, through the commands and the typed desk."""

import csv
import io
import json
from dataclasses import dataclass, replace

import pytest
import tree
from commands import plusthree
from rounds import a_round
from typed_evening import TypedEvening

from firmware.core import intents
from host.archive.orders import NewOrder
from host.archive.store import Archive
from host.base.errors import UserError
from host.desk import playing_staff, round_lengths
from host.desk.event_import import import_file, remarks
from host.event import scores
from host.event.match_results import RULED, Result
from host.formats import event_file
from host.formats.event_file import Staff
from host.tournament import xwing_squads
from host.tournament.ranking import ranking, ruled_against_points
from host.tournament.round_draft import DraftRequest, draft

PEOPLE = "number,name,family\n" + "".join(f"{n},Pilot {n:02},\n" for n in range(1, 17))
STORE = tree.ROOT / "examples" / "systems" / "store.toml"


def drawn(evening, head="", form="xw15 swiss bo1 50", people=PEOPLE, *more):
    """Draft round 1 of a list, add lines before it, import and publish it."""
    evening.done(
        "pair", evening.folder / "draft1.csv", "--players", evening.file("people.csv", people),
        "--event", "Escalation", "--format", form, "--seed", 3, *more,
    )  # fmt: skip
    draft = (evening.folder / "draft1.csv").read_text(encoding="utf-8-sig")
    evening.done("import", evening.file("round1.csv", head + draft), *more[-2:])
    evening.typed("publish 1")


def played(evening, number, cap):
    """Type a slip for each table: the lower number wins, by more the lower it is."""
    for table, a, b in evening.matches(number):
        lead = cap - 2 * min(a, b)
        told = (lead, 1) if a < b else (1, lead)
        evening.typed(f"result {table} {'A' if a < b else 'B'} {told[0]} {told[1]} slip")


def test_the_bye_of_a_round_to_come_is_worth_nothing_in_what_is_taken_home(evening):
    drawn(evening, people="number,name\n" + "".join(f"{n},Pilot {n:02}\n" for n in range(1, 6)))
    played(evening, 1, 60)
    out = evening.folder / "out"

    def taken_home():
        evening.done("export", "cryodex", "--out", out)
        evening.done("export", "listfortress", "--out", out)
        evening.done("export", "json", "--out", out)
        pilots, participants, everything = (
            json.loads((out / name).read_text(encoding="utf-8"))
            for name in ("cryodex.json", "listfortress.json", "everything.json")
        )
        scores = {one["name"]: one["score"] for one in participants["participants"]}
        return pilots["players"], scores, everything["standings"]["lines"]

    before = taken_home()
    evening.done("pair", evening.folder / "round2.csv", "--seed", 2)
    evening.done("import", evening.folder / "round2.csv")
    assert taken_home() == before


def test_an_escalation_with_a_cut_from_the_list_to_the_final(evening):
    drawn(evening, "# cut: 4\n# rounds: 50 70 90 120 75 75\n")
    caps = 60, 90, 120, 150
    for number, cap in enumerate(caps, 1):
        if number > 1:
            evening.pair(number)
        played(evening, number, cap)
    code, out, _ = evening.command("show standings")
    assert code == 0 and out.splitlines()[2].split()[:3] == ["1", "Pilot", "01"]
    evening.pair(5, "--cut", 4, "--minutes", 75)
    assert {one for _, a, b in evening.matches(5) for one in (a, b)} == {
        int(line["number"]) for line in evening.objects("show standings")["lines"][:4]
    }
    played(evening, 5, 150)
    evening.pair(6, "--minutes", 75)
    (final,) = evening.matches(6)
    evening.typed(f"result {final[0]} A 150 20 slip")
    line = evening.objects("show results")[0]
    assert (line["outcome"], line["destroyed_a"], line["destroyed_b"]) == ("A", 150, 20)
    code, _, error = evening.command("pair", evening.folder / "more.csv")
    assert code == 2 and "the final has been played" in error


def test_points_and_margins_are_told_wherever_a_result_is(evening):
    drawn(evening)
    table, a, b = evening.matches(1)[0]
    said = evening.typed(f"result {table} A 40 12 slip")
    told = evening.done("show results")
    assert f"Pilot {a:02} wins 40–12" in told and f"Pilot {a:02} wins (40–12)" in said[0]
    evening.done("export", "csv", "--out", evening.folder / "out")
    text = (evening.folder / "out" / "results.csv").read_text(encoding="utf-8-sig")
    row = next(one for one in csv.DictReader(io.StringIO(text)) if one["number_a"] == str(a))
    names = "points_a", "points_b", "destroyed_a", "destroyed_b", "margin_a", "margin_b"
    assert [row[name] for name in names] == ["5", "0", "40", "12", "88", "32"]
    for place in (told, text, *said):
        assert "0–0" not in place


def test_a_disqualification_stops_nothing(evening):
    drawn(evening)
    played(evening, 1, 60)
    (leading, a, b), (unplayed, c, d) = evening.matches(1)[:2]
    evening.typed(f"result {leading} B 40 12 sure expelled: cards hidden")
    evening.typed(f"result {unplayed} none the slip was wrong")
    (refused,) = evening.desk(f"rule {unplayed} B 0 0 final sure expelled before a shot")
    assert refused.endswith(f": result {unplayed} B 0 0 sure expelled before a shot")
    evening.typed(refused.rpartition(": ")[2])
    code, out, error = evening.command("show standings")
    assert code in (0, 1) and not error
    assert f"round 1, table {leading}: ruled against its points" in out
    told = {line["number"]: line for line in evening.objects("show standings")["lines"]}
    assert (told[str(a)]["points"], told[str(a)]["margin"]) == (0, 60 - 60 + 40)
    assert (told[str(b)]["points"], told[str(d)]["points"], told[str(c)]["points"]) == (5, 5, 0)
    evening.typed(f"drop {a} sure: expelled")
    evening.pair(2, "--drop", a)
    assert a not in {one for _, *pair in evening.matches(2) for one in pair}


def test_a_stores_own_evening_of_six_rounds_with_a_cut(evening):
    own = "--system", STORE
    drawn(evening, "# cut: 4\n", "store swiss bo1 75", PEOPLE, *own)
    for number in range(1, 7):
        if number == 6:  # the winners of five rounds have met each other
            code, _, error = evening.command("pair", evening.folder / "round6.csv")
            assert code == 2 and "pair across points with --across, or by hand" in error
        if number > 1:
            evening.pair(number, "--across")
        played(evening, number, (60, 90, 120, 150, 150, 150)[number - 1])
    out = evening.command("show standings")[1]
    assert "rank  player  points  margin  sos" in out
    evening.pair(7, "--cut", 4)
    played(evening, 7, 150)
    evening.pair(8)
    played(evening, 8, 150)
    assert "the final has been played" in evening.command("pair", evening.folder / "9.csv")[2]


SQUADS = (30, 28), (30, 58), (60, 59), (90, 59)


def squad_sheet(players, obstacles="coreasteroid0; coreasteroid1; yt2400debris2"):
    rows = [
        f"{player},{number},Rebel,X-wing,small,{pilot},{'; '.join('abc'[: number - 1])},{points},"
        f"{obstacles}"
        for player in players
        for number, squad in enumerate(SQUADS, 1)
        for pilot, points in zip(("Luke", "Wedge"), squad, strict=True)
    ]
    return "player,squad,faction,ship,size,pilot,upgrades,points,obstacles\n" + "\n".join(rows)


def test_squads_are_kept_and_a_score_that_no_ships_give_is_asked_about(evening):
    drawn(evening)
    sheet = evening.file("squads.csv", squad_sheet(range(1, 16)))
    out = evening.done("import", sheet)
    assert "the squads of 15 players keep the rules" in out and "are kept" in out
    assert "player 16 has no squad list yet" in out
    table, a, b = next(one for one in evening.matches(1) if 16 not in one[1:])
    (asked,) = evening.desk(f"result {table} A 29 0 slip")
    assert "▲ destroyed 29 points: no choice of the other's ships is worth that" in asked
    assert "sure" in asked
    evening.typed(f"result {table} A 29 0 sure asked both")
    told = evening.objects("show standings")
    assert [said.partition(":")[0] for said in told["odd_scores"]] == [f"round 1, table {table}"]
    evening.typed(f"result {table} A 30 0 misread")
    assert evening.objects("show standings")["odd_scores"] == []
    evening.typed("start 3")
    other = evening.file(
        "others.csv", squad_sheet([1], "coreasteroid3; coreasteroid4; coreasteroid5")
    )
    assert "it stays for the whole event" in evening.command("import", other)[2]


@pytest.mark.parametrize(("head", "said"), [
    ("# organiser: 3\n", "a second organiser is announced first"),
    ("# organiser: 3\n# second: Bea\n", ""),
    ("# organiser: 3\n# second: Bea\n# category: premier\n", "no organiser plays at a Premier"),
    ("# organiser: 99\n", ""),
    ("# organiser: 9\n# second: bo\n# category: premier\n", "player 4 organises, and no"),
    ("# judges: Ugo Blu, ANN\n# category: premier\n", "player 3 judges, and no judge plays"),
    ("# judges: 04\n# category: premier\n", "player 4 judges, and no judge plays"),
    ("# judges: Ann, 4\n# category: competitive\n", ""),
    ("# judges: Ann, 4\n", ""),
    ("# judges: Ugo Blu, Ann Lee, 34\n# category: premier\n", ""),
])  # fmt: skip
def test_organisers_and_judges_who_play_are_remarked_on(evening, head, said):
    text = head + "# format: xw15 50\ntable,number_a,name_a,number_b,name_b\n1,3,Ann,4,Bo\n"
    out = evening.done("import", evening.file("round1.csv", text))
    assert said in out and bool(said) == ("Partecipazione" in out)


def test_who_judges_is_known_for_the_whole_event(evening):
    head, rows = "# event: Cup\n# round: {}\n# format: xw15 {}\n", "1,3,Ann,4,Bo\n"
    text = head + "{}table,number_a,name_a,number_b,name_b\n" + rows
    first = text.format(1, 50, "# judges: Ann, Bo\n")
    assert "judges" not in evening.done("import", evening.file("1.csv", first))
    second = evening.file("2.csv", text.format(2, 70, "# category: premier\n"))
    out = evening.done("import", second)
    assert "round 2: player 3 judges, and" in out and "round 2: player 4 judges, and" in out


def test_what_an_older_program_stored_of_the_staff_is_read(evening):
    head = "# organiser: 3\n# category: premier\n# format: xw15 50\n"
    text = head + "table,number_a,name_a,number_b,name_b\n1,3,Ann,4,Bo\n"
    with Archive(evening.archive) as archive:
        import_file(archive, event_file.read(evening.file("round1.csv", text)), 1)
        older = {"organiser": "4", "second": "", "category": "premier"}
        archive.notices.add(playing_staff.NOTICE, json.dumps(older), "event file", 2)
        assert playing_staff.playing_staff(archive) == Staff("4", "", "premier")
        (said,) = remarks(archive, 1)
    assert said.startswith("round 1: player 4 organises")


SEVEN = "number,name\n" + "".join(f"{n},Pilot {n}\n" for n in range(1, 8))


def level(evening, people=SEVEN):
    """Play round 1 of seven players; return the three losers, level in points and margin."""
    drawn(evening, people=people)
    for table, *_ in evening.matches(1):
        evening.typed(f"result {table} A 40 0 slip")
    lines = evening.objects("show results", "--round", 1)
    return {one["number_b"] for one in lines if one["table"]}


def bye_of(evening, name, seed):
    """Draft round 2 with a seed; return who has the bye, and what the command says."""
    path = evening.folder / f"{name}-{seed}.csv"
    said = evening.done("pair", path, "--seed", seed)
    (bye,) = (one.a.number for one in event_file.read(path).pairings if one.b is None)
    return bye, said


def test_a_bye_among_players_who_are_level_is_drawn_by_lot_and_said(evening):
    lost = level(evening)
    names = ", ".join(f"Pilot {one} ({one})" for one in sorted(lost))
    found = set()
    for seed in range(20):
        bye, said = bye_of(evening, "round2", seed)
        told = f"the bye was drawn by lot among {names}, who are level in points and margin of"
        assert f"{told} victory: Pilot {bye} has it" in said
        found.add(bye)
    assert found == lost


def test_many_who_are_level_are_counted_in_the_sentence(evening):
    drawn(evening, people="number,name\n" + "".join(f"{n},Pilot {n}\n" for n in range(1, 20)))
    for table, *_ in evening.matches(1):
        evening.typed(f"result {table} A 60 0 slip")
    said = bye_of(evening, "round2", 1)[1]
    assert "by lot among 9 players who are level in points and margin of victory: Pilot" in said


def test_the_lot_is_the_seeds_whatever_the_order_of_the_file(tmp_path, capsys):
    byes = []
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        evening = TypedEvening(tmp_path / folder, capsys)
        head, *rows = ["table,number_a,name_a,number_b,name_b"] + [
            f"{n},{n},Pilot {n},{n + 3},Pilot {n + 3}" for n in (1, 2, 3)
        ] + [",7,Pilot 7,,"]  # fmt: skip
        rows = rows if folder == "one" else rows[::-1]
        text = "\n".join(("# format: xw15 50", head, *rows)) + "\n"
        evening.done("import", evening.file("round1.csv", text))
        evening.typed("publish 1", *(f"result {n} A 40 0 slip" for n in (1, 2, 3)))
        byes.append([bye_of(evening, "round2", seed)[0] for seed in range(12)])
    assert byes[0] == byes[1] and set(byes[0]) == set("456")


def test_nothing_is_said_of_a_bye_that_the_text_gives(evening):
    drawn(evening, people=SEVEN)
    for number, (table, *_) in enumerate(evening.matches(1)):
        evening.typed(f"result {table} A {40 + number} 0 slip")
    assert "by lot" not in bye_of(evening, "round2", 1)[1]


def test_who_has_a_second_bye_is_asked_and_named(evening):
    """Of the three who are left, the last had the bye of round 1."""
    drawn(evening, people="number,name\n" + "".join(f"{n},Pilot {n}\n" for n in range(1, 6)))
    (had,) = (one["number_a"] for one in evening.objects("show results") if not one["table"])
    for table, *_ in evening.matches(1):
        evening.typed(f"result {table} A 40 0 slip")
    evening.pair(2)
    for table, a, _ in evening.matches(2):
        evening.typed(f"result {table} {'B 0 90' if str(a) == had else 'A 90 0'} slip")
    points = {one["number"]: one["points"] for one in evening.objects("show standings")["lines"]}
    first, second = sorted(one for one in points if points[one] > points[had])
    gone = [word for one in points.keys() - {had, first, second} for word in ("--drop", one)]
    path = evening.folder / "round3.csv"
    code, _, error = evening.command("pair", path, *gone)
    assert code == 2 and f"the bye falls to {had}, who has had one: who has it?" in error
    assert "add: --bye NUMBER" in error
    for wrong in ("99", *gone[1:2]):
        code, _, error = evening.command("pair", path, *gone, "--bye", wrong)
        assert code == 2 and f"player {wrong} cannot have the bye" in error
    evening.done("pair", path, *gone, "--bye", had)
    assert [one.a.number for one in event_file.read(path).pairings if one.b is None] == [had]


def test_a_bye_is_named_for_an_odd_number_of_players_alone(evening):
    drawn(evening, people="number,name\n" + "".join(f"{n},Pilot {n}\n" for n in range(1, 5)))
    played(evening, 1, 60)
    path = evening.folder / "round2.csv"
    code, _, error = evening.command("pair", path, "--bye", 1)
    assert code == 2 and "player 1 cannot have the bye" in error
    code, _, error = evening.command("pair", path, "--bye", 1, "--cut", 2)
    assert code == 2 and "an elimination has no bye to give" in error


@pytest.mark.parametrize("cut", [-4, 0, 1, 3, 6, 12, 128])
def test_a_cut_of_another_number_is_refused_with_those_there_are(evening, cut):
    drawn(evening)
    code, _, error = evening.command("pair", evening.folder / "cut.csv", "--cut", cut)
    assert code == 2 and f"a cut has one of 2, 4, 8, 16, 32, 64 players, not {cut}" in error


@pytest.mark.parametrize(
    "option",
    [("--cut", 8), ("--cut", 0), ("--late", "9=Bo"), ("--drop", 1), ("--bye", 1), ("--across",)],
)
def test_what_belongs_to_later_rounds_is_refused_in_the_first(evening, option):
    code, _, error = evening.command(
        "pair", evening.folder / "cut.csv", "--players", evening.file("people.csv", PEOPLE),
        "--format", "xw15 swiss bo1 50", *option,
    )  # fmt: skip
    assert code == 2 and f"leave {option[0]} out" in error


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
    assert plusthree("import", path, "--check") == 0
    bad = [good, "coreasteroid0; coreasteroid0; rock", good, good]
    path.write_text(
        head + "".join(row.format(cell) for row, cell in zip(rows, bad, strict=True)),
        encoding="utf-8",
    )
    capsys.readouterr()
    assert plusthree("import", path, "--check") == 1
    assert (
        "4: 1 brings other obstacles than in line 2: the same all event" in capsys.readouterr().out
    )
    path.write_text(
        head + "".join(row.format("coreasteroid0; coreasteroid0; rock") for row in rows),
        encoding="utf-8",
    )
    assert plusthree("import", path, "--check") == 1
    told = capsys.readouterr().out
    assert "2: 1: 'rock' is no obstacle" in told and "2: 1: coreasteroid0 is there twice" in told
