"""Board names: short, in the font's characters, and told apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.archive.roster import Player
from host.collector.display_names import LIMIT, for_board, for_table

NAMES = [
    ("Zoë Martin", "Zoë M."),
    ("José Ángel Núñez", "José N."),
    ("O’Brien, Liam", "Liam O."),
    ("d'Artagnan", "d'Artagnan"),
    ("山田 太郎", "ShanTian T."),
    ("محمد الفاتح", "Mhmd L."),
    ("Łukasz Żółć", "Lukasz Z."),
    ("Ольга Кузнецова", "Ol'ga K."),
    ("Björk Þórsdóttir", "Björk Þ."),
    ("Wolfeschlegelsteinhausenbergerdorff", "Wolfeschlegelsteinh."),
    ("Wolfeschlegelsteinhausenbergerdorff Smith", "Wolfeschlegelste. S."),
    ("Cher", "Cher"),
    ("Ana Silva Neto", "Ana S."),
    ("Glenn Robinson III", "Glenn R."),
    ("de Souza Filho, Pedro", "Pedro S."),
    ("Ana Neto", "Ana N."),
    ("Neto, Ana Maria", "Ana N."),
    ("Jan van der Berg", "Jan B."),
    ("  Ann   Lee ", "Ann L."),
    ("A\u202enn\u202c Lee", "Ann L."),
    ("—", "1234"),
    ("µ ÿz", "µ ÿ."),
]


@pytest.mark.parametrize(("name", "shown"), NAMES)
def test_first_name_and_initial(name, shown):
    assert for_board(name, "1234") == shown


@given(st.text(max_size=60), st.text(alphabet="0123456789-", max_size=12))
def test_every_name_fits_the_font(name, number):
    shown = for_board(name, number)
    assert 0 < len(shown) <= LIMIT
    assert all(32 <= byte < 127 or byte >= 160 for byte in shown.encode("latin-1"))


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_both_at_a_table_fit(one, other):
    assert all(0 < len(name) <= LIMIT for name in for_table(Player("1", one), Player("2", other)))


@pytest.mark.parametrize("other", ["1", "1."])
def test_nobody_is_without_a_name_whose_number_is_the_others_name(other):
    assert for_table(Player("1", ":"), Player("2", other)) == ["1 1", "1 2"]


def test_namesakes_are_told_apart():
    pair = for_table(Player("17", "Marco Rossi"), Player("18", "Marco Russo"))
    assert pair == ["Marco Rossi", "Marco Russo"]
    assert for_table(Player("17", "Marco Rossi"), Player("18", "Marco Rossi")) == [
        "Marco R. 17",
        "Marco R. 18",
    ]
