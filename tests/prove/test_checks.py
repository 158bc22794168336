"""Every check is needed: with its one line written otherwise, or taken away, a named test fails.

That is run in `make prove`; `make test` sees that each passage is there. A row of the first two
tables is (the check, its function, the passage, what stands there instead, the test), of the others
(the check, ``take_away(patch)``, the test): its name below ``tests/``. The function is changed in
this process alone, as ``mutation`` says; a passage that is not there any more fails its row, as does
a test that is none. A file's tests are collected once, and run anew for each of its rows.
"""

import os

import bugs
import pytest
import tree
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings
from webclient import HOST

from host.archive import access_links, audit_log
from host.archive.access_links import AccessLinks
from host.audit import examination, log_check, roll_order
from host.base import plain_text
from host.web import views
from host.web.guard import Guard
from host.web.sessions import Sessions

# As they end, the first two collect garbage five times over all that the run around has made, for
# a second each; the others have nothing to do in such a run.
_IDLE = (
    "unraisableexception", "threadexception", "cacheprovider", "xdist", "junitxml", "pastebin",
    "doctest", "stepwise",
)  # fmt: skip
settings.register_profile("taken away", settings(), phases=(Phase.explicit, Phase.generate))


def edited(where, passage, instead):
    """Return a ``take_away(patch)`` that writes one passage of a function otherwise."""
    return lambda patch: bugs.plant(patch, ((where, passage, instead),))


def files(rows):
    return list(dict.fromkeys(_file(test) for _, _, test in rows))


def unnoticed(rows, file):
    """Return those checks of the ``rows`` with a test in ``file`` that it does not notice."""
    taken = _TakenAway([row for row in rows if _file(row[2]) == file])
    names = dict.fromkeys(str(tree.ROOT / "tests" / test) for _, _, test in taken.rows)
    idle = [word for plugin in _IDLE for word in ("-p", f"no:{plugin}")]
    settings.load_profile("taken away")  # the first example that fails is enough
    try:
        pytest.main([*names, *idle, "--no-header", "--tb=no"], [taken])
    finally:
        settings.load_profile("prove" if os.environ.get("PLUSTHREE_PROVE") else "test")
    return [check for check, *_ in taken.rows if check not in taken.noticed]


def _file(test):
    return test.partition("::")[0]


class _TakenAway:
    """A plugin by which each test runs once for each of its rows, with the check taken away."""

    def __init__(self, rows):
        self.rows, self.noticed = rows, set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item):
        """Run a test for its rows, all fixtures made anew for each."""
        for check, take_away, test in self.rows:
            if check in self.noticed or not _is(item.nodeid.removeprefix("tests/"), test):
                continue
            with bugs.limited(check), pytest.MonkeyPatch.context() as patch:
                take_away(patch)
                reports = runtestprotocol(item, log=False, nextitem=None)
            if any(report.failed for report in reports):
                self.noticed.add(check)
        return True


def _is(test, name):
    """Return whether a test's full name is ``name``, or begins with it as a whole."""
    return test == name or test.startswith((name + "::", name + "["))


FRAMES, SYNC, WINDOW, JOURNAL = (
    "firmware.core.frames:", "firmware.core.sync:Sync.", "firmware.core.sync:Window.",
    "firmware.core.journal:Journal.",
)  # fmt: skip
CLOCK, CODE, SEEDS = (
    "firmware.core.timebase:Timebase.", "firmware.core.code:", "firmware.core.seeds:Seeds.",
)  # fmt: skip
BOARD_LINK, HAIL = "firmware.radio.link:Link.", "firmware.radio.advertiser:"
FORGED = "core/test_refusals.py::test_a_forged_frame_changes_nothing[{}-{}]"
BOARD_REASONS = "core/test_sync.py::test_what_is_refused_is_counted_by_its_reason"
BOARD_CODES, BOARD_ALONE, LUCK = (
    "core/test_code.py::",
    "core/test_refusals.py::",
    "core/test_seeds.py::",
)
OWN = BOARD_ALONE + "test_a_record_in_flash_that_is_not_the_boards_own_is_not_taken_up"
KEYS, NO_OTHER = (
    'struct.pack("<HBH", event, direction, epoch)',
    "core/test_frames.py::test_one_thing_that_is_other_is_another_key",
)
NO_BOARD = "core/test_frames.py::test_no_board_and_no_generation_has_anothers_key"
NO_KIND = BOARD_ALONE + "test_a_genuine_frame_of_a_kind_that_is_none_is_refused"
JOINED = BOARD_ALONE + "test_a_joining_alone_is_signed_under_no_event"
SLEEP = "ui/test_app.py::test_what_lies_in_sleep_memory_of_another_event_or_of_none_tells_no_time"
UNSAID = LUCK + "test_no_part_of_a_seed_is_on_the_air_before_its_match_is_over"

