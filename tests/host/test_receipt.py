"""A closed event's receipt: twelve words that not even the key's holder can give another event."""

import shutil

import pytest
from commands import plusthree
from tabletop import EVENT, MASTER, Venue
from unguarded import change, unguarded

from firmware.core import events
from host.archive import audit_log, audited_tables, master_key, receipt
from host.archive.access_links import AccessLinks
from host.archive.database import Database
from host.archive.roster import Format, Player
from host.archive.sqlite_backend import SqliteBackend
from host.archive.store import Archive
from host.audit import receipt_check
from host.base.errors import UserError
from host.desk import board_swap
from host.event import typed_results
from host.reports.paper import pages
from host.reports.paper.content import Content
from host.tournament import rule_packs


@pytest.fixture
def closed(tmp_path):
    """A venue whose event was played and closed, and the receipt of it."""
    venue = Venue(tmp_path / "a.db", tables=2)
    venue.begin()
    for board in venue.boards:
        venue.win(board)
    venue.drain()
    assert receipt.receipt(venue.archive) is None
    venue.archive.notices.add("plan", "{}", "Olga", 1)
    board_swap.close_event(venue.station, "Olga")
    yield venue, receipt.receipt(venue.archive)
    venue.station.close()


def test_it_has_twelve_words_and_stays_the_same_while_boards_are_packed(closed):
    venue, words = closed
    assert len(words.split()) == 12
    venue.drain()  # the boards answer that they have cleared the round
    venue.boards[0].boot(venue.air.now_ms)
    venue.drain()
    assert receipt.receipt(venue.archive) == words
    assert receipt_check.differences(venue.archive, words.upper()) == []


def test_a_mistyped_word_is_told_from_another_event(closed):
    venue, words = closed
    first, *rest = words.split()
    for text in (" ".join(rest), "zoo " * 12, words.replace(first, "plusthree")):
        with pytest.raises(UserError, match="mistyped"):
            receipt_check.differences(venue.archive, text)
    other = receipt.words_of(venue.archive.audit_log.rows, 1)
    assert len(receipt_check.differences(venue.archive, other)) == 1


def test_what_is_played_after_the_receipt_is_named(closed):
    venue, words = closed
    venue.drain()
    venue.boards[0].happen(events.ResultRuled(venue.air.now_ms, 1, 1, 2, 0))
    venue.archive.roster.rename([Player("0", "Somebody Else")])
    venue.drain()
    told = receipt_check.differences(venue.archive, words)
    assert any("record" in one for one in told) and any("players" in one for one in told)
    board_swap.close_event(venue.station, "Olga", anyway=True)
    assert receipt.receipt(venue.archive) != words


def rewritten(archive):
    """Change a name as the key's holder can: the row, its digest, and every mark of the log."""
    changed = audited_tables.RowKey("players", (EVENT, "0"))
    archive.write("UPDATE players SET name = 'Somebody Else' WHERE number = '0'")
    told = audited_tables.row_digest(archive, *changed)
    key, before = audit_log.key_of(MASTER), b""
    foils = "SELECT what, body, mark FROM counterfoils ORDER BY id"
    for number, row in enumerate(archive.select(audit_log.AuditRow, foils), 1):
        body = row.body
        if row.what == audit_log.ROWS:
            digests = audited_tables.unpack(body)
            body = audited_tables.pack(
                {one: told if one == changed else was for one, was in digests.items()}
            )
        before = audit_log.mark(key, before, row.what, body)
        sql = "UPDATE counterfoils SET body = ?, mark = ? WHERE id = ?"
        archive.write(sql, body, before, number)


def test_the_keys_holder_makes_an_audit_log_that_fits_and_no_receipt(closed, tmp_path, capsys):
    venue, words = closed
    venue.station.close()
    forged = tmp_path / "forged.db"
    shutil.copy(venue.path, forged)
    master_key.keep(master_key.path_of(forged), MASTER)
    with unguarded(forged) as db:
        rewritten(Database(SqliteBackend(db)))
    assert plusthree("audit", forged) == 0, capsys.readouterr().out
    capsys.readouterr()
    assert plusthree("audit", forged, "--receipt", words) == 1
    assert "not the event that the receipt was made of" in capsys.readouterr().out


