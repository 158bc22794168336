"""Every check of the audit is needed: without it, a named test of tampering fails."""

import pytest
from without import files, unnoticed

from host.archive import audit_log
from host.audit import examination, log_check, roll_order

TAMPERED, BOOK, KEPT = (
    "host/test_tampering.py::", "host/test_roll_check.py::", "host/test_audit_log.py::",
)  # fmt: skip


def giving(module, name, value):
    """Return a patch by which a function returns ``value`` whatever it is asked."""
    return lambda patch: patch.setattr(module, name, lambda *terms: value)


def no_heads(patch):
    patch.setitem(log_check._READ, audit_log.HEAD, lambda named, body: None)


CHECKS = (
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


@pytest.mark.parametrize("file", files(CHECKS))
def test_without_a_check_its_test_fails(file, capsys):
    assert unnoticed(CHECKS, file) == [], capsys.readouterr().out
