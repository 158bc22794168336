"""Who may connect to a board: strangers find it shut, and who pairs is forgotten."""

from solo import Solo

from firmware.radio.advertiser import _FAILURES
from host.sim.bleio import radio as bleio


def test_the_door_opens_again_once_the_host_was_heard():
    solo = Solo()
    link, opened = solo.app.link, [True]
    link.advertise = lambda frame, welcome=True: opened.append(welcome)
    solo.run(1)
    link.guests = 3 * (_FAILURES + 1)  # links that proved nothing
    while opened[-1]:
        solo.run(1)
        link.guests += 1
    solo.app.sync.heard_ms = solo.board.clock.now_ms()
    solo.tell_time(7_200_000)  # what it says changes, and every 10 s from now on
    solo.run(15)
    assert opened[-1]


def test_the_door_stays_ajar_for_those_who_keep_coming_and_opens_when_nobody_does():
    solo = Solo()
    link, opened, advertised = solo.app.link, [], []
    link.advertise = lambda frame, welcome=True: advertised.append(welcome)
    link.guests = 2 * (_FAILURES + 1)
    for _ in range(400):
        solo.run(1)
        opened.append(advertised[-1])
        link.guests += opened[-1]  # a phone that is there in every window
    assert opened.count(False) > opened.count(True) > 20
    solo.run(60)
    assert all(advertised[-20:])


class Pairing:
    """A guest who pairs as often as he can."""

    paired = True


class Counted:
    """An adapter that counts its erases."""

    erased = 0

    def erase_bonding(self):
        self.erased += 1


def test_who_pairs_again_and_again_wears_no_flash_out():
    bleio.install()
    from firmware.radio.link import Bonds  # it needs bleio installed

    adapter = Counted()
    kept = Bonds(adapter)
    for uptime_ms in range(0, 8 * 3_600_000, 1000):
        kept.note(Pairing, uptime_ms)
        kept.poll(uptime_ms)
        kept.poll(uptime_ms + 2500)  # gone again meanwhile
    assert 90 <= adapter.erased <= 1 + 8 * 12 and 10_000 / (adapter.erased / 8) > 800  # hours
    kept.poll(9 * 3_600_000)
    before = adapter.erased
    kept.poll(10 * 3_600_000)
    assert adapter.erased == before, "nothing is erased for nothing"
