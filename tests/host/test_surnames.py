"""Lists by surname: what a name is sorted by, and how it is listed."""

import pytest

from host.base import surnames


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
