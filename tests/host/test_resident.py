"""``code.py`` as it is laid: the same acts, without a PC's part, in words that a board has."""

import ast

from host.boards.deploy import image, resident

SOURCE = '''
"""Says how often."""

TIMES = 2  # a person's comment


def feed(dog, bowl):
    """Feed it."""
    dog.feed(bowl)


def told(why):
    """Say why."""
    line = "not %s" % why
    out.append(line)


if __name__ == "__main__":
    try:
        while TIMES:
            feed(dog, TIMES)
            TIMES -= 1
    except LookupError as problem:
        told(problem)
else:
    from elsewhere import names_of
'''


class Dog:
    """Eats twice what it is given, and once only."""

    def __init__(self):
        self.eaten = []

    def feed(self, bowl):
        """Eat, or raise LookupError."""
        if self.eaten:
            raise LookupError("full")
        self.eaten.append(2 * bowl)


def ran(source):
    """Return what the program did as ``__main__``."""
    dog, out = Dog(), []
    exec(source, {"__name__": "__main__", "dog": dog, "out": out})
    return dog.eaten, out


def test_does_the_same():
    assert ran(resident.laid(SOURCE)) == ran(SOURCE) == ([4], ["not full"])


def test_what_a_pc_alone_runs_is_gone():
    assert "elsewhere" not in resident.laid(SOURCE)


def test_only_names_that_others_know_stay():
    laid = resident.laid(SOURCE)
    assert not {"TIMES", "told", "problem", "line", "bowl"} & set(words(laid))
    assert {"feed", "dog", "out"} <= set(words(laid))


def words(source):
    """Return the names and attributes of a source."""
    tree = ast.walk(ast.parse(source))
    return [getattr(node, "attr", None) or getattr(node, "id", None) for node in tree]


def test_the_laid_program_asks_the_same_of_others():
    ours = resident.laid((image.tree() / "code.py").read_text("utf-8"))
    assert image.build("feather")["code.py"].decode().count("\n") == ours.count("\n")
    for asked in ("app.main()", "service.tell(", ".feed()", "microcontroller.reset()"):
        assert asked in ours
