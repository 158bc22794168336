"""A table that a judge set up at an idle board, as boards before 2026-11 could: the desk adopts it."""

from firmware.core import intents


def by_hand(now_ms, first, second, left_s, bits=6, playing=1):
    """Return the intents, in order: the score is ``first`` to ``second``, ``left_s`` are left.

    ``bits`` is the format as in FORMAT_SET; ``playing`` is 1 while another game is in progress.
    The host does not know this round: its number, table and pairing are 0.
    """
    minutes = -(-left_s // 60)  # rounded up
    return (
        intents.SetRound(now_ms, 0, 0, 0),
        intents.SetFormat(now_ms, 0, bits, minutes),
        intents.Freeze(now_ms),
        intents.SetStart(max(1, now_ms + (left_s - minutes * 60) * 1000)),
        intents.SetScore(now_ms, playing, 0, first, 0, second, 0, 0),
    )
