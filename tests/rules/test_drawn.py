"""The seeds that the commit draws."""

import re

import drawn


def test_a_commit_always_draws_the_same_and_each_another():
    assert drawn.seeds("torture", 3) == drawn.seeds("torture", 200)[:3]
    assert drawn.seeds("torture", 3, "a" * 40) != drawn.seeds("torture", 3, "b" * 40)
    assert drawn.seeds("torture", 3) != drawn.seeds("relays", 3)
    many = drawn.seeds("torture", 200)
    assert len(set(many)) == 200 and min(many) >= 1 and max(many) < 1_000_000_000


def test_without_a_commit_the_files_themselves_are_drawn_from(tmp_path):
    found = drawn.origin(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{64}", found.key)
    assert found.name == f"the files' digest {found.key[:12]}, as git knows no commit here"


def test_without_git_too(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert drawn.origin(tmp_path).name.startswith("the files' digest ")
