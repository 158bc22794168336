"""A program that fails again and again on its own journal: the board comes up without it."""

import random

import pytest
from solo import J, Solo

from firmware.core import events, frames, intents, phases, upkeep
from firmware.core.systems import d03, p18, xw15
from firmware.ui.face import Face
from firmware.ui.table import Table
from host.sim.faces import texts_of

TOLD_MS = 7_200_000
FORMATS = ((p18, 6), (p18, 7), (d03, 2), (d03, 6), (xw15, 2), (xw15, 3))
KINDS = [kind for kind in range(8, 64) if kind not in (events.BOOTED, events.EVENT_JOINED)]
SMALL, WIDE = (
    (0, 1, 2, 3, 5, 7, 8, 9, 16, 128, 129, 255),
    (0, 1, 2, 3, 4, 5, 9, 12, 255, 256, 65535),
)
NO_SECTION = events.OutcomeProposed(9, 1, 99, 0, 0)


class Read:
    """What stands where a canvas would: every text of a picture is read, and no pixel drawn."""

    seat = 0

    def show(self, picture, seat):
        """Read a picture's texts, and how many marks it has."""
        self.lines = [picture.table.say(text.key) for text in picture.texts]
        self.lines += [picture.table.say(one.label) for one in picture.items]
        self.lines += [picture.table.say(label) for label in picture.labels().values()]
        self.marks = picture.table.marks

    def count(self, digits, colour, number):
        self.number = number

    def press(self, before, held):
        self.held = held

    def refresh(self):
        return True


def read_face(board):
    return Face(Table(texts_of(board.settings["language"])), Read())


@pytest.fixture
def playing():
    solo = Solo(faces=read_face)
    solo.tell_time(TOLD_MS)
    solo.pair()
    solo.run(200)
    return solo


def failed(solo):
    solo.board.heartbeat.write(upkeep.fail(solo.board.heartbeat.read()))


def live(solo, seconds=40):
    """Let the board start and run as ``main`` does; return whether it did not fail."""
    try:
        solo.boot()
        solo.run(seconds)
    except Exception:
        failed(solo)
        return False
    return True


def spoilt(solo):
    """Let the board fail until it lays its match aside."""
    solo.app.journal.append(NO_SECTION)
    went = [live(solo) for _ in range(upkeep.FAILURES + 1)]
    assert went == [False] * upkeep.FAILURES + [True]
    return solo


def test_a_match_that_cannot_be_shown_is_laid_aside_and_a_judge_called(playing):
    spoilt(playing)
    assert playing.app.match.phase == phases.IDLE and playing.app.match.call == 254
    assert playing.screen == "judge_still"
    assert frames.status_of(playing.app.link.shown)[3] & frames.JUDGE_WANTED
    assert playing.now_ms > TOLD_MS + 200_000, "time goes on"


def test_it_stays_aside_over_a_reset_until_a_round_is_set(playing):
    spoilt(playing)
    playing.tell_time(playing.now_ms + 1000)
    playing.run(60)
    assert live(playing) and playing.app.match.phase == phases.IDLE
    playing.tell_time(playing.now_ms + 1000)
    playing.pair()
    playing.run(200)
    assert playing.app.match.phase == phases.PLAYING
    assert live(playing) and playing.app.match.phase == phases.PLAYING, (
        "the new round is taken up as ever"
    )


def test_what_fails_now_and_then_costs_no_match(playing):
    for _ in range(3 * upkeep.FAILURES):
        failed(playing)
        playing.boot()
        playing.run(upkeep.WELL_MS / 1000 + 2)
    assert playing.app.match.phase == phases.PLAYING and playing.app.match.call is None


def test_a_judge_is_shown_to_have_come_and_the_call_is_ended(playing):
    spoilt(playing)
    assert playing.desk(intents.ARRIVE) and playing.desk(intents.END_CALL)
    assert playing.screen == "no_table"
    playing.hold(J)
    assert playing.app.match.call == 0


def test_no_nonsense_in_its_own_journal_keeps_a_board_dark(proving):
    laid_aside = 0
    for seed in range(3000 if proving else 30):
        luck = random.Random(f"own nonsense {seed}")
        rules, form = luck.choice(FORMATS)
        solo = Solo(rules=rules, faces=read_face)
        solo.tell_time(TOLD_MS)
        solo.pair(form)
        solo.run(luck.choice((0, 200)))
        for _ in range(luck.randrange(1, 12)):
            _nonsense(solo, luck)
        went = [live(solo) and _used(solo, luck) for _ in range(upkeep.FAILURES + 1)]
        while not went[-1] and any(went[-upkeep.FAILURES - 1 :]):  # a key only now met the nonsense
            went.append(live(solo) and _used(solo, luck))
        assert went[-1], seed
        laid_aside += not went[upkeep.FAILURES - 1]
    assert laid_aside > seed // 3


def _nonsense(solo, luck):
    kind = luck.choice(KINDS)
    event = (
        kind, luck.randrange(1 << 32), luck.randrange(256), luck.randrange(65536),
        luck.randrange(65536),
    )  # fmt: skip
    if luck.random() < 0.5:
        event = (
            kind, luck.randrange(8_000_000), luck.choice(SMALL), luck.choice(WIDE),
            luck.choice(WIDE),
        )  # fmt: skip
    solo.app.journal.append(events.of_numbers(*event))


def _used(solo, luck):
    """Press keys and tell the time; return whether the board did not fail."""
    try:
        for _ in range(6):
            (solo.hold if luck.random() < 0.3 else solo.press)(luck.randrange(3))
        solo.tell_time(9_000_000)
        solo.run(20)
    except Exception:
        failed(solo)
        return False
    return True