OF_A_BOARD = (
    # a frame
    ("length", FRAMES + "head", "len(frame) != SIZE", "False", FORGED.format("truncation", "board")),
    ("length, host", FRAMES + "head", "len(frame) != SIZE", "False", FORGED.format("truncation", "host")),
    ("version", FRAMES + "head", "frame[0] >> 6 != VERSION", "False", FORGED.format("downgrade", "board")),
    ("version, host", FRAMES + "head", "frame[0] >> 6 != VERSION", "False", FORGED.format("downgrade", "host")),
    ("tag", FRAMES + "authentic", "digest.same(...)", "True", FORGED.format("bit flip", "board")),
    ("tag, host", "host.keys.keyring:_Tag.fits", "hmac.compare_digest(...)", "True", FORGED.format("bit flip", "host")),
    ("tag, of one frame", "host.keys.signatures:verify", "frames.authentic(...)", "True", "core/test_frames.py::test_a_record_holds_its_event"),
    ("the whole tag", "firmware.core.digest:same", "zip(left, right)", "zip(left[:1], right)", FORGED.format("random", "board")),
    ("what the tag covers", FRAMES + "authentic", "frame[:BODY]", "frame[:7]", FORGED.format("bit flip", "board")),
    ("a tag's length", "firmware.core.digest:same", "len(left) != len(right)", "False", "core/test_frames.py::test_same_is_equality"),
    ("event in the key", FRAMES + "stream_key", KEYS, 'struct.pack("<BH", direction, epoch)', NO_OTHER),
    ("direction in the key", FRAMES + "stream_key", KEYS, 'struct.pack("<HH", event, epoch)', NO_OTHER),
    ("epoch in the key", FRAMES + "stream_key", KEYS, 'struct.pack("<HB", event, direction)', NO_OTHER),
    ("device in the key", FRAMES + "board_key", 'struct.pack("<HH", device, generation)', 'struct.pack("<H", generation)', NO_BOARD),
    ("generation in the key", FRAMES + "board_key", 'struct.pack("<HH", device, generation)', 'struct.pack("<H", device)', NO_BOARD),
    # a frame at the board
    ("device", SYNC + "_refusal", "device != self.journal.device", "False", BOARD_REASONS),
    ("kind", SYNC + "_refusal", "intents.from_desk(kind) if command else 0 < kind <= frames.IDENTIFY", "True", BOARD_REASONS),
    ("kind 0", SYNC + "_refusal", "0 < kind <= frames.IDENTIFY", "kind <= frames.IDENTIFY", NO_KIND),
    ("kinds of the keys", SYNC + "_refusal", "intents.from_desk(kind)", "True", NO_KIND),
    ("kinds between", SYNC + "_refusal", "0 < kind <= frames.IDENTIFY", "True", NO_KIND),
    ("an intent of a newer desk", SYNC + "receive", "intent.kind", "True", "core/test_sync.py::test_an_intent_of_a_newer_desk_is_refused_counted_and_does_not_stop_the_next"),
    ("a challenge is a score", FRAMES + "kind_of", "frame[at + _KIND_AT] >> 6 == 1", "frame[at + _KIND_AT] > 63", "core/test_frames.py::test_a_challenge_is_a_score_to_every_board"),
    ("epoch", SYNC + "_refusal", "epoch != self.journal.epoch", "False", BOARD_REASONS),
    ("an epoch that is over", SYNC + "_refusal", "epoch != self.journal.epoch", "epoch > self.journal.epoch", BOARD_ALONE + "test_an_epoch_that_is_over_is_refused_as_such"),
    ("counter of commands", SYNC + "_refusal", "counter <= self.commanded", "False", BOARD_REASONS),
    ("the same counter", SYNC + "_refusal", "counter <= self.commanded", "counter < self.commanded", BOARD_REASONS),
    ("tag at the board", SYNC + "_refusal", "frames.authentic(key, frame)", "True", BOARD_REASONS),
    ("refusal", SYNC + "receive", "reason is not None", "False", BOARD_REASONS),
    ("freshness", SYNC + "receive", "counter > self.highest", "True", "core/test_sync.py::test_a_link_must_prove_itself_and_stay_fresh"),
    ("freshness of a wink", SYNC + "_serve", "fresh and kind == frames.IDENTIFY", "kind == frames.IDENTIFY", BOARD_ALONE + "test_what_is_repeated_is_fetched_and_shown_once"),
    ("freshness of a fetch", SYNC + "_serve", "fresh and not self.window.resend(...)", "not self.window.resend(*frames.fetch_of(frame))", BOARD_ALONE + "test_what_is_repeated_is_fetched_and_shown_once"),
    ("a time that is not known", SYNC + "receive", "self.timebase.guessed", "False", "core/test_sync.py::test_a_board_that_was_not_told_the_time_does_nothing_but_join"),
    ("counter of a name", SYNC + "_name", "counter <= self.named[at]", "False", BOARD_ALONE + "test_a_part_of_a_name_that_was_said_before_does_not_replace_a_later_one"),
    ("names before a round", SYNC + "receive", "self.named = [counter] * 6", "pass", BOARD_ALONE + "test_a_name_of_the_round_before_does_not_come_after_the_round"),
    ("parts of a name", SYNC + "_name", "part > 2", "False", BOARD_ALONE + "test_a_name_has_three_parts"),
    ("names of another event", SYNC + "join_event", "self.forget()", "pass", BOARD_ALONE + "test_a_board_that_is_moved_to_another_event_forgets_the_names"),
    ("names of another round", SYNC + "receive", "self.forget()", "pass", BOARD_ALONE + "test_a_board_that_is_told_of_another_round_forgets_the_names"),
    ("counters in a new epoch", SYNC + "renew", "self.highest = self.commanded = -1", "pass", BOARD_ALONE + "test_a_new_epoch_takes_its_commands_from_the_first_counter_on"),
    ("an event's own key", SYNC + "renew", "journal.event == self._event", "True", "core/test_sync.py::test_a_board_of_another_event_can_be_moved"),
    ("8 s", SYNC + "drop_due", "since_ms is not None", "False", "core/test_sync.py::test_a_link_must_prove_itself_and_stay_fresh"),
    ("two tags a step", "firmware.app:App._serve", "self._hear(frame, uptime_ms)", "[self._hear(one, uptime_ms) for one in (frame, link.receive()) if one]", "sim/test_siege.py::test_a_step_checks_two_tags_at_most"),
    # the time
    ("nonce", CLOCK + "host_answered", "nonce != self.nonce", "False", BOARD_ALONE + "test_the_right_answer_to_another_question_tells_no_time"),
    ("one answer a question", CLOCK + "host_answered", "self.nonce = None", "pass", BOARD_ALONE + "test_the_right_answer_to_another_question_tells_no_time"),
    ("1 s", CLOCK + "host_answered", "trip > _ANSWER_MS", "False", BOARD_ALONE + "test_an_answer_that_was_held_back_longer_than_a_second_tells_no_time"),
    ("time step", CLOCK + "host_answered", "least > limit or most < -limit", "False", "core/test_sync.py::test_an_impossible_time_is_refused_and_recorded_once"),
    ("time step forward", CLOCK + "host_answered", "least > limit or most < -limit", "most < -limit", "core/test_sync.py::test_an_impossible_time_is_refused_and_recorded_once"),
    ("time step back", CLOCK + "host_answered", "least > limit or most < -limit", "least > limit", "core/test_timebase.py::test_a_step_is_taken_as_far_as_it_is_possible"),
    ("time given back by a reset", CLOCK + "host_answered", "most < -_BELOW_MS", "False", BOARD_ALONE + "test_after_a_reset_a_time_before_the_last_that_was_told_is_refused"),
    ("a clock that stands", CLOCK + "now_ms", "max(self.latest_ms, self.likely_ms(uptime_ms))", "self.likely_ms(uptime_ms)", "core/test_timebase.py::test_after_a_reset_no_answer_gives_time_back"),
    # acknowledgements
    ("acknowledgement digest", WINDOW + "acknowledge", "not digest.same(...)", "False", "core/test_refusals.py::test_every_bit_of_an_acknowledgements_digest_counts"),
    ("an acknowledged record is held", WINDOW + "acknowledge", "first is None", "False", "core/test_refusals.py::test_an_acknowledgement_of_records_to_come_clears_nothing"),
    ("acknowledged records are held", WINDOW + "acknowledge", "... >> 16 != epoch", "... >> 16 not in (epoch, -1)", BOARD_ALONE + "test_an_acknowledgement_of_records_to_come_clears_nothing"),
    ("acknowledged epoch", WINDOW + "acknowledge", "... >> 16 != epoch", "... < 0", BOARD_ALONE + "test_an_acknowledgement_does_not_reach_over_the_end_of_an_epoch"),
    # what lies in flash
    ("own records", JOURNAL + "kind", "self.authentic(self.ring.at(place))", "True", OWN),
    ("own event", JOURNAL + "_look_back", "not self.authentic(ring.at(place))", "False", OWN),
    ("own round", JOURNAL + "_look_back", "start if self._is_own(start) else None", "start", OWN),
    ("own time", JOURNAL + "_look_back", "last_ms if self._is_own(time_set) else None", "last_ms", BOARD_ALONE + "test_a_time_in_flash_that_is_not_the_boards_own_is_not_gone_on_from"),
    ("own number", JOURNAL + "authentic", "device == self.device", "True", OWN),
    ("tag of a stored record", JOURNAL + "authentic", "frames.authentic(self._up_key(event, epoch), record)", "True", OWN),
    ("the last epoch", JOURNAL + "open_epoch", "self.epoch == _LAST", "False", BOARD_ALONE + "test_the_last_epoch_has_none_after_it"),
    ("counters that run out", JOURNAL + "append", "self.counter + 2 * len(happened) > _LAST - ROOM", "False", "core/test_journal.py::test_counters_that_run_out_open_another_epoch"),
    ("a status's counters that run out", SYNC + "inform", "self._informed > 65535", "False", "core/test_sync.py::test_a_stream_that_runs_out_of_counters_opens_another_epoch"),
    ("seal of sixteen", JOURNAL + "append", "self.counter - self._sealed >= SEAL_EVERY", "False", "core/test_journal.py::test_sixteen_records_are_sealed_and_fewer_are_not"),
    ("seal of a match", JOURNAL + "append", "ended or event.kind == events.MATCH_ENDED", "ended", "core/test_journal.py::test_a_match_that_ended_is_sealed_with_what_happened_at_once"),
    ("seal after a seal", JOURNAL + "seal", "digest.new_sha256(self._last_digest)", "digest.new_sha256(bytes(7))", "core/test_journal.py::test_seals_cover_every_record_of_an_epoch_once"),
    ("a joining's key", "firmware.core.journal:key_event", "isinstance(happened, events.EventJoined)", "False", JOINED),
    ("a joining's answer's key", "firmware.core.journal:key_event", "0 if happened.asked == intents.JOIN_EVENT else event", "event", JOINED),
    ("another answer's key", "firmware.core.journal:key_event", "happened.asked == intents.JOIN_EVENT", "True", JOINED),
    ("sleep memory of another event", "firmware.core.upkeep:time_ms", 'int.from_bytes(kept[:2], "little") != event', "False", SLEEP),
    ("sleep memory of another length", "firmware.core.upkeep:time_ms", "len(kept) != _SIZE", "False", SLEEP),
    ("checksum of a block", "firmware.core.ring:_rank", "crc != _crc(block)", "False", BOARD_ALONE + "test_a_block_whose_checksum_is_wrong_is_not_believed"),
    ("a boot that was cut off", JOURNAL + "_to_close", "self.counter == 1 and last >= 0", "False", "core/test_journal.py::test_a_boot_names_the_last_one_that_had_named_its_own_predecessor"),
    ("what was before another event", JOURNAL + "_look_back", "event.event != event.before", "False", "core/test_journal.py::test_a_board_back_from_another_event_resumes_nothing_of_before_it_went"),
    ("a match is offered again", WINDOW + "__init__", "journal.base if journal.start is None else journal.start", "journal.base", "core/test_sync.py::test_after_a_reset_the_whole_match_is_offered_again_unasked"),
    ("taken back after a reset", "firmware.core.ledger:Ledger.resume", "taken_back or event.kind == events.TAKEN_BACK", "False", "core/test_takeback.py::test_a_press_that_was_taken_back_does_not_come_back_with_a_reset"),
    # codes at the table
    ("a judge's code", CODE + "enter", "_number(key_blocks, ahead, _NEW) == typed", "True", BOARD_CODES + "test_a_code_is_taken_once_and_never_again_even_after_a_reset"),
    ("a judge's code once", CODE + "enter", "ahead + 1", "newest.number", BOARD_CODES + "test_a_code_is_taken_once_and_never_again_even_after_a_reset"),
    ("a judge's code's event", CODE + "judges_key", "frames.stream_key(key, event, _JUDGE, 0)", "frames.stream_key(key, 0, _JUDGE, 0)", BOARD_CODES + "test_a_code_opens_one_board_at_one_event"),
    ("codes ahead", CODE + "enter", "min(newest.number + AHEAD, 65535)", "65535", BOARD_CODES + "test_a_code_too_far_ahead_is_wrong"),
    ("a wrong code's wait", CODE + "enter", "wait_ms(newest, now_ms)", "False", BOARD_CODES + "test_wrong_codes_cost_growing_time_that_no_reset_gives_back"),
    ("a growing wait", CODE + "wait_ms", "1000 << min(newest.wrong, 10)", "2000", BOARD_CODES + "test_wrong_codes_cost_growing_time_that_no_reset_gives_back"),
    ("a wait after the time was set back", CODE + "wait_ms", "min(left_ms, wait_ms)", "left_ms", BOARD_CODES + "test_a_time_set_back_makes_nobody_wait_longer_for_a_wrong_code"),
    ("own tries", CODE + "newest_entry", "journal.authentic(ring.at(place))", "True", BOARD_ALONE + "test_a_judges_code_entered_with_another_key_counts_for_nothing"),
    ("a wrong code opens nothing", "firmware.app:App._check_code", "not event.wrong", "True", "ui/test_app.py::test_only_a_right_code_opens_the_judges_menu"),
    ("a result's code is agreed", CODE + "result", "match.phase != phases.AGREED", "False", BOARD_CODES + "test_a_result_that_nobody_has_agreed_to_has_no_code"),
    ("a result's code of who changed places", CODE + "result", "match.swapped", "False", BOARD_CODES + "test_a_result_code_is_told_as_paired_whoever_sits_where"),
    # a match's seed
    ("a nonce for this commitment", SEEDS + "nonce", "intent.commitment != self.parts[0][0]", "False", LUCK + "test_a_nonce_names_the_commitments_first_byte_and_is_taken_once"),
    ("one nonce", SEEDS + "nonce", "not self.awaits_nonce", "False", LUCK + "test_the_nonce_never_changes_within_a_match"),
    ("seed withheld", JOURNAL + "to_send", "self.withheld is not None", "False", LUCK + "test_no_part_of_a_seed_is_on_the_air_before_its_match_is_over"),
    ("seed withheld whole", JOURNAL + "to_send", "0 <= place - self.withheld < HIDDEN", "place == self.withheld", UNSAID),
    ("seed withheld from its commitment", JOURNAL + "_put", "_commits(happened)", "False", UNSAID),
    ("seed withheld after a reset", JOURNAL + "_look_back", "place - HIDDEN if kind == events.SEED_STORED else None", "None", UNSAID),
    ("seed withheld from the link", WINDOW + "due", "self.journal.to_send(self.cursor)", "self.journal.ring.at(self.cursor)", UNSAID),
    ("seed withheld from who asks", WINDOW + "due", "self.journal.to_send(self.asked)", "self.journal.ring.at(self.asked)", UNSAID),
    ("seed withheld from adverts", HAIL + "news", "journal.to_send(place)", "journal.ring.at(place)", LUCK + "test_no_part_of_a_seed_is_advertised_before_its_match_is_over"),
    ("no roll without a seed", "firmware.core.ledger:Ledger.ask", "self.seeds is None or self.seeds.ill or not self.seeds.committed", "self.seeds is None", LUCK + "test_a_generator_that_fails_disables_the_randomizer_until_the_next_match"),
    ("a purpose said before", "firmware.core.luck:roll", "not purpose", "False", "core/test_ritual.py::test_a_roll_is_for_what_was_said_before_and_for_nothing_else"),
    ("consent and switch", "firmware.core.luck:roll", "needs(match, randomizer, purpose) != 0", "False", "core/test_ritual.py::test_the_board_rolls_what_the_policy_allows"),
    ("a roll that is open", "firmware.core.luck:roll", "match.rolled in (SHOWN, DISPUTED)", "False", "core/test_ritual.py::test_nothing_is_rolled_while_a_roll_is_open"),
    ("barred for good", "firmware.core.ledger:Ledger._keep_roll_ban", "first.kind in OVER and self.match.policy & luck.BARRED", "False", LUCK + "test_what_a_head_judge_barred_no_reset_and_no_round_undoes"),
    ("a sound generator", SEEDS + "test", "len(raw) == _TESTED and sound(raw)", "True", LUCK + "test_a_generator_that_fails_disables_the_randomizer_until_the_next_match"),
    ("a sound generator where a seed stands", SEEDS + "draw", "not self._sound", "not self._sound and not self.committed", LUCK + "test_a_generator_that_fails_after_a_reset_rolls_no_more_on_the_seed_of_before"),
    # the radio
    ("whole packets", BOARD_LINK + "receive", "... == frames.SIZE", "...", "sim/test_bleio.py::test_what_is_written_too_long_is_refused"),
    ("a full link asks", SYNC + "outgoing", "self.asking or int(asks)", "self.asking", "core/test_sync.py::test_a_full_link_is_asked_for_the_time_at_once"),
    ("places for questions", BOARD_LINK + "send", "self.connected and self._answered and not self.full", "self.connected and self._answered", "sim/test_link.py::test_a_lost_answer_leaves_a_place_to_ask_again"),
    ("a question in time", BOARD_LINK + "asks", "records >= _ASKED_AFTER", "self.full", "sim/test_link.py::test_a_question_is_due_before_the_queue_is_full"),
    ("what is answered frees up to itself", BOARD_LINK + "heard", "self._in_flight[self._in_flight.index(nonce) + 1 :]", "[]", "sim/test_link.py::test_a_late_answer_frees_what_went_before_its_own_question"),
    ("who does not subscribe", BOARD_LINK + "_welcome", "self.connected or uptime_ms - self._since_ms <= SUBSCRIBE_MS", "True", "sim/test_link.py::test_a_guest_who_does_not_subscribe_is_shown_out"),
    ("windows after failures", HAIL + "frame", "strangers <= _FAILURES", "True", "sim/test_siege.py::test_after_failures_a_board_is_open_in_short_windows_at_random_times"),
    ("a window in which nobody could come", HAIL + "frame", "link.guests if sync.opened_ms is None else -1", "link.guests", "core/test_sync.py::test_a_stranger_who_stays_does_not_open_the_board_by_staying"),
)  # fmt: skip


