"""What a match's state is: its fields, begun anew with a round."""

from firmware.core import events
from firmware.core.match import _APPLIED, FIELDS, Match
from firmware.core.systems import p18


def state(match):
    return [getattr(match, name) for name in FIELDS]


def test_a_round_begins_the_same_whatever_came_before_it():
    used = Match(p18)
    for event in (
        events.FormatSet(5, 1, 6, 50), events.PolicySet(5, 1), events.Extended(5, 1, 6),
        events.OrganiserSaid(5, 1, 6),
    ):  # fmt: skip
        used.apply(event)
    fresh = Match(p18)
    for one in (used, fresh):  # a board that is reset now reads its journal from here on
        one.apply(events.RoundSet(9, 2, 3, 4))
    assert state(used) == state(fresh)


def test_nothing_is_a_fields_name_that_no_event_begins():
    for one in events.CLASSES:
        match = Match(p18)
        match.apply(events.of_numbers(one.kind, 5, 1, 2, 3))
        assert sorted(vars(match)) == sorted((*FIELDS, "rules"))


def test_what_is_no_part_of_a_match_changes_nothing():
    names = {number: name for name, number in vars(events).items() if isinstance(number, int)}
    assert {name for number, name in names.items() if number not in _APPLIED} == {
        "BOOTED", "SEALED", "EVENT_JOINED", "ANSWERED", "TIME_SET", "TAKEN_BACK",
        "EPOCH_CLOSED", "DRAFTED", "CODE_ENTERED", "SEED_TOLD",
    }  # fmt: skip
    quiet = Match(p18)
    before = state(quiet)
    quiet.apply(events.Booted(5, 1, 2, 3))
    assert state(quiet) == before
