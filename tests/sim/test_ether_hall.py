"""A whole hall on the modelled air: one seed, one run, and a cost that does not grow with it."""

import asyncio

from host.sim.ether import curves
from host.sim.ether.ether import gateway_spots


def run_of(seed):
    async def script(ether):
        log = []
        for place, spot in enumerate(gateway_spots(3, 100)):
            gateway = ether.station(spot, exclusive=False)
            gateway.hear = lambda heard, place=place: log.append(
                (place, heard.at_us, heard.rssi_dbm, heard.data)
            )
            gateway.scan(0.1, 0.1)
        curves.advertisers(ether, 100, 0.5)
        await asyncio.sleep(5)
        return log, dict(ether.counts)

    return curves.in_ether(script, seed)


def test_everything_follows_from_the_seed():
    assert run_of(7) == run_of(7) != run_of(8)


def test_an_advert_costs_the_same_in_a_large_hall():
    """What the ether looks at for each advert (packets nearby, windows) does not grow with N."""

    def looked_at(count):
        seen = []

        async def script(ether):
            listening = ether.scans.listening
            ether.scans.listening = lambda *when: noted(listening(*when))
            curves.advertisers(ether, count, count * 0.00075)
            ether.station(exclusive=False).scan(0.1, 0.1)
            await asyncio.sleep(2)
            return max(len(each._packets) for each in ether.channels)

        def noted(found):
            seen.append(len(found))
            return found

        return curves.in_ether(script, load=0), max(seen)

    assert looked_at(2000)[0] < 2 * looked_at(200)[0] < 60
    assert looked_at(2000)[1] == looked_at(200)[1] == 1
