"""The file of prices: whole, told where from, and replaced by what somebody with a board sends
back.
"""

import pytest

from host.base.errors import UserError
from host.sim import prices
from host.sim.board import MODELS

UNITS = (
    "_us", "_ns", "_us_per_kb", "_ns_per_px", "_ns_per_byte", "_ns_per_block", "_permille", "_ms",
    "_bytes", "_khz", "_frames", "_ma", "_links",
)  # fmt: skip
SENT = """board = "lilygo"

[flash_erase_us]
value = 61_000
basis = "measured"
source = "bring-up of board 7"
model = 50_000
"""


def test_each_price_names_its_unit_its_basis_and_its_source():
    for model in MODELS:
        for name, price in prices.load().prices_of(model).items():
            assert name.endswith(UNITS), name
            assert price.basis in prices.BASES and len(price.source) > 10, name


def test_what_is_sent_back_stands_for_its_model_alone(tmp_path):
    file = tmp_path / "sent.toml"
    file.write_text(SENT)
    ours, book = prices.load(), prices.load([file])
    assert book.prices_of("lilygo")["flash_erase_us"] == prices.Price(
        61_000, "measured", "bring-up of board 7"
    )
    assert book.on("feathers3") == ours.on("feathers3")
    assert book.on("lilygo") == ours.on("lilygo") | {"flash_erase_us": 61_000}


def test_a_file_for_every_model_replaces_what_one_of_them_had(tmp_path):
    file = tmp_path / "all.toml"
    file.write_text('[spi_khz]\nvalue = 8_000\nbasis = "measured"\nsource = "a scope"\n')
    book = prices.load([file])
    assert {book.on(model)["spi_khz"] for model in MODELS} == {8_000}


@pytest.mark.parametrize(("text", "says"), [
    ("", None),
    ("flash", "is not TOML"),
    ("[flash_paint_us]\nvalue = 1\nbasis = 'guess'\nsource = ''\n", "there is no price called flash_paint_us"),
    ("[gc_ms]\nvalue = 1.5\nbasis = 'guess'\nsource = ''\n", "a price is a whole number"),
    ("[gc_ms]\nvalue = true\nbasis = 'guess'\nsource = ''\n", "a price is a whole number"),
    ("[gc_ms]\nvalue = -1\nbasis = 'guess'\nsource = ''\n", "a price is a whole number"),
    ("[gc_ms]\nvalue = 1\nbasis = 'felt'\nsource = ''\n", "basis (measured, source"),
    ("[gc_ms]\nvalue = 1\nbasis = 'guess'\nsource = ''\non = 3\n", "on is a table of models"),
    ("gc_ms = 4\n", "needs value, basis"),
    ("board = 4\n", "board is the name of a model"),
])  # fmt: skip
def test_a_file_that_is_wrong_is_told_what_is(tmp_path, text, says):
    file = tmp_path / "sent.toml"
    file.write_text(text)
    if says is None:
        assert prices.load([file]).on("lilygo") == prices.load().on("lilygo")
    else:
        with pytest.raises(UserError, match=says.replace("(", r"\(")):
            prices.load([file])


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(UserError, match="cannot read"):
        prices.load([tmp_path / "none.toml"])