RING, TAKES, LINK, STATUS = (
    "host.keys.keyring:Keyring.", "host.collector.collector:Collector.",
    "host.collector.session:Session.", "host.collector.board_status:BoardStatus.",
)  # fmt: skip
STORE, ORDERS, TYPED, SEALS = (
    "host.archive.store:Archive.", "host.archive.orders:Orders.", "host.event.typed_results:",
    "host.audit.seal_check:check",
)  # fmt: skip
PROOF, LOOKS, ROLLS, VAULT = (
    "host.audit.log_check:", "host.audit.inspection:", "host.audit.roll_check:",
    "host.keys.key_encryption:",
)  # fmt: skip
ALONE, KEYRING, CODES = "host/test_refusals.py::", "host/test_keyring.py::", "host/test_codes.py::"
ARCHIVE, COLLECTOR, AUDIT = (
    "host/test_store.py::", "host/test_collector.py::", "host/test_audit.py::",
)  # fmt: skip
SET_UP = "host/test_changed_rows.py::"
BACKUP, FOILS, TAMPERED, BOOK = (
    "host/test_backup.py::", "host/test_audit_log.py::", "host/test_tampering.py::",
    "host/test_roll_check.py::",
)  # fmt: skip
STICK, PASSED = (
    "host/test_stick.py::",
    "host/test_restore.py::test_a_copy_that_nothing_can_go_on_from_is_passed_over_and_said",
)
UNSEALED_COPY = "host/test_copy_seal.py::test_a_changed_copy_is_refused_and_the_whole_one_named"
REASONS = KEYRING + "test_everything_else_is_refused_with_its_reason"
LAST_KEY = KEYRING + "test_the_key_that_verified_last_is_no_pass"
FORMER = ALONE + "test_a_boards_former_key_is_not_taken_after_it_got_a_new_one"
REVOKED = ALONE + "test_a_revoked_boards_word_is_not_taken"
SEALED = AUDIT + "test_seals_follow_one_another"
NEW_BOOT = ALONE + "test_a_new_boot_begins_its_counters_anew_and_may_be_at_another_event"
ODD_TYPED = ALONE + "test_a_notice_of_a_result_that_says_other_than_numbers_is_none"
CHANGED = "host/test_changed_rows.py::"
FOIL, LOG = "host.archive.audit_log:", "host.archive.audit_log:AuditLog."
ANSWERS, REPLAYS = "host/test_answers.py::", "host/test_replays.py::"
REPLAYED, STOLEN = "host/test_replayed_status.py::", "host/test_hall_cost.py::"
SAYS, SAID = "host.desk.announcements:Announcements.", "host/test_announcements.py::"
HELD = ANSWERS + "test_a_held_order_is_settled_by_its_own_boards_answer_to_such_an_order_alone"
WANTED = ANSWERS + "test_a_nonce_is_wanted_for_the_commitment_of_a_match_that_is_on_alone"
UNSEALED = ANSWERS + "test_a_seal_over_what_is_not_here_accuses_nobody_and_vouches_for_nothing"
NO_MATCH = "host/test_odd_records.py::test_a_match_that_no_board_can_have_does_not_fit"

