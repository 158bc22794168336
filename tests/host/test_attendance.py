"""People typed at the desk: entered, dropped and back, by number or by part of a name."""

import pytest

from host.archive.people import People

pytestmark = pytest.mark.archives


@pytest.fixture
def people(venue):
    return lambda: {one.player.number: one for one in People(venue.archive).every}


def test_new_and_late_are_one_act(venue, console, people):
    assert console.run("enter 77 Zoë Früh") == [
        "Zoë Früh is entered as 77, and paired from the next draft on"
    ]
    console.run("publish 1")
    assert console.run("enter Ada Bianchi")[0].startswith("Ada Bianchi is entered as 78")
    assert not people()["77"].late and people()["78"].late
    assert "is taken" in console.run("enter 77 Again")[0]
    assert (
        "say the name" in console.run("enter 79 ")[0] or "say: enter" in console.run("enter 79")[0]
    )


def test_a_drop_names_the_person_and_the_table_before_it_is_done(venue, console, people):
    console.run("enter 77 Zoë Früh")
    assert console.run("drop zoe") == [
        "not done: Drop Zoë Früh, 77? Type it again with the word 'sure'"
    ]
    assert console.run("drop Given3") == [
        "not done: Drop Given3 Family, 3, at table 2 of the draft? "
        "Type it again with the word 'sure'"
    ]
    assert not people()["3"].dropped
    assert console.run("drop Given3 sure: ill") == ["Given3 Family, 3 has dropped"]
    assert people()["3"].dropped
    assert "has dropped and sits at table 2" in console.run("publish 1")[0]
    assert console.run("return family given3")[0].startswith("Given3 Family, 3 is back")
    assert not people()["3"].dropped and people()["3"].returned


def test_a_name_that_may_mean_many_is_asked_about(venue, console):
    (told,) = console.run("drop family")
    assert "who do you mean: Given0 Family (0), Given1 Family (1)" in told and "number" in told
    assert "there is no player nobody" in console.run("drop nobody")[0]
