"""A board compiles the files of its program, in the heap that it has."""

import tree

LONGEST_LINES, MOST_BYTES = 300, 15 * 1024


def test_a_board_can_compile_every_file():
    sizes = [
        (
            tree.name_of(path),
            len(path.read_text(encoding="utf-8").splitlines()),
            path.stat().st_size,
        )
        for path in tree.python_files("firmware")
    ]
    assert not [one for one in sizes if one[1] > LONGEST_LINES or one[2] > MOST_BYTES]
