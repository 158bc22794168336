"""Resets between press and show: no roll is repeated, replaced, or shown twice with different
faces.
"""

import random

from lucky import Lucky
from torn import PowerCut

from firmware.core import events, luck, seeds

ALL, SLICE = 10_000, 300
EACH = 10  # resets of a match
CUTS = ((0, "old"), (512, "old"), (100, "old"), (200, "blank"), (700, "noise"))


def reset_while_rolling(board, luck_of, shown):
    """Roll with the power going at one of the roll's writes, or just after them; note what is
    shown.
    """
    board.store.writes_left = luck_of.randrange(4)
    board.store.cut = luck_of.choice(CUTS)
    try:
        board.roll(luck_of.choice((0x10, 0x11)))
    except PowerCut:
        pass
    else:
        if board.match.rolled == luck.SHOWN and luck_of.random() < 0.5:
            shown.append(board.match.roll)  # it was on the screen before the power went
    board.store.writes_left = None
    board.boot()
    board.tick()
    if board.match.rolled == luck.SHOWN:
        shown.append(board.match.roll)
        board.agree()


def test_every_roll_has_one_face_whatever_resets_come(proving):
    wanted, resets, rolls = ALL if proving else SLICE, 0, 0
    for number in range(wanted // EACH):
        luck_of, shown = random.Random(number), []
        board = Lucky(number, blocks=128)
        board.begin()
        if luck_of.random() < 0.7:
            board.nonce()
        for _ in range(EACH):
            reset_while_rolling(board, luck_of, shown)
            resets += 1
        stands = board.ledger.seeds
        journalled = [event for event in board.told() if event[0] == events.ROLLED]
        assert [event[4] for event in journalled] == list(range(1, len(journalled) + 1))
        assert set(shown) == set(journalled), "what is journalled is shown, nothing else is"
        for _, _, a, face, count in journalled:
            chance = seeds.chance(stands.seed, stands.parts.get(seeds.NONCE, b""), count, a)
            assert luck.fallen(chance, a & 15, 0) == face
        assert [e[2] for e in board.told() if e[0] == events.SEED_TOLD].count(2) == 1
        rolls += len(journalled)
    assert resets == wanted and rolls > resets // 4
