"""One-time codes against RFC 4226's own vectors, and what a board takes, refuses and remembers."""

import hmac
import struct

import farside
import pytest
import takenover
import torn

from firmware.core import code, digest, events, frames, intents, match, phases
from firmware.core.systems import d03, p18

SECRET = b"12345678901234567890"
RFC_4226 = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split()
EVENT = 5


def test_the_codes_are_those_of_rfc_4226():
    assert [code.hotp(SECRET, number, digest.new_sha1) for number in range(10)] == RFC_4226
    assert code.hotp(SECRET, 3) == RFC_4226[3], "SHA-1 is what is used where it is to be had"


def test_without_sha_1_the_same_construction_runs_over_sha_256():
    # RFC 6238's secret for SHA-256 is another
    assert code.hotp(SECRET, 0, digest.new_sha256) == "875740"


def by_another_program(key, number, name):
    """Return a code as RFC 4226 makes it, by the standard library's own HMAC."""
    mac = hmac.digest(key, number.to_bytes(8, "big"), name)
    at = mac[-1] & 15
    return f"{(int.from_bytes(mac[at : at + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"


def value_of(text):
    """Return the number that a result code's letters are."""
    value = 0
    for letter in text:
        value = value << 5 | code.ALPHABET.index(letter)
    return value


class Board:
    def __init__(self, store=None):
        self.store = store or torn.TornStore(64)
        self.journal = farside.NearSide(self.store, lambda n: 0).journal
        if not self.journal.event:
            self.journal.append(events.EventJoined(0, EVENT, 0))

    def code(self, number):
        return code.hotp(code.judges_key(farside.KEY, EVENT), number)

    def enter(self, digits, now_ms):
        event = code.enter(self.journal, digits, now_ms)
        if event is not None:
            self.journal.append(event)
        return event

    def reset(self):
        return Board(self.store)


@pytest.fixture
def board():
    return Board()


def test_a_code_is_taken_once_and_never_again_even_after_a_reset(board):
    assert board.enter(board.code(0), 1000).wrong == 0
    assert board.enter(board.code(0), 2000).wrong == 1
    again = board.reset()
    assert standing(again.journal) == (1, 1)
    assert again.enter(board.code(0), 10_000).wrong == 2
    assert again.enter(board.code(1), 20_000).wrong == 0


@pytest.mark.parametrize("since", range(4))
def test_a_used_code_is_remembered_whatever_came_after_it(board, since):
    board.enter(board.code(0), 1000)
    for _ in range(since):
        board.journal.append(events.Clock(2000, 0))
    assert standing(board.reset().journal) == (0, 1)


def test_codes_may_be_passed_over_but_not_taken_up_again(board):
    assert board.enter(board.code(code.AHEAD - 1), 0).number == code.AHEAD
    for number in range(code.AHEAD):
        assert (
            board.reset().enter(board.code(number), 10_000_000 * (number + 1)).wrong == number + 1
        )
    assert code.newest_entry(board.reset().journal).number == code.AHEAD


def test_a_code_too_far_ahead_is_wrong(board):
    assert board.enter(board.code(code.AHEAD), 0).wrong == 1


def test_wrong_codes_cost_growing_time_that_no_reset_gives_back(board):
    now_ms, waits = 0, []
    for _ in range(12):
        assert board.enter("000000", now_ms).wrong
        waits.append(code.wait_ms(code.newest_entry(board.reset().journal), now_ms))
        assert board.enter(board.code(0), now_ms + waits[-1] - 1) is None
        now_ms += waits[-1]
    assert waits[:5] == [2000, 4000, 8000, 16000, 32000] and waits[-1] == 900_000
    assert board.enter(board.code(0), now_ms).wrong == 0
    assert code.wait_ms(code.newest_entry(board.journal), now_ms) == 0


def test_a_guess_is_as_good_as_nothing():
    tries_a_day = 10 + 24 * 4  # the cost has grown to 15 minutes after ten tries
    assert tries_a_day * code.AHEAD / 10**code.DIGITS < 1e-3


