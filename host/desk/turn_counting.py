"""The desk's switch for counting a table's turns before time, as evidence of slow play.

The length of a turn alone is never a reason for a penalty (P18 8.2; rules P7). After time every
turn is counted anyway.
"""

from firmware.core import intents, phases, play
from host.archive.store import Archive
from host.base.errors import UserError
from host.desk import table_boards
from host.desk.staff import Staff
from host.event import event_systems
from host.systems.match_facts import counts_turns, is_team


def switch(staff: Staff, table: int, on: bool) -> list[int]:
    """Switch the counting of a table's turns on or off; return the order's ids.

    Raises UserError if the board would not count them: in a system without turns, in a team match,
    after time or the result, and without a board.
    """
    desk = staff.desk
    if table in desk.tables:  # for other tables desk.command raises
        _require_turns(staff.archive, desk.published_round())
        table_boards.require(staff.archive, table)
        if on:
            _require_time(staff, table)
    others = desk.switches(table) & ~play.COUNTED
    switches = others | (play.COUNTED if on else 0)
    return desk.command(intents.SetPolicy, table, (switches,), staff.author)


def _require_time(staff: Staff, table: int) -> None:
    """Raise UserError if a table's match is over, or time was called on it."""
    phase, called = staff.station.hall.match_at(
        table, staff.desk.round, lambda match: (match.phase, match.called), (phases.IDLE, 0)
    )
    if phase == phases.AGREED:
        raise UserError("table {table} has its result: no more turns are played", table=table)
    if called:
        refusal = "time has been called at table {table}: its turns are counted anyway"
        raise UserError(refusal, table=table)


def _require_turns(archive: Archive, round_number: int) -> None:
    """Raise UserError if a round's matches have no turns that a board counts."""
    form = archive.roster.stored_format(round_number)
    rules = event_systems.rules_of(archive, form)
    if counts_turns(form.bits, rules):
        return
    if is_team(form.bits):
        raise UserError(
            "boards do not count the turns of a team match before time: note them by hand"
        )
    raise UserError("here both players share each game round: there are no turns to count")
