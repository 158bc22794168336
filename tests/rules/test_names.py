"""Words that say nothing, short cuts that prove nothing, and public things without a word."""

import ast
import re

import tree

EMPTY = re.compile(r"Manager|Utils?\b|Helper|common\b|Singleton", re.IGNORECASE)
FORBIDDEN_IN_TESTS = re.compile(r"Mock|\btime\.(sleep|time|monotonic)$|datetime\.now$")
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def definitions(path):
    """Yield the names of a file's classes and functions, and its own."""
    yield path.stem
    for node in ast.walk(tree.parsed(path)):
        if isinstance(node, DEFINITIONS):
            yield node.name


def used_names(path):
    """Yield every name and attribute, dotted as written, that the code (not its text) uses."""
    for node in ast.walk(tree.parsed(path)):
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield ast.unparse(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (f"{getattr(node, 'module', '')}.{alias.name}" for alias in node.names)


def test_names_say_something():
    found = [(tree.name_of(p), name) for p in tree.python_files() for name in definitions(p)]
    assert not [(path, name) for path, name in found if EMPTY.search(name)]


def test_no_global_statement():
    nodes = [(tree.name_of(p), n) for p in tree.python_files() for n in ast.walk(tree.parsed(p))]
    assert not [(path, n.lineno) for path, n in nodes if isinstance(n, ast.Global)]


def test_tests_neither_mock_nor_sleep_nor_read_the_clock():
    found = []
    for path in tree.python_files("tests"):
        name = tree.name_of(path)
        virtual = "host.sim" in path.read_text(
            encoding="utf-8"
        )  # there sleeping passes virtual time
        for used in used_names(path):
            if FORBIDDEN_IN_TESTS.search(used) or (used == "asyncio.sleep" and not virtual):
                found.append((name, used))
    assert not found


def test_no_package_in_tests():
    assert not list((tree.ROOT / "tests").rglob("__init__.py"))


def is_setter(node):
    decorators = getattr(node, "decorator_list", ())
    return any(isinstance(d, ast.Attribute) and d.attr == "setter" for d in decorators)


def test_public_things_have_docstrings():
    bare = []
    for path in tree.python_files("firmware", "host"):
        module = tree.parsed(path)
        things = [module] if path.read_text(encoding="utf-8").strip() else []
        for node in module.body:
            members = node.body if isinstance(node, ast.ClassDef) and node.name[0] != "_" else []
            things += [n for n in [node, *members] if isinstance(n, DEFINITIONS)]
        for thing in things:
            name = getattr(thing, "name", "the module")
            if name[0] != "_" and not ast.get_docstring(thing) and not is_setter(thing):
                bare.append(f"{tree.name_of(path)}: {name}")
    assert not bare, "\n".join(bare)
