"""Every check of a board is needed: with its one line written otherwise, a named test fails, in
`make prove`; `make test` sees that each passage is there.

A row is (the check, its function, the passage, what stands there instead, the test). The function
is changed in this process alone, as ``mutation`` says; a passage that is not there any more fails
its row, as does a test that is none.
"""

import bugs
import pytest
from without import edited, files, unnoticed

FRAMES, SYNC, WINDOW, JOURNAL = (
    "firmware.core.frames:", "firmware.core.sync:Sync.", "firmware.core.sync:Window.",
    "firmware.core.journal:Journal.",
)  # fmt: skip
CLOCK, CODE, SEEDS = (
    "firmware.core.timebase:Timebase.", "firmware.core.code:", "firmware.core.seeds:Seeds.",
)  # fmt: skip
LINK, HAIL = "firmware.radio.link:Link.", "firmware.radio.advertiser:"
FORGED = "core/test_refusals.py::test_a_forged_frame_changes_nothing[{}-{}]"
REASONS = "core/test_sync.py::test_what_is_refused_is_counted_by_its_reason"
CODES, ALONE, LUCK = "core/test_code.py::", "core/test_refusals.py::", "core/test_seeds.py::"
OWN = ALONE + "test_a_record_in_flash_that_is_not_the_boards_own_is_not_taken_up"
KEYS, NO_OTHER = (
    'struct.pack("<HBH", event, direction, epoch)',
    "core/test_frames.py::test_one_thing_that_is_other_is_another_key",
)
NO_BOARD = "core/test_frames.py::test_no_board_and_no_generation_has_anothers_key"
NO_KIND = ALONE + "test_a_genuine_frame_of_a_kind_that_is_none_is_refused"
JOINED = ALONE + "test_a_joining_alone_is_signed_under_no_event"
SLEEP = "ui/test_app.py::test_what_lies_in_sleep_memory_of_another_event_or_of_none_tells_no_time"
UNSAID = LUCK + "test_no_part_of_a_seed_is_on_the_air_before_its_match_is_over"

