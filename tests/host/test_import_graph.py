"""The drawing of what imports what: layers, circles, and that it says what the statements say."""

import json

from host import cli, import_graph

CHAIN = {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a"}}


def test_a_layer_imports_lower_ones_alone():
    assert import_graph.layers(CHAIN) == [["a"], ["b", "d"], ["c"]]
    assert import_graph.circles(CHAIN) == []


def test_a_circle_is_told_as_a_path():
    assert import_graph.circles(CHAIN | {"a": {"c"}}) == [["a", "c", "a"], ["a", "c", "b", "a"]]
    assert len(import_graph.layers(CHAIN | {"a": {"c"}})) >= 2


def test_the_statements_are_read():
    found = import_graph.files()
    assert "host.import_graph" in found["host.commands.imports"]
    assert "host.errors" in found["host.cli"]


def test_the_drawing_has_a_box_for_each_and_a_line_for_each_import():
    picture = import_graph.drawn(CHAIN)
    assert picture.count("<text") == 4 and picture.count("<line") == 4


def test_the_command_says_it_all_as_one_object(capsys):
    cli.main(["dev", "imports", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told == {name: sorted(found) for name, found in import_graph.packages().items()}
