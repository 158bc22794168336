"""A list of players as people have it: typed, or out of a spreadsheet."""

import pytest

from host.base.errors import UserError
from host.formats.pasted_players import read

READ = (
    ("Ada Neri\nUgo Blu\n", [("", "Ada Neri"), ("", "Ugo Blu")]),
    ("1. Ada Neri\n2) Ugo Blu", [("1", "Ada Neri"), ("2", "Ugo Blu")]),
    ("Ada Neri 0012\nUgo Blu (13)", [("0012", "Ada Neri"), ("13", "Ugo Blu")]),
    ("Neri, Ada\nBlu, Ugo", [("", "Ada Neri"), ("", "Ugo Blu")]),
    ("12 Neri, Ada\n13 Blu, Ugo", [("12", "Ada Neri"), ("13", "Ugo Blu")]),
    ("12,Ada Neri\n13,Ugo Blu", [("12", "Ada Neri"), ("13", "Ugo Blu")]),
    ("Ada Neri\t12\n\nUgo Blu\t13\n", [("12", "Ada Neri"), ("13", "Ugo Blu")]),
    ("12;Ada;Neri\n13;Ugo;", [("12", "Ada Neri"), ("13", "Ugo")]),
    ("12\tAda\tNeri\t\t\n13\tUgo\tBlu\t\t", [("12", "Ada Neri"), ("13", "Ugo Blu")]),
    ("Player ID,Last Name,First Name\n12,Neri,Ada\n,Blu,Ugo", [("12", "Ada Neri"), ("", "Ugo Blu")]),
    ("Cognome;Nome;N.\nNeri;Ada;12", [("12", "Ada Neri")]),
    ("Nome\tTessera\nAda Neri\t12", [("12", "Ada Neri")]),
    ('number,name\n12,"Neri, Ada"', [("12", "Neri, Ada")]),
    ("12.0\tAda Neri", [("12", "Ada Neri")]),
    ("\ufeffAda\u200b Neri", [("", "Ada Neri")]),
)  # fmt: skip


@pytest.mark.parametrize(("text", "people"), READ)
def test_a_list_is_read_as_its_people_mean_it(text, people):
    found = read(text).people
    assert [(one.player.number, one.player.name) for one in found] == people


def test_a_header_also_names_families_and_what_is_left_out():
    found = read("Number;Name;Birth date;Family\n12;Ada Neri;2001-03-01;Neri")
    assert found.people[0].parties == {"family Neri"}
    assert found.left_out == ("Birth date",)


REFUSED = (
    ("", "no player"),
    ("number,name\n", "no player"),
    ("12;Ada;Neri;ada@mail.it\n13;Ugo;Blu;ugo@mail.it", "which of the 4 columns is the name"),
    ("12\t2001\n13\t1999", "which of the 2 columns"),
    ("12;Ada Neri\n13;", "line 2: a player has no name"),
    ("12;Ada Neri\n012;Ugo Blu", "line 2: number 012 stands in line 1 already"),
    ("12;Ada Neri\n1,5E+07;Ugo Blu", "line 2: 1,5E+07 is not the number that was typed"),
    ("number,name\n12,Ada Neri,left", "line 2: 'left' stands in no column"),
    ("name,name\nAda,Neri", "two columns are called name"),
    ("Ada\nU\u202ego", "line 2: holds U+202E"),
    ('12,"Ada\n13,Ugo', "line 1"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_an_odd_list_is_refused_whole(text, why):
    with pytest.raises(UserError) as refusal:
        read(text)
    assert why in str(refusal.value)


def test_several_faults_are_told_at_once_and_no_more_than_five():
    with pytest.raises(UserError) as refusal:
        read("\n".join(f"{n};" for n in range(1, 9)) + "\n9;Ada")
    assert "8 lines need a look" in str(refusal.value) and str(refusal.value).count("line ") == 5