def test_a_code_opens_one_board_at_one_event(board):
    theirs = code.judges_key(frames.board_key(bytes(32), 8, 1), EVENT)
    assert board.enter(code.hotp(theirs, 0), 0).wrong == 1
    assert board.enter(code.hotp(code.judges_key(farside.KEY, EVENT + 1), 0), 9000).wrong == 2


def standing(journal):
    newest = code.newest_entry(journal)
    return newest.wrong, newest.number


def agreed(board, won, games):
    table = match.Match(p18)
    table.phase, table.round, table.pairing, table.outcome, table.games = (
        phases.AGREED, 3, 7, won, games,
    )  # fmt: skip
    return code.result(board.journal, table)


def test_a_result_that_nobody_has_agreed_to_has_no_code(board):
    table = match.Match(p18)
    for table.phase in (phases.IDLE, phases.PROPOSED):
        assert code.result(board.journal, table) == ""


class Played:
    """A match that intents are put to, ticking first."""

    def __init__(self):
        self.match = match.Match(p18)

    def ask(self, intent, now_ms):
        for one in (intents.Tick(now_ms), intent):
            happened = self.match.decide(one, now_ms)
            for event in happened:
                self.match.apply(event)
        return happened


@pytest.mark.parametrize("left_s", [0, 1, 61, 754, 3000])
def test_a_table_is_taken_over_by_hand(left_s):
    now_ms = 10_000_000
    table = Played()
    for intent in takenover.by_hand(now_ms, 1, 0, left_s):
        assert table.ask(intent, now_ms), intent
    found = table.match
    assert found.phase == phases.FROZEN and found.remaining_ms(now_ms + 99_999) == left_s * 1000
    assert found.score == found.games == (1, 0)
    assert (found.round, found.table, found.pairing) == (0, 0, 0), "until the desk adopts it"
    assert table.ask(intents.ConfirmSeat(0, 0), now_ms)
    assert table.ask(intents.ConfirmSeat(0, 1), now_ms)
    later_ms = now_ms + 200_000
    assert table.ask(intents.Resume(0), later_ms)
    assert found.remaining_ms(later_ms) == left_s * 1000
    table.ask(intents.Tick(0), later_ms + 1)
    assert found.score == (1, 0) and found.present == 3
    assert found.phase == (phases.PLAYING if left_s else phases.TIME)


def test_a_time_set_back_makes_nobody_wait_longer_for_a_wrong_code(board):
    for wrong, wait_ms in ((1, 2000), (2, 4000)):
        assert board.enter("000000", 50_000_000 * wrong).wrong == wrong
        assert code.wait_ms(code.newest_entry(board.journal), 1000) == wait_ms
    assert board.enter(board.code(0), 50_000_000 * 2 + 4000).wrong == 0


def test_the_last_codes_of_all_are_taken_and_none_after_them(board):
    board.journal.append(events.CodeEntered(0, 0, 65533))
    assert board.enter(board.code(65534), 0) == events.CodeEntered(0, 0, 65535)
    assert board.enter(board.code(65535), 0) == events.CodeEntered(0, 1, 65535)


@pytest.mark.parametrize("typed", ["", "12345", "1234567", "12a456", "-12345", " 12345"])
def test_what_is_no_six_digits_is_a_wrong_code(board, typed):
    assert board.enter(typed, 0) == events.CodeEntered(0, 1, 0)


@pytest.mark.parametrize("won, as_paired", [(0, 0), (1, 2), (2, 1), (3, 3)])
def test_a_result_code_is_told_as_paired_whoever_sits_where(board, won, as_paired):
    table = match.Match(p18)
    table.phase, table.round, table.pairing, table.swapped = phases.AGREED, 3, 7, True
    table.outcome, table.games = won, (2, 1)
    wanted = code.result_code(farside.KEY, EVENT, 3, 7, as_paired, (1, 2))
    assert code.result(board.journal, table) == wanted


