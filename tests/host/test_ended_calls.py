"""A call that was ended by mistake waits again, since when it did."""

import pytest

from firmware.core import intents
from host.event.judge_calls import calls

pytestmark = pytest.mark.venue(tables=2, begun=True)


@pytest.fixture
def call(venue):
    """A call of table 1 that was answered and ended."""
    assert venue.boards[0].ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
    venue.drain()
    venue.air.run(60_000)
    venue.station.desk.command(intents.Arrive, 1)
    venue.station.desk.command(intents.EndCall, 1)
    venue.drain()
    (call,) = calls(venue.archive)
    assert not call.open
    return call


def test_it_waits_again_since_it_called(venue, console, call):
    assert console.run("putback 1") == ["table 1 is waiting for a judge again"]
    (again,) = calls(venue.archive)
    assert again.open and (again.called_ms, again.type) == (call.called_ms, "rules")
    assert again.waited_ms(venue.air.now_ms) > 60_000
    assert "is waiting for a judge already" in console.run("putback 1")[0]
    console.run("done 1")
    venue.drain()
    assert not calls(venue.archive)[0].open


def test_only_a_call_that_ended_is_put_back(venue, console):
    assert "no call of table 2 has ended" in console.run("putback 2")[0]
    assert venue.boards[1].ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
    venue.drain()
    assert "is waiting for a judge already" in console.run("putback 2")[0]