OF_THE_HOST = (
    # a frame at the host
    ("version", RING + "verify", "head is None", "False", REASONS),
    ("a board of ours", RING + "verify", "device not in self._generations", "False", REASONS),
    ("tag", RING + "_signing_key", "tag.fits(frame)", "True", REASONS),
    ("tag of the key that verified last", RING + "verify", "not likely.tag.fits(frame)", "False", LAST_KEY),
    ("the epoch of the key that verified last", RING + "verify", "likely.epoch != epoch", "False", LAST_KEY),
    ("derived keys are bounded", RING + "__init__", "functools.lru_cache(_DERIVED)(self._derive)", "functools.lru_cache(None)(self._derive)", ALONE + "test_made_up_epochs_do_not_make_the_keyring_grow"),
    ("hashed keys are bounded", RING + "__init__", "functools.lru_cache(_DERIVED)(self._derive_tag)", "functools.lru_cache(None)(self._derive_tag)", ALONE + "test_made_up_epochs_do_not_make_the_keyring_grow"),
    ("revoked", TAKES + "_verify", "status is not None and status.generation == verified.generation", "True", REVOKED),
    ("generation", TAKES + "_verify", "status.generation == verified.generation", "True", FORMER),
    ("revoked board", "host.archive.roster:Roster.current_boards", "board.table >= SPARE", "True", REVOKED),
    ("what a revoked board had said", TAKES + "_drop_board", "frame.device != device", "True", REVOKED),
    ("a revoked board's link", TAKES + "_drop_board", "session.status is status", "False", FORMER),
    ("a revoked board's opening", TAKES + "on_connected", "status is None", "False", ALONE + "test_a_link_of_before_a_revocation_is_closed"),
    ("a link that was asked for", TAKES + "on_connected", "device is None", "False", ALONE + "test_a_link_of_before_a_revocation_is_closed"),
    ("link", TAKES + "on_notification", "verified.device != session.status.device", "False", ALONE + "test_another_boards_word_on_a_link_counts_for_nothing"),
    ("a link that stands", TAKES + "on_notification", "verified is None or session is None", "verified is None", ALONE + "test_a_frame_of_no_link_that_stands_counts_for_nothing"),
    ("a link's proof is fresh", TAKES + "on_notification", "self._take(address, verified)", "self._take(address, verified) or True", ALONE + "test_a_status_that_was_said_before_does_not_prove_a_link"),
    ("links at once", "host.collector.scheduler:Scheduler.choose", "if len(taken) + len(chosen) >= links:\n            break", "if False:\n            break", COLLECTOR + "test_at_most_five_links_and_everybody_gets_a_turn"),
    ("inbox", TAKES + "_take", "len(self._inbox) < _INBOX", "True", ALONE + "test_what_waits_for_the_disk_is_bounded"),
    ("alarms", "host.collector.alarms:Alarms.__init__", "_ALARMS", "None", ALONE + "test_what_is_told_to_people_is_bounded"),
    ("the same bytes as before", TAKES + "_take_repeat", "status.frame != frame", "False", COLLECTOR + "test_a_status_is_believed_once"),
    ("another's address", TAKES + "_take", "address not in self.sessions", "True", ALONE + "test_a_status_from_a_linked_address_moves_no_other_board"),
    ("another's address, again", TAKES + "_take_repeat", "address not in self.sessions", "True", ALONE + "test_a_status_from_a_linked_address_moves_no_other_board"),
    ("an archived record, again", TAKES + "_archived_before", "not status.has_archived(frame)", "False", "host/test_hall_cost.py::test_an_archived_record_that_is_advertised_again_costs_no_disk_and_no_check"),
    ("a contradiction is not acknowledged", TAKES + "_commit", "fate == CONFLICT", "False", COLLECTOR + "test_another_record_in_an_archived_place_is_never_acknowledged"),
    ("nothing is said before a proof", LINK + "step", "not self.authentic", "False", ALONE + "test_nothing_is_written_to_a_link_before_its_board_has_proved_itself"),
    ("a record proves no link", LINK + "heard", "verified.kind < frames.FIRST_RECORD", "True", REPLAYS + "test_replayed_records_alone_get_no_frame_and_no_patience"),
    ("a replayed record keeps no link", LINK + "heard", "self.authentic", "True", REPLAYS + "test_replayed_records_alone_get_no_frame_and_no_patience"),
    ("frames for known records", "host.collector.session:AckTask.next", "self._frames_left -= 1", "pass", REPLAYS + "test_behind_a_fresh_question_few_frames_are_spent_on_known_records"),
    ("few counters left", "host.collector.frame_signer:FrameSigner.runs_low", "_END - self._next < _FEW", "False", REPLAYS + "test_low_counters_raise_one_alarm_and_a_boot_brings_new_ones"),
    ("nothing is said after a revocation", LINK + "step", "self.cancelled", "False", ALONE + "test_a_revoked_boards_link_is_told_nothing"),
    ("a silent link", LINK + "over", "now_ms - self._heard_ms >= NO_PROOF_MS", "False", ALONE + "test_a_link_that_proves_nothing_is_given_up"),
    ("a link that proved nothing", TAKES + "on_disconnected", "not session.authentic", "False", ALONE + "test_a_link_that_breaks_before_it_proved_anything_is_waited_for_longer"),
    ("a status's generation", STATUS + "take_head", "verified.generation != self.generation", "False", ALONE + "test_a_status_believes_its_own_generation_alone"),
    ("epoch", STATUS + "take_head", "verified.epoch < self.epoch", "False", "core/test_refusals.py::test_a_forged_frame_changes_nothing[other boot-host]"),
    ("a record's own board", TAKES + "_commit", "session is not None and session.status.device == entry.device", "session is not None", COLLECTOR + "test_a_record_is_acknowledged_to_the_board_that_it_is_of_alone"),
    ("a head that is stored", "host.collector.undelivered:Undelivered.note", "head > stored", "head > _Head(0, 0)", "host/test_audit_log.py::test_a_head_is_stored_once_however_often_it_is_said"),
    ("counter", STATUS + "take_head", "verified.counter <= self.counter", "False", COLLECTOR + "test_a_status_is_believed_once"),
    ("a question again", STATUS + "take_question", "signed > self._asked", "True", ALONE + "test_a_question_that_a_status_overtook_is_answered_once"),
    ("the same counter", STATUS + "take_head", "verified.counter <= self.counter", "verified.counter < self.counter", COLLECTOR + "test_a_status_is_believed_once"),
    ("a new boot's counters", STATUS + "take_head", "verified.epoch == self.epoch", "True", NEW_BOOT),
    ("a new boot's past", STATUS + "take_head", "verified.epoch > self.epoch", "False", NEW_BOOT),
    ("an older word of the event", STATUS + "join", "counter > self._joined", "True", ALONE + "test_a_late_status_of_another_event_moves_no_board"),
    ("a refused status", STATUS + "take_status", "refusal is None", "True", COLLECTOR + "test_a_status_is_believed_once"),
    ("a late status of another event", STATUS + "take_head", "self._joined < 0", "True", ALONE + "test_a_late_status_of_another_event_moves_no_board"),
    # what is stored
    ("rows of another program", STORE + "__init__", "table_shapes.refuse_odd(...)", "pass", "host/test_odd_rows.py::test_what_would_stop_the_radio_or_a_printer_is_refused_by_name"),
    ("a place is taken once", STORE + "_result_of_known", "held == record.frame", "True", ARCHIVE + "test_another_record_in_the_same_place_is_kept_apart"),
    ("a quarantine that ends", STORE + "_result_of_known", "... < MOST_QUARANTINED", "True", STOLEN + "test_contradictions_are_counted_and_kept_up_to_a_bound"),
    ("a board's nonces end", "host.event.nonces:Nonces._give", "len(earlier) >= MOST_GIVEN", "False", STOLEN + "test_a_boards_nonces_end"),
    ("gaps without end", "host.event.holdings:BootHoldings.missing", "len(runs) >= MOST_RUNS", "False", STOLEN + "test_the_next_record_costs_what_those_before_it_cost[sparse]"),
    ("alarms without end", "host.collector.alarms:Alarms.warn_of_conflict", "return", "sentence = Sentence('again')", STOLEN + "test_contradictions_are_counted_and_kept_up_to_a_bound"),
    ("down counters", STORE + "_reserve", "self.write(...)", "pass", ARCHIVE + "test_down_counters_never_come_twice"),
    ("down counters of a lost host", STORE + "_reserve", "max(used[0] if used else 1, self.floor)", "used[0] if used else 1", BACKUP + "test_no_counter_is_used_twice"),
    ("the last down counter", STORE + "_reserve", "min(first + _RESERVE, 65536)", "first + _RESERVE", ARCHIVE + "test_down_counters_end_instead_of_wrapping"),
    ("down counters of this boot", "host.collector.frame_signer:FrameSigner.sign", "self._epoch != status.epoch", "False", ALONE + "test_a_new_boot_has_down_counters_of_its_own"),
    ("no counter left", "host.collector.frame_signer:FrameSigner.sign", "return None", "pass", ALONE + "test_a_host_without_counters_says_nothing"),
    ("counter of a down frame", "host.collector.frame_signer:FrameSigner.sign", "self._next, self._next + 1", "self._next, self._next", ALONE + "test_a_host_without_counters_says_nothing"),
    ("names are veiled", "host.collector.frame_signer:FrameSigner.sign", "kind in _MASKED", "False", COLLECTOR + "test_names_reach_the_board_with_their_numbers"),
    ("an answer of this boot", ORDERS + "_settle_answered", '" AND epoch = ?"', '" AND (epoch = ? OR TRUE)"', ARCHIVE + "test_an_answer_of_another_boot_settles_nothing"),
    ("an answer is one", ORDERS + "settle", "kind == events.ANSWERED", "True", ANSWERS + "test_nothing_but_an_answer_settles_an_order"),
    ("an answer of its board", ORDERS + "_settle_answered", '"device = ? AND"', '"(device = ? OR TRUE) AND"', ANSWERS + "test_nothing_but_an_answer_settles_an_order"),
    ("an answer that is new", STORE + "_commit", "result == ADDED", "True", ANSWERS + "test_an_answer_that_was_stored_before_settles_nothing_again"),
    ("what is done is done", ORDERS + "_settle_answered", "(PENDING,) if reason else _NOT_DONE", "_NOT_DONE + (DONE,)", ANSWERS + "test_what_was_done_is_not_refused_by_a_later_answer"),
    ("a held order's board", ORDERS + "_foreign_answers", '"event = ? AND device = ? AND generation = ?"', '"event = ? AND (device = ? AND generation = ? OR TRUE)"', HELD),
    ("a held order's answer", ORDERS + "_foreign_answers", "isinstance(answer, events.Answered)", "True", HELD),
    ("a held order's frame", ORDERS + "_foreign_answers", "(epoch, answer.counter) not in ours", "True", HELD),
    ("a held order's kind", ORDERS + "settle_held", "(answer.asked, answer.broadcast) == (order.kind, 0)", "True", HELD),
    ("a held order's time", ORDERS + "settle_held", "answer.at_ms >= order.asked_ms - _SLACK_MS", "True", HELD),
    ("orders that may be done wait", "host.collector.order_queue:OrderQueue._ready", "[] if self._held(table) else ...", "...", BACKUP + "test_orders_that_the_lost_laptop_gave_are_not_given_again"),
    ("a challenge before held orders", "host.collector.scheduler:Scheduler._complete", "self._orders.challenges.answered(status)", "True", REPLAYED + "test_an_order_that_was_done_is_not_done_again"),
    ("a challenge of this boot", "host.collector.challenges:Challenges.frame", "given.epoch != status.epoch", "False", REPLAYED + "test_a_board_that_starts_again_gets_a_challenge_of_its_own"),
    ("a held order's refused challenge", ORDERS + "_foreign_answers", "not (answer.refusal and answer.asked == intents.SET_SCORE)", "True", ANSWERS + "test_the_answer_to_a_lost_hosts_challenge_settles_no_order"),
    ("a nonce for what is not over", "host.event.nonces:_Board.add", "event.kind in OVER", "False", WANTED),
    ("a nonce in this event", "host.event.nonces:_Board.add", "begins_another(event)", "False", WANTED),
    ("a nonce for what is not decided", "host.event.nonces:_Board._add_part", "part in (seeds.NONCE, seeds.NONE)", "False", WANTED),
    ("a nonce for a whole commitment", "host.event.nonces:_Board.wanting", "len(parts) == len(_COMMITMENT_PARTS)", "True", WANTED),
    ("a nonce for the newest", "host.event.nonces:_Board.wanting", "position > max(self.decided, self.over)", "True", WANTED),
    ("a nonce once", "host.event.nonces:Nonces._give", "record in earlier", "False", ANSWERS + "test_a_commitment_gets_one_nonce_whatever_is_heard_again_and_read_anew"),
    ("a nonce for this key", "host.event.nonces:Nonces.take", "board.generation == key.generation", "True", ANSWERS + "test_no_nonce_is_given_to_a_board_that_has_another_key_since"),
    ("one writer", "host.archive.sqlite_backend:_lock", "holder = lock.take()", "holder = None", ARCHIVE + "test_a_second_writer_is_refused_with_a_sentence"),
    ("a whole file", "host.archive.sqlite_backend:_check", 'report != ["ok"]', "False", BACKUP + "test_damage_that_nothing_else_would_meet_is_found_as_an_archive_is_opened"),
    ("on the disk", "host.archive.sqlite_backend:_prepare", '"synchronous = FULL"', '"synchronous = OFF"', "host/test_private_files.py::test_what_is_written_is_synced_through_the_disks_own_cache_and_refers_to_what_is_there"),
    ("no replacing", "host.archive.sqlite_backend:_prepare", '"recursive_triggers = ON"', '"recursive_triggers = OFF"', ARCHIVE + "test_replacing_a_record_is_refused_too"),
    # results
    ("a result's code", TYPED + "proven", "digest.same(own.encode(), plain.encode())", "True", CODES + "test_a_made_up_result_is_refused_and_tries_are_few"),
    ("a code for its table", "firmware.core.code:result_code", 'struct.pack("<BHB", number, pairing, packed)', 'struct.pack("<BHB", number, 0, packed)', ALONE + "test_a_results_code_is_of_one_round_and_one_event"),
    ("a code for its round", "firmware.core.code:result_code", 'struct.pack("<BHB", number, pairing, packed)', 'struct.pack("<BHB", 0, pairing, packed)', ALONE + "test_a_results_code_is_of_one_round_and_one_event"),
    ("a code for its event", "firmware.core.code:result_code", "frames.stream_key(key, event, _RESULT, 0)", "frames.stream_key(key, 0, _RESULT, 0)", ALONE + "test_a_results_code_is_of_one_round_and_one_event"),
    ("a code once", "host.desk.code_entry:enter", "typed_results.used(archive, plain)", "False", CODES + "test_a_code_counts_for_its_table_once"),
    ("a typed result's round", "host.event.typed_results:results", "result.round == round_number", "True", ALONE + "test_a_typed_result_counts_in_its_own_round_alone"),
    ("a code once, that very one", "host.event.typed_results:used", "result.code == text", "True", ALONE + "test_a_typed_result_counts_in_its_own_round_alone"),
    ("a typed result's numbers", "host.base.json_values:whole", "type(value) is int", "True", ODD_TYPED),
    ("a typed result's outcome", "host.event.typed_results:read_result", "won not in (1, 2, outcome.TIE)", "False", ODD_TYPED),
    ("a typed result's games", "host.event.typed_results:read_result", 'items(facts["games"])', 'items(facts["games"])[:2]', ODD_TYPED),
    ("a code's letters", TYPED + "is_formed", "all(letter in code.ALPHABET for letter in plain)", "True", ALONE + "test_a_results_code_is_of_one_round_and_one_event"),
    ("few tries", "host.desk.code_entry:_playing", "typed_results.attempts(archive, number, table) >= TRIES", "False", CODES + "test_a_made_up_result_is_refused_and_tries_are_few"),
    ("wrong tries are kept", "host.desk.code_entry:enter", "typed_results.store_attempt(...)", "pass", CODES + "test_a_made_up_result_is_refused_and_tries_are_few"),
    ("an adopted board's code", "host.desk.code_entry:_proven_result", "... if adopted else [match]", "...", CODES + "test_the_code_of_a_match_set_up_by_hand_is_none_of_a_match_that_was_published"),
    ("a result of its own table", "host.event.fold:Hall.boards_results", "table in self._tables_by_board[board]", "True", "host/test_odd_records.py::test_a_result_claimed_for_another_table_is_no_result"),
    ("numbers that a board writes", "host.event.fold:TableFold._try_apply", "record_bounds.plausible(...)", "True", "host/test_odd_records.py::test_its_table_wants_a_judge_and_the_others_go_on"),
    ("a match that ended has an end", "host.event.record_bounds:plausible", "match.phase == phases.AGREED and match.outcome not in _DECIDED", "False", NO_MATCH),
    ("fields within their ranges", "host.event.record_bounds:plausible", "all(...)", "True", NO_MATCH),
    ("a field of one number", "host.event.record_bounds:_fits", "name in FREE", "True", NO_MATCH),
    ("a field of two numbers", "host.event.record_bounds:_fits", "value is None", "True", NO_MATCH),
    ("the second of two numbers", "host.event.record_bounds:_fits", "value[1] in within", "True", NO_MATCH),
    ("one game or three", "host.event.record_bounds:_format", "match.best_of in (1, 3)", "True", NO_MATCH),
    ("a gap", "host.event.fold:TableFold._past_missing", "missing.counter >= self._sizes[missing.epoch]", "True", "host/test_fold.py::test_a_reset_goes_on_where_the_boot_before_ended"),
    # announced results
    ("an announcement's event", SAYS + "_read", "verified.event != roster.current_event.number", "False", SAID + "test_what_was_told_at_another_event_counts_there_alone"),
    ("an announcement's round", SAYS + "_read", "announced_result(word).round != number % announced.MOST", "False", SAID + "test_what_cannot_be_is_refused_and_counted_once[sqlite-round]"),
    ("few announcements", SAYS + "_to_store", "self._counts[status.key, number] >= MOST", "False", SAID + "test_who_has_a_boards_key_cannot_fill_the_disk"),
    ("an announcement of its own table", "host.event.fold:Hall.announced_result", "announcement.table not in self._tables_by_board.get(announcement.board, ())", "False", SAID + "test_a_notice_that_is_of_no_place_of_its_board_counts_for_nothing"),
    ("records count more", "host.event.fold:Hall.announced_results", "not self._overtaken(announcement)", "True", SAID + "test_records_that_tell_more_count_even_if_nobody_heard_of_it"),
    ("an announcement's frame", "host.event.announced_results:_fits", "head_of(announcement.frame) != head", "False", SAID + "test_a_notice_that_says_other_than_its_frame_counts_for_nothing"),
    ("who signed an announcement", "host.audit.announcement_check:_is_genuine", "not isinstance(verified, VerifiedFrame)", "False", "host/test_announcement_audit.py::test_one_that_its_board_did_not_sign_here_is_named"),
    # the audit
    ("a seal fits", SEALS, "... == stated", "... != b''", AUDIT + "test_a_record_made_anew_with_the_key_breaks_its_seal"),
    ("seals follow one another", SEALS, "seal_over(begins, before, ...)", "seal_over(begins, bytes(7), ...)", SEALED),
    ("a seal begins where one ended", SEALS, "begins != first and ...", "False", ALONE + "test_a_seal_that_leaves_records_out_is_found"),
    ("a seal whose beginning is here", SEALS, "begins != first and ...", "begins != first", UNSEALED),
    ("a seal that follows none", SEALS, "begins != first or None in covered", "None in covered", UNSEALED),
    ("a boot that closed with fewer", LOOKS + "_check_boot", "held is not None and written > held", "False", FOILS + "test_a_boot_that_closes_with_fewer_records_than_it_had_told_of_is_found"),
    ("a code by hand", LOOKS + "_places", "... if place in adopted else [place]", "...", ANSWERS + "test_a_code_of_a_match_set_up_by_hand_stands_the_audit_where_its_board_was_adopted_alone"),
    ("a stored tag", LOOKS + "_is_genuine", "signatures.verify(key, entry.frame)", "True", AUDIT + "test_a_changed_record_is_found"),
    ("a stored place", LOOKS + "_is_genuine", "head[1:] == place", "True", ALONE + "test_a_record_in_anothers_place_is_found"),
    ("an order's answer", LOOKS + "_fits", "state == answered", "True", AUDIT + "test_an_order_without_an_answer_is_found"),
    ("quarantine", LOOKS + "inspect", "archive.quarantined", "()", AUDIT + "test_a_quarantined_record_and_a_contradicted_code_are_found"),
    ("a typed result", LOOKS + "_check_codes", "(typed.won, typed.games) not in proven", "False", AUDIT + "test_a_typed_result_that_was_changed_is_found"),
    ("a typed result that is contradicted", LOOKS + "_check_folds", "... != typed_outcome", "False", AUDIT + "test_a_quarantined_record_and_a_contradicted_code_are_found"),
    ("the chain's links", "host.archive.audit_log:mark", "before + what.encode()", "what.encode()", TAMPERED + "test_counterfoils_that_are_gone_or_changed_are_found"),
    ("counterfoils are looked at", PROOF + "gather", "not rows and (older or not entries)", "older or not entries", TAMPERED + "test_where_there_are_counterfoils_no_word_of_anybody_and_no_empty_archive_passes_them_over"),
    ("the end is sealed", "host.archive.audit_log:AuditLog.close_event", "self._last_kind != SEALED and ...", "False", FOILS + "test_an_event_that_was_closed_is_sealed_as_its_program_ends"),
    ("the end is sealed once", "host.archive.audit_log:AuditLog.close_event", "self._last_kind != SEALED", "True", FOILS + "test_an_event_that_was_closed_is_sealed_as_its_program_ends"),
    ("no end before the end", "host.archive.audit_log:AuditLog.close_event", "self.event_closed", "True", FOILS + "test_an_event_that_was_closed_is_sealed_as_its_program_ends"),
    ("heads that were told of", "host.collector.undelivered:Undelivered.store_due", "if missed: ...", "pass", FOILS + "test_a_head_that_was_told_of_is_kept_and_its_records_are_missed_by_number"),
    ("a kind of row that there is", FOIL + "mismatched_rows", "what not in KINDS", "False", CHANGED + "test_no_host_goes_on_over_a_log_with_a_row_of_another_programs[a NUL in a kind]"),
    ("the chain", FOIL + "mismatched_rows", "mark(key, before, what, body) != stored_mark", "False", CHANGED + "test_a_row_counts_for_nothing_because_another_row_names_it"),
    ("the whole chain before a host goes on", LOG + "_require_unchanged", "self._chain_fault(key)", "None", CHANGED + "test_a_row_counts_for_nothing_because_another_row_names_it"),
    ("the whole chain while it runs", LOG + "_fault_beside_set_up", "return self._chain_fault(key)", "return None", CHANGED + "test_the_chains_end_and_every_row_are_compared_while_a_host_runs"),
    ("the chain's end while it runs", LOG + "_fault_beside_set_up", "self._last_mark != ...", "False", CHANGED + "test_the_chains_end_and_every_row_are_compared_while_a_host_runs"),
    ("the chain's end at each write", LOG + "_write", "before != ...", "False", CHANGED + "test_no_row_follows_one_that_this_program_did_not_write"),
    ("a head over what this program wrote", LOG + "keep_head", "last == self._committed_mark", "True", CHANGED + "test_no_head_is_kept_of_an_end_that_this_program_did_not_write"),
    ("another program's rows", LOG + "require_own", "self._load_key() and self.foreign", "False", "host/test_desk_goes_on.py::test_what_another_program_wrote_counts_once_somebody_here_says_that_it_is_right"),
    ("the mark that is stored", FOIL + "mismatched_rows", "before = stored_mark", "before = mark(key, before, what, body)", "host/test_audit_log.py::test_a_row_that_was_changed_is_named_alone"),
    ("the set-up as it was kept", "host.archive.audited_tables:differing", "pair[0] != pair[1]", "False", SET_UP + "test_every_row_that_a_table_can_lose_is_missed"),
    ("the set-up is kept", "host.archive.audit_log:AuditLog.add_set_up", "audited_tables.take_changes(self._archive)", "[]", SET_UP + "test_what_the_program_itself_changes_fits"),
    ("the set-up before a host goes on", LOG + "_require_unchanged", "self._set_up_fault()", "None", CHANGED + "test_no_host_goes_on_over_it_and_it_is_named"),
    ("what no older program covered", "host.archive.audit_log:AuditLog._sheets_to_name", "sheets - self._named_sheets", "set()", CHANGED + "test_what_an_older_program_did_not_cover_is_taken_up"),
    ("row numbers used up", "host.archive.table_shapes:odd_rows", "archive.number(_NUMBERED_OUT)", "0", "host/test_odd_rows.py::test_numbers_of_rows_that_leave_no_room_are_refused"),
    ("a sheet of a later program's", "host.archive.audited_tables:unpack", "row.sheet in SHEETS", "True", CHANGED + "test_a_sheet_that_only_a_later_program_has_is_passed_over"),
    ("the set-up from its first day", "host.archive.audit_log:AuditLog.add_set_up", "audited_tables.row_digests(self._archive, self._sheets_to_name(touched))", "{}", SET_UP + "test_an_archive_that_kept_none_of_it_is_not_accused_and_takes_it_up"),
    ("counterfoils are there", PROOF + "gather", "older or not entries", "True", TAMPERED + "test_counterfoils_that_are_gone_or_changed_are_found"),
    ("a seed's commitment", ROLLS + "_check_seed", "... != period.commitment", "False", BOOK + "test_another_seed_than_the_one_committed_to_is_found"),
    ("a roll's bytes", ROLLS + "_check_seed", "not is_given", "False", BOOK + "test_a_journal_alone_betrays_a_face_a_roll_left_out_and_an_order"),
    ("a roll's number", ROLLS + "_check_period", "event.number != expected", "False", BOOK + "test_a_journal_alone_betrays_a_face_a_roll_left_out_and_an_order"),
    ("the host's nonce", ROLLS + "_check_nonce", "not _is_hosts(period, given)", "False", BOOK + "test_a_nonce_that_this_host_never_gave_is_found"),
    ("a nonce that was taken", ROLLS + "_check_nonce", "period.taken", "False", BOOK + "test_a_board_that_took_a_nonce_and_writes_that_none_came_is_found"),
    ("a seed once", ROLLS + "check", "period.seed in used_seeds", "False", BOOK + "test_a_seed_that_comes_twice_is_found"),
    ("a commitment first", "host.event.seed_periods:_add_event", "current.late or not current.committed", "current.late", BOOK + "test_a_roll_before_its_commitment_is_found"),
    # keys
    ("passphrase", VAULT + "encrypt", "len(passphrase) < SHORTEST", "False", BACKUP + "test_short_passphrases_are_refused"),
    ("what is sealed with the key", VAULT + "_bound_header", "return json.dumps(head, sort_keys=True).encode()", "return b''", BACKUP + "test_keys_come_back_with_the_passphrase_alone"),
    ("a sealed file's version", VAULT + "_read", 'held["version"] == 1', "True", KEYRING + "test_a_sealed_file_of_another_kind_is_none"),
    ("how a file is sealed", VAULT + "_read", 'held["kdf"] == "scrypt"', "True", KEYRING + "test_a_sealed_file_of_another_kind_is_none"),
    ("what is in a sealed file", VAULT + "_read", "known and all(...)", "known or all(...)", KEYRING + "test_a_sealed_file_of_another_kind_is_none"),
    ("cost", VAULT + "_read", '2 <= held["n"] <= COST', "True", KEYRING + "test_a_sealed_file_of_another_kind_is_none"),
    ("the master key's readers", "host.archive.master_key:load", "path.stat().st_mode & 0o077", "False", KEYRING + "test_a_master_key_that_others_can_read_is_refused"),
    ("the master key's length", "host.archive.master_key:load", "len(key) != SIZE", "False", KEYRING + "test_a_damaged_master_key_is_refused"),
    ("a copy that is whole", "host.backup.restore:_newest", "fault is not None", "False", PASSED),
    ("a copy's pages", "host.backup.restore:_strange", '... != [("ok",)]', "False", PASSED + "[it is damaged]"),
    ("a copy's seal", "host.backup.copy_seal:check", "not hmac.compare_digest(...)", "False", UNSEALED_COPY + "[another key's seal]"),
    ("what a copy's seal covers", "host.backup.copy_seal:check", "... != sealed.digest", "False", UNSEALED_COPY + "[another link under the old seal]"),
    ("a copy without a seal", "host.backup.restore:_content", "not older", "False", UNSEALED_COPY + "[no seal]"),
    ("a copy that changes", "host.backup.copy_seal:extract", "... != sealed.digest", "False", "host/test_copy_seal.py::test_a_copy_that_changes_while_it_is_read_is_not_kept"),
    ("a restored archive's readers", "host.base.private_files:create", "_SECRET", "_OPEN", "host/test_copy_seal.py::test_a_restored_archive_and_its_key_are_their_owners_alone"),
    ("a copy on the disk", "host.backup.copy_seal:append", "os.fsync(file.fileno())", "pass", "host/test_copy_seal.py::test_a_copy_is_on_the_disk_before_it_has_its_name"),
    ("a key that is there", "host.base.private_files:create", "_NEW", "_NEW & ~os.O_EXCL", "host/test_private_files.py::test_a_key_that_another_program_made_meanwhile_is_not_written_over"),
    ("a copy that is not empty", "host.backup.restore:_fault", "not copy.stat().st_size", "False", PASSED + "[it is empty]"),
    ("a copy of our version", "host.backup.restore:_strange", "version != schema.VERSION", "False", PASSED + "[no archive of this plusthree]"),
    ("a copy of these keys", "host.backup.restore:_strange", "rows and not any(...)", "False", PASSED + "[another archive]"),
    ("a cost that is a number", VAULT + "_read", 'type(held["n"]) is int', "True", KEYRING + "test_a_sealed_file_of_another_kind_is_none"),
    ("a copy's readers", STORE + "copy_to", "0o600", "0o644", "host/test_private_files.py::test_a_copy_is_one_file_that_needs_no_other_beside_it"),
    ("keys of another archive", "host.backup.backup:has_key", "fingerprint != key_encryption.fingerprint(master)", "False", STICK + "test_another_archive_of_the_same_name_is_refused"),
    ("the passphrase of the keys there", "host.backup.backup:has_key", "passphrase is not None", "False", STICK + "test_a_passphrase_that_is_given_must_be_that_of_the_keys"),
    ("the last two copies", "host.backup.backup:_drop_oldest", "if len(paths) > kept: ...", "if paths: ...", STICK + "test_on_a_full_stick_the_oldest_copies_make_room"),
    ("a link in a file's place", "host.base.private_files:log_at", "not is_one_file(path)", "False", "host/test_planted_files.py::test_what_lies_beside_an_archive_goes_through_no_link"),
    ("a second name", "host.base.private_files:is_one_file", "found.st_nlink <= 1", "True", "host/test_planted_files.py::test_no_command_writes_through_a_link[provision a gateway]"),
    ("a pipe in a file's place", "host.base.private_files:_need_place", "not path.is_file()", "False", "host/test_planted_files.py::test_what_is_no_file_is_refused_with_a_sentence[export]"),
    ("a pipe for a log", "host.base.private_files:log_at", "stat.S_ISREG(...)", "True", "host/test_planted_files.py::test_a_pipe_that_was_put_there_a_moment_ago_is_given_no_log"),
    ("a log to pack", "host.server.log_file:files", "private_files.is_one_file(path)", "path.is_file()", "host/test_planted_files.py::test_a_log_that_is_a_link_is_not_packed"),
    ("a secret's readers", "host.base.private_files:create", "_SECRET if secret else _OPEN", "_OPEN", "host/test_private_files.py::test_settings_in_the_place_of_a_readable_file_are_their_owners_alone"),
    ("an archive that is there", "host.backup.restore:restore", "any(...)", "False", "host/test_copy_seal.py::test_what_lies_in_wait_at_the_archives_place_is_refused"),
    ("a board of ours", "host.boards.provisioning:BatchProvisioner._ours", "any(key == frames.board_key(self._master, device, each).hex() for each in known)", "True", "host/test_provision.py::test_another_organisers_board_with_a_number_of_ours_gets_another"),
    ("no key twice", "host.boards.provisioning:next_generation", "board.generation + 1", "board.generation", "host/test_provision.py::test_a_known_board_keeps_its_number_and_table_and_gets_a_new_key"),
)  # fmt: skip


