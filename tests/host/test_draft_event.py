"""A Rochester event (D03 App. A) by commands, from the players to the Top 8's own draft; and sizes of pods."""

from dataclasses import replace

import pytest
from fair import Fair
from rounds import a_round

from firmware.core import draft
from host.archive.draft_pods import Pods
from host.archive.roster import REVOKED, SPARE, Board
from host.archive.store import Archive
from host.server.console import Console
from host.tournament import pods, rule_packs
from host.tournament.ranking import ranking

PACK = "dci-2003"
FORM = "d03 swiss limited 30"


def people(count):
    return "number,name\n" + "".join(f"{n},Trainer {n:02}\n" for n in range(1, count + 1))


def begun(evening, count, kind="rochester"):
    """Draw the pods of so many players and import round 1; return what ``pair`` said."""
    path = evening.folder / "round1.csv"
    said = evening.done(
        "pair", path, "--players", evening.file("people.csv", people(count)), "--seed", 4,
        "--format", FORM, "--pods", kind, "--pack", PACK, "--event", "Rochester Open",
    )  # fmt: skip
    evening.done("import", path)
    evening.typed("publish 1")
    return said


def circles(evening, number):
    """Return each pod's players, as the paper to hang out shows them."""
    out = evening.folder / "paper"
    evening.done("paper", "pods", "--round", number, "--no-pdf", "--out", out)
    text = (out / f"pods-round-{number}.en.html").read_text(encoding="utf-8")
    pods = text.split("<h2>")[1:]
    return [[int(one.split(")")[0]) for one in pod.split(" (")[1:]] for pod in pods]


def played(evening, number):
    """Type a slip for each table: the lower number wins."""
    for table, a, b in evening.matches(number):
        evening.typed(f"result {table} {'A' if a < b else 'B'} slip")


def next_round(evening, number, *rest):
    return evening.pair(number, "--pack", PACK, *rest)


def three_rounds(evening):
    for number in (1, 2, 3):
        if number > 1:
            next_round(evening, number)
        played(evening, number)


def test_four_pods_of_eight_play_inside_and_send_two_each_to_a_second_draft(evening):
    begun(evening, 32)
    pods = circles(evening, 1)
    assert sorted(map(len, pods)) == [8] * 4 and len({one for pod in pods for one in pod}) == 32
    three_rounds(evening)
    for number in (1, 2, 3):
        for _, a, b in evening.matches(number):
            assert any(a in pod and b in pod for pod in pods)
    code, out, _ = evening.command("show standings", "--pack", PACK)
    assert [line for line in out.splitlines() if line.startswith("pod ")] == [
        "pod 1", "pod 2", "pod 3", "pod 4",
    ]  # fmt: skip
    told = evening.objects("show standings", "--pack", PACK)["pods"]
    firsts = {int(one["lines"][at]["number"]) for one in told for at in (0, 1)}
    assert {min(pod) for pod in pods} <= firsts
    said = next_round(evening, 4, "--cut", 8)
    assert "pod 1: 1 " in said
    assert "elimination" in evening.objects("import", evening.folder / "round4.csv")["format"]
    (top,) = circles(evening, 4)
    assert set(top) == firsts == {one for _, *pair in evening.matches(4) for one in pair}
    for number in (4, 5, 6):
        if number > 4:
            next_round(evening, number)
        played(evening, number)
    code, _, error = evening.command("pair", evening.folder / "7.csv", "--pack", PACK)
    assert code == 2 and "the final has been played" in error


def test_pods_of_seven_have_a_bye_each_and_five_pods_ask_who_goes_on(evening):
    begun(evening, 35)
    byes = [one for one in evening.objects("show results") if one["state"] == "bye"]
    assert len(byes) == 5
    three_rounds(evening)
    path = evening.folder / "cut.csv"
    code, _, error = evening.command("pair", path, "--pack", PACK, "--cut", 8, "--seed", 1)
    assert code == 2 and "name the 3 second players who go on, by number (Trainer" in error
    seconds = [
        one["lines"][1]["number"]
        for one in evening.objects("show standings", "--pack", PACK)["pods"]
    ]
    named = [word for one in seconds[:3] for word in ("--through", one)]
    next_round(evening, 4, "--cut", 8, *named)
    there = {str(one) for _, *pair in evening.matches(4) for one in pair}
    assert there & set(seconds) == set(seconds[:3])


