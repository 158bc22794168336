"""No sentence of the rules' source texts is copied into the tree: eight words in a row are too many."""

import re
import subprocess

import pytest
import tree

SEEDS = tree.ROOT.parent / "shared" / "seeds"
WORDS_IN_A_ROW = 8
TEXT = {".py", ".md", ".txt", ".toml", ".csv", ".json", ".html", ".css", ".js", ".mjs", ""}
# made elsewhere and not ours to word
NOT_OURS = ("package-lock.json",)


def runs(text):
    """Return every run of WORDS_IN_A_ROW words of a text that holds at least five long ones."""
    words = re.findall(r"[^\W_]+", text.lower())
    found = {}
    for at in range(len(words) - WORDS_IN_A_ROW + 1):
        run = tuple(words[at : at + WORDS_IN_A_ROW])
        if sum(word.isalpha() and len(word) > 2 for word in run) >= 5:
            found[run] = at
    return found


def tracked():
    """Return the text files that git keeps."""
    listed = subprocess.run(["git", "ls-files"], cwd=tree.ROOT, capture_output=True, text=True, check=False)
    paths = [tree.ROOT / line for line in listed.stdout.splitlines()]
    return [p for p in paths if p.suffix in TEXT and p.name not in NOT_OURS and p.is_file()]


def test_nothing_is_copied_from_the_sources():
    if not SEEDS.is_dir():
        pytest.skip("the rules' source texts are not here (../shared/seeds)")
    sources = {}
    for seed in sorted(SEEDS.glob("*.txt")):
        sources.update(dict.fromkeys(runs(seed.read_text(encoding="utf-8", errors="replace")), seed.name))
    copied = []
    for path in tracked():
        for run in runs(path.read_text(encoding="utf-8", errors="replace")):
            if run in sources:
                copied.append(f"{tree.name_of(path)}: {' '.join(run)} ({sources[run]})")
    assert not copied, "\n".join(copied)


def test_a_copied_sentence_would_be_seen():
    text = "The judge decides whether the players may continue their match after time"
    assert set(runs(text)) & set(runs("he said: the judge decides whether the players may continue, yes"))
    assert not set(runs(text)) & set(runs("the judge may continue whether or not time is called after all"))