KEPT = "host/test_audit_log.py::"


def giving(module, name, value):
    """Return a patch by which a function returns ``value`` whatever it is asked."""
    return lambda patch: patch.setattr(module, name, lambda *terms: value)


def no_heads(patch):
    patch.setitem(log_check._READ, audit_log.HEAD, lambda named, body: None)


OF_THE_AUDIT = (
    ("the chain", giving(audit_log, "mark", bytes(16)), TAMPERED + "test_counterfoils_that_are_gone_or_changed_are_found"),
    ("records", giving(log_check, "_records", []), TAMPERED + "test_every_roll_and_every_end_is_as_good_a_place_as_any"),
    ("quarantine", giving(log_check, "_quarantined", ()), KEPT + "test_what_a_quarantine_once_held_is_missed_there"),
    ("notices", giving(log_check, "_notices", ()), TAMPERED + "test_a_nonce_that_is_gone_or_was_made_up_later_is_found"),
    ("heads", no_heads, KEPT + "test_a_boot_that_closes_with_fewer_records_than_it_had_told_of_is_found"),
    (
        "rows of other kinds",
        giving(examination, "odd_rows", ()),
        TAMPERED + "test_rows_that_no_program_of_ours_writes_are_found_and_raise_nothing",
    ),
    ("rules", giving(roll_order, "_legal", True), BOOK + "test_a_roll_where_its_board_cannot_have_written_it_is_found"),
    (
        "time",
        giving(roll_order.OrderFold, "_check_time", None),
        BOOK + "test_a_journal_alone_betrays_a_face_a_roll_left_out_and_an_order",
    ),
)  # fmt: skip


