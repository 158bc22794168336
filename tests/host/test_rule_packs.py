"""Rule packs: what is read, and one sentence for everything else."""

import pytest
import tree

from host.base.errors import UserError
from host.tournament import rule_packs

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
