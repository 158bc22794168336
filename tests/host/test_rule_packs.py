"""Rule packs: what is read and refused; and one event has one, wherever it was chosen."""

import json

import pytest
import tree
from webclient import Browser

from host.base.errors import UserError
from host.desk.station import Station
from host.tournament import event_pack, rule_packs
from host.web.desk_service import DeskService
from host.web.sessions import Sessions

EXAMPLES = sorted((tree.ROOT / "host" / "tournament" / "rulepacks").glob("*.toml"))
GOOD = (tree.ROOT / "host" / "tournament" / "rulepacks" / "pokemon-swiss.toml").read_text(
    encoding="utf-8"
)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_packs_and_name_their_source(path):
    pack = rule_packs.load(path)
    assert pack.source and pack.dated.year > 2000 and pack.order[0] == "points"
    assert ("from memory" in path.read_text(encoding="utf-8")) == ("from memory" in pack.source)


WRONG = [
    (('system = "p18"', ""), "system is missing"),
    (('system = "p18"', 'system = "xw15"'), "leaves its standings open"),
    (('system = "p18"', 'system = "P 18"'), "leaves its standings open"),
    (("dated = 2021-05-25", 'dated = "2021"'), "dated must be a day"),
    (('source = "rk9', 'source = ""#'), "source must be a text"),
    (("win = 3", 'win = "3"'), "points.win must be a whole number"),
    (("win = 3", "win = true"), "points.win must be a whole number"),
    (("win = 3", "win = -1"), "points.win must be a whole number"),
    (("bye = 3", "byes = 3"), "'byes' is not known"),
    (("bye = 3", ""), "points: bye is missing"),
    (('least = "1/4"', 'least = "5/4"'), "ranking.least must be a share"),
    (('least = "1/4"', "least = 0.25"), "ranking.least must be a share"),
    (('least = "1/4"', 'least = "1/0"'), "ranking.least must be a share"),
    (('order = ["points", ', 'order = ["luck", '), "must begin with points"),
    (('"head_to_head"]', '"luck"]'), "'luck' is not known"),
    (('"head_to_head"]', '"points"]'), "there twice"),
    (("second_bye = false", "second_bye = 0"), "must be true or false"),
    (('within_points = "random"', 'within_points = "folded"'), "must be one of random, ranking"),
    (("[pairing]", "[pairing"), "is not TOML"),
]


@pytest.mark.parametrize(("change", "words"), WRONG, ids=[words for _, words in WRONG])
def test_a_mistake_is_one_sentence_with_the_field(tmp_path, change, words):
    path = tmp_path / "p.toml"
    path.write_text(GOOD.replace(*change, 1), encoding="utf-8")
    with pytest.raises(UserError) as caught:
        rule_packs.load(path)
    assert words in str(caught.value) and str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("raw", "words"), [
    (b"\xff\xfe", "is not UTF-8"),
    (b"#" * 200_000, "far too large"),
    (b"a=" + b"[" * 5000 + b"]" * 5000, "p.toml:"),
])  # fmt: skip
def test_hostile_files(tmp_path, raw, words):
    path = tmp_path / "p.toml"
    path.write_bytes(raw)
    with pytest.raises(UserError, match=words):
        rule_packs.load(path)


def test_a_pack_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        rule_packs.load(tmp_path / "none.toml")


SHIPPED = tree.ROOT / "host" / "tournament" / "rulepacks"
NAME = "Pokémon Swiss, 3-1-0"
FORM = "p18 swiss bo1 constructed 30"


def own_pack(evening, win=5):
    """Write a pack of the organiser's own, worth more for a win; return its path."""
    text = (SHIPPED / "pokemon-swiss.toml").read_text(encoding="utf-8")
    text = text.replace(NAME, "House rules").replace("win = 3", f"win = {win}")
    return evening.file("house.toml", text)


def first_round(evening, *words):
    people = "number,name\n" + "".join(f"{n},Player {n}\n" for n in range(1, 5))
    path = evening.folder / "r1.csv"
    evening.done(
        "pair", path, "--players", evening.file("people.csv", people), "--format", FORM,
        "--event", "Cup", "--seed", 1, *words,
    )  # fmt: skip
    evening.done("import", path)
    evening.typed("publish 1", "result 1 A slip", "result 2 A slip")


