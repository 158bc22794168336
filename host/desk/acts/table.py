"""The table of all acts of staff, by area, for the typed desk, the pages and ``help``."""

from host.desk.acts import (
    begin_acts,
    board_acts,
    file_acts,
    judge_acts,
    pairing_acts,
    people_acts,
    room_acts,
    round_acts,
    table_acts,
)

ACTS = (
    *table_acts.ACTS,
    *judge_acts.ACTS,
    *room_acts.ACTS,
    *begin_acts.ACTS,
    *round_acts.ACTS,
    *file_acts.ACTS,
    *pairing_acts.ACTS,
    *people_acts.ACTS,
    *board_acts.ACTS,
)
ON_PAGES = tuple(act for act in ACTS if act.least is not None)
