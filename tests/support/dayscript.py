"""A day of play written down before the host runs: every board's records, in batches as they
arrive, on the disk.

The boards that made them are gone when the host is measured, so that what grows is the host's
alone.
"""

import random

from tabletop import EVENT, MASTER, Tabletop

from firmware.core import events, frames, intents, seeds
from host.sim import stored_records

ROUND_MS, BEGIN_MS = 70 * 60_000, 7_200_000
MINUTES, CALLED = 50, 5  # minutes of a round; one table in so many calls a judge
_SIZE = 24


def start_ms(number):
    return BEGIN_MS + number * ROUND_MS


class DayScript:
    """``rounds`` rounds at ``tables`` tables, each of some 75 records, as one file of batches."""

    def __init__(self, path, tables, rounds):
        self.path, self.tables, self.rounds = path, tables, rounds
        self._places = {}  # (round, part, device) -> (offset, size)
        with open(path, "wb") as file:
            for device in range(101, 101 + tables):
                self._live(file, device)
        self.records = path.stat().st_size // _SIZE

    def _live(self, file, device):
        board = Tabletop(device, frames.board_key(MASTER, device, 1), random.Random(device))
        board.happen(events.EventJoined(BEGIN_MS, EVENT, 0))
        told = 0
        for number in range(1, self.rounds + 1):
            for part, play in enumerate(PARTS):
                play(board, device - 100, number)
                first = board.journal.ring.oldest
                records = [record for _, record in stored_records.walk(board.journal.ring, first)][
                    told:
                ]
                told += len(records)
                self._places[number, part, device] = file.tell(), len(records)
                file.write(b"".join(records))

    def batch(self, number, part, device):
        offset, count = self._places[number, part, device]
        with open(self.path, "rb") as file:
            file.seek(offset)
            raw = file.read(count * _SIZE)
        return [raw[at : at + _SIZE] for at in range(0, len(raw), _SIZE)]


def _sit(board, table, number):
    at_ms = start_ms(number) - 300_000
    board.happen(
        events.RoundSet(at_ms, number, table, table), events.FormatSet(at_ms, 0, 3 << 1, MINUTES)
    )
    board.happen(
        *(
            seeds.seed_event(part, bytes([part, number, table % 256] + [7] * 5))
            for part in (4, 5, 6, 7, 0, 1, 2)
        )
    )
    board.happen(events.StartSet(start_ms(number)))
    for seat in (0, 1):
        board.happen(*board.match.decide(intents.ConfirmSeat(at_ms + 1000, seat), at_ms + 1000))


def _play(board, table, number):
    for minute in range(1, MINUTES):
        at_ms = start_ms(number) + minute * 60_000
        board.happen(*board.match.decide(intents.Tick(at_ms), at_ms))
        board.happen(events.Clock(at_ms, (MINUTES - minute) * 60))
        if minute == 20 and table % CALLED == number % CALLED:
            board.happen(events.JudgeCalled(at_ms, 1), events.JudgeArrived(at_ms + 60_000))
            board.happen(
                events.CallEnded(at_ms + 240_000), events.Extended(at_ms + 250_000, 0, 240)
            )


def _end(board, table, number):
    at_ms = start_ms(number) + 55 * 60_000
    won = 1 + (table + number) % 2
    games = (2, table % 2) if won == 1 else (number % 2, 2)
    board.happen(*board.match.decide(intents.Tick(at_ms), at_ms))
    ruling = intents.RuleResult(at_ms, won, 0, 1, *games)
    board.happen(*board.match.decide(ruling, at_ms))
    board.happen(events.RoundCleared(at_ms + 60_000))


PARTS = (_sit, _play, _end)
