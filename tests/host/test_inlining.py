"""Private functions put into their only callers: the program does what it did."""

import ast

import pytest

from host.boards.deploy import inlining

CASES = {
    "a statement": (
        "class A:\n    def go(self, x):\n        self.seen = []\n        self._note(x + 1)\n        return self.seen\n"
        "    def _note(self, y):\n        for x in range(y):\n            self.seen.append(x)\n",
        "A().go(2)",
    ),
    "a tail, fallen through": (
        "class A:\n    def go(self, x):\n        if x:\n            return self._half(x)\n        return 'none'\n"
        "    def _half(self, y):\n        if y % 2 == 0:\n            return y // 2\n",
        "[A().go(x) for x in (0, 1, 2)]",
    ),
    "an assignment": (
        "def go(x):\n    a, b = _pair(x * 2)\n    return a, b, x\ndef _pair(x, more=3):\n    y = x + more\n    return y, x\n",
        "go(5)",
    ),
    "an expression": ("def go(x):\n    return 1 + (_twice(x) if x else 0)\ndef _twice(y):\n    return y * 2\n", "[go(0), go(4)]"),
    "names that clash": (
        "def go(x, y):\n    z = 1\n    _set(y)\n    return x, y, z\ndef _set(x):\n    z = [y for y in range(x)]\n    z.append(x)\n",
        "go(7, 2)",
    ),
    "an error caught": (
        "def go(x):\n    error = 5\n    _safe(x)\n    return error\ndef _safe(x):\n    try:\n        1 // x\n    except ZeroDivisionError as error:\n        str(error)\n",
        "[go(0), go(1)]",
    ),
    "returns in the middle of an assignment": (
        "def go(x):\n    y = _f(x)\n    return y\ndef _f(x):\n    if x:\n        return 1\n    return 2\n",
        "[go(0), go(1)]",
    ),
    "given what has an effect": (
        "def go(x):\n    return _sum(x.pop(), x.pop()) + [0]\ndef _sum(a, b):\n    return [b, a, b]\n",
        "go([1, 2, 3])",
    ),
    "statements before a condition": (
        "def go(x):\n    z = 1\n    if x > 3 and z:\n        return 0\n    elif _f(x) and z or x == 2:\n        return z\n    return x\n"
        "def _f(x):\n    z = x - 1\n    if z > 1:\n        z += 1\n        if z > 3:\n            return z\n        return 0\n    elif x:\n        return 0\n    return x == 0\n",
        "[go(x) for x in range(6)]",
    ),
    "out of a loop": (
        "def go(x):\n    y = x, x\n    at = _f(y, x)\n    return at, y\ndef _f(y, z):\n    for at in range(z):\n        if at * at == z:\n            return at\n"
        "        elif at > 7:\n            z += 1\n            return -at\n    y = z\n    return y + 1\n",
        "[go(x) for x in (0, 3, 4, 9, 77)]",
    ),
    "what only counts for what it does": (
        "def go(x):\n    seen = []\n    if x < 3:\n        _f(x, seen)\n    return seen\ndef _f(x, seen):\n    if not x:\n        return seen.append(7)\n    seen.append(x)\n    return x\n",
        "[go(x) for x in range(4)]",
    ),
    "a condition within a condition": (
        "def go(x):\n    return x > 1 and not _f(x)\ndef _f(x):\n    if x == 2:\n        return True\n    if x == 3:\n        return 0\n    return x > 4\n",
        "[go(x) for x in range(7)]",
    ),
}  # fmt: skip
STAYS = {
    "called twice": "def go(x):\n    return _f(x) + _f(1)\ndef _f(x):\n    return x\n",
    "passed on": "def go(x):\n    return map(_f, x)\ndef _f(x):\n    return x\n",
    "recursive": "def go(x):\n    return 0\ndef _f(x):\n    return _f(x)\n",
    "a closure": "def go(x):\n    return _f(x)\ndef _f(x):\n    return lambda: x\n",
    "spelled": "NAMES = ('_f',)\ndef go(x):\n    return _f(x)\ndef _f(x):\n    return x\n",
    "in a loop's test": (
        "def go(x):\n    while _f(x):\n        x -= 1\n    return x\ndef _f(x):\n    y = x - 1\n   "
        " return y > 0\n"
    ),
    "asked after something else": (
        "def go(x):\n    return x.pop() + _f(x)\ndef _f(x):\n    y = len(x)\n    return y * y\n"
    ),
    "asked sometimes": (
        "def go(x):\n    return x and _f(x)\ndef _f(x):\n    y = x - 1\n    return y * y\n"
    ),
    "out of two loops": (
        "def go(x):\n    y = _f(x)\n    return y\ndef _f(x):\n    for a in x:\n        for b in a:\n"
        "            if b:\n                return b\n    return 0\n"
    ),
}


def result(source, wanted):
    space = {}
    exec(compile(source, "laid", "exec"), space)
    return eval(wanted, space)


@pytest.mark.parametrize("name", CASES)
def test_does_what_it_did_in_one_function_less(name):
    source, wanted = CASES[name]
    laid = inlining.inline({"m": source})["m"]
    assert result(laid, wanted) == result(source, wanted)
    assert laid.count("def ") == source.count("def ") - 1, laid


@pytest.mark.parametrize("name", STAYS)
def test_stays_a_function(name):
    laid = inlining.inline({"m": STAYS[name]})["m"]
    assert ast.dump(ast.parse(laid)) == ast.dump(ast.parse(STAYS[name]))


def test_a_private_name_that_another_module_asks_for_stays():
    one, other = "def go(x):\n    return _f(x)\ndef _f(x):\n    return x\n", "from m import _f\n"
    assert "def _f" in inlining.inline({"m": one, "n": other})["m"]


def test_what_follows_a_dot_is_no_function_of_a_linked_part():
    tree = ast.parse("def A(x):\n    return B(x) + part0.B(x)\ndef B(x):\n    return x * 2\n")
    inlining.settle(tree, {"A"})
    assert ast.unparse(tree) == "def A(x):\n    return x * 2 + part0.B(x)"
