"""Rules are data: a system's file holds no code, and its interpreter knows no system by name."""

import ast
import re

import tree

from firmware.core.systems import __name__ as PACKAGE
from host.systems import catalogue, fields

SYSTEMS = [path for path in tree.python_files("firmware") if path.parent.name == "systems"]
INTERPRETERS = (
    "match", "outcome", "phases", "legal", "automatic_events", "play", "acts", "result", "luck",
)  # fmt: skip
CODE = (
    ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.If, ast.For, ast.While, ast.ListComp,
    ast.IfExp,
)  # fmt: skip


def test_a_systems_file_holds_no_code():
    assert len(SYSTEMS) > 3
    found = [
        (tree.name_of(p), type(n).__name__)
        for p in SYSTEMS
        for n in tree.nodes(p)
        if isinstance(n, CODE)
    ]
    calls = [ast.unparse(n.func) for p in SYSTEMS for n in tree.nodes(p) if isinstance(n, ast.Call)]
    assert not found and not calls


def test_the_interpreter_names_no_system():
    names = re.compile(
        "|".join([*catalogue.built_in(), "pokemon", "escalation", "x-wing"]), re.IGNORECASE
    )
    for stem in INTERPRETERS:
        path, words = tree.ROOT / "firmware" / "core" / f"{stem}.py", set()
        in_a_comment = stem != "luck" and names.search(path.read_text(encoding="utf-8"))
        assert not in_a_comment, stem  # but that one's comments name their sources
        for node in tree.nodes(path):
            words |= {
                getattr(node, key)
                for key in ("id", "attr", "name", "arg")
                if isinstance(getattr(node, key, 0), str)
            }
            if isinstance(node, ast.ImportFrom):
                assert node.module != PACKAGE, stem
        assert not [word for word in words if names.search(word)], stem
        assert stem not in ("match", "outcome") or "NUMBER" not in words, stem


def test_every_system_has_every_field_and_no_other():
    for name, rules in catalogue.built_in().items():
        assert {key for key in vars(rules) if key.isupper()} == set(fields.NAMES), name