@pytest.mark.parametrize("rules, swapped, said", [
    (d03, False, (0, (0, 1))), (d03, True, (0, (1, 0))), (p18, False, (2, (0, 1))),
])  # fmt: skip
def test_a_narrow_wins_code_names_no_winner_where_it_has_points_of_its_own(
    board, rules, swapped, said
):
    table = match.Match(rules)
    table.phase, table.round, table.pairing, table.swapped = phases.AGREED, 3, 7, swapped
    table.outcome, table.award, table.games = 2, 2, (0, 1)
    wanted = code.result_code(farside.KEY, EVENT, 3, 7, *said)
    assert code.result(board.journal, table) == wanted


def test_a_thousand_codes_are_what_another_program_makes_of_rfc_4226(board):
    assert standing(board.journal) == (0, 0)
    key = frames.stream_key(farside.KEY, EVENT, 3, 0)
    assert code.judges_key(farside.KEY, EVENT) == key
    for number in range(1000):
        assert code.hotp(key, number) == by_another_program(key, number, "sha1")


@pytest.mark.parametrize("won, games", [
    (1, (2, 0)), (1, (2, 1)), (2, (0, 2)), (3, (1, 1)), (2, (0, 1)), (1, (3, 0)), (2, (0, 3)),
])  # fmt: skip
def test_a_result_code_says_its_result_and_carries_24_bits_of_its_tag(board, won, games):
    key = frames.stream_key(farside.KEY, EVENT, 4, 0)
    said = won << 4 | games[0] << 2 | games[1]
    tag = hmac.digest(key, struct.pack("<BHB", 3, 7, said), "sha256")
    text = agreed(board, won, games)
    assert len(text) == 6 and value_of(text) == said << 24 | int.from_bytes(tag[:3], "big")


def test_more_games_than_a_code_has_room_for_have_none(board):
    assert agreed(board, 1, (4, 0)) == agreed(board, 2, (0, 4)) == ""


def test_a_right_code_with_a_digit_more_or_less_is_a_wrong_one(board):
    number = next(n for n in range(99) if board.code(n)[0] == "0")
    board.journal.append(events.CodeEntered(0, 0, number))
    right = board.code(number)
    assert board.enter("0" + right, 0) == events.CodeEntered(0, 1, number)
    assert board.enter(right[1:], 10_000) == events.CodeEntered(10_000, 2, number)
    assert board.enter(right, 20_000) == events.CodeEntered(20_000, 0, number + 1)


def test_wrong_codes_are_counted_as_far_as_a_record_can(board):
    board.journal.append(events.CodeEntered(0, 255, 0))
    assert board.enter("000000", 1_000_000) == events.CodeEntered(1_000_000, 255, 0)
    assert code.wait_ms(code.newest_entry(board.journal), 1_000_000) == 900_000


def test_the_code_of_a_key_longer_than_a_hashs_block_is_another_programs(board):
    key = bytes(range(65))
    for new, name in ((digest.new_sha1, "sha1"), (digest.new_sha256, "sha256")):
        assert code.hotp(key, 0, new) == by_another_program(key, 0, name)


def test_the_oldest_record_of_all_may_be_the_code_that_stands(board):
    ring = board.journal.ring
    while ring.head % 21:
        board.journal.append(events.Clock(1000, 0))
    place = ring.head
    board.journal.append(events.CodeEntered(0, 0, 7))
    while ring.oldest < place:
        board.journal.append(events.Clock(1000, 0))
    assert ring.oldest == place and standing(board.journal) == (0, 7)


def test_the_last_round_and_the_last_pairing_have_a_result_code():
    tag = hmac.digest(frames.stream_key(farside.KEY, EVENT, 4, 0), b"\xff\xff\xff\x19", "sha256")
    text = code.result_code(farside.KEY, EVENT, 255, 65535, 1, (2, 1))
    assert value_of(text) == 0x19 << 24 | int.from_bytes(tag[:3], "big")
