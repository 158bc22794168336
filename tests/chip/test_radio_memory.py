"""A radio that has no memory left: the board restarts it, and itself where that does not help."""

import pytest

from host.sim.chip import natives


@pytest.fixture
def wasted(chip_of):
    """A table's chip whose radio may begin five adverts."""
    chip = chip_of("feathers3")
    chip.radio_adverts = 5
    return chip


def test_the_radio_is_restarted_and_the_board_is_not(wasted):
    wasted.power(150)
    [off_ms] = wasted.times("radio", "off")
    assert [at for at in wasted.times("advert") if at > off_ms]
    assert not wasted.times("reset", natives.WATCHDOG) and not wasted.times("safe mode")


def test_where_it_does_not_come_on_again_the_watchdog_resets_the_board(wasted):
    wasted.radio_lost = True
    wasted.power(110)
    bite_ms = wasted.times("reset", natives.WATCHDOG)[0]
    assert not wasted.times("safe mode") and [
        at for at in wasted.times("advert") if at > bite_ms
    ], "it advertises again: the chip's radio begins anew with the chip"
