"""After a restore no minutes are given before the board has told what it was given."""

import pytest

from host.backup import restore
from host.base.errors import UserError


@pytest.mark.venue(begun=True)
def test_minutes_are_not_given_before_the_board_has_told_what_the_lost_laptop_gave(venue):
    restore.leap_counters(venue.archive, 0)
    venue.restart()
    with pytest.raises(UserError, match="what the lost laptop gave it"):
        venue.station.desk.extend(2, 8)
    venue.drain(60_000)
    venue.air.run(5_000)
    venue.station.desk.extend(2, 8)
    venue.drain()
    assert venue.boards[1].match.extension_s == 480


@pytest.mark.venue(begun=True)
def test_a_host_that_was_never_lost_gives_minutes_at_once(venue):
    venue.restart()
    venue.station.desk.extend(2, 8)
    venue.drain()
    assert venue.boards[1].match.extension_s == 480