def on_the_page(evening):
    with Station(evening.archive) as station:
        service = DeskService(
            station, Sessions(bytes(32), False), lambda: 0, packs=rule_packs.shipped_packs()
        )
        return Browser(service, "organiser").get("/api/standings").json


def points(evening):
    code, out, error = evening.command("show standings")
    assert code < 2, error
    return {one["points"] for one in evening.objects("show standings")["lines"]}


def test_the_pack_that_paired_round_1_ranks_everywhere(evening):
    first_round(evening, "--pack", "pokemon-swiss")
    assert points(evening) == {3, 0}
    told = on_the_page(evening)
    assert told["pack"] == NAME and told["ask"] == "" and len(told["lines"]) == 4
    out = evening.folder / "out"
    evening.done("paper", "standings", "--no-pdf", "--out", out)
    assert NAME in (out / "standings-round-1.en.html").read_text(encoding="utf-8")
    evening.done("paper", "all", "--no-pdf", "--out", out / "all")
    assert (out / "all" / "standings-round-1.en.html").exists()
    evening.done("export", "json", "--out", out)
    assert NAME in (out / "everything.json").read_text(encoding="utf-8")
    evening.done("pair", evening.folder / "r2.csv", "--seed", 2)


def test_a_result_is_worth_what_its_pack_says(evening):
    first_round(evening, "--pack", own_pack(evening))
    assert evening.desk("show results")[0].endswith("points 5–0")
    lines = evening.objects("show results")
    assert {(line["points_a"], line["points_b"]) for line in lines} == {(5, 0)}


def test_a_bye_is_worth_what_its_pack_says(evening):
    text = (
        f"# event: Cup\n# format: {FORM}\n# pack: pokemon-swiss\n"
        "table,number_a,name_a,number_b,name_b\n1,1,Ada,2,Bo\n,3,Cy,,\n"
    )
    evening.done("import", evening.file("r1.csv", text))
    evening.typed("publish 1", "result 1 A slip")
    evening.done("export", "json", "--out", evening.folder)
    told = json.loads((evening.folder / "everything.json").read_text(encoding="utf-8"))
    assert told["points"] == {"1": 3, "2": 0, "3": 3}


def test_the_points_of_an_event_file_do_not_contradict_its_pack(evening):
    text = (
        f"# event: Cup\n# format: {FORM}\n# points: win 2, loss 0\n# pack: pokemon-swiss\n"
        "table,number_a,name_a,number_b,name_b\n1,1,Ada,2,Bo\n"
    )
    said = evening.done("import", evening.file("r1.csv", text))
    assert f"the event file sets other points than the rule pack {NAME}: the pack's count" in said
    evening.typed("publish 1", "result 1 A slip")
    assert evening.desk("show results")[0].endswith("points 3–0")
    same = text.replace("win 2", "win 3")
    assert "other points" not in evening.done("import", evening.file("r1.csv", same))


def test_another_pack_is_refused_with_a_sentence(evening):
    first_round(evening, "--pack", "pokemon-swiss")
    house = own_pack(evening)
    for words in (
        ("show", "standings"), ("paper", "standings", "--no-pdf"), ("export", "json"),
        ("pair", evening.folder / "r2.csv"),
    ):  # fmt: skip
        code, _, error = evening.command(*words, "--pack", house)
        assert code == 2 and f"this event has the rule pack {NAME!r}, not 'House rules'" in error
    assert evening.command("show standings", "--pack", SHIPPED / "pokemon-swiss.toml")[0] < 2
    again = evening.file("r1b.csv", f"# event: Cup\n# round: 2\n# format: {FORM}\n# pack: {house}\n"
                         "table,number_a,name_a,number_b,name_b\n1,1,Player 1,3,Player 3\n")  # fmt: skip
    code, _, error = evening.command("import", again)
    assert code == 2 and "this event has the rule pack" in error


