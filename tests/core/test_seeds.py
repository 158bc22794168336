"""Commit, nonce, roll, reveal: in this order, once a match, whatever resets come between."""

import hashlib
import hmac
import random

import pytest
from lucky import Lucky
from torn import PowerCut

from firmware.core import events, intents, luck, payload, seeds
from firmware.core.sync import Advertising
from firmware.core.systems import p18, xw15
from firmware.radio import advertiser

PARTS = [4, 5, 6, 7, 0, 1, 2]


def parts(board):
    return [event.part for event in board.told() if event.kind == events.SEED_STORED]


def seed_records(board):
    return [
        r
        for r in board.records()
        if r[0] & 63 == events.SEED_STORED and 4 <= events.of_record(r).part < 8
    ]


def test_a_table_where_luck_is_allowed_commits_as_its_match_is_set():
    board = Lucky().begin()
    assert parts(board) == PARTS and board.ledger.seeds.committed
    place = (7, 5, 1, 12, 3)
    said = b"".join(
        payload.data_of(e) for e in board.told() if isinstance(e, events.SeedStored) and e.part < 3
    )
    assert said == seeds.commitment(place, board.ledger.seeds.seed)


@pytest.mark.parametrize("rules", (p18, xw15), ids=("p18", "xw15"))
def test_where_the_switch_is_off_nothing_is_written_nor_loaded_until_it_is_on(rules):
    board = Lucky(rules=rules).begin()
    board.ask(intents.CONSENT, 0)
    board.ask(intents.CONSENT, 1)
    assert not parts(board) and board.ledger.seeds is None
    purpose = 0x30 if rules is xw15 else 0x10
    assert board.roll(purpose) is None
    board.ask(intents.SET_POLICY, 1)
    assert parts(board) == PARTS
    assert board.roll(purpose)


def test_the_commitment_lies_before_the_nonce_and_both_before_the_first_roll():
    board = Lucky().begin()
    assert board.nonce()
    assert board.roll()
    told = [e for e in board.told() if e.kind in (events.SEED_STORED, events.ROLLED)]
    assert [one.part for one in told[:-1]] == [*PARTS, seeds.NONCE]
    assert told[-1].kind == events.ROLLED


def test_a_roll_before_the_nonce_says_first_that_there_is_none_and_none_it_stays():
    board = Lucky().begin()
    assert board.roll()
    assert parts(board) == [*PARTS, seeds.NONE]
    assert not board.nonce()
    board.agree()
    board.restart()
    assert not board.nonce() and board.roll()
    assert parts(board) == [*PARTS, seeds.NONE]


def test_the_nonce_never_changes_within_a_match():
    board = Lucky().begin()
    assert board.nonce(b"12345678") and not board.nonce(b"abcdefgh")
    board.restart()
    assert not board.nonce(b"abcdefgh")
    assert board.ledger.seeds.parts[seeds.NONCE] == b"12345678"


def test_every_roll_is_what_seed_and_nonce_give_also_after_resets():
    board = Lucky(rules=p18).begin()
    board.ask(intents.SET_POLICY, 1)
    for seat in (0, 1):
        board.ask(intents.CONSENT, seat)
    assert board.nonce()
    seed = board.ledger.seeds.seed
    for number, (a, many) in enumerate(
        [(0x10, 0), (0x20, 0), (0x21, 0), (0x20, 5), (0x20, 255), (0x21, 0)], 1
    ):
        rolled = board.roll(a, many)
        wanted = luck.draw(seeds.chance(seed, b"ABCDEFGH", number, a), a & 15, many)
        assert (rolled.randomizer, rolled.purpose) == (a & 15, a >> 4)
        assert (rolled.face, rolled.flips) == wanted and rolled.number == number
        board.restart()
        assert board.match.roll == rolled and board.match.rolled == luck.SHOWN
        assert board.agree()


def test_a_match_that_ended_tells_its_seed_and_one_opened_again_has_a_new_one():
    board = Lucky().begin()
    first = board.ledger.seeds.seed
    assert board.journal.withheld is not None
    board.over()
    assert board.journal.withheld is None and board.ledger.seeds is None
    assert parts(board) == PARTS
    board.ask(intents.REOPEN_RESULT)
    assert parts(board) == PARTS * 2 and board.ledger.seeds.seed != first
    assert board.journal.withheld is not None
    assert not set(seed_records(board)[4:]) & set(board.offered())
    assert set(seed_records(board)[:4]) <= set(board.offered())


