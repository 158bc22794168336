"""Every act of the web desk, by the work that it belongs to."""

from host.web import acts_room, acts_table

ACTS = (*acts_table.ACTS, *acts_room.ACTS)