def test_a_pack_of_ones_own_comes_along_with_its_text(evening):
    house = own_pack(evening)
    first_round(evening, "--pack", house)
    house.unlink()
    assert points(evening) == {5, 0}
    told = on_the_page(evening)
    assert told["pack"] == "House rules" and told["packs"] == [NAME, "House rules"]
    own_pack(evening, win=7)  # the file was changed after the event began
    code, _, error = evening.command("show standings", "--pack", house)
    assert code == 2 and "this event has another text of the rule pack 'House rules'" in error


def test_the_page_chooses_for_commands_too(evening):
    first_round(evening, "--pack", "pokemon-swiss")
    with Station(evening.archive) as station:
        service = DeskService(
            station, Sessions(bytes(32), False), lambda: 0, packs=rule_packs.shipped_packs()
        )
        organiser = Browser(service, "organiser")
        assert organiser.act("choose_pack", pack="").status == 200
        assert "choose a rule pack" in organiser.get("/api/standings").json["ask"]
        assert evening.command("show standings")[0] == 2
        assert organiser.act("draft", pack=NAME, seed=1).status == 200
        assert organiser.get("/api/standings").json["pack"] == NAME
        logged = [one for one in organiser.get("/api/log").json["lines"] if NAME in one["value"]]
        assert [one["author"] for one in logged] == ["event file", "Ada"]
    assert points(evening) == {3, 0}


def test_an_import_brings_the_pack_and_a_wrong_one_is_refused(evening):
    rows = "table,number_a,name_a,number_b,name_b\n1,1,Ann,2,Bo\n"
    head = f"# event: Cup\n# format: {FORM}\n"
    for pack, said in (
        ("nowhere.toml", "cannot be read"), ("dci-2003", "is for d03, and this is p18"),
    ):  # fmt: skip
        path = evening.file("bad.csv", f"{head}# pack: {pack}\n{rows}")
        code, _, error = evening.command("import", path)
        assert code == 2 and said in error, error
    own_pack(evening)
    evening.done("import", evening.file("good.csv", f"{head}# pack: house.toml\n{rows}"))
    evening.typed("publish 1", "result 1 A slip")
    assert points(evening) == {5, 0}


def test_an_event_from_another_program_gets_its_pack_at_the_import(evening):
    rows = "table,number_a,name_a,number_b,name_b\n1,1,Ann,2,Bo\n"
    path = evening.file("r1.csv", f"# event: Cup\n# format: {FORM}\n{rows}")
    evening.done("import", path, "--pack", "pokemon-swiss")
    evening.typed("publish 1", "result 1 A slip")
    assert points(evening) == {3, 0}


def test_an_older_archive_knows_a_pack_of_ones_own_by_name_alone(evening):
    """The page of an older plusthree stored no text: the file is asked for."""
    first_round(evening, "--pack", "pokemon-swiss")
    house = own_pack(evening)
    with Station(evening.archive) as station:
        station.archive.notices.add(event_pack.CHOSEN, "House rules", "Olga", 0)
    code, _, error = evening.command("show standings")
    assert code == 2 and "give the file of the rule pack 'House rules' with --pack" in error
    assert evening.command("show standings", "--pack", house)[0] < 2


def test_who_is_level_in_everything_draws_lots_where_a_pack_pairs_by_rank(evening):
    """Two ties and a bye: of the four who are level one sits out, by the seed."""
    pack = own_pack(evening)
    text = pack.read_text(encoding="utf-8").replace('points = "random"', 'points = "ranking"')
    head, rows = "table,number_a,name_a,number_b,name_b", ("1,1,A,2,B", "2,3,C,4,D", ",5,E,,")
    file = "\n".join(("# format: " + FORM, head, *rows)) + "\n"
    evening.done("import", evening.file("r1.csv", file), "--pack", evening.file("rank.toml", text))
    evening.typed("publish 1", "result 1 tie slip", "result 2 tie slip")
    byes = set()
    for seed in range(20):
        said = evening.done("pair", evening.folder / f"{seed}.csv", "--seed", seed)
        byes |= {line.split("(")[1] for line in said.splitlines() if line.startswith(" bye")}
    assert byes == {"1)", "2)", "3)", "4)"}
