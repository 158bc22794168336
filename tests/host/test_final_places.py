"""After a cut: final places, the bracket, and which places are open, as the commands tell them."""

import json

PACK = "pokemon-swiss"


def rows(evening, number, pairs, form="p18 swiss bo1 constructed 30", first_table=1):
    """Import a round of ``(number, number or None)`` pairs, and publish it."""
    lines = ["# event: Cup", f"# round: {number}", f"# format: {form}"]
    lines.append("table,number_a,name_a,number_b,name_b")
    for table, (a, b) in enumerate(pairs, first_table):
        other = f"{b},Player {b}" if b else ","
        lines.append(f"{table if b else ''},{a},Player {a},{other}")
    evening.done("import", evening.file(f"r{number}.csv", "\n".join(lines) + "\n"))
    evening.typed(f"publish {number}")


def played(evening, number, winners):
    """Type a slip for each table of a round; ``winners`` are numbers."""
    for line in evening.objects("show results", "--round", number):
        if line["table"] and line["outcome"] is None:
            for letter in "ab":
                if int(line[f"number_{letter}"]) in winners:
                    evening.typed(f"result {line['table']} {letter.upper()} slip")


CUT = "p18 elimination bo1 constructed 40"
TEN = [(1, 6), (2, 7), (3, 8), (4, 9), (5, 10)]


def swiss_of_ten(evening):
    """Three rounds; the Swiss ranks 1 to 8 are 1, 5, 2, 3, 4, 6, 7, 9 or so: read, not assumed."""
    rows(evening, 1, TEN)
    played(evening, 1, {1, 2, 3, 4, 5})
    rows(evening, 2, [(1, 2), (3, 4), (5, 6), (7, 8), (9, 10)])
    played(evening, 2, {1, 3, 5, 7, 9})
    rows(evening, 3, [(1, 3), (2, 5), (4, 7), (6, 9), (8, 10)])
    played(evening, 3, {1, 2, 4, 6, 8})
    return [line["number"] for line in standings(evening)]


def standings(evening, *more):
    return evening.objects("show standings", "--pack", PACK, *more)["lines"]


def ranks(evening, *more):
    return {line["number"]: line["place"] for line in standings(evening, *more)}


def cut(evening, number, *more):
    path = evening.folder / f"cut{number}.csv"
    evening.done("pair", path, "--pack", PACK, "--seed", 1, *more)
    evening.done("import", path)
    evening.typed(f"publish {number}")


def upsets(evening, number):
    """In each match of a bracket the one with the worse Swiss rank wins; return the losers."""
    seeds = [line["number"] for line in standings(evening, "--round", 3)]
    winners, losers = set(), []
    for line in evening.objects("show results", "--round", number):
        pair = sorted((line["number_a"], line["number_b"]), key=seeds.index)
        winners.add(int(pair[1]))
        losers.append(pair[0])
    played(evening, number, winners)
    return sorted(losers, key=seeds.index)


def test_a_top_eight_ends_with_its_bracket_and_the_rest_by_swiss(evening):
    swiss = swiss_of_ten(evening)
    cut(evening, 4, "--cut", 8)
    quarter = upsets(evening, 4)
    cut(evening, 5)
    semi = upsets(evening, 5)
    cut(evening, 6)
    (second,) = upsets(evening, 6)
    told = standings(evening)
    (first,) = set(swiss[:8]) - {*quarter, *semi, second}
    order = [first, second, *semi, *quarter, *swiss[8:]]
    assert [line["number"] for line in told] == order
    assert [line["rank"] for line in told][:8] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [line["swiss"] for line in told] == [swiss.index(one) + 1 for one in order]
    code, out, _ = evening.command("show standings", "--pack", PACK)
    assert f"Champion: Player {first} ({first})" in out
    assert [line.split(":")[0] for line in out.splitlines() if " beats " in line] == [
        *["Quarter-finals"] * 4, *["Semi-finals"] * 2, "Final",
    ]  # fmt: skip
    assert evening.command("pair", evening.folder / "7.csv", "--pack", PACK)[0] == 2
    before = [line["number"] for line in standings(evening, "--round", 3)]
    assert before == swiss  # Swiss alone is one step away


def test_an_unfinished_bracket_says_which_places_are_open(evening):
    swiss = swiss_of_ten(evening)
    cut(evening, 4, "--cut", 4)
    bracket = evening.objects("show results", "--round", 4)
    one, other = ((line["number_a"], line["number_b"]) for line in bracket)
    assert {ranks(evening)[number] for number in swiss[:4]} == {"1–4"}
    evening.typed(f"result {bracket[0]['table']} A slip")
    told = ranks(evening)
    assert (told[one[0]], told[one[1]]) == ("1–2", "3–4")
    assert {told[number] for number in other} == {"1–4"}
    assert told[swiss[4]] == "5"
    code, out, _ = evening.command("show standings", "--pack", PACK)
    assert code == 1 and "places 1 to 2 are open" in out and "Champion" not in out
    evening.typed(f"result {bracket[1]['table']} A slip")
    told = ranks(evening)
    assert {told[one[0]], told[other[0]]} == {"1–2"}
    assert {told[one[1]], told[other[1]]} == {"3", "4"}


