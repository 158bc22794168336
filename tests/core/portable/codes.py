"""Codes and hidden names, on every interpreter: a used code stays used, a name is hidden
and shown.
"""

from firmware.core import code, digest, events, frames
from firmware.core.journal import Journal

KEY = bytes(range(32))


class Flash:
    blocks = 40

    def __init__(self):
        self.held = {}

    def readinto(self, copy, block, buffer):
        buffer[:] = self.held.get((copy, block), b"\xff" * 512)

    def write(self, copy, block, data):
        self.held[copy, block] = bytes(data)


def booted(flash):
    journal = Journal(flash, 7, KEY)
    journal.recover()
    journal.open_epoch(0)
    return journal


def test_codes_are_of_six_digits():
    assert code.hotp(b"12345678901234567890", 0, digest.new_sha256) == "875740"
    for number in range(40):
        digits = code.hotp(KEY, number)
        assert len(digits) == 6 and int(digits) < 1000000


def test_a_used_code_stays_used_after_a_reset():
    flash = Flash()
    journal = booted(flash)
    journal.append(events.EventJoined(0, 5, 0))
    key = code.judges_key(KEY, 5)
    right = code.entered(journal, code.hotp(key, 2), 1000)
    assert right == events.CodeEntered(1000, 0, 3)
    journal.append(right)
    again = booted(flash)
    newest = code.standing(again)
    assert (newest.wrong, newest.number) == (0, 3)
    wrong = code.entered(again, code.hotp(key, 2), 2000)
    assert wrong == events.CodeEntered(2000, 1, 3)
    again.append(wrong)
    assert code.entered(again, code.hotp(key, 3), 3999) is None
    assert code.entered(again, code.hotp(key, 3), 4000).wrong == 0


def test_a_result_code_is_six_characters_of_the_alphabet():
    text = code.result_code(KEY, 5, 3, 700, 1, (2, 1))
    assert len(text) == 6 and not [x for x in text if x not in code.ALPHABET]


def test_a_name_is_hidden_and_shown():
    key = frames.stream_key(KEY, 5, frames.DOWN, 3)
    seen = []
    for counter in range(8):
        frame = frames.sign(key, frames.NAME, 7, 3, counter, bytes(9))
        hidden = frames.mask_name(KEY, frame, b"Amelie P")
        assert frames.mask_name(KEY, frame, hidden) == b"Amelie P"
        seen.append(hidden)
    assert len(set(seen)) == 8 and b"Amelie P" not in seen
