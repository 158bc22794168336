"""Every single security check is needed: without it, a named test fails.

A row takes one check away, here in the harness alone, and runs the test that must notice, inside
this process. What is left of a check's neighbours stays as it is.
"""

import struct

import pytest
from without import code_without, run

from firmware.core import frames, sync
from firmware.core.sync import Sync
from firmware.core.timebase import Timebase
from host.audit import seal_check
from host.collector.board_status import BoardStatus
from host.keys import keyring

FORGED = "core/test_forged.py::test_a_forged_frame_changes_nothing[{}-{}]"
SYNC = "core/test_sync.py::"


def no_tag(patch):
    patch.setattr(frames, "verify", lambda key, frame: True)
    patch.setattr(frames, "authentic", lambda pair, frame: True)
    patch.setattr(keyring._Tag, "fits", lambda self, frame: True)


def no_version(patch):
    def head(frame):
        if len(frame) != frames.SIZE:
            return None
        first, *rest = struct.unpack("<BHHH", frame[:7])
        return first & 63, *rest

    patch.setattr(frames, "head", head)


def keys_without(place):
    """Return a patch by which ``stream_key`` forgets one of (event, direction, epoch)."""

    def take_away(patch):
        derive = frames.stream_key

        def derived(key, *terms):
            terms = list(terms)
            terms[place] = 0
            return derive(key, *terms)

        patch.setattr(frames, "stream_key", derived)

    return take_away


def no_command_counter(patch):
    refusal = Sync._refusal

    def careless(self, frame):
        self.commanded, kept = -1, self.commanded
        try:
            return refusal(self, frame)
        finally:
            self.commanded = kept

    patch.setattr(Sync, "_refusal", careless)


def no_head_epoch(patch):
    refusal = Sync._refusal

    def careless(self, frame):
        head, kept = frames.head(frame), self.journal.epoch
        if head is not None:
            self.journal.epoch = head[2]
        try:
            return refusal(self, frame)
        finally:
            self.journal.epoch = kept

    patch.setattr(Sync, "_refusal", careless)


def host_without(reason):
    """Return a patch by which a BoardStatus takes what it would refuse for ``reason``."""

    def take_away(patch):
        take_head = BoardStatus.take_head

        def careless(self, verified):
            found = take_head(self, verified)
            if found != reason:
                return found
            self.epoch, self.counter = verified.epoch, verified.counter
            return None

        patch.setattr(BoardStatus, "take_head", careless)

    return take_away


def no_freshness(patch):
    receive = Sync.receive

    def careless(self, frame, uptime_ms):
        self.highest = -1
        return receive(self, frame, uptime_ms)

    patch.setattr(Sync, "receive", careless)


def no_seal(patch):
    patch.setattr(seal_check, "check", lambda records: seal_check.SealCheck([], 0, 0))


def no_digest(patch):
    class Believing:
        new_sha256 = staticmethod(sync.digest.new_sha256)

        @staticmethod
        def same(one, other):
            return True

    patch.setattr(sync, "digest", Believing)


def no_time_step(patch):
    answer = Timebase.host_answered

    def believing(self, *told):
        self.guessed, self.bounded = True, False
        return answer(self, *told)

    patch.setattr(Timebase, "host_answered", believing)


CHECKS = (
    ("tag at the board", no_tag, FORGED.format("bit flip", "board")),
    ("tag at the host", no_tag, FORGED.format("bit flip", "host")),
    ("version at the board", no_version, FORGED.format("downgrade", "board")),
    ("version at the host", no_version, FORGED.format("downgrade", "host")),
    ("event in the key, board", keys_without(0), FORGED.format("other event's key", "board")),
    ("event in the key, host", keys_without(0), FORGED.format("other event's key", "host")),
    ("direction in the key, board", keys_without(1), FORGED.format("other direction", "board")),
    ("direction in the key, host", keys_without(1), FORGED.format("other direction", "host")),
    ("epoch in the key", keys_without(2), "core/test_epochs.py::test_an_epochs_key_opens_no_other"),
    ("epoch in the head", no_head_epoch, SYNC + "test_what_is_refused_is_counted_by_its_reason"),
    ("epoch at the host", host_without("epoch"), FORGED.format("other boot", "host")),
    ("counter of commands", no_command_counter, FORGED.format("same round", "board")),
    ("counter of the others", no_freshness, FORGED.format("other round", "board")),
    ("counter at the host", host_without("counter"), FORGED.format("same round", "host")),
    ("seal", no_seal, "host/test_audit.py::test_seals_follow_one_another"),
    (
        "acknowledgement digest",
        no_digest,
        SYNC + "test_an_acknowledgement_of_other_bytes_clears_nothing",
    ),
    ("time step", no_time_step, SYNC + "test_an_impossible_time_is_refused_and_recorded_once"),
)


@pytest.mark.parametrize(("name", "take_away", "test"), CHECKS, ids=[row[0] for row in CHECKS])
def test_without_this_check_a_named_test_fails(capsys, name, take_away, test):
    assert code_without(take_away, test) == pytest.ExitCode.TESTS_FAILED, capsys.readouterr().out


def test_with_all_checks_the_named_tests_pass(capsys):
    assert run(*sorted({test for _, _, test in CHECKS})) == pytest.ExitCode.OK, (
        capsys.readouterr().out
    )
