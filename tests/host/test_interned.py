"""Words of the interpreter's own in place of short ones, and tables of bytes as literals."""

import ast
import re

from host.boards.deploy import edits, image, interned, linking, literals

ONE = "class A:\n    def __init__(self):\n        self._a, self.list = 1, [2]\n\n\ndef Ba(_b):\n    return len(_b)\n"
TWO = 'import one\nprint(one.A()._a, one.Ba([1]), "Ca", one.A().list)\nCa = 3\n'


def test_words_made_here_become_words_that_nobody_uses_otherwise():
    words = interned.plan([ONE, TWO])
    assert words.keys() == {"A", "_a", "_b", "Ba"}  # Ca is spelled in a text
    assert len({*words.values()}) == len(words)
    assert not {*words.values()} & {"len", "list", "print", "self"}


def test_the_program_is_the_same():
    words, ran = interned.plan([ONE, TWO]), []
    one = {}
    exec(interned.applied(ONE, words), one)  # noqa: S102  (two modules of this file)
    made = one[words["A"]]()
    ran = [getattr(made, words["_a"]), made.list, one[words["Ba"]]([1])]
    assert ran == [1, [2], 1]
    assert interned.applied(TWO, words).count("\n") == TWO.count("\n")
    assert '"Ca"' in interned.applied(TWO, words)


def test_no_name_made_by_deploy_stays_while_words_are_left():
    words = image.interned_words("feather")
    made = {
        node.attr
        for text in image.programs("feather").values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr[:1] == "_" and len(node.attr) < 4
    }
    assert len(words) > 80
    assert not made


def test_bytes_of_numbers_are_a_literal():
    assert literals.written("A = bytes((1, 65, 255))") == "A = b'\\x01A\\xff'"
    for other in ("bytes((1, x))", "bytes((1, 256))", "bytes(3)", "bytes((True,))", "list((1, 2))"):
        assert literals.written(other) == other
    assert not re.search(r"bytes\(\([\d, ]+\)\)", "".join(image.programs("feather").values()))


def test_a_table_of_fields_has_the_words_of_its_attributes():
    names = ", ".join(f'"field_{number}"' for number in range(9))
    table = f"NAMES = ({names})\n"
    holder = (
        "from firmware import table\n\n\nclass Match:\n    def __init__(self):\n"
        "        for name in table.NAMES:\n            setattr(self, name, 7)\n\n\n"
        "def seen():\n    return Match().field_3\n"
    )
    sources = {"firmware.table": table, "firmware.holder": holder}
    laid = linking.link(image.shortened(sources), {"firmware.table"})
    words = interned.plan(laid.values())
    laid = {name: interned.applied(text, words) for name, text in laid.items()}
    (table,) = [node.value for node in ast.parse(laid["firmware.part0"]).body]
    texts = ast.literal_eval(table)
    assert len({*texts}) == 9 and "field" not in "".join(laid.values())
    assert f".{texts[3]}" in laid["firmware.holder"]


def test_what_runs_as_it_is_asks_for_no_name_of_a_library_that_is_replaced():
    """``boot.py``, ``code.py`` and what a PC sends know libraries by the names people gave them."""
    texts = [(image.tree() / name).read_text("utf-8") for name in image.OUTSIDE]
    asked = set().union(*(edits.mentioned(ast.parse(text)) for text in texts))
    assert not [name for name in asked if len(name) > 3 and interned._MADE.fullmatch(name)]


def test_names_of_libraries_and_of_crossing_have_words_too():
    mentioned = (edits.mentioned(ast.parse(text)) for text in image.programs("feather").values())
    laid = set().union(*mentioned)
    assert not {"_place_text", "ComplexCharacteristic", "bleio_service", "x_1"} & laid
    assert not [name for name in laid if name.startswith("own_")]