def test_a_rank_shared_at_the_cut_of_a_pod_is_settled_by_name(evening):
    """Round 1 alone: the four winners of each of two pods are level, and four go on."""
    begun(evening, 16)
    played(evening, 1)
    path, (one, other) = evening.folder / "cut.csv", circles(evening, 1)
    cut = ("pair", path, "--pack", PACK, "--cut", 4, "--seed", 1)
    code, _, error = evening.command(*cut)
    assert code == 2 and "share rank 1, where the cut is, and 2 of them go on" in error
    assert "name who does, by number (Trainer" in error
    won = {min(a, b) for _, a, b in evening.matches(1)}
    named = [min(won & set(pod)) for pod in (one, other)] + [max(won & set(pod)) for pod in (one, other)]  # fmt: skip
    words = [word for number in named for word in ("--through", number)]
    assert evening.command(*cut, *words[:6])[0] == 2  # one is left open
    assert evening.command(*cut, *words)[0] == 0
    evening.done("import", path)
    assert {number for _, *pair in evening.matches(2) for number in pair} == set(named)


def test_pods_that_are_drawn_in_a_swiss_round_or_for_brought_decks_are_refused(evening):
    begun(evening, 16)
    played(evening, 1)
    path = evening.folder / "round2.csv"
    code, _, error = evening.command("pair", path, "--pack", PACK, "--pods", "booster")
    assert code == 2 and "pods stay as they are until the cut" in error
    code, _, error = evening.command(
        "pair", path, "--players", evening.file("people.csv", people(16)), "--pods", "booster",
        "--format", "d03 swiss constructed 45", "--pack", PACK,
    )  # fmt: skip
    assert code == 2 and "only a limited format has pods" in error


@pytest.mark.parametrize(
    ("players", "kind", "sizes"), [(30, "booster", [6] * 5), (30, "rochester", [7, 7, 8, 8])]
)
def test_players_sit_in_equal_pods_where_there_are_such(evening, players, kind, sizes):
    begun(evening, players, kind)
    assert sorted(map(len, circles(evening, 1))) == sizes


def test_pods_of_a_booster_draft_that_cannot_be_equal_are_remarked_on(evening):
    remark = "pods of 8, 7, 7: they should be equal, of at most eight players (P18 11.2.2)"
    assert remark in begun(evening, 22, "booster")
    assert f"round 1: {remark}" in evening.done("import", evening.folder / "round1.csv")


def test_a_fourth_swiss_round_in_the_pods_is_remarked_on_wherever_it_is_taken(evening):
    remark = "Swiss round 4 in the same pods, where 3 are recommended (D03 App. A 8)"
    begun(evening, 16)
    three_rounds(evening)
    assert "recommended (D03" not in evening.done("import", evening.folder / "round3.csv")
    path = evening.folder / "round4.csv"
    assert remark in evening.done("pair", path, "--seed", 4)
    assert f"round 4: {remark}" in evening.done("import", path)


def test_a_cut_and_the_rounds_of_a_booster_draft_are_none_too_many(evening):
    begun(evening, 16, "booster")
    three_rounds(evening)
    said = next_round(evening, 4)
    played(evening, 4)
    said += next_round(evening, 5, "--cut", 4)
    assert "recommended" not in said + evening.done("import", evening.folder / "round5.csv")


def test_a_booster_draft_and_its_board(evening):
    assert "preferably" not in begun(evening, 10, "booster")
    (said,) = evening.desk("draft 1 booster pod9 3")
    assert "there is no pod 9 in this round's draft" in said
    (said,) = evening.desk("draft 1 booster pod2 3")
    assert said == "not done: table 1 has no board: swap a spare in"


def test_a_match_across_pods_is_refused_in_the_file_and_remarked_on_later(evening):
    begun(evening, 16)
    text = (evening.folder / "round1.csv").read_text(encoding="utf-8-sig").splitlines()
    first, second = circles(evening, 1)
    rows = (
        "table,number_a,name_a,number_b,name_b",
        (f"1,{first[0]},Trainer {first[0]:02},{second[0]},Trainer {second[0]:02}"),
    )
    pods = next(line for line in text if line.startswith("# pods"))
    mixed = evening.file(
        "mixed.csv", "\n".join(("# event: Other", f"# format: {FORM}", pods, *rows))
    )
    code, _, error = evening.command("import", mixed)
    assert code == 2 and "must sit in one pod" in error
    by_hand = "\n".join(("# event: Rochester Open", "# round: 2", f"# format: {FORM}", *rows))
    out = evening.done("import", evening.file("hand.csv", by_hand))
    assert "matches stay inside the pod, and those at table 1 do not (D03 App. A 1)" in out


def test_a_first_round_is_paired_at_tables_that_have_boards(evening):
    with Archive(evening.archive) as archive:
        for device, table in ((101, 3), (102, 5), (103, SPARE), (104, REVOKED)):
            archive.roster.add_board(Board(device, 1, table), 0)
    begun(evening, 6)
    assert [table for table, *_ in evening.matches(1)] == [3, 5, 1]


