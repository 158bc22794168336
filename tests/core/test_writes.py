"""The packed table of what events write is the one that people read."""

from firmware.core import events, intents, match
from firmware.core.match import Match
from firmware.core.systems import p18
from host.cli.dev import match_writes

TEXT = (match_writes.FOLDER / "writes.txt").read_text(encoding="utf-8")


def test_the_packed_table_is_fresh():
    assert (match_writes.FOLDER / "writes.py").read_text(encoding="utf-8") == match_writes.packed(
        TEXT
    )


def test_words_have_the_places_that_the_match_gives_them():
    event = (0, 9, 1, 0x0203, 0x0101)
    values = Match(p18)._words(event)
    assert len(values) == len(match_writes.WORDS) - 1
    named = dict(zip(match_writes.WORDS, values))
    assert (named["at"], named["a"], named["b"], named["c"]) == (9, 1, 0x203, 0x101)
    assert (named["b0"], named["b1"], named["long"]) == (3, 2, 0x1010203)
    pairs = {
        word: match._pair((2, 0), event, match_writes.WORDS.index(word))
        for word in ("bc", "g", "+")
    }
    assert pairs == {"bc": (0x203, 0x101), "g": (3, 0), "+": (2, 1)}


def test_the_match_declares_every_field_and_its_type():
    declared = {
        name: str(getattr(kind, "__name__", kind))
        for name, kind in vars(Match)["__annotations__"].items()
    }
    words = match_writes.types_of(TEXT) | {"told": "Event | None"}  # kept as it came by ``apply``
    assert {name: kind for name, kind in declared.items() if name[0] != "_"} == words


def test_a_new_field_is_declared_by_the_command():
    source = (match_writes.FOLDER / "match.py").read_text(encoding="utf-8")
    assert match_writes.declared(source, TEXT) == source
    fresh = match_writes.declared(source, TEXT + "ROUND_SET         quiet=1 since_ms=n\n")
    added = set(fresh.splitlines()) - set(source.splitlines())
    assert added == {"    quiet: int", '    since_ms: "None"'}


def test_every_field_written_has_a_start():
    rows = match_writes.rows_of(TEXT)
    fields = {field for name in ("IDLE", "FRESH") for field, _ in rows[name]}
    assert {field for row in rows.values() for field, _ in row} == fields
    assert fields == set(Match(p18).fields())


def test_a_round_begins_the_same_whatever_came_before_it():
    used = Match(p18)
    for kind in (events.FORMAT_SET, events.POLICY_SET, events.EXTENDED, events.ORGANISER_SAID):
        used.apply((kind, 5, 1, 6, 50))
    fresh = Match(p18)
    for one in (used, fresh):  # a board that is reset now reads its journal from here on
        one.apply((events.ROUND_SET, 9, 2, 3, 4))
    assert [getattr(used, name) for name in used.fields()] == [
        getattr(fresh, name) for name in fresh.fields()
    ]


def test_what_writes_nothing_is_no_part_of_a_match():
    written = set(match_writes.rows_of(TEXT))
    silent = {
        name for name, value in vars(events).items() if name.isupper() and name not in written
    }
    assert silent == {
        "BOOTED", "SEALED", "EVENT_JOINED", "ANSWERED", "TIME_SET", "TAKEN_BACK",
        "EPOCH_CLOSED", "DRAFTED", "CODE_ENTERED", "SEED_TOLD", "NOT_NEWS",
        "MILESTONES",
    }  # fmt: skip
    quiet = Match(p18)
    before = [getattr(quiet, name) for name in quiet.fields()]
    quiet.apply((events.BOOTED, 5, 1, 2, 3))
    assert [getattr(quiet, name) for name in quiet.fields()] == before
    assert intents.TICK not in written
