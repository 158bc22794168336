"""When a board that nobody answers restarts its radio, and when itself."""

import unittest

from firmware.core import phases, upkeep

RADIO, BOARD, NOTHING = upkeep.RADIO, upkeep.BOARD, upkeep.NOTHING
SECOND = 1000


class Match:
    def __init__(self, phase, start_ms):
        self.phase, self.start_ms = phase, start_ms


class Told:
    """A board's Silence asked once a second; ``found`` lists (second, what) of what was due."""

    def __init__(self, phase=phases.PLAYING, start_ms=None):
        self.silence, self.match, self.found = upkeep.Silence(), Match(phase, start_ms), []

    def ask(self, first_s, last_s, heard_s=1, asks=True, touched_s=0):
        for now_s in range(first_s, last_s):
            ms = heard_s * SECOND, touched_s * SECOND
            due = self.silence.due(asks, ms[0], ms[1], self.match, now_s * SECOND)
            if due:
                self.found.append((now_s, due))
        return self.found


class SilenceTest(unittest.TestCase):
    def test_a_radio_is_restarted_after_two_minutes_and_then_ever_more_rarely(self):
        found = Told().ask(100, 3000)
        self.assertEqual(found, [(at, RADIO) for at in (220, 340, 580, 1060, 2020)])

    def test_who_asks_for_nothing_restarts_nothing(self):
        self.assertEqual(Told(phases.IDLE).ask(0, 3000, asks=False), [])

    def test_a_host_that_never_answered_may_not_be_there_yet(self):
        self.assertEqual(Told(phases.IDLE).ask(0, 3000, heard_s=0), [])

    def test_an_answer_begins_the_wait_anew(self):
        told = Told()
        told.ask(0, 100)
        self.assertEqual(told.ask(100, 219, heard_s=100), [])
        self.assertEqual(told.ask(219, 300, heard_s=100), [(220, RADIO)])

    def test_what_is_asked_for_later_waits_as_long(self):
        told = Told()
        told.ask(0, 1000, asks=False)
        self.assertEqual(told.ask(1000, 1130), [(1120, RADIO)])

    def test_a_press_does_not_wait_for_the_radio(self):
        self.assertEqual(Told().ask(0, 240, touched_s=115), [(125, RADIO)])

    def test_the_board_is_reset_between_two_matches_alone(self):
        for phase in range(phases.AGREED + 1):
            due = [what for _, what in Told(phase).ask(0, 620)]
            between = phase in (phases.IDLE, phases.SEATED, phases.AGREED)
            self.assertEqual(BOARD in due, between)

    def test_a_seated_board_that_knows_its_start_keeps_its_clock(self):
        """A reset forgets the time, and what a beacon says is believed only after a link."""
        told = Told(phases.SEATED, start_ms=0)
        self.assertEqual(told.ask(100, 3000), [(at, RADIO) for at in (220, 340, 580, 1060, 2020)])
        over = Told(phases.AGREED, start_ms=0).ask(0, 620)
        self.assertEqual(over[-1][1], BOARD)

    def test_the_board_is_not_reset_under_anybodys_hands(self):
        told = Told(phases.AGREED)
        told.ask(0, 640, touched_s=590)
        self.assertEqual(BOARD in [what for _, what in told.found], False)
        self.assertEqual(told.ask(640, 651, touched_s=590)[-1], (650, BOARD))


if __name__ == "__main__":
    unittest.main()