@pytest.mark.parametrize(
    "ending", (lambda b: b.over(), lambda b: b.ask(intents.CLEAR_ROUND)), ids=("ended", "cleared")
)
def test_no_part_of_a_seed_is_on_the_air_before_its_match_is_over(ending):
    board = Lucky()
    for number in (1, 2):
        board.begin(number)
        for _ in range(9):
            board.roll()
            board.agree()
            held = seed_records(board)
            assert len(held) == 4 * number
            sent = set(board.offered())
            assert not sent & set(held[-4:])
            assert set(held[:-4]) <= sent
            assert {r for r in board.records() if r not in held} <= sent
            board.restart()
        ending(board)
        assert set(seed_records(board)) <= set(board.offered())
        board.boot()
        assert set(seed_records(board)) <= set(board.offered())


def test_no_part_of_a_seed_is_advertised_before_its_match_is_over():
    board = Lucky().begin()
    board.window.restart(board.journal.ring.oldest)
    advertising, said = Advertising(), set()
    while (record := advertiser.news(board.window, advertising)) is not None:
        said.add(record)
    assert said and not said & set(seed_records(board)) and len(seed_records(board)) == 4


def test_what_waits_for_an_acknowledgement_does_not_wait_for_a_withheld_record():
    board = Lucky().begin()
    board.offered()
    assert board.window.waiting == 0
    board.over()
    board.offered()
    assert board.window.waiting == 0


def test_a_cut_at_every_write_of_a_match_leaves_one_commitment_and_the_rolls_that_were_shown():
    for cut in range(60):
        board, shown = Lucky(seed=cut), []
        board.journal.append(*[events.Clock(1, 0)] * (1 + cut % 21))
        acts = [board.begin, board.nonce, board.roll, board.agree, board.roll, board.over]
        board.store.writes_left = cut
        for act in acts:
            try:
                act()
            except PowerCut:
                board.restart()
                if not board.match.phase:
                    board.begin()
            if board.match.rolled == 1:
                shown.append(board.match.roll)
        rolled = [e for e in board.told() if e.kind == events.ROLLED]
        assert [e.number for e in rolled] == list(range(1, len(rolled) + 1))
        assert set(shown) <= set(rolled)
        whole = "".join(map(str, parts(board))).count("4567012")
        assert whole <= 1 + (events.RESULT_REOPENED in [e.kind for e in board.told()])


@pytest.mark.parametrize("entropy", (
    lambda n: b"\0" * n, lambda n: b"", lambda n: 1 / 0,
), ids=("stuck", "short", "broken"))  # fmt: skip
def test_a_generator_that_fails_disables_the_randomizer_until_the_next_match(entropy):
    board = Lucky()
    good, board.entropy = board.entropy, entropy
    board.begin()
    assert board.ledger.seeds.ill and parts(board) == [seeds.ILL]
    assert board.roll() is None and not board.ask(intents.SET_NONCE, 0, 1, 1)
    board.restart()
    assert parts(board) == [seeds.ILL] and board.roll() is None
    board.over()
    board.entropy = good
    board.ask(intents.SET_ROUND, 2, 12, 3)
    assert not board.ledger.seeds.ill and board.roll(16)


def test_what_a_head_judge_barred_no_reset_and_no_round_undoes():
    board = Lucky()
    board.begin(1)
    board.ask(intents.SET_POLICY, 4)
    for number in (2, 3):
        board.boot()
        assert board.match.policy == 4 and board.roll() is None
        board.ask(intents.CLEAR_ROUND)
        board.boot()
        board.begin(number)
        assert board.match.policy == 4 and board.roll() is None
    board.ask(intents.SET_POLICY, 0)
    assert board.roll(16)


def test_other_switches_are_told_anew_each_round():
    board = Lucky(rules=p18)
    board.begin(1)
    board.ask(intents.SET_POLICY, 1)
    board.ask(intents.CLEAR_ROUND)
    board.begin(2)
    assert board.match.policy == 0


