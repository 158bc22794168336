"""What a table board keeps more of because it listens to a beacon, laid as deploy lays it."""

import beacon_memory

MOST = 4096  # bytes
NOW_MS = 4_000_000


def test_a_board_that_listens_keeps_no_more_than_its_room(printed):
    without = beacon_memory.kept(beacon_memory.OFF)[0]
    listening = beacon_memory.kept(beacon_memory.ON, beacon_memory.beacons(NOW_MS))
    rows = [
        f"{size - without:>8}  {name}"
        for size, name in zip(
            listening, ("with its match", "once it has heard each kind of frame"), strict=True
        )
    ]
    printed("memory: a board that listens to a beacon (bytes, WebAssembly MicroPython)", rows)
    assert max(listening) - without <= MOST