def test_a_match_for_third_place_is_open_and_then_decides(evening):
    swiss_of_ten(evening)
    cut(evening, 4, "--cut", 4)
    better, worse = upsets(evening, 4)
    there = {int(one) for line in evening.objects("show results", "--round", 4)
             for one in (line["number_a"], line["number_b"])}  # fmt: skip
    finalists = sorted(there - {int(better), int(worse)})
    rows(evening, 5, [tuple(finalists), (int(better), int(worse))], CUT)
    assert {ranks(evening)[one] for one in (better, worse)} == {"3–4"}
    played(evening, 5, {finalists[0], int(worse)})
    told = ranks(evening)
    assert (told[str(finalists[0])], told[str(finalists[1])]) == ("1", "2")
    assert (told[worse], told[better]) == ("3", "4")
    code, _, error = evening.command("pair", evening.folder / "6.csv", "--pack", PACK)
    assert code == 2 and "the final has been played" in error


def test_who_does_not_come_to_the_semi_final_stands_with_its_losers(evening):
    swiss = swiss_of_ten(evening)
    cut(evening, 4, "--cut", 8)
    lines = evening.objects("show results", "--round", 4)
    for line in lines:
        evening.typed(f"result {line['table']} A slip")
    winners = [line["number_a"] for line in lines]
    gone, walks = winners[0], winners[1]
    evening.typed(f"drop {gone} sure")
    cut(evening, 5, "--drop", gone)
    (table,) = (
        line["table"] for line in evening.objects("show results", "--round", 5) if line["table"]
    )
    evening.typed(f"result {table} A slip")
    cut(evening, 6)
    final = evening.objects("show results", "--round", 6)
    assert {final[0]["number_a"], final[0]["number_b"]} == {walks, winners[2]}
    evening.typed(
        f"result {final[0]['table']} {'A' if final[0]['number_a'] == walks else 'B'} slip"
    )
    told = ranks(evening)
    assert told[walks] == "1" and told[winners[2]] == "2"
    assert {told[gone], told[winners[3]]} == {"3", "4"}
    assert swiss.index(gone) < swiss.index(winners[3]) and told[gone] == "3"


def test_a_bracket_of_six_with_byes(evening):
    swiss = swiss_of_ten(evening)
    one, two, three, four, five, six = map(int, swiss[:6])
    rows(evening, 4, [(one, None), (four, five), (two, None), (three, six)], CUT)
    played(evening, 4, {five, six})
    rows(evening, 5, [(one, five), (two, six)], CUT)
    played(evening, 5, {five, two})
    rows(evening, 6, [(five, two)], CUT)
    played(evening, 6, {five})
    told = ranks(evening)
    order = [five, two, one, six, three, four]
    assert [told[str(number)] for number in order] == ["1", "2", "3", "4", "5", "6"]
    assert told[swiss[6]] == "7"


def test_a_bracket_alone_ranks_by_itself(evening):
    rows(evening, 1, [(1, 8), (4, 5), (2, 7), (3, 6)], CUT)
    played(evening, 1, {1, 4, 2, 3})
    rows(evening, 2, [(1, 4), (2, 3)], CUT)
    played(evening, 2, {4, 3})
    rows(evening, 3, [(4, 3)], CUT)
    played(evening, 3, {3})
    told = evening.objects("show standings")["lines"]
    assert [(one["number"], one["rank"]) for one in told[:2]] == [("3", 1), ("4", 2)]
    assert {one["number"]: one["rank"] for one in told[2:4]} == {"1": 3, "2": 3}
    assert {one["rank"] for one in told[4:]} == {5}


def test_rounds_beside_the_bracket_change_no_place(evening):
    swiss = swiss_of_ten(evening)
    cut(evening, 4, "--cut", 4)
    upsets(evening, 4)
    before = ranks(evening)
    left = [int(one) for one in swiss[4:]]
    rows(evening, 5, [(left[5], left[0]), (left[4], left[1])], first_table=20)
    played(evening, 5, {left[5], left[4]})
    assert ranks(evening) == before
    code, out, _ = evening.command("show standings", "--pack", PACK)
    assert "round 5 has matches beside the bracket: they count for no place" in out
    cut(evening, 6)  # the bracket goes on
    final = evening.objects("show results", "--round", 6)
    assert len(final) == 1 and {final[0]["number_a"], final[0]["number_b"]} <= set(swiss[:4])
    rows(evening, 7, [(left[0], left[1])], CUT, first_table=30)  # an elimination of its own
    played(evening, 7, {left[1]})
    told = ranks(evening)
    assert {told[one] for one in swiss[:4]} == {"1–2", "3", "4"}
    assert [told[one] for one in swiss[4:]] == [before[one] for one in swiss[4:]]