WALK = "web/test_security.py::"
GUARD = "host.web.guard:Guard._refusal"


class Everything:
    """A set that has whatever it is asked for."""

    def __contains__(self, one):
        return True


def no_host(patch):
    begin = Guard.__init__

    def careless(self, *terms):
        begin(self, *terms)
        self._hosts = Everything()

    patch.setattr(Guard, "__init__", careless)


def without_header(name, instead=()):
    """Return a patch by which the Guard does not see a header, or sees another one."""

    def take_away(patch):
        refusal = Guard._refusal

        def careless(self, scope):
            kept = [pair for pair in scope["headers"] if pair[0] != name]
            return refusal(self, {**scope, "headers": [*kept, *instead]})

        patch.setattr(Guard, "_refusal", careless)

    return take_away


def no_roles(patch):
    patch.setattr(access_links, "may", lambda role, least: role in access_links.ROLES)


def no_token(patch):
    patch.setattr(Sessions, "is_csrf", lambda self, cookie, token: True)


def no_cookie_tag(patch):
    def careless(self, value):
        number = (value or "").partition(".")[0]
        return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None

    patch.setattr(Sessions, "link_of", careless)


def no_revocation(patch):
    patch.setattr(
        AccessLinks, "_one", lambda self, where, value: next(iter(self._select(where, value)), None)
    )


