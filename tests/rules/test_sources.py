"""No sentence of the rules' source texts is copied into the tree."""

import hashlib
import pathlib
import re
import subprocess
import sys

import tree

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