def test_the_command_compares_and_answers(closed, capsys, tmp_path):
    venue, words = closed
    venue.station.close()
    master_key.keep(master_key.path_of(venue.path), MASTER)
    copy = shutil.copy(venue.path, tmp_path / "copy.db")
    key = master_key.path_of(venue.path)
    assert plusthree("audit", venue.path, "--receipt", words) == 0
    assert plusthree("audit", copy, "--key", key, "--receipt", words) == 0
    assert plusthree("audit", copy, "--key", key, "--receipt", words + " zoo") == 2


def test_it_stands_below_the_last_standings_on_paper(closed):
    venue, words = closed
    pack = rule_packs.load("pokemon-swiss")
    content = Content(venue.archive, venue.station.hall, pack=pack)
    assert words in pages.page("standings", content, "en")
    venue.archive.roster.store_round(2, Format(0, 3 << 1, 50), [])
    earlier = Content(venue.archive, venue.station.hall, 1, pack)
    assert words not in pages.page("standings", earlier, "en"), "they are of the whole event"


LATER = {what: f"the notice {what} 'win 1': came after the receipt"
         for what in ("points", "paper result", "anything", "archive taken as right", "beacon")
         } | dict.fromkeys(("closed", "beacon off", "beacon on", "codes shown", "nonce",
                            "clock judged", "plan"))  # fmt: skip


@pytest.mark.parametrize("what", LATER)
def test_a_notice_after_the_receipt_is_named_where_it_could_change_what_was_played(closed, what):
    venue, words = closed
    assert receipt_check.differences(venue.archive, words) == []
    venue.archive.notices.add(what, "win 1", "Eve", 1)
    found = receipt_check.differences(venue.archive, words)
    assert found == ([LATER[what]] if LATER[what] else [])
    quiet = "notices: 1 row came after the receipt" in receipt_check.later_sheets(
        venue.archive, words
    )
    assert quiet is (LATER[what] is None and what != "closed")


def test_what_is_stored_along_with_the_close_came_after_it(tmp_path):
    with Venue(tmp_path / "a.db", tables=2).station as station, station.archive.transaction():
        board_swap.close_event(station, "Olga")
        station.archive.notices.add("points", "win 1", "Eve", 1)
    with Archive(tmp_path / "a.db") as archive:
        words = receipt.receipt(archive)
        assert receipt_check.differences(archive, words) == [LATER["points"]]


def test_who_packs_up_is_no_alarm(closed, capsys):
    venue, words = closed
    venue.station.beacon_on = True
    venue.station.switch_beacon(False, "Olga")
    venue.station.close()
    master_key.keep(master_key.path_of(venue.path), MASTER)
    assert plusthree("link", "judge", "Ada", venue.path) == 0
    capsys.readouterr()
    assert plusthree("audit", venue.path, "--receipt", words) == 0
    said = capsys.readouterr().out
    for sheet in ("links", "notices"):
        assert f"changed: {sheet}: 1 row came after the receipt" in said


def test_what_came_after_the_receipt_and_was_not_played_is_counted(closed):
    venue, words = closed
    before = receipt_check.later_sheets(venue.archive, words)
    AccessLinks(venue.archive).make("judge", "Eve", "Olga", 1)
    AccessLinks(venue.archive).make("judge", "Ada", "Olga", 1)
    venue.archive.roster.rename([Player("0", "Somebody Else")])  # ``differs`` names this one
    found = receipt_check.later_sheets(venue.archive, words)
    assert found == sorted([*before, "links: 2 rows came after the receipt"])
    assert not any("links" in one or "players" in one for one in before)
    other = receipt.words_of(venue.archive.audit_log.rows, 1)
    assert receipt_check.later_sheets(venue.archive, other) == []


def test_a_later_record_that_is_gone_is_a_sentence(closed, capsys):
    venue, words = closed
    venue.boards[0].happen(events.ResultRuled(venue.air.now_ms, 1, 1, 2, 0))
    venue.drain()
    venue.station.close()
    master_key.keep(master_key.path_of(venue.path), MASTER)
    last = "SELECT max(counter) FROM records WHERE device = 101"
    change(venue.path, f"DELETE FROM records WHERE device = 101 AND counter = ({last})")
    assert plusthree("audit", venue.path, "--receipt", words) == 1
    assert "stored here once, and gone" in capsys.readouterr().out


def test_only_a_result_means_that_somebody_played_on(closed):
    venue, _ = closed
    assert not receipt_check.played_since(venue.archive)
    venue.archive.notices.add("points", "win 1", "Olga", 1)
    assert not receipt_check.played_since(venue.archive)
    venue.archive.notices.add(typed_results.ENTERED, "{}", "Olga", 2)
    assert receipt_check.played_since(venue.archive)
