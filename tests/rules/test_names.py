"""Words that say nothing, short cuts that prove nothing, and files that do not say what they are."""

import ast
import hashlib
import itertools
import pathlib
import re
import subprocess
import sys

import tree

EMPTY = re.compile(r"Manager|Utils?\b|Helper|common\b|Singleton", re.IGNORECASE)
VIRTUAL = re.compile(r"host\.sim|import beaconhall")
FORBIDDEN_IN_TESTS = re.compile(r"Mock|\btime\.(sleep|time|monotonic)$|datetime\.now$")
DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
PAGES = tree.ROOT / "host" / "web" / "static"
SENTENCE = re.compile(r"[\w`].*?[.](?=\s+[A-Z`]|\s*$)")  # a dot inside a name ends none
COMMENTS = {  # a line of a file's first comment
    ".js": re.compile(r"//\s?(.*)"),
    ".css": re.compile(r"(?:/\*|  )\s?(.*?)(?:\*/)?$"),
}


def definitions(path):
    """Yield the names of a file's classes and functions, and its own."""
    yield path.stem
    for node in tree.nodes(path):
        if isinstance(node, DEFINITIONS):
            yield node.name


def used_names(path):
    """Yield every name and attribute, dotted as written, that the code (not its text) uses."""
    for node in tree.nodes(path):
        if isinstance(node, (ast.Name, ast.Attribute)):
            yield ast.unparse(node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (f"{getattr(node, 'module', '')}.{alias.name}" for alias in node.names)


def test_names_say_something():
    every = ((path, name) for path in tree.python_files() for name in definitions(path))
    assert not [(tree.name_of(path), name) for path, name in every if EMPTY.search(name)]


def test_tests_neither_mock_nor_sleep_nor_read_the_clock():
    found = []
    for path in tree.python_files("tests"):
        name = tree.name_of(path)
        # there sleeping passes virtual time
        virtual = VIRTUAL.search(path.read_text(encoding="utf-8"))
        for used in used_names(path):
            if FORBIDDEN_IN_TESTS.search(used) or (used == "asyncio.sleep" and not virtual):
                found.append((name, used))
    assert not found


def test_no_package_in_tests():
    assert not list((tree.ROOT / "tests").rglob("__init__.py"))


def first_sentence(text, suffix):
    """Return the first sentence of a file's docstring, or of the comment that it begins with."""
    if suffix == ".py":
        about = ast.get_docstring(ast.parse(text)) or ""
    else:
        lines = map(COMMENTS[suffix].match, text.splitlines())
        about = "\n".join(line[1] for line in itertools.takewhile(bool, lines))
    found = SENTENCE.match(" ".join(about.split("\n\n")[0].split()))
    return found[0] if found else ""


def test_every_file_says_in_its_first_sentence_what_it_is():
    files = [
        path
        for path in tree.python_files("firmware", "host")
        if path.name != "__init__.py" or path.read_text(encoding="utf-8").strip()
    ]
    files += [*PAGES.rglob("*.js"), *PAGES.rglob("*.css")]
    mute = [
        tree.name_of(path)
        for path in files
        if not first_sentence(path.read_text(encoding="utf-8"), path.suffix)
    ]
    assert len(files) > 400 and not mute, "\n".join(mute)


def test_a_first_sentence_is_read():
    assert first_sentence('"""Lights a lamp. And more."""\nX = 1\n', ".py") == "Lights a lamp."
    assert first_sentence('"""Reads ``a.b`` of\na file."""', ".py") == "Reads ``a.b`` of a file."
    style = "/* How a lamp\n   looks: round. More. */\n.lamp { }\n"
    assert first_sentence(style, ".css") == "How a lamp looks: round."
    assert (
        first_sentence("// A lamp\n// that is lit.\nconst a = 1;\n", ".js") == "A lamp that is lit."
    )
    for mute in ("X = 1\n", '"""Lamp"""\n'):
        assert not first_sentence(mute, ".py")
    assert not first_sentence(".lamp { }\n", ".css") and not first_sentence("const a = 1;\n", ".js")


WORDS_IN_A_ROW = 8
LONG_WORDS = 5  # of these eight, at least, or tables of numbers would be found
SIZE = 6  # bytes a digest: 2 million runs meet one of 18,000 by chance once in 8,000 trees


def runs(text):
    """Return the set of a text's runs of eight words, each as one lower-case line."""
    words = re.findall(r"[^\W_]+", text.lower())
    starts = range(len(words) - WORDS_IN_A_ROW + 1)
    found = (words[at : at + WORDS_IN_A_ROW] for at in starts)
    return {
        " ".join(run)
        for run in found
        if sum(word.isalpha() and len(word) > 2 for word in run) >= LONG_WORDS
    }


def digest(run):
    """Return the ``SIZE`` bytes that stand for a run."""
    return hashlib.sha256(run.encode()).digest()[:SIZE]


def read(path):
    """Return the digests of a file as a frozenset."""
    data = pathlib.Path(path).read_bytes()
    return frozenset(data[at : at + SIZE] for at in range(0, len(data), SIZE))


def write(path, texts):
    found = set()
    for text in texts:
        found |= set(
            map(digest, runs(pathlib.Path(text).read_text(encoding="utf-8", errors="replace")))
        )
    pathlib.Path(path).write_bytes(b"".join(sorted(found)))


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2:])


SOURCES = tree.ROOT / "tests" / "rules" / "sources.bin"
TEXT = {".py", ".md", ".txt", ".toml", ".csv", ".json", ".html", ".css", ".js", ".mjs", ""}
# made elsewhere and not ours to word
NOT_OURS = ("package-lock.json",)


def tracked():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=tree.ROOT, capture_output=True, text=True, check=True
    )
    paths = [tree.ROOT / line for line in listed.stdout.splitlines()]
    return [p for p in paths if p.suffix in TEXT and p.name not in NOT_OURS and p.is_file()]


def test_nothing_is_copied_from_the_sources():
    sources = read(SOURCES)
    assert len(sources) > 15000
    copied = []
    for path in tracked():
        found = runs(path.read_text(encoding="utf-8", errors="replace"))
        copied += [
            f"{tree.name_of(path)}: {run}" for run in sorted(found) if digest(run) in sources
        ]
    assert not copied, "\n".join(copied)


def test_a_copied_sentence_would_be_seen(tmp_path):
    source, kept = tmp_path / "source.txt", tmp_path / "kept.bin"
    source.write_text(
        "The judge decides whether the players may continue their match after time",
        encoding="utf-8",
    )
    write(kept, [source])
    digests = read(kept)

    def seen(text):
        return any(digest(run) in digests for run in runs(text))

    assert seen("he said: the judge decides whether the players may continue, yes")
    assert not seen("the judge may continue whether or not time is called after all")