CHECKS = (
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
    ("device", SYNC + "_refusal", "device != self.journal.device", "False", REASONS),
    ("kind", SYNC + "_refusal", "intents.from_desk(kind) if command else 0 < kind <= frames.IDENTIFY", "True", REASONS),
    ("kind 0", SYNC + "_refusal", "0 < kind <= frames.IDENTIFY", "kind <= frames.IDENTIFY", NO_KIND),
    ("kinds of the keys", SYNC + "_refusal", "intents.from_desk(kind)", "True", NO_KIND),
    ("kinds between", SYNC + "_refusal", "0 < kind <= frames.IDENTIFY", "True", NO_KIND),
    ("an intent of a newer desk", SYNC + "receive", "intent.kind", "True", "core/test_sync.py::test_an_intent_of_a_newer_desk_is_refused_counted_and_does_not_stop_the_next"),
    ("a challenge is a score", FRAMES + "kind_of", "frame[at + _KIND_AT] >> 6 == 1", "frame[at + _KIND_AT] > 63", "core/test_frames.py::test_a_challenge_is_a_score_to_every_board"),
    ("epoch", SYNC + "_refusal", "epoch != self.journal.epoch", "False", REASONS),
    ("an epoch that is over", SYNC + "_refusal", "epoch != self.journal.epoch", "epoch > self.journal.epoch", ALONE + "test_an_epoch_that_is_over_is_refused_as_such"),
    ("counter of commands", SYNC + "_refusal", "counter <= self.commanded", "False", REASONS),
    ("the same counter", SYNC + "_refusal", "counter <= self.commanded", "counter < self.commanded", REASONS),
    ("tag at the board", SYNC + "_refusal", "frames.authentic(key, frame)", "True", REASONS),
    ("refusal", SYNC + "receive", "reason is not None", "False", REASONS),
    ("freshness", SYNC + "receive", "counter > self.highest", "True", "core/test_sync.py::test_a_link_must_prove_itself_and_stay_fresh"),
    ("freshness of a wink", SYNC + "_serve", "fresh and kind == frames.IDENTIFY", "kind == frames.IDENTIFY", ALONE + "test_what_is_repeated_is_fetched_and_shown_once"),
    ("freshness of a fetch", SYNC + "_serve", "fresh and not self.window.resend(...)", "not self.window.resend(*frames.fetch_of(frame))", ALONE + "test_what_is_repeated_is_fetched_and_shown_once"),
    ("a time that is not known", SYNC + "receive", "self.timebase.guessed", "False", "core/test_sync.py::test_a_board_that_was_not_told_the_time_does_nothing_but_join"),
    ("counter of a name", SYNC + "_name", "counter <= self.named[at]", "False", ALONE + "test_a_part_of_a_name_that_was_said_before_does_not_replace_a_later_one"),
    ("names before a round", SYNC + "receive", "self.named = [counter] * 6", "pass", ALONE + "test_a_name_of_the_round_before_does_not_come_after_the_round"),
    ("parts of a name", SYNC + "_name", "part > 2", "False", ALONE + "test_a_name_has_three_parts"),
    ("names of another event", SYNC + "join_event", "self.forget()", "pass", ALONE + "test_a_board_that_is_moved_to_another_event_forgets_the_names"),
    ("names of another round", SYNC + "receive", "self.forget()", "pass", ALONE + "test_a_board_that_is_told_of_another_round_forgets_the_names"),
    ("counters in a new epoch", SYNC + "renew", "self.highest = self.commanded = -1", "pass", ALONE + "test_a_new_epoch_takes_its_commands_from_the_first_counter_on"),
    ("an event's own key", SYNC + "renew", "journal.event == self._event", "True", "core/test_sync.py::test_a_board_of_another_event_can_be_moved"),
    ("8 s", SYNC + "drop_due", "since_ms is not None", "False", "core/test_sync.py::test_a_link_must_prove_itself_and_stay_fresh"),
    ("two tags a step", "firmware.app:App._serve", "self._hear(frame, uptime_ms)", "[self._hear(one, uptime_ms) for one in (frame, link.receive()) if one]", "sim/test_siege.py::test_a_step_checks_two_tags_at_most"),
    # the time
    ("nonce", CLOCK + "host_answered", "nonce != self.nonce", "False", ALONE + "test_the_right_answer_to_another_question_tells_no_time"),
    ("one answer a question", CLOCK + "host_answered", "self.nonce = None", "pass", ALONE + "test_the_right_answer_to_another_question_tells_no_time"),
    ("1 s", CLOCK + "host_answered", "trip > _ANSWER_MS", "False", ALONE + "test_an_answer_that_was_held_back_longer_than_a_second_tells_no_time"),
    ("time step", CLOCK + "host_answered", "least > limit or most < -limit", "False", "core/test_sync.py::test_an_impossible_time_is_refused_and_recorded_once"),
    ("time step forward", CLOCK + "host_answered", "least > limit or most < -limit", "most < -limit", "core/test_sync.py::test_an_impossible_time_is_refused_and_recorded_once"),
    ("time step back", CLOCK + "host_answered", "least > limit or most < -limit", "least > limit", "core/test_timebase.py::test_a_step_is_taken_as_far_as_it_is_possible"),
    ("time given back by a reset", CLOCK + "host_answered", "most < -_BELOW_MS", "False", ALONE + "test_after_a_reset_a_time_before_the_last_that_was_told_is_refused"),
    ("a clock that stands", CLOCK + "now_ms", "max(self.latest_ms, self.likely_ms(uptime_ms))", "self.likely_ms(uptime_ms)", "core/test_timebase.py::test_after_a_reset_no_answer_gives_time_back"),
    # acknowledgements
    ("acknowledgement digest", WINDOW + "acknowledge", "not digest.same(...)", "False", "core/test_refusals.py::test_every_bit_of_an_acknowledgements_digest_counts"),
    ("an acknowledged record is held", WINDOW + "acknowledge", "first is None", "False", "core/test_refusals.py::test_an_acknowledgement_of_records_to_come_clears_nothing"),
    ("acknowledged records are held", WINDOW + "acknowledge", "... >> 16 != epoch", "... >> 16 not in (epoch, -1)", ALONE + "test_an_acknowledgement_of_records_to_come_clears_nothing"),
    ("acknowledged epoch", WINDOW + "acknowledge", "... >> 16 != epoch", "... < 0", ALONE + "test_an_acknowledgement_does_not_reach_over_the_end_of_an_epoch"),
    # what lies in flash
    ("own records", JOURNAL + "kind", "self.authentic(self.ring.at(place))", "True", OWN),
    ("own event", JOURNAL + "_look_back", "not self.authentic(ring.at(place))", "False", OWN),
    ("own round", JOURNAL + "_look_back", "start if self._is_own(start) else None", "start", OWN),
    ("own time", JOURNAL + "_look_back", "last_ms if self._is_own(time_set) else None", "last_ms", ALONE + "test_a_time_in_flash_that_is_not_the_boards_own_is_not_gone_on_from"),
    ("own number", JOURNAL + "authentic", "device == self.device", "True", OWN),
    ("tag of a stored record", JOURNAL + "authentic", "frames.authentic(self._up(event, epoch), record)", "True", OWN),
    ("the last epoch", JOURNAL + "open_epoch", "self.epoch == _LAST", "False", ALONE + "test_the_last_epoch_has_none_after_it"),
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
    ("checksum of a block", "firmware.core.ring:_rank", "crc != _crc(view)", "False", ALONE + "test_a_block_whose_checksum_is_wrong_is_not_believed"),
    ("a boot that was cut off", JOURNAL + "_to_close", "self.counter == 1 and last >= 0", "False", "core/test_journal.py::test_a_boot_names_the_last_one_that_had_named_its_own_predecessor"),
    ("what was before another event", JOURNAL + "_look_back", "event.event != event.before", "False", "core/test_journal.py::test_a_board_back_from_another_event_resumes_nothing_of_before_it_went"),
    ("a match is offered again", WINDOW + "__init__", "journal.base if journal.start is None else journal.start", "journal.base", "core/test_sync.py::test_after_a_reset_the_whole_match_is_offered_again_unasked"),
    ("taken back after a reset", "firmware.core.ledger:Ledger.resume", "taken_back or event.kind == events.TAKEN_BACK", "False", "core/test_takeback.py::test_a_press_that_was_taken_back_does_not_come_back_with_a_reset"),
    # codes at the table
    ("a judge's code", CODE + "enter", "_number(pair, ahead, _NEW) == typed", "True", CODES + "test_a_code_is_taken_once_and_never_again_even_after_a_reset"),
    ("a judge's code once", CODE + "enter", "ahead + 1", "number", CODES + "test_a_code_is_taken_once_and_never_again_even_after_a_reset"),
    ("a judge's code's event", CODE + "judges_key", "frames.stream_key(key, event, _JUDGE, 0)", "frames.stream_key(key, 0, _JUDGE, 0)", CODES + "test_a_code_opens_one_board_at_one_event"),
    ("codes ahead", CODE + "enter", "min(number + AHEAD, 65535)", "65535", CODES + "test_a_code_too_far_ahead_is_wrong"),
    ("a wrong code's wait", CODE + "enter", "wait_ms(newest, now_ms)", "False", CODES + "test_wrong_codes_cost_growing_time_that_no_reset_gives_back"),
    ("a growing wait", CODE + "wait_ms", "1000 << min(newest.wrong, 10)", "2000", CODES + "test_wrong_codes_cost_growing_time_that_no_reset_gives_back"),
    ("a wait after the time was set back", CODE + "wait_ms", "min(max(0, newest.at_ms + cost_ms - now_ms), cost_ms)", "max(0, newest.at_ms + cost_ms - now_ms)", CODES + "test_a_time_set_back_makes_nobody_wait_longer_for_a_wrong_code"),
    ("own tries", CODE + "standing", "journal.authentic(ring.at(place))", "True", ALONE + "test_a_judges_code_entered_with_another_key_counts_for_nothing"),
    ("a wrong code opens nothing", "firmware.app:App._check_code", "not event.wrong", "True", "ui/test_app.py::test_only_a_right_code_opens_the_judges_menu"),
    ("a result's code is agreed", CODE + "result", "match.phase != phases.AGREED", "False", CODES + "test_a_result_that_nobody_has_agreed_to_has_no_code"),
    ("a result's code of who changed places", CODE + "result", "match.swapped", "False", CODES + "test_a_result_code_is_told_as_paired_whoever_sits_where"),
    # a match's seed
    ("a nonce for this commitment", SEEDS + "nonce", "intent.commitment != self.parts[0][0]", "False", LUCK + "test_a_nonce_names_the_commitments_first_byte_and_is_taken_once"),
    ("one nonce", SEEDS + "nonce", "not self.open", "False", LUCK + "test_the_nonce_never_changes_within_a_match"),
    ("seed withheld", JOURNAL + "to_send", "self.withheld is not None", "False", LUCK + "test_no_part_of_a_seed_is_on_the_air_before_its_match_is_over"),
    ("seed withheld whole", JOURNAL + "to_send", "0 <= place - self.withheld < HIDDEN", "place == self.withheld", UNSAID),
    ("seed withheld from its commitment", JOURNAL + "_put", "_commits(happened)", "False", UNSAID),
    ("seed withheld after a reset", JOURNAL + "_look_back", "place - HIDDEN if kind == events.SEED_TOLD else None", "None", UNSAID),
    ("seed withheld from the link", WINDOW + "due", "self.journal.to_send(self.cursor)", "self.journal.ring.at(self.cursor)", UNSAID),
    ("seed withheld from who asks", WINDOW + "due", "self.journal.to_send(self.asked)", "self.journal.ring.at(self.asked)", UNSAID),
    ("seed withheld from adverts", HAIL + "news", "journal.to_send(place)", "journal.ring.at(place)", LUCK + "test_no_part_of_a_seed_is_advertised_before_its_match_is_over"),
    ("no roll without a seed", "firmware.core.ledger:Ledger.ask", "self.seeds is None or self.seeds.ill or not self.seeds.whole", "self.seeds is None", LUCK + "test_a_generator_that_fails_disables_the_randomizer_until_the_next_match"),
    ("a purpose said before", "firmware.core.luck:roll", "not purpose", "False", "core/test_ritual.py::test_a_roll_is_for_what_was_said_before_and_for_nothing_else"),
    ("consent and switch", "firmware.core.luck:roll", "needs(match, randomizer, purpose) != 0", "False", "core/test_ritual.py::test_the_board_rolls_what_the_policy_allows"),
    ("a roll that is open", "firmware.core.luck:roll", "match.rolled in (SHOWN, DISPUTED)", "False", "core/test_ritual.py::test_nothing_is_rolled_while_a_roll_is_open"),
    ("barred for good", "firmware.core.ledger:Ledger._keep_bar", "first.kind in OVER and self.match.policy & luck.BARRED", "False", LUCK + "test_what_a_head_judge_barred_no_reset_and_no_round_undoes"),
    ("a sound generator", SEEDS + "test", "len(raw) == _TESTED and sound(raw)", "True", LUCK + "test_a_generator_that_fails_disables_the_randomizer_until_the_next_match"),
    ("a sound generator where a seed stands", SEEDS + "drawn", "self.ill or self.whole and self._sound", "self.ill or self.whole", LUCK + "test_a_generator_that_fails_after_a_reset_rolls_no_more_on_the_seed_of_before"),
    # the radio
    ("whole packets", LINK + "receive", "... == frames.SIZE", "...", "sim/test_bleio.py::test_what_is_written_too_long_is_refused"),
    ("a full link asks", SYNC + "outgoing", "self.asking or int(asks)", "self.asking", "core/test_sync.py::test_a_full_link_is_asked_for_the_time_at_once"),
    ("places for questions", LINK + "send", "self._answered and not self.full", "self._answered", "sim/test_link.py::test_a_lost_answer_leaves_a_place_to_ask_again"),
    ("a question in time", LINK + "asks", "records >= _ASKED_AFTER", "self.full", "sim/test_link.py::test_a_question_is_due_before_the_queue_is_full"),
    ("what is answered frees up to itself", LINK + "heard", "self._in_flight[self._in_flight.index(nonce) + 1 :]", "[]", "sim/test_link.py::test_a_late_answer_frees_what_went_before_its_own_question"),
    ("who does not subscribe", LINK + "_welcome", "self.connected or uptime_ms - self._since_ms <= SUBSCRIBE_MS", "True", "sim/test_bleak.py::test_a_guest_who_does_not_subscribe_is_shown_out"),
    ("windows after failures", HAIL + "frame", "strangers <= _FAILURES", "True", "sim/test_siege.py::test_after_failures_a_board_is_open_in_short_windows_at_random_times"),
    ("a window in which nobody could come", HAIL + "frame", "link.guests if sync.opened_ms is None else -1", "link.guests", "core/test_sync.py::test_a_stranger_who_stays_does_not_open_the_board_by_staying"),
)  # fmt: skip


ROWS = [(name, edited(*change), test) for name, *change, test in CHECKS]


@pytest.mark.prove
@pytest.mark.parametrize("file", files(ROWS))
def test_without_a_check_its_test_fails(file, capsys):
    assert unnoticed(ROWS, file) == [], capsys.readouterr().out


def test_every_row_fits_the_source():
    assert bugs.stale([(row[1:4],) for row in CHECKS]) == []


def test_a_check_that_no_test_misses_is_named():
    rows = [("nothing", lambda patch: None, "core/test_frames.py::test_same_is_equality")]
    assert unnoticed(rows, *files(rows)) == ["nothing"]
