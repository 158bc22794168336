"""Who is heard of two at once on the modelled air, and where everybody stands."""

from host.sim.ether import curves
from host.sim.ether.ether import Packet, Spot, gateway_spots, size_m, table_spots


def pair(near_m, far_m, first_us):
    """Return who of two is heard at (0, 0) when the far one begins ``first_us`` earlier."""

    async def script(ether):
        air = ether.channels[0]
        near, far = (ether.station(Spot(x_m, 0)) for x_m in (near_m, far_m))
        packets = [
            Packet(sender, 0, start_us, start_us + 376, b"", False)
            for sender, start_us in ((near, 10_000), (far, 10_000 - first_us))
        ]
        for packet in sorted(packets, key=lambda packet: packet.start_us):
            air.add(packet)
        return tuple(
            air.level(packet, air.overlapping(packet), Spot(0, 0)) is not None for packet in packets
        )

    return curves.in_ether(script, load=0)


def test_the_stronger_survives_only_if_it_came_first():
    assert pair(1, 30, -100) == (True, False)
    assert pair(1, 30, 100) == (False, False)
    assert pair(5, 6, -100) == (False, False)
    assert pair(1, 30, -400) == pair(1, 30, 400) == (True, True)


def test_a_little_stronger_is_not_enough():
    """8 dB on average, and fading of 8 at most: never 14, and always stronger."""
    for _ in range(20):
        assert pair(10, 21, -100) == (False, False)


def test_who_is_too_far_is_not_heard_and_disturbs_nobody():
    assert pair(5, 200, 0) == (True, False)


def test_the_hall_has_a_place_for_everybody():
    spots = table_spots(1000)
    far = size_m(1000)
    assert len(set(spots)) == 1000 and 0.7 < far.x_m / far.y_m < 1.4
    assert all(spot.x_m <= far.x_m and spot.y_m <= far.y_m for spot in spots)
    assert all(spot.y_m == far.y_m / 2 for spot in gateway_spots(3, 1000))
