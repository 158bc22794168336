"""The drawing of what imports what: its layers, and that it says what the statements say."""

import json

from commands import plusthree

from host.cli.dev import import_graph, imports

CHAIN = {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a"}}


def test_a_layer_imports_lower_ones_alone():
    assert import_graph.layers(CHAIN) == [["a"], ["b", "d"], ["c"]]


def test_what_imports_each_other_is_drawn_in_layers_all_the_same():
    assert len(import_graph.layers(CHAIN | {"a": {"c"}})) >= 2


def test_the_statements_are_read():
    found = import_graph.files()
    assert "host.cli.dev.import_graph" in found["host.cli.dev.imports"]
    assert "host.base.errors" in found["host.cli"]


def test_the_page_has_the_table_of_today():
    text = imports.PAGE.read_text(encoding="utf-8")
    packages = import_graph.packages()
    assert import_graph.place(text, packages) == text, (
        "draw it anew: plusthree dev rules imports --page"
    )
    assert imports.PAGE.with_name("imports.svg").read_text(encoding="utf-8") == import_graph.draw(
        packages
    ), "--svg docs/imports.svg"


def test_the_drawing_has_a_box_for_each_and_a_line_for_each_import():
    picture = import_graph.draw(CHAIN)
    assert picture.count("<text") == 4 and picture.count("<line") == 4


def test_the_command_says_it_all_as_one_object(capsys):
    plusthree("dev", "rules", "imports", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told == {name: sorted(found) for name, found in import_graph.packages().items()}
