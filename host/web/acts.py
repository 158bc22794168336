"""Every act of the web desk, by area."""

from host.web import acts_boards, acts_people, acts_room, acts_rounds, acts_table, checks

ACTS = (
    *acts_table.ACTS,
    *checks.ACTS,
    *acts_room.ACTS,
    *acts_rounds.ACTS,
    *acts_people.ACTS,
    *acts_boards.ACTS,
)