def test_an_organiser_has_decks_built_at_every_table_without_a_draft(tmp_path):
    venue = Fair(tmp_path / "a.db", tables=2)
    console = Console(venue.station, "Anna")
    assert console.run("draft all build")
    venue.drain()
    assert [board.ledger.draft.phase for board in venue.boards] == [draft.BUILDING] * 2
    assert console.run("draft 1 end")
    venue.drain()
    assert [board.ledger.draft.phase for board in venue.boards] == [draft.OVER, draft.BUILDING]
    assert "name the table" in " ".join(console.run("draft all rochester 8 3"))
    venue.station.close()


PLAYERS = range(4, 513)


def equal_size(players):
    """The largest size from four to eight that divides the players, None without one."""
    return next((size for size in (8, 7, 6, 5, 4) if players % size == 0), None)


def as_equal_as_can_be(found, players):
    return len(found) == -(-players // 8) and max(found) - min(found) <= 1


@pytest.mark.parametrize("kind", ["booster", "rochester"])
def test_everybody_sits_in_one_pod_of_at_most_eight(kind):
    for players in range(513):
        found = pods.sizes(players, kind)
        assert sum(found) == players and found == sorted(found, reverse=True)
        assert all(0 < size <= 8 for size in found)


def test_a_booster_draft_has_the_fewest_equal_pods_of_four_to_eight_where_there_are_such():
    for players in PLAYERS:
        found, size = pods.sizes(players, "booster"), equal_size(players)
        if size is None:
            assert as_equal_as_can_be(found, players), players
        else:
            assert found == [size] * (players // size), players


def test_a_rochester_draft_has_pods_of_seven_and_eight_wherever_they_are_possible():
    possible = {7 * sevens + 8 * eights for sevens in range(74) for eights in range(66)}
    for players in PLAYERS:
        found = pods.sizes(players, "rochester")
        if players in possible:
            assert set(found) <= {7, 8} and as_equal_as_can_be(found, players), players
        else:
            assert found == pods.sizes(players, "booster"), players


EQUAL = "they should be equal, of at most eight players (P18 11.2.2)"
PREFERRED = "preferably seven or eight draft together (D03 App. A 1)"


@pytest.mark.parametrize(("kind", "sizes", "remark"), [
    ("booster", (5, 5), None),
    ("booster", (5, 4), EQUAL),
    ("booster", (9, 9), EQUAL),
    ("rochester", (8, 7), None),
    ("rochester", (5, 5), PREFERRED),
])  # fmt: skip
def test_pods_that_differ_from_their_text_are_remarked_on_as_they_begin(kind, sizes, remark):
    drawn = Pods(kind, 2, tuple(tuple(map(str, range(size))) for size in sizes))
    wanted = [f"pods of {sizes[0]}, {sizes[1]}: {remark}"] if remark else []
    assert list(map(str, pods.remarks(drawn, 2, [1, 2]))) == wanted
    assert not pods.remarks(drawn, 3, [1, 2, 3])


@pytest.mark.parametrize(("kind", "since", "swiss", "remarked"), [
    ("rochester", 1, [1, 2, 3], False),
    ("rochester", 1, [1, 2, 3, 4], True),
    ("rochester", 2, [1, 2, 3, 4], False),
    ("rochester", 2, [1, 2, 3, 4, 5], True),
    ("booster", 1, [1, 2, 3, 4], False),
])  # fmt: skip
def test_a_fourth_swiss_round_is_remarked_on_in_a_rochester_pod(kind, since, swiss, remarked):
    drawn = Pods(kind, since, (tuple("abcdefgh"),))
    said = [str(one) for one in pods.remarks(drawn, swiss[-1], swiss) if "App. A 8" in one]
    wanted = f"Swiss round {swiss[-1] - since + 1} in the same pods, where 3 are recommended"
    assert said == ([f"{wanted} (D03 App. A 8)"] if remarked else [])


def test_each_pod_is_ranked_as_if_it_were_alone_also_by_what_its_players_missed():
    pack = rule_packs.load("pokemon-swiss")
    first = [a_round(1, (1, 2), (3, 4)), replace(a_round(2, (2, 3)), missed=("1", "4"))]
    other = [a_round(1, (5, 6)), a_round(2, (5, 6))]
    both = [
        replace(one, scores=one.scores + more.scores, missed=one.missed + more.missed)
        for one, more in zip(first, other, strict=True)
    ]
    drawn = Pods("booster", 1, (tuple("1234"), tuple("56")))
    alone = [ranking(rounds, pack) for rounds in (first, other)]
    assert [found.lines for found in pods.rankings(both, drawn, pack)] == [
        found.lines for found in alone
    ]
