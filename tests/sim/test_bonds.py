"""Who pairs is forgotten, at a price that no stranger can drive up (bonding.c: eight pages an
erase).
"""

from host.sim.bleio import radio as bleio


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
