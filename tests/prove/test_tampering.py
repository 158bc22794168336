"""Whoever tampers with an event is found or refused: every place, every key, before and after the
host went on over it.

Only the master key's holder can leave no trace, and only of an event without a receipt. `make
prove` tries the whole bank and prints it; `make test` a few ways.
"""

import pytest
from tamper_judge import AS_IT_WAS, FOUND, REFUSED, TOLD, UNSEEN, Judge
from tamper_scene import PHRASE, Laid
from tamper_ways import HOLDER, MEANS, NOBODY, THIEF, WAYS

QUICK = ("records: changed", "an older copy with its head", "a link in the newest copy")
BECAUSE = "who has the master key signs what is there anew, and nobody has a receipt"


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    """A Judge over an event that was laid once."""
    folder = tmp_path_factory.mktemp("tampering")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLUSTHREE_PASSPHRASE", PHRASE)
        yield Judge(Laid(folder), folder)


def cells(judge, way):
    """Return ``{(means, receipt): (before, after)}`` of a way."""
    found = {}
    for means in MEANS:
        if means == THIEF and not way.signs:  # there is nothing that this key could sign
            found.update({(THIEF, one): found[NOBODY, one] for one in (False, True)})
            continue
        before, after = judge.tried(way, means, False), judge.tried(way, means, True)
        for receipt in (False, True):
            found[means, receipt] = before[receipt], after[receipt]
    return found


def line(way, found):
    """Return the matrix's line of a way."""
    shown = [
        found[key] for key in ((NOBODY, False), (THIEF, False), (HOLDER, False), (HOLDER, True))
    ]
    texts = [str(a) if a == b else f"{a} | {b}" for a, b in shown]
    return f"{way.place:8} {way.name:46} " + " ".join(f"{text:32}" for text in texts)


def wrong(way, found):
    """Return the cells that only the key's holder may have, and only without a receipt."""
    return [
        f"{way.place}, {way.name}, {means}{', with a receipt' if receipt else ''}: {verdict}"
        for (means, receipt), pair in found.items()
        for verdict in pair
        if verdict.word == UNSEEN and (means != HOLDER or receipt)
    ]


def test_only_the_keys_holder_without_a_receipt_leaves_no_trace(judge, proving, printed, progress):
    ways = [way for way in WAYS if proving or way.name in QUICK]
    assert len(WAYS) >= 30 and (proving or len(ways) == len(QUICK))
    head = f"{'place':8} {'way':46} " + " ".join(
        f"{text:32}" for text in (NOBODY, THIEF, HOLDER, f"{HOLDER}, a receipt")
    )
    lines, odd = [head], []
    for way in ways:
        found = cells(judge, way)
        lines.append(line(way, found).rstrip())
        odd += wrong(way, found)
        progress(lines[-1])
    lines += [f"{FOUND}: its exit code says so; {TOLD}: a line says so; before | after the host ran",
              f"{AS_IT_WAS}: nothing of the event is changed, or the boards sent it again",
              f"{REFUSED}: the command ends with a sentence; {UNSEEN}, because {BECAUSE}"]  # fmt: skip
    printed(f"tampering: {len(ways)} ways", lines)
    assert odd == []
