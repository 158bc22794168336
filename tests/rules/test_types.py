"""Types stand on what other files may call; pyright (``make lint``) checks them."""

import ast
import importlib.util
import tomllib

import pytest
import tree

# rooms whose public functions have types, checked by pyright; the others follow
TYPED = tomllib.loads((tree.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "pyright"
]["include"]
# rooms whose public functions say exactly what they take and give: nothing is Any
EXACT = ("host/archive", "host/collector", "host/desk", "host/event")
UNTYPED_FIRST = ("self", "cls")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def public_functions(path):
    """Yield (name, function) for each function and method that other files may call."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    classes = [one for one in module.body if isinstance(one, ast.ClassDef)]
    holders = [(f"{one.name}.", one) for one in classes if not one.name.startswith("_")]
    for prefix, holder in [("", module), *holders]:
        for one in holder.body:
            if isinstance(one, FUNCTIONS) and (
                one.name == "__init__" or not one.name.startswith("_")
            ):
                yield prefix + one.name, one


def annotations(function):
    """Return {name: annotation or None} of a function's arguments and of what it returns."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    found = {one.arg: one.annotation for one in every if one and one.arg not in UNTYPED_FIRST}
    return found if function.name == "__init__" else {**found, "return": function.returns}


def typed_once(path):
    """Return the methods of a family of screens whose types stand in its base class."""
    screens = tree.ROOT / "firmware" / "ui" / "screen.py"
    files = (screens, path) if path.parent == screens.with_name("screens") else ()
    every = [found for file in files for found in public_functions(file)]
    typed = [name for name, function in every if None not in annotations(function).values()]
    return {name.split(".")[1] for name in typed if "." in name}


@pytest.mark.parametrize("room", TYPED)
def test_public_functions_have_types(room):
    bare = [
        f"{tree.name_of(path)}: {name}({', '.join(missing)})"
        for path in tree.python_files(room)
        for name, function in public_functions(path)
        if (missing := [key for key, value in annotations(function).items() if value is None])
        and name.partition(".")[2] not in typed_once(path)
    ]
    assert not bare, "\n".join(bare)


@pytest.mark.parametrize("room", EXACT)
def test_public_functions_say_exactly_what_they_take_and_give(room):
    vague = [
        f"{tree.name_of(path)}: {name}"
        for path in tree.python_files(room)
        for name, function in public_functions(path)
        for value in annotations(function).values()
        if value is not None and "Any" in ast.unparse(value).replace("[", " ").split()
    ]
    assert not vague, "\n".join(vague)


def test_a_types_file_is_for_the_checker_alone():
    for path in sorted((tree.ROOT / "firmware").rglob("*.pyi")):
        name = ".".join(path.relative_to(tree.ROOT).with_suffix("").parts)
        assert importlib.util.find_spec(name) is None, f"{name} could be imported when it runs"
    for path in tree.python_files("firmware"):
        for node in ast.walk(tree.running(path)):
            if isinstance(node, ast.ImportFrom):
                assert not node.module.endswith(".types"), f"{tree.name_of(path)}:{node.lineno}"
