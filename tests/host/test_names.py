"""Names: on a board short and told apart, in lists by surname."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.archive.roster import Player
from host.base import surnames
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
    names = for_table(Player("17", "Marco Rossi"), Player("18", "Marco Rossi"))
    assert names == ["Marco R. 17", "Marco R. 18"]


@pytest.mark.parametrize(("name", "listed"), [
    ("Ada Bianchi", "Bianchi, Ada"),
    ("José Ángel Núñez", "Núñez, José Ángel"),
    ("Anna De Luca", "De Luca, Anna"),
    ("Jan van der Berg", "van der Berg, Jan"),
    ("Juan de la Cruz", "de la Cruz, Juan"),
    ("Ada Maria Rossi-Lo Monaco", "Rossi-Lo Monaco, Ada Maria"),
    ("Rossi, Maria Chiara", "Rossi, Maria Chiara"),
    ("さくら 田中", "田中, さくら"),
    ("Sammy Davis Jr.", "Davis Jr., Sammy"),
    ("Ada Bianchi 2", "Bianchi 2, Ada"),
    ("Glenn Robinson III", "Robinson III, Glenn"),
    ("Ana Silva Neto", "Silva Neto, Ana"),
    ("João Costa Junior", "Costa Junior, João"),
    ("João Costa Júnior", "Costa Júnior, João"),
    ("Pedro de Souza Filho", "de Souza Filho, Pedro"),
    ("Rui da Silva Sobrinho", "da Silva Sobrinho, Rui"),
    ("Ivo Lima Bisneto", "Lima Bisneto, Ivo"),
    ("Ida Lima Neta", "Lima Neta, Ida"),
    ("Ivo Lima Segundo", "Lima Segundo, Ivo"),
    ("Juan Pérez hijo", "Pérez hijo, Juan"),
    ("Alexandre Dumas fils", "Dumas fils, Alexandre"),
    ("Ana Neto", "Neto, Ana"),  # the only surname is no suffix
    ("Junior Santos", "Santos, Junior"),
    ("Ivo Neto Junior", "Neto Junior, Ivo"),
    ("Ivo Lima Neto Jr.", "Lima Neto Jr., Ivo"),
    ("Neto, Ana Maria", "Neto, Ana Maria"),
    ("Pelé", "Pelé"),
    ("Van Dyke", "Dyke, Van"),  # the first word is a given name
    ("", ""),
])  # fmt: skip
def test_a_name_is_listed_by_its_surname(name, listed):
    assert surnames.by_surname(name) == listed


def test_order_knows_no_accents_and_no_capitals():
    names = ["Zoë Ávila", "Bo abel", "Łukasz Żółć", "Al Avila"]
    assert sorted(names, key=surnames.order) == [
        "Bo abel", "Al Avila", "Zoë Ávila", "Łukasz Żółć"
    ]  # fmt: skip