def test_paper_and_exports_say_the_same(evening):
    swiss = swiss_of_ten(evening)
    cut(evening, 4, "--cut", 4)
    upsets(evening, 4)
    cut(evening, 5)
    (second,) = upsets(evening, 5)
    order = [line["number"] for line in standings(evening)]
    first = order[0]
    out = evening.folder / "home"
    evening.done("paper", "standings", "--pack", PACK, "--no-pdf", "--out", out)
    text = (out / "standings-round-5.en.html").read_text(encoding="utf-8")
    assert f"Champion: <bdi>Player {first}</bdi>" in text and text.count('class="match"') == 3
    listed = [text.index(f'<td class="p"><bdi>Player {one}</bdi>') for one in order]
    assert listed == sorted(listed)
    for form in ("json", "cryodex", "listfortress"):
        evening.done("export", form, "--pack", PACK, "--out", out)
    told = json.loads((out / "everything.json").read_text(encoding="utf-8"))["standings"]
    assert [number for _, number, *_ in told["lines"]] == order
    assert told["bracket"]["champion"] == f"Player {first}"
    people = json.loads((out / "listfortress.json").read_text(encoding="utf-8"))["participants"]
    ranked = {one["name"]: (one["swiss_rank"], one["top_cut_rank"]) for one in people}
    assert ranked[f"Player {first}"] == (swiss.index(first) + 1, 1)
    assert ranked[f"Player {second}"] == (swiss.index(second) + 1, 2)
    assert ranked[f"Player {swiss[4]}"] == (5, None)
    cryodex = json.loads((out / "cryodex.json").read_text(encoding="utf-8"))["players"]
    assert {one["name"]: one["rank"]["swiss"] for one in cryodex} == {
        f"Player {one}": swiss.index(one) + 1 for one in swiss
    }


def test_escalation_counts_its_elimination_apart_from_its_points(evening):
    rows(evening, 1, [(1, 2), (3, 4), (5, 6)], "xw15 swiss 50")
    for table, score in ((1, "40 0"), (2, "30 0"), (3, "20 0")):
        evening.typed(f"result {table} A {score} slip")
    swiss = [line["number"] for line in evening.objects("show standings")["lines"]]
    path = evening.folder / "cut.csv"
    evening.done("pair", path, "--cut", 4, "--seed", 1)
    evening.done("import", path)
    evening.typed("publish 2")
    lines = evening.objects("show results", "--round", 2)
    for line in lines:
        evening.typed(f"result {line['table']} B 0 20 slip")
    told = evening.objects("show standings")["lines"]
    assert {one["number"] for one in told[:2]} == {line["number_b"] for line in lines}
    assert {one["points"] for one in told[:3]} <= {0, 5}, "the elimination adds no points"
    assert [one["number"] for one in told[4:]] == swiss[4:]


def test_standings_are_those_of_the_last_finished_round(evening):
    """A bye in a round that is being played leads nobody; that round is one step away."""
    rows(evening, 1, [(1, 2), (3, 4), (5, None)])
    code, out, _ = evening.command("show standings", "--pack", PACK)
    assert code == 0 and out.startswith("no round is finished yet") and "Player 5" not in out
    there = evening.objects("show standings", "--pack", PACK, "--round", 1)
    assert [(one["number"], one["points"]) for one in there["lines"]][0] == ("5", 3)
    code, _, error = evening.command("paper", "standings", "--pack", PACK, "--no-pdf")
    assert code == 2 and "no round is finished yet" in error
    played(evening, 1, {1, 3})
    rows(evening, 2, [(1, 3), (5, 2), (4, None)])
    evening.typed(f"result {evening.objects('results', '--round', 2)[0]['table']} A slip")
    told = evening.objects("show standings", "--pack", PACK)
    assert told["after"] == 1
    assert {one["number"]: one["points"] for one in told["lines"]} == {
        "1": 3, "3": 3, "5": 3, "2": 0, "4": 0,
    }  # fmt: skip
    code, out, _ = evening.command("show standings", "--pack", PACK)
    assert "after round 1; choose round 2 to see it as it stands" in out
    whole = {one["number"]: one["points"] for one in standings(evening, "--round", 2)}
    assert (whole["1"], whole["4"]) == (6, 3)
    out = evening.folder / "paper"
    evening.done("paper", "standings", "--pack", PACK, "--no-pdf", "--out", out)
    evening.done("paper", "all", "--pack", PACK, "--no-pdf", "--out", out)
    names = {one.name for one in out.iterdir()}
    assert "standings-round-1.en.html" in names and "slips-round-2.en.html" in names
