"""No sentence of the rules' source texts is copied into the tree: eight words in a row are too
many.
"""

import subprocess

import fingerprints
import tree

SOURCES = tree.ROOT / "tests" / "rules" / "sources.bin"
TEXT = {".py", ".md", ".txt", ".toml", ".csv", ".json", ".html", ".css", ".js", ".mjs", ""}
# made elsewhere and not ours to word
NOT_OURS = ("package-lock.json",)


def tracked():
    """Return the text files that git keeps."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=tree.ROOT, capture_output=True, text=True, check=True
    )
    paths = [tree.ROOT / line for line in listed.stdout.splitlines()]
    return [p for p in paths if p.suffix in TEXT and p.name not in NOT_OURS and p.is_file()]


def test_nothing_is_copied_from_the_sources():
    sources = fingerprints.read(SOURCES)
    assert len(sources) > 15000
    copied = []
    for path in tracked():
        found = fingerprints.runs(path.read_text(encoding="utf-8", errors="replace"))
        copied += [
            f"{tree.name_of(path)}: {run}"
            for run in sorted(found)
            if fingerprints.digest(run) in sources
        ]
    assert not copied, "\n".join(copied)


def test_a_copied_sentence_would_be_seen(tmp_path):
    source, kept = tmp_path / "source.txt", tmp_path / "kept.bin"
    source.write_text(
        "The judge decides whether the players may continue their match after time",
        encoding="utf-8",
    )
    fingerprints.write(kept, [source])
    digests = fingerprints.read(kept)

    def seen(text):
        return any(fingerprints.digest(run) in digests for run in fingerprints.runs(text))

    assert seen("he said: the judge decides whether the players may continue, yes")
    assert not seen("the judge may continue whether or not time is called after all")
