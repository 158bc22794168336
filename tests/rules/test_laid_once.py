"""The images that test processes share are those of the sources as they are."""

import laid_once
import pytest


class Maker:
    """Counts how often it is asked; fails when told to."""

    def __init__(self):
        self.calls, self.error = 0, None

    def __call__(self, model):
        self.calls += 1
        if self.error:
            raise self.error
        return {model: self.calls}


@pytest.fixture
def maker():
    made = Maker()
    made.__name__ = "maker"
    return made


def test_a_second_process_reads_what_the_first_made(tmp_path, maker):
    first, second = (laid_once.kept(maker, tmp_path, lambda: b"sources") for _ in range(2))
    assert first("feather") == second("feather") == {"feather": 1}
    assert second("clue") == {"clue": 2}


def test_what_other_sources_gave_is_not_taken(tmp_path, maker):
    assert laid_once.kept(maker, tmp_path, lambda: b"before")("clue") == {"clue": 1}
    assert laid_once.kept(maker, tmp_path, lambda: b"after")("clue") == {"clue": 2}


def test_what_is_changed_by_who_got_it_is_not_changed_for_the_next(tmp_path, maker):
    read = laid_once.kept(maker, tmp_path, lambda: b"sources")
    read("clue").clear()
    assert read("clue") == {"clue": 1}


def test_a_failure_is_not_kept(tmp_path, maker):
    read, maker.error = laid_once.kept(maker, tmp_path, lambda: b"sources"), ValueError("once")
    with pytest.raises(ValueError, match="once"):
        read("clue")
    maker.error = None
    assert read("clue") == {"clue": 2}


def test_old_results_give_way(tmp_path, maker, monkeypatch):
    monkeypatch.setattr(laid_once, "MOST_FILES", 3)
    for number in range(9):
        laid_once.kept(maker, tmp_path, lambda: b"%d" % number)("clue")
    assert len([one for one in tmp_path.iterdir() if not one.suffix]) <= 4


def test_two_workers_make_two_results_at_once(tmp_path):
    """One lock for all had a worker wait for another's board."""
    held = []

    def maker(model):
        held.extend(one.name for one in tmp_path.glob("*.lock"))

    read = laid_once.kept(maker, tmp_path, lambda: b"sources")
    for model in ("feather", "clue", "lilygo", "feathers3"):
        read(model)
    assert len(held) >= 4 and len({*held}) > 1