def test_a_generator_that_fails_after_a_reset_rolls_no_more_on_the_seed_of_before():
    board = Lucky().begin()
    assert board.roll() and board.agree()
    board.entropy = lambda size: bytes(size)
    board.restart()
    assert board.ledger.seeds.ill and parts(board)[-1] == seeds.ILL
    assert board.roll() is None


def rolled(randomizer, purpose, number):
    return events.Rolled(5, randomizer, purpose, 1, 0, number)


def test_a_roll_is_named_by_its_count_of_its_kind_and_the_commitments_first_bytes():
    told = seeds.Seeds()
    for event in (
        seeds.seed_event(0, b"\x12\xab\x56\x78\x9a\xbc\xde\xf0"),
        rolled(0, 1, 1),
        rolled(1, 2, 2),
    ):
        told.take(event)
    assert told.named(rolled(0, 1, 1)) == "#1 12AB-1"
    told.take(rolled(0, 1, 3))
    assert told.named(rolled(0, 1, 3)) == "#2 12AB-3" and told.named(rolled(1, 1, 9)) == "#0 12AB-9"


def test_what_was_before_a_match_or_before_a_seed_begun_anew_is_void():
    told = seeds.Seeds()
    assert not told.tested and not told.committed
    told.take(seeds.seed_event(0, bytes(8)))
    told.take(rolled(0, 1, 1))
    told.take(seeds.seed_event(seeds.SEED, bytes(8)))
    assert list(told.parts) == [seeds.SEED] and told.counts == {16: 1}
    told.take(events.RoundSet(5, 2, 12, 3))
    assert (told.parts, told.counts) == ({}, {})


def test_a_short_answer_of_the_generator_condemns_it_and_no_memory_says_nothing_of_it():
    board, told = Lucky(), seeds.Seeds()
    told.test(lambda size: board.luck.randbytes(size - 1))
    assert told.tested
    assert [event.part for event in told.draw((7, 5, 1, 12, 3))] == [seeds.ILL]

    def full(size):
        raise MemoryError

    with pytest.raises(MemoryError):
        seeds.Seeds().test(full)


def test_a_nonce_names_the_commitments_first_byte_and_is_taken_once():
    told = seeds.Seeds()
    for part in (*range(seeds.SEED, seeds.NONE), 0, 1, 2):
        told.take(seeds.seed_event(part, bytes((part + 1,)) * 8))
    wrong = intents.SetNonce(b"half", 2, b"more")
    assert told.nonce(wrong) == () and told.draw((7, 5, 1, 12, 3))[0].part == seeds.ILL
    (taken,) = told.nonce(intents.SetNonce(b"half", 1, b"more"))
    assert taken.part == seeds.NONCE
    told.take(taken)
    assert told.nonce(intents.SetNonce(b"half", 1, b"more")) == ()


def test_a_seed_that_stands_is_not_drawn_again():
    board = Lucky().begin()
    board.ledger.seeds.test(board.entropy)
    assert board.ledger.seeds.draw((7, 5, 1, 12, 3)) == ()


def window(often):
    """Return a window that has its first byte so often, and no byte twice in a row."""
    others = bytes(1 + at % 250 for at in range(seeds.WINDOW))
    return bytes(0 if at % 2 == 0 and at < 2 * often else one for at, one in enumerate(others))


def test_the_first_byte_of_each_window_is_counted_within_it():
    assert seeds.measure(window(70) + window(71)) == (1, 71)
    assert seeds.measure(window(71) + window(70)) == (1, 71)
    assert seeds.measure(window(70) * 2 + bytes(9)) == (9, 70)
    assert seeds.sound(window(70)) and not seeds.sound(window(71))


def test_the_highest_numbers_have_a_commitment_and_a_roll():
    seed, place = bytes(range(32)), (65535, 65535, 255, 65535, 65535)
    bound = hashlib.sha256(b"plusthree seed" + b"\xff" * 9 + seed).digest()[:24]
    assert seeds.commitment(place, seed) == bound
    first = hmac.digest(seed, b"NONCE..." + b"\xff\xff\xff\0\0", "sha256")[0]
    assert seeds.chance(seed, b"NONCE...", 65535, 255).face(256) == first + 1


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
            assert luck.draw(chance, one.randomizer, 0) == (one.face, one.flips)
        assert [e.part for e in board.told() if e.kind == events.SEED_STORED].count(2) == 1
        rolls += len(journalled)
    assert resets == wanted and rolls > resets // 4