def no_share(patch):
    patch.setattr(views, "share", lambda view, path, value, hidden: value)


def no_turning(patch):
    patch.setattr(plain_text, "fault", lambda text: None)


OF_THE_PAGES = (
    ("host", no_host, WALK + "test_foreign_pages_and_names_get_nothing"),
    (
        "origin",
        without_header(b"origin", ((b"origin", b"http://" + HOST.encode()),)),
        WALK + "test_foreign_pages_and_names_get_nothing",
    ),
    ("fetch site", without_header(b"sec-fetch-site"), WALK + "test_foreign_pages_and_names_get_nothing"),
    ("role", no_roles, WALK + "test_each_role_gets_what_it_takes_and_no_more"),
    ("token", no_token, WALK + "test_an_act_is_only_a_pages_own"),
    ("cookie", no_cookie_tag, WALK + "test_a_made_up_cookie_is_none"),
    ("revocation", no_revocation, "web/test_organiser.py::test_links_are_made_and_revoked"),
    (
        "length",
        edited("host.web.app:_body", "len(raw) > largest", "False"),
        WALK + "test_a_body_that_is_none_or_too_long_gets_one_sentence",
    ),
    ("share", no_share, "web/test_streams.py::test_viewers_are_never_told_what_is_hidden"),
    ("direction", no_turning, "web/test_desk_service.py::test_a_request_that_makes_no_sense_gets_one_sentence"),
    (
        "a host in capitals",
        edited(GUARD, "host[0].casefold() not in self._hosts", "host[0] not in self._hosts"),
        WALK + "test_the_desks_own_name_may_be_written_in_capitals",
    ),
    (
        "an origin in capitals",
        edited(GUARD, "origin.casefold() != own", "origin != own"),
        WALK + "test_the_desks_own_name_may_be_written_in_capitals",
    ),
    ("one host", edited(GUARD, "len(host) != 1", "False"), WALK + "test_a_request_names_exactly_one_host"),
    ("one origin", edited(GUARD, "changing and len(origins) != 1", "False"), WALK + "test_an_act_is_only_a_pages_own"),
    (
        "a role that nobody knows",
        edited("host.archive.access_links:may", "role in ROLES", "True"),
        WALK + "test_a_role_that_nobody_knows_may_nothing",
    ),
    (
        "streams of one link",
        edited("host.web.streams:Streams.end", "listener.link == link", "True"),
        "web/test_streams.py::test_a_revoked_link_ends_no_other_links_streams",
    ),
)  # fmt: skip


EDITED = OF_A_BOARD + OF_THE_HOST
PATCHED = OF_THE_AUDIT + OF_THE_PAGES
ROWS = [(name, edited(*change), test) for name, *change, test in EDITED] + [*PATCHED]


@pytest.mark.prove
@pytest.mark.parametrize("file", files(ROWS))
def test_without_a_check_its_test_fails(file, capsys):
    assert unnoticed(ROWS, file) == [], capsys.readouterr().out


def test_every_row_fits_the_source():
    assert bugs.stale([(row[1:4],) for row in EDITED]) == []
    for _, take_away, _ in PATCHED:
        with pytest.MonkeyPatch.context() as patch:
            take_away(patch)


def test_a_check_that_no_test_misses_is_named():
    rows = [("nothing", lambda patch: None, "core/test_frames.py::test_same_is_equality")]
    assert unnoticed(rows, *files(rows)) == ["nothing"]
