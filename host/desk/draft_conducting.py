"""Orders to a board that conducts a pod's draft: set-up, deck building, the end."""

from firmware.core import draft, intents, phases
from firmware.core.intents import Intent, SetDraft
from host.archive import draft_pods
from host.archive.draft_pods import Pods
from host.archive.orders import NewOrder
from host.base.errors import UserError
from host.desk import table_boards
from host.desk.station import Station

KINDS = {"rochester": draft.ROCHESTER, "booster": draft.BOOSTER}
STEPS = {"build": draft.BUILT, "end": draft.ENDED}
PICK_S = {"rochester": 4, "booster": 0}  # D03 App. A 5: three to four
_MOST_MS = 65535


def set_up_intent(kind: str, seats: int, packs: int, pick_s: int) -> Intent:
    """Return the intent that sets up a pod's draft of ``packs`` (Rochester: groups of them).

    Raises UserError for a draft that a board cannot conduct.
    """
    packed, pick_ms = draft.pack(KINDS[kind], seats, packs), pick_s * 1000
    fits = 0 < seats < 16 and 0 <= pick_ms <= _MOST_MS
    if not fits or not draft.Draft().decide(intents.Conduct(0, draft.SET, packed, pick_ms), 0):
        raise UserError(
            "a Rochester pod has 2-15 seats, 1-3 groups and a pick clock, a Booster pod 2-8 and"
            " 1-15 packs"
        )
    return SetDraft(0, draft.SET, packed, pick_ms)


def step(word: str) -> Intent:
    """Return the intent of a step in ``STEPS``."""
    return SetDraft(0, STEPS[word], 0, 0)


def pods_of(station: Station) -> Pods | None:
    """Return the pods of the last stored round, None without any."""
    rounds = station.archive.roster.rounds
    return draft_pods.in_force(station.archive, rounds[-1]) if rounds else None


def seats_of(station: Station, pod: int) -> int:
    """Return the number of players in a pod. Raises UserError for an unknown pod."""
    found = pods_of(station)
    if found is None or not 0 < pod <= len(found.circles):
        raise UserError("there is no pod {pod} in this round's draft", pod=pod)
    return len(found.circles[pod - 1])


def idle(station: Station) -> list[int]:
    """Return the tables with a board and without a match. Raises UserError if there are none."""
    tables = station.archive.roster.tables
    if not tables:
        raise UserError("no table has a board: read the times from a clock of your own")
    found = [table for table in tables if not _plays(station, table)]
    if not found:
        raise UserError("every table has a match: clear the tables first")
    return found


def _plays(station, table):
    fold = station.hall.fold_at(table)
    return fold is not None and fold.match.phase != phases.IDLE


def order(station: Station, table: int, intent: Intent, author: str) -> list[int]:
    """Order ``intent`` at a table, as of now; return the order's id.

    Raises UserError without a board, and if the board has a match.
    """
    table_boards.require(station.archive, table)
    if _plays(station, table):
        refusal = (
            "table {table} has a match: clear the tables, and draft before the next is published"
        )
        raise UserError(refusal, table=table)
    number = station.desk.round or 0
    new = NewOrder(number, table, intent.at(station.collector.now_ms), author)
    return [station.collector.add_order(new)]
