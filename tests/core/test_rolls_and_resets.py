"""Resets between press and show: no roll is repeated, replaced, or shown twice."""

import random

from lucky import Lucky
from torn import PowerCut

from firmware.core import events, luck, seeds

ALL, SLICE = 10_000, 300
EACH = 10  # resets of a match
CUTS = ((0, "old"), (512, "old"), (100, "old"), (200, "blank"), (700, "noise"))


def reset_while_rolling(board, luck_of, shown):
    """Roll with the power going at one of the writes or after them; note what is shown."""
    board.store.writes_left = luck_of.randrange(4)
    board.store.cut = luck_of.choice(CUTS)
    try:
        board.roll(luck_of.choice((0x20, 0x21)))
    except PowerCut:
        pass
    else:
        if board.match.rolled == luck.SHOWN and luck_of.random() < 0.5:
            shown.append(board.match.roll)  # it was on the screen before the power went
    board.store.writes_left = None
    board.restart()
    if board.match.rolled == luck.SHOWN:
        shown.append(board.match.roll)
        board.agree()


def test_every_roll_has_one_face_whatever_resets_come(proving):
    wanted, resets, rolls = ALL if proving else SLICE, 0, 0
    for number in range(wanted // EACH):
        luck_of, shown = random.Random(number), []
        board = Lucky(number, blocks=128).begin()
        if luck_of.random() < 0.7:
            board.nonce()
        for _ in range(EACH):
            reset_while_rolling(board, luck_of, shown)
            resets += 1
        stands = board.ledger.seeds
        journalled = [event for event in board.told() if event.kind == events.ROLLED]
        assert [event.number for event in journalled] == list(range(1, len(journalled) + 1))
        assert set(shown) == set(journalled), "what is journalled is shown, nothing else is"
        for one in journalled:
            used, nonce = seeds.use(one.randomizer, one.purpose), stands.parts.get(seeds.NONCE, b"")
            chance = seeds.chance(stands.seed, nonce, one.number, used)
            assert luck.fallen(chance, one.randomizer, 0) == (one.face, one.flips)
        assert [e.part for e in board.told() if e.kind == events.SEED_TOLD].count(2) == 1
        rolls += len(journalled)
    assert resets == wanted and rolls > resets // 4
