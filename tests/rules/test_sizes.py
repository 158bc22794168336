"""Small files, small functions: what a person holds in the head, and what a board can compile."""

import statistics

import tree

LONGEST_FILE = {"firmware": 300}  # a board compiles it
LONGEST_ELSEWHERE = 500
MEDIAN_FILE = 100
LONGEST_FUNCTION = 30
FIRMWARE_BYTES = 15 * 1024


def lines_of(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def test_files_are_short():
    sizes = [(tree.name_of(path), lines_of(path)) for path in tree.python_files()]
    most = {name: LONGEST_FILE.get(name.partition("/")[0], LONGEST_ELSEWHERE) for name, _ in sizes}
    assert not [(name, size) for name, size in sizes if size > most[name]]


def test_functions_are_short():
    long = []
    for path in tree.python_files():
        for function in tree.functions(path):
            size = function.end_lineno - function.lineno + 1
            if size > LONGEST_FUNCTION:
                long.append(
                    f"{tree.name_of(path)}:{function.lineno}: {function.name}: {size} lines"
                )
    assert not long, "\n".join(long)


def test_files_are_short_in_the_middle():
    medians = {
        folder: statistics.median(map(lines_of, tree.python_files(folder)))
        for folder in ("firmware", "host", "tests")
    }
    assert not {folder: median for folder, median in medians.items() if median > MEDIAN_FILE}


def test_a_board_can_compile_every_file():
    sizes = [(tree.name_of(path), path.stat().st_size) for path in tree.python_files("firmware")]
    assert not [(name, size) for name, size in sizes if size > FIRMWARE_BYTES]
